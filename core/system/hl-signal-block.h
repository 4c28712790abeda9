/* SPDX-License-Identifier: MIT */
/* A block of a signal is a class: a sensor, a gain, a limit, a controller ... The schema, the checks, the
 * inspector and the compiler read its row in the table of hl-signal-blocks.c. A block has at most one signal
 * u that it works on, at most one measured number m, and at most two states x of its own:
 *
 *   raw   = raw (u, m, x)
 *   value = bend (raw)                                    the raw value itself, or held in bounds
 *   x'    = base (u, m, x) + back (value - raw)
 *
 * All but the bend are linear in (u, m, x), so their slopes are exact and do not depend on them. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-element-kind.h"
#include "core/hydro/hl-component.h"

#define HL_BLOCK_STATES 2

/* Parameters of all blocks. */
typedef struct {
  double gain, offset, time_constant;
  double min, max; /* NAN: open on that side */
  double width;
  double lead, lag;
  double kp, ki, kd, filter;
  double anti_windup; /* NAN: 1/kp */
  double integral;    /* start */
} HlBlock;

/* Slopes of one number by the signal, the measured number and the states. */
typedef struct {
  double u, m, x[HL_BLOCK_STATES];
} HlBlockSlopes;

typedef struct {
  double u, m;
  const double *x; /* n_states of the block */
  /* written by the class */
  double raw, base[HL_BLOCK_STATES], back[HL_BLOCK_STATES];
  HlBlockSlopes d_raw, d_base[HL_BLOCK_STATES];
} HlBlockPoint;

typedef struct HlBlockClass {
  HlKind kind;       /* first: words and fields, whose places are in HlBlock */
  const char *input; /* field with the signal it works on; NULL: none */
  bool measures;     /* its field "of" is a path */
  bool is_linear;    /* without states, and without a bend */
  int n_words;
  const char *words[HL_BLOCK_STATES];                 /* names of its states */
  bool (*has_state) (const HlBlock *block, int word); /* NULL: all of them, always */
  /* everything of the point that is not given; it holds zeros there, and the states are those that
     the block has, in the order of the words */
  void (*eval) (const HlBlock *block, HlBlockPoint *point);
  /* value for a raw one, and the slope: at a corner that of the side; NULL: the raw value */
  double (*bend) (const HlBlock *block, double raw, HlSide side, double *slope);
  bool (*is_at_corner) (const HlBlock *block, double raw);
  /* raw values at which it bends, into levels[]; NAN: there is none. Returns their number. NULL: as without a bend */
  int (*corners) (const HlBlock *block, double levels[HL_MOST_LEVELS]);
  /* where state k starts when the input and the measured number are these */
  double (*start) (const HlBlock *block, int word, double u, double m);
} HlBlockClass;

extern const HlBlockClass *const hl_blocks[];
extern const int hl_n_blocks;

/* Returns NULL if there is no block with this name. */
const HlBlockClass *hl_block_class (const char *kind);

/* Returns the place of the number that a field of the class names. */
static inline double *hl_block_number (HlBlock *block, const HlField *field) {
  return (double *)(void *)((char *)block + field->place - 1);
}

/* Returns the number of states, and which word the k-th one has. */
int hl_block_n_states (const HlBlockClass *klass, const HlBlock *block);
int hl_block_word (const HlBlockClass *klass, const HlBlock *block, int k);

/* Returns the value; *slope by the raw value of what point holds afterwards. */
double hl_block_eval (const HlBlockClass *klass, const HlBlock *block, HlBlockPoint *point, HlSide side,
                      double *slope);
