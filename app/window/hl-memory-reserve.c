/* SPDX-License-Identifier: MIT */
/* Until its first frame the window uses some twenty megabytes for the first time, four kilobytes at a time,
 * and for each page the system interrupts the program: half of all page faults, ten microseconds each on a
 * virtual machine. With large pages there are only a dozen. */
#define _GNU_SOURCE
#include "app/window/hl-memory-reserve.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define AT_ONCE (16 << 20) /* bytes by which the heap grows */
/* Pictures of the window must come from the heap from the start. A program that sets the growth of the
 * heap must set this as well, otherwise every frame maps the pictures anew. */
#define MAPPED_FROM (32 << 20)
#define KEPT (64 << 20)      /* free bytes at the heap's end that are not given back */
#define LARGE_PAGE (2 << 20) /* bytes */

void hl_memory_prepare (void) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  mallopt (M_TOP_PAD, AT_ONCE);
  mallopt (M_MMAP_THRESHOLD, MAPPED_FROM);
  mallopt (M_TRIM_THRESHOLD, KEPT);
  char *before = sbrk (0);
  void *volatile more = malloc (2 * LARGE_PAGE); /* than there is: the heap grows */
  char *end = sbrk (0);
  free (more);
  uintptr_t from = ((uintptr_t)before + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;

  if (before != (char *)-1 && (uintptr_t)end > from)
    madvise ((void *)from, (uintptr_t)end - from, MADV_HUGEPAGE); /* an advice: it may be refused */
#endif
}
