/* SPDX-License-Identifier: MIT */
/* Number of allocations of the FMU, identified by the address of the caller: the allocator of this program replaces
 * that of the C library, and counts. */
#define _GNU_SOURCE
#include "tests/fmi/fmu.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>

/* A sanitizer has an allocator of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#define IS_SANITIZED (__has_feature (address_sanitizer) || __has_feature (thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif

#if defined(__GLIBC__) && !IS_SANITIZED

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *memory, size_t size);

/* Code of the FMU; 0: nothing is counted. */
static uintptr_t code_begin, code_end;
static long n_asked;

static void count (void *from) {
  n_asked += (uintptr_t)from >= code_begin && (uintptr_t)from < code_end;
}

void *malloc (size_t size) {
  count (__builtin_return_address (0));
  return __libc_malloc (size);
}

void *calloc (size_t n, size_t size) {
  count (__builtin_return_address (0));
  return __libc_calloc (n, size);
}

void *realloc (void *memory, size_t size) {
  count (__builtin_return_address (0));
  return __libc_realloc (memory, size);
}

/* Returns whether this object holds the function. */
static int find_code (struct dl_phdr_info *object, size_t size, void *function) {
  (void)size;
  for (int k = 0; k < object->dlpi_phnum; k++) {
    uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[k].p_vaddr,
              end = begin + object->dlpi_phdr[k].p_memsz;
    if (object->dlpi_phdr[k].p_type == PT_LOAD && (uintptr_t)function >= begin && (uintptr_t)function < end) {
      code_begin = begin;
      code_end = end;
      return 1;
    }
  }
  return 0;
}

void fmu_begin_to_count (const Fmu *fmu) {
  void *function;

  *(fmi3GetVersionTYPE **)&function = fmu->GetVersion;
  dl_iterate_phdr (find_code, function);
}

long fmu_n_asked (void) {
  return code_end > 0 ? n_asked : -1;
}

#else

void fmu_begin_to_count (const Fmu *fmu) {
  (void)fmu;
}

long fmu_n_asked (void) {
  return -1;
}

#endif
