// libcurl sets and reads its options through variadic functions, which Swift does not import: one typed inline each.
#pragma once
#include <curl/curl.h>
#include <stdint.h>

static inline void shim_set_long(CURL *easy, CURLoption option, long value) { curl_easy_setopt(easy, option, value); }
static inline void shim_set_string(CURL *easy, CURLoption option, const char *value) {
    curl_easy_setopt(easy, option, value);
}
static inline void shim_set_headers(CURL *easy, struct curl_slist *list) {
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}
/// Copies the bytes, which curl does only when it was told their number first; NULL is an empty body.
static inline CURLcode shim_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}
/// `on_header` and `on_body` receive `context` as their last argument; so does whoever asks for `shim_context`.
static inline void shim_set_callbacks(CURL *easy, curl_write_callback on_header, curl_write_callback on_body,
                                      void *context) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
}
static inline void *shim_context(CURL *easy) {
    char *context = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return context;
}
static inline long shim_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

static inline void shim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    curl_multi_setopt(multi, option, value);
}
static inline void shim_multi_set_callbacks(CURLM *multi, curl_socket_callback on_socket,
                                            curl_multi_timer_callback on_timer, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
/// The next finished transfer, or NULL.
static inline CURL *shim_multi_next_done(CURLM *multi, uint32_t *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}
