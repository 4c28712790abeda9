/* SPDX-License-Identifier: MIT */
/* Help texts of the elements that are not components: bodies, joints, loads, lines and signals, in the words that
 * components use (core/hydro/hl-component-help.h). All numbers of the law, those of its fields and those of its motion,
 * form one vector x; each letter is one entry. The law builds an element from x as the compiler would, and calls the
 * code that the solver calls.
 *
 * Bits distinguish forms: a table with straight lines, with steps, or smooth. */
#pragma once

#include "core/document/hl-document.h"
#include "core/hydro/hl-component-help.h"
#include "core/mech/hl-body-frame.h"

#define HL_MOST_VALUES 16  /* that one law reads */
#define HL_MOST_RESULTS 10 /* that it gives */

/* One element of a document, with access to the results of a run. */
typedef struct {
  const HlDocument *document;
  const HlValue *element;
  const char *id; /* NULL: a signal inside of another element */
  /* "ID.NAME" at the instant that is examined; NAN: not known. NULL: nothing is */
  double (*read) (void *data, const char *id, const char *name);
  void *data;
  double t; /* [s]; NAN: not known */
} HlHelpSight;

typedef struct {
  HlSection section;
  const char *kind; /* NULL in a section without kinds */
  HlComponentHelp words;
  double usual[HL_MOST_VALUES];
  HlQuantity results[HL_MOST_RESULTS]; /* of what the law gives */
  /* computes letters without a field of their own, into x[], which holds the fields that are letters, NAN if
   * absent; NULL: none
     one is absent; NULL: nothing */
  void (*look) (const HlHelpSight *sight, double x[]);
  unsigned (*form) (const double x[]); /* its bit; NULL: there is one form */
  /* number `gives` of the law; d[]: its derivatives by x, NAN where the law has none, as they come */
  double (*law) (const double x[], int gives, double d[]);
  /* range of the curves, if it differs from the default; NULL: none */
  void (*range) (const double x[], int curve, double *low, double *high);
  const char *states; /* that it adds, "value [1]"; NULL: none */
} HlElementHelp;

/* Returns the help of a kind; NULL: no text. */
const HlElementHelp *hl_element_help (const HlKind *kind);

/* Returns the value of ID.NAME in the run, else in the document; NAN: neither. */
double hl_sight_read (const HlHelpSight *sight, const char *id, const char *name);
/* Returns a number of the element itself likewise; `otherwise` when it is unknown. */
double hl_sight_own (const HlHelpSight *sight, const char *name, double otherwise);
/* Finds the frame of the body that an end names, "BODY.POINT" or "BODY", with its motion, and the point in
 * it; the ground if it names none. */
void hl_sight_end (const HlHelpSight *sight, const char *field, HlFrame *frame, double u[2]);

/* Returns the frame with that pose. */
HlFrame hl_help_frame (double x, double y, double psi);

/* The tables, one a group of kinds; an entry without words is behind the last one. */
extern const HlElementHelp hl_load_helps[], hl_joint_helps[], hl_body_helps[], hl_signal_helps[],
    hl_block_helps[];

#define HL_LET_FIELD(name_, index_, field_)                                                                  \
  { .name = name_, .source = HL_LETTER_VALUE, .index = index_, .field = field_ }
#define HL_LET_VALUE(name_, index_, quantity_, label_)                                                       \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_VALUE, .index = index_, .quantity = HL_QUANTITY_##quantity_,          \
    .label = label_                                                                                          \
  }
