// What Glibc's own module leaves out: epoll, eventfd, pidfd, and what hides behind macros and feature switches.
// Never define _GNU_SOURCE here: it changes `fd_set`, and the two modules would then disagree about it.
#pragma once
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

static inline int shim_wait_exited(int status) { return WIFEXITED(status); }
static inline int shim_wait_status(int status) { return WEXITSTATUS(status); }
static inline int shim_wait_signal(int status) { return WTERMSIG(status); }
