/* SPDX-License-Identifier: MIT */
/* Help of a component's law: its letters, its formulas in a linear notation (core/help/hl-formula-tree.h), and its curves. A
 * class holds one of these next to the law that it describes. Every formula states which number of that law it
 * computes, so that tests can compare both. Other elements are described in the same way (core/help/hl-help-element-laws.h).
 *
 * Formulas stand in the order in which they are computed: what one gives, the later ones may use.
 * One with `holds` is there only for a component of which that is true. */
#pragma once

#include <stddef.h>

#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"

typedef enum {
  HL_LETTER_NUMBER,   /* .place: a number of the class, as HlField.place */
  HL_LETTER_WORKED,   /* .of: a number that the class works out */
  HL_LETTER_OIL,      /* .place: of HlFluid */
  HL_LETTER_PORT,     /* .index: its pressure */
  HL_LETTER_STATE,    /* .index: name of the state; .which: index among the states of this name */
  HL_LETTER_SIGNAL,   /* .index */
  HL_LETTER_LENGTH,   /* of what moves with the linkage */
  HL_LETTER_SPEED,    /* likewise */
  HL_LETTER_OUTSIDE,  /* the pressure outside */
  HL_LETTER_CONSTANT, /* .value */
  HL_LETTER_FREE,     /* of a curve: not a quantity of the law */
  HL_LETTER_VALUE     /* .index: of an element that is no component; .field: which states it, or NULL */
} HlLetterSource;

typedef struct {
  const char *name; /* as the formulas write it */
  HlLetterSource source;
  size_t place;
  int index, which;
  double value;
  double (*of) (const HlComponent *c, int index);
  const char *field;
  HlQuantity quantity; /* where no field or state says it */
  const char *label;   /* likewise; HL_TEXT */
} HlLetter;

/* A number of the law. */
typedef enum {
  HL_GIVES_STEP,       /* none: what a later formula needs */
  HL_GIVES_NUMBER,     /* .place: derived number */
  HL_GIVES_FLOW,       /* .index: branch */
  HL_GIVES_RATE,       /* .index: word of the state; .which as in HlLetter */
  HL_GIVES_OUTPUT,     /* .index: part of HlComponentClass.output */
  HL_GIVES_REST,       /* .index: state, where it rests */
  HL_GIVES_GAS,        /* volume of the gas of a store, at the pressure of the first port */
  HL_GIVES_COMPLIANCE, /* of a store, likewise */
  HL_GIVES_HOSE,       /* compliance that it adds to the line of its first port */
  HL_GIVES_PRESSURE,   /* that it keeps its line at */
  HL_GIVES_FORCE,      /* on the linkage, computed by the system */
  HL_GIVES_OWN,        /* .own: by a function of the class that its law uses too */
  HL_GIVES_VALUE       /* .index: number of the law of an element that is no component */
} HlGives;

typedef struct {
  HlGives gives;
  int index, which;
  size_t place;
  /* *slope: by the abscissa of the curve that shows it; NAN where there is none */
  double (*own) (const HlComponent *c, const HlLaw *law, double *slope);
} HlGiven;

typedef bool (*HlHolds) (const HlComponent *c);

typedef struct {
  const char *text;
  HlGiven given;
  HlHolds holds;    /* NULL: always */
  const char *when; /* that in words; HL_TEXT, NULL: always */
  unsigned forms;   /* of an element that is no component: bits of those that have it; 0: all */
} HlFormulaText;

/* A curve of the law: ordinate over abscissa, the rest held. */
typedef struct {
  const char *title;  /* HL_TEXT */
  HlLetter x;         /* moved quantity; its name is that of the axis */
  const char *y_name; /* of the axis */
  HlQuantity y_quantity;
  HlGiven given;
  int over;         /* 1 + port above whose pressure that of x counts; 0: absolute */
  double low, high; /* of the abscissa */
  /* where its numbers require another range; NULL: as above */
  void (*range) (const HlComponent *c, double *low, double *high);
  HlHolds holds;
  unsigned forms; /* as of a formula */
} HlCurve;

struct HlComponentHelp {
  int n_letters;
  const HlLetter *letters;
  int n_formulas;
  const HlFormulaText *formulas;
  int n_curves;
  const HlCurve *curves;
  /* where nothing is known of the run: pressures of the ports, where not the outside [Pa]; states
     and signals; motion */
  double p[HL_MOST_PORTS], state[HL_MOST_WORDS], signal[HL_MOST_COMMANDS], length, speed;
  const char *sources; /* "theory/hydraulics.md (9)-(12); ..." */
};

/* --- letters --- */
#define HL_LET(name_, type, member)                                                                          \
  { .name = name_, .source = HL_LETTER_NUMBER, .place = 1 + offsetof (type, member) }
