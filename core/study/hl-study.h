/* SPDX-License-Identifier: MIT */
/* A study: the varied numbers of a model and their variation, the design, and the measures of each row. The
 * file (.hlstudy) is JSON; data/docs/studies.md and hlstudy.schema.json describe it. Immutable once read.
 *
 *   file or options --> root (model inside) --> HlStudy --> HlStudyWork (a row) --> HlRowFile */
#pragma once

#include "core/base/hl-json-value.h"
#include "core/document/hl-document.h"
#include "core/study/hl-study-design.h"
#include "core/study/hl-study-distribution.h"
#include "core/study/hl-study-measure.h"

#define HL_STUDY_FORMAT "hydrolink-study"
#define HL_STUDY_VERSION 1

/* One number that varies, or several that follow one value. */
typedef struct {
  char *name;   /* its paths with commas */
  char **paths; /* NULL-terminated */
  HlDistribution distribution;
  /* of fits and optimizations: where they begin, and how far a step may reasonably go; NAN: not said */
  double start, scale;
} HlStudyNumber;

/* Purposes of a study, which determine its required members. */
typedef enum {
  HL_STUDY_ROWS,     /* "design" and "measures" */
  HL_STUDY_FIT,      /* "fit" */
  HL_STUDY_OPTIMIZE, /* "optimize" and "measures" */
} HlStudyPurpose;

typedef struct {
  HlValue *root;        /* as read, the model inside */
  HlDocument *document; /* the model, with its parameter set and `set` applied */
  char *name;
  GArray *numbers;  /* HlStudyNumber */
  GArray *measures; /* HlMeasure */
  HlDesignKind kind;
  int n; /* of the design, see HlDesignKind */
  guint64 seed;
  HlDesign *design; /* NULL: it has none, and was not read for its rows */
  HlStudyPurpose purpose;
} HlStudy;

/* Returns the tree of a file, with the model, which it may name by a path from its own folder, put inside.
 * A model file gives a tree that has nothing but it. NULL: HL_ERROR_FILE, _SYNTAX, _VERSION, _MODEL.
 * Owned by the caller. */
HlValue *hl_study_load_root (const char *path, GError **error);
/* Takes the root. NULL with an error of any kind, which names the member. Owned by the caller. */
HlStudy *hl_study_new (HlValue *root, GError **error);
/* Returns the same for another purpose than rows. */
HlStudy *hl_study_new_for (HlValue *root, HlStudyPurpose purpose, GError **error);
void hl_study_free (HlStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStudy, hl_study_free)

/* Return an item of "vary" for "PATH=A:B", "PATH=A:B:log" (uniform, in the logarithm) or "PATH=v,v,v" (a
 * table); "design" for "KIND:N"; "set" with "PATH=VALUE". NULL: HL_ERROR_USAGE. Owned by the caller. */
HlValue *hl_study_vary_of_text (const char *text, GError **error);
/* Returns the same of a design. */
HlValue *hl_study_design_of_text (const char *text, GError **error);

/* Returns the number of rows of the design (0: it has none), numbers that vary, measures. */
int hl_study_n_rows (const HlStudy *study);
/* Returns the number of varied numbers. */
int hl_study_n_numbers (const HlStudy *study);
/* Returns the number of measures. */
int hl_study_n_measures (const HlStudy *study);
/* Returns a varied number. Borrowed. */
const HlStudyNumber *hl_study_number (const HlStudy *study, int number);
const HlMeasure *hl_study_measure (const HlStudy *study, int measure);
/* Returns whether a measure has limits, so that rows show whether they satisfy them. */
gboolean hl_study_has_limits (const HlStudy *study);

/* Computes values[n_numbers] of a row, 0 <= row < n_rows. */
void hl_study_values (const HlStudy *study, int row, double values[]);
/* Returns the study as text, which identifies it: the same text means the same rows. Owned by the caller. */
char *hl_study_text (const HlStudy *study);

/* Errors of the readers of a study. */

/* Returns FALSE, with HL_ERROR_SYNTAX and that text. */
gboolean hl_study_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Returns whether all members of an object are in the NULL-terminated list; otherwise sets an error that
 * names `what` the object is and the unknown member, because a mistyped key would change the study. */
gboolean hl_study_check_members (const HlValue *object, const char *what, const char *const known[],
                                 GError **error);
/* Returns whether `set`, values by paths, is an object, or NULL: there is none; else FALSE with an error. */
gboolean hl_study_check_settings (const HlValue *set, GError **error);
