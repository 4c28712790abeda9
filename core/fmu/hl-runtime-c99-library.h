/* SPDX-License-Identifier: MIT */
/* Replacements, in C99, of library functions that the numerical code uses. all.c includes this header first. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-variable"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif

#define assert(condition) ((void)0)

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* In constant tables: TinyCC folds no minus before an infinite number, but a product of finite ones. */
#ifdef __TINYC__
#define HL_MINUS_INFINITY (-DBL_MAX * 10.0)
#else
#define HL_MINUS_INFINITY (-INFINITY)
#endif

/* Mathematics whose present versions are younger than glibc 2.28 (exp, log and pow of 2.29, fmod of 2.38, hypot of
 * 2.35): the binary of an FMU takes the first versions, which every later glibc has as well, so that it loads on
 * older systems than the one that it was compiled on. */
#if defined(HL_FMU_BINARY) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#ifdef __x86_64__
#define HL_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define HL_FIRST_GLIBC "GLIBC_2.17"
#endif
__asm__(".symver exp, exp@" HL_FIRST_GLIBC "\n.symver exp2, exp2@" HL_FIRST_GLIBC
        "\n.symver log, log@" HL_FIRST_GLIBC "\n.symver log2, log2@" HL_FIRST_GLIBC
        "\n.symver pow, pow@" HL_FIRST_GLIBC "\n.symver fmod, fmod@" HL_FIRST_GLIBC
        "\n.symver hypot, hypot@" HL_FIRST_GLIBC);
#endif

/* GLib, as far as the integrator uses it. */
typedef size_t gsize;
#define G_N_ELEMENTS(array) (sizeof (array) / sizeof ((array)[0]))
#define g_new0(type, n) ((type *)calloc ((size_t)(n), sizeof (type)))
#define g_free(memory) free (memory)
#define g_return_val_if_fail(condition, value)                                                               \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      return (value);                                                                                        \
  } while (0)

/* The compiled system is constant here, and each instance has its own copy: nothing is counted. */
#define __atomic_add_fetch(count, by, order) ((void)(count))
#define __atomic_sub_fetch(count, by, order) 0

/* Allocates memory, and waits if there is none: an FMU must not end the importing program. Before an instance
 * is made, it checks whether enough memory is available and fails if not. If another thread of the process
 * takes that memory in between, the allocation waits until memory is free again. */
static void *hl_patient_calloc (size_t n, size_t size) {
  void *memory = NULL;

  while (memory == NULL)
    memory = n > 0 && size > 0 ? calloc (n, size) : calloc (1, 1);
  return memory;
}
#define calloc hl_patient_calloc

/* All modes that an instance keeps are made with it. An event looks at no more than some ten. */
#define HL_HYBRID_KEPT_MODES 32

/* The order to which constraints are eliminated by plan: that of most linkages with less than HL_LARGE_ISLAND bodies, since
 * for none of them there is a library here. Its lists take 2 n^3 bytes. */
#define HL_LU_PLAN_MOST 48

/* One method here. */
#define hl_stepper_new_bdf hl_stepper_new_radau
