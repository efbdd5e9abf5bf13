// What Glibc's own module leaves out: epoll, eventfd, accept4, and fields hidden behind macros.
#pragma once
#define _GNU_SOURCE 1
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

static inline int shim_wait_exited(int status) { return WIFEXITED(status); }
static inline int shim_wait_status(int status) { return WEXITSTATUS(status); }
static inline int shim_wait_signal(int status) { return WTERMSIG(status); }
