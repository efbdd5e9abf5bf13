// Counts calls of the allocator and tells the number at exit; preloaded by fold.py, which subtracts two runs.
#include <stddef.h>
#include <stdio.h>
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static unsigned long count;

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { count++; return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }

int posix_memalign(void **made, size_t alignment, size_t size) {
    count++;
    *made = __libc_memalign(alignment, size);
    return *made || !size ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "allocations %lu\n", count); }
