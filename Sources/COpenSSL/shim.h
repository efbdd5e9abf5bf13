// Macros of OpenSSL that Swift cannot import, one static inline each.
#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// A new key on the curve P-256, or NULL.
static inline EVP_PKEY *doorstep_generate_p256(void) { return EVP_EC_gen("P-256"); }

static inline void doorstep_require_tls12(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    // Idle connections give their record buffers back.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline int doorstep_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

/// Adds a certificate to the chain sent after the server's own; the context takes a reference of its own.
static inline long doorstep_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

/// A passphrase callback for PEM: without one OpenSSL would ask on the terminal.
static inline int doorstep_refuse_passphrase(char *buffer, int size, int writes, void *context) {
    (void)buffer, (void)size, (void)writes, (void)context;
    return -1;
}