#define HL_LET_DERIVED(name_, type, member, quantity_, label_)                                               \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_NUMBER, .place = 1 + offsetof (type, member),                         \
    .quantity = HL_QUANTITY_##quantity_, .label = label_                                                     \
  }
#define HL_LET_WORKED(name_, of_, index_, quantity_, label_)                                                 \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_WORKED, .of = of_, .index = index_,                                   \
    .quantity = HL_QUANTITY_##quantity_, .label = label_                                                     \
  }
#define HL_LET_OIL(name_, member, quantity_, label_)                                                         \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_OIL, .place = 1 + offsetof (HlFluid, member),                         \
    .quantity = HL_QUANTITY_##quantity_, .label = label_                                                     \
  }
#define HL_LET_DENSITY HL_LET_OIL ("rho", density, DENSITY, HL_TEXT ("Density of the oil"))
#define HL_LET_PORT(name_, port)                                                                             \
  { .name = name_, .source = HL_LETTER_PORT, .index = port, .quantity = HL_QUANTITY_PRESSURE }
#define HL_LET_STATE(name_, word, which_)                                                                    \
  { .name = name_, .source = HL_LETTER_STATE, .index = word, .which = which_ }
#define HL_LET_SIGNAL(name_, signal_)                                                                        \
  { .name = name_, .source = HL_LETTER_SIGNAL, .index = signal_ }
#define HL_LET_OUTSIDE(name_)                                                                                \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_OUTSIDE, .quantity = HL_QUANTITY_PRESSURE,                            \
    .label = HL_TEXT ("Ambient pressure")                                                                    \
  }
#define HL_LET_CONSTANT(name_, value_, quantity_, label_)                                                    \
  {                                                                                                          \
    .name = name_, .source = HL_LETTER_CONSTANT, .value = value_, .quantity = HL_QUANTITY_##quantity_,       \
    .label = label_                                                                                          \
  }
#define HL_LET_MOTION(name_, what, quantity_, label_)                                                        \
  { .name = name_, .source = HL_LETTER_##what, .quantity = HL_QUANTITY_##quantity_, .label = label_ }
#define HL_LET_FREE(name_, quantity_)                                                                        \
  { .name = name_, .source = HL_LETTER_FREE, .quantity = HL_QUANTITY_##quantity_ }

/* --- what a formula gives --- */
#define HL_STEP                                                                                              \
  { .gives = HL_GIVES_STEP }
#define HL_IS(what, index_)                                                                                  \
  { .gives = HL_GIVES_##what, .index = index_ }
#define HL_IS_RATE_OF(word, which_)                                                                          \
  { .gives = HL_GIVES_RATE, .index = word, .which = which_ }
#define HL_IS_NUMBER(type, member)                                                                           \
  { .gives = HL_GIVES_NUMBER, .place = 1 + offsetof (type, member) }
#define HL_IS_OWN(own_)                                                                                      \
  { .gives = HL_GIVES_OWN, .own = own_ }

/* --- what many valves share: conductance, orifice and ramp --- */
#define HL_LETTERS_OF_ORIFICE(type, member)                                                                  \
  HL_LET ("c_d", type, member Cd), HL_LET ("A", type, member area), HL_LET ("dp_0", type, member dp_lim),    \
      HL_LET_CONSTANT ("dp_1", HL_DP_LIM_SMALLEST, PRESSURE_DIFFERENCE,                                      \
                       HL_TEXT ("Smallest laminar limit of the lumped model")),                              \
      HL_LET_DENSITY
#define HL_FORMULA_OF_CONDUCTANCE(type, member)                                                              \
  { .text = "K = c_d A sqrt(2 / rho)", .given = HL_IS_NUMBER (type, member) }
#define HL_FORMULAS_OF_LIMIT                                                                                 \
  {.text = "dp_l = max(dp_0, dp_1)"}, {                                                                      \
    .text = "q_1(x) = cases(x / sqrt(dp_l), abs(x) <= dp_l, sign(x) sqrt(abs(x)))"                           \
  }
#define HL_FORMULA_OF_RAMP                                                                                   \
  { .text = "S(x) = cases(0, x <= 0, x^2 (3 - 2 x), x < 1, 1)" }

#define HL_COUNT(table) ((int)(sizeof (table) / sizeof (table)[0]))
#define HL_HELP_TABLES(letters_, formulas_, curves_)                                                         \
  .n_letters = HL_COUNT (letters_), .letters = letters_, .n_formulas = HL_COUNT (formulas_),                 \
  .formulas = formulas_, .n_curves = HL_COUNT (curves_), .curves = curves_
