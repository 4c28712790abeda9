/* SPDX-License-Identifier: MIT */
/* HlEditing: the document of a workbench with its file and its history, and its results: findings, the
 * compiled system, the start state with its eigenvalues. An edit only commits a snapshot and marks the
 * results that are out of date; they are computed in the next frame. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "ui/workbench/hl-model-worker.h"

#include <glib.h>

typedef struct _HlEditing HlEditing;

/* --- the file --- */

/* Opens a file in place of the document; on failure nothing changes. */
gboolean hl_editing_load (HlEditing *self, const char *path, GError **error);
/* Opens a document that was already read from the file; takes it. */
void hl_editing_open (HlEditing *self, HlDocument *document, const char *path);
/* Reloads the file as one undo step; on failure nothing changes. */
gboolean hl_editing_reload (HlEditing *self, GError **error);
gboolean hl_editing_save (HlEditing *self, const char *path, GError **error);
const char *hl_editing_path (HlEditing *self);  /* NULL: not saved yet */
const char *hl_editing_title (HlEditing *self); /* file name, or "Untitled" */
gboolean hl_editing_is_modified (HlEditing *self);
/* Restores recovered changes of a file (NULL: of no file) as one undo step on the present content of the
 * file; takes the document. */
void hl_editing_restore (HlEditing *self, HlDocument *document, const char *path);
/* Sets a new document that belongs to no file; takes it. */
void hl_editing_set_document (HlEditing *self, HlDocument *document);

/* --- the document --- */

const HlDocument *hl_editing_document (HlEditing *self);
/* Commits one undo step. Takes the document. Consecutive steps with the same key are one. key may be NULL. */
void hl_editing_commit (HlEditing *self, HlDocument *document, const char *step, const char *key);
/* Sets every path to the value: the fast way through a re-parameterised system when there is one.
 */
gboolean hl_editing_set_numbers (HlEditing *self, const char *const *paths, double value, const char *key,
                                 GError **error);
/* Sets every path to what a formula comes to, which is kept as typed. */
gboolean hl_editing_set_text (HlEditing *self, const char *const *paths, const char *text, GError **error);
/* Ends a drag: the next change is an undo step of its own, and the whole model is checked again. */
void hl_editing_end_gesture (HlEditing *self);
gboolean hl_editing_apply_set (HlEditing *self, const char *name, GError **error);
/* Returns the numbers that the other sets or the sliders name and this set leaves unchanged,
 * "cyl.friction.vs, link2.mass"; NULL: none. Owned by the caller. */
char *hl_editing_left_by_set (HlEditing *self, const char *name);
/* Saves the present values of all sliders of the document as a parameter set. */
gboolean hl_editing_save_set (HlEditing *self, const char *name, GError **error);
/* Returns the name of the parameter set whose values the document has now, or NULL. */
const char *hl_editing_current_set (HlEditing *self);

void hl_editing_undo (HlEditing *self);
void hl_editing_redo (HlEditing *self);
const char *hl_editing_undo_name (HlEditing *self); /* NULL: nothing to undo */
const char *hl_editing_redo_name (HlEditing *self);
/* Returns all steps done and undone; step 0 is the start, with the name "". */
int hl_editing_n_steps (HlEditing *self);
int hl_editing_step (HlEditing *self); /* the present one */
const char *hl_editing_step_name (HlEditing *self, int step);
void hl_editing_go_to_step (HlEditing *self, int step);

/* --- what follows from it --- */

const HlFindings *hl_editing_findings (HlEditing *self);
/* Applies the mend of one of the findings, as one step with the mend's name. FALSE: it has none. */
gboolean hl_editing_mend (HlEditing *self, const HlFinding *finding);
gboolean hl_editing_has_system (HlEditing *self);
/* Returns whether a run can record the path; FALSE without a system. */
gboolean hl_editing_can_record (HlEditing *self, const char *path);
const HlWorkingPoint *hl_editing_point (HlEditing *self); /* NULL: none */
/* Degrees of freedom of the drawing, whether it can be computed or not, "1 degree of freedom"; ""
 * without a linkage, and while those of a large one are being counted. Borrowed. */
const char *hl_editing_freedom_text (HlEditing *self);
/* Returns the formula that a drag or a slider replaced by a number last, for a notice; NULL: none, or it was
 * restored. Formulas that the user overwrites by typing do not count. Borrowed. */
const char *hl_editing_lost_formula (HlEditing *self);

/* Number of elements from which work on all of them does not fit into a frame. */

#define HL_MANY_ELEMENTS 150

static inline gboolean hl_is_large (const HlDocument *document) {
  int n = 0;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    if (section != HL_SECTION_PROBES)
      n += hl_document_n_elements (document, section);
  return n > HL_MANY_ELEMENTS;
}
