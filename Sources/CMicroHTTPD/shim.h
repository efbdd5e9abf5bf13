// libmicrohttpd starts and informs through variadic functions, which Swift does not import: one typed inline each.
#pragma once
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>

/// Targets are passed on as they were sent: whoever routes them decodes each segment once.
static size_t shim_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// Starts a daemon without a thread: epoll, driven from outside. `context` is the first argument of each callback.
static inline struct MHD_Daemon *shim_start(int listener, size_t pool_bytes, unsigned int connection_limit,
                                            MHD_AccessHandlerCallback on_request,
                                            MHD_RequestCompletedCallback on_completed,
                                            MHD_NotifyConnectionCallback on_connection,
                                            void *(*on_target)(void *, const char *, struct MHD_Connection *),
                                            MHD_LogCallback on_message, void *context) {
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_ERROR_LOG, 0, NULL,
                            NULL, on_request, context, MHD_OPTION_EXTERNAL_LOGGER, on_message, context,
                            MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            pool_bytes, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
                            MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_NOTIFY_COMPLETED, on_completed, context,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, context, MHD_OPTION_URI_LOG_CALLBACK,
                            on_target, context, MHD_OPTION_UNESCAPE_CALLBACK, shim_keep_escapes, NULL,
                            MHD_OPTION_END);
}
static inline int shim_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}
static inline int shim_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
/// What the connection callback stored for this connection.
static inline void *shim_stored(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}
/// Bytes of the request line and the headers, up to and with the empty line.
static inline size_t shim_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

static const uint64_t shim_size_unknown = UINT64_MAX;
static const ssize_t shim_end_of_stream = -1;
static const ssize_t shim_end_with_error = -2;
