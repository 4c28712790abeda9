/* SPDX-License-Identifier: MIT */
/* Experiments: a list of named states of models, to be shown one after the other as the slides of a
 * lecture. A file NAME.hlexperiments in JSON (data/docs/lessons.md). */
#pragma once

#include "core/document/hl-document.h"

#define HL_EXPERIMENTS_SUFFIX ".hlexperiments"

typedef struct {
  char *name;
  char *note;           /* a line below the name; NULL: none */
  HlDocument *document; /* the model with everything that the experiment changes of it */
  char **shows;         /* "circuit", "linkage", "plots", "locus"; NULL-terminated; empty: all */
} HlExperiment;

/* Parses the experiments of a text, whose models are relative to `folder`; array of HlExperiment, owned by
 * the caller. NULL and the error with its experiment: `name` (of the file) begins the message. */
GPtrArray *hl_experiments_parse (const char *text, gsize length, const char *folder, const char *name,
                                 GError **error);
/* Returns the same of a file. */
GPtrArray *hl_experiments_load (const char *path, GError **error);
