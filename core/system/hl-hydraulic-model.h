/* SPDX-License-Identifier: MIT */
/* An oil model is a class. Code for all oil models uses the table; only core/oil and the folders of the
 * oil models distinguish between them. The table is declared here, below its users; the classes are
 * defined in core/oil, above the code that implements them. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-element-kind.h"
#include "core/hydro/hl-component-passages.h"
#include "core/system/hl-system.h"

struct HlSimForm;  /* core/run/hl-sim-run.h */
struct HlCompiler; /* core/compile/hl-compile-private.h */

/* simulation.formulation: how the equations of a run are stated. */
typedef enum {
  HL_FORMULATION_REDUCED,
  HL_FORMULATION_BAUMGARTE,
  HL_FORMULATION_RELAXED,
  HL_FORMULATION_DISCRETE
} HlFormulation;

/* Their words in the file, by HlFormulation; NULL behind the last one. */
extern const char *const hl_formulation_words[];

/* One formulation of one oil. */
typedef struct {
  HlFormulation formulation;
  const struct HlSimForm *form; /* its equations */
  bool has_decay;               /* reads beta and gamma */
  bool has_fixed_step;          /* reads the step, and has no integrator */
} HlOilForm;

#define HL_N_OIL_MODELS 3
#define HL_MOST_FORMS 2

typedef struct {
  HlModelKind kind; /* its place in the table */
  HlOil bit;        /* in HlField.idle */
  const char *name; /* in the file */
  /* for people; marked, not translated */
  const char *label;  /* its name, context "choice" */
  const char *idle;   /* "Not used by the ... model" */
  const char *use;    /* "Use the ... model" */
  const char *suits;  /* sentence of the advice: it suits this drawing */
  const char *keeps;  /* " what it keeps and what it loses */
  const char *cannot; /* " with one %s: why it cannot be used; NULL when it always can */

  int n_forms;
  HlOilForm forms[HL_MOST_FORMS]; /* the first is what the file means when it states none */

  /* Its state is a point of the system and nothing else: it has equilibria and a linear model at a
   * point, and with it the linear response beside a run; the numbers of a drive can be changed. */
  bool has_points;
  /* It has modes: a run lists them, and it is linear in one. */
  bool has_modes;
  /* Every line needs oil, and pressure for the air in it. */
  bool fills_lines;
  /* A drive leaves it the integrator of the file, else it gets one without history. */
  bool keeps_method;

  /* Adds what keeps it from running a compiled drawing, and what it takes for granted, to the
   * findings; NULL: it runs whatever compiles. */
  void (*verify) (struct HlCompiler *c);
  /* describes its treatment of a component's passage, in a sentence (marked); *why and *mend: reason and
   * remedy if it refuses the passage, otherwise NULL. NULL: by the law, in full. */
  const char *(*takes) (const HlPassage *passage, const char **why, const char **mend);
  /* returns whether it evaluates the passage by its law, with numbers that are unused elsewhere; NULL: never. */
  bool (*reads_law) (const HlPassage *passage);
  /* returns the reason why the model is unavailable, in words, owned by the caller; NULL when it is
   * available. NULL: always available. */
  char *(*why_not) (const HlSystem *sys);
} HlOilModel;

/* By HlModelKind. The first is what the file means when it states none. */
extern const HlOilModel *const hl_oil_models[HL_N_OIL_MODELS];

/* Finds an oil model by its name in the file; NULL when there is none of that name. */
const HlOilModel *hl_oil_model_find (const char *name);
/* Returns the one whose equilibria and linear models all studies compute, whatever runs. */
const HlOilModel *hl_oil_model_of_points (void);
/* Returns a formulation of a model: the requested one, or its first when it does not have it. Never NULL. */
const HlOilForm *hl_oil_form (HlModelKind model, HlFormulation formulation);
