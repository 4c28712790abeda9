/* SPDX-License-Identifier: MIT */
/* Example models as compiled systems, for the tests. */
#pragma once

#include "core/compile/hl-compile.h"
#include "core/solve/hl-equilibrium.h"

typedef struct {
  HlDocument *doc;
  HlSystem *sys;
  HlWork *work;
  HlPoint *point;
} HlTestModel;

/* Loads data/examples/NAME, compiles it and allocates work and point; any finding of severity error
 * fails the test. */
HlTestModel hl_test_model_load (const char *name);
/* Loads the same with numbers changed by path first: pairs of path and value, ended by NULL. */
HlTestModel hl_test_model_load_with (const char *name, ...) G_GNUC_NULL_TERMINATED;
HlTestModel hl_test_model_from_document (HlDocument *doc);
/* Loads the golden cushion whose cushioned chamber B has no line: only the hybrid model can compute it. */
HlTestModel hl_test_model_cushion_without_line (void);
/* Compiles a model from JSON text. */
HlTestModel hl_test_model_from_text (const char *text);
/* Compiles a model from JSON text with apostrophes for quotation marks, in which the first occurrence of each
 * word is replaced by the text after it: pairs of word and text, ended by NULL. */
HlTestModel hl_test_model_filled (const char *text, ...) G_GNUC_NULL_TERMINATED;
void hl_test_model_clear (HlTestModel *model);
/* Returns whether the checks find no error; otherwise the first one as an error. */
gboolean hl_test_is_sound (const HlDocument *document, GError **error);
/* Fills model->point; fails the test with the fault's words. */
void hl_test_model_start (HlTestModel *model, HlStart start);
