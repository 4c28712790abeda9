/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-allocations.h"

#include <errno.h>
#include <stdlib.h>

static volatile bool watching;
static volatile int n_allocations;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_COUNT true
extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

void *malloc (size_t size) {
  n_allocations += watching;
  return __libc_malloc (size);
}

void *calloc (size_t n, size_t size) {
  n_allocations += watching;
  return __libc_calloc (n, size);
}

void *realloc (void *memory, size_t size) {
  n_allocations += watching;
  return __libc_realloc (memory, size);
}

int posix_memalign (void **memory, size_t alignment, size_t size) {
  n_allocations += watching;
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}
#else
#define CAN_COUNT false
#endif

bool hl_allocations_can_count (void) {
  return CAN_COUNT;
}

void hl_allocations_watch (bool watch) {
  watching = watch;
}

int hl_allocations_take (void) {
  int n = n_allocations;

  n_allocations = 0;
  return n;
}
