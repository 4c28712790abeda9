/* SPDX-License-Identifier: MIT */
/* Document, file and history. An edit only commits a snapshot and marks what is stale; see
 * hl-editing-solve.c. */
#include "ui/bench/hl-editing.h"

#include "core/document/hl-own-unit.h"
#include "core/document/hl-named.h"
#include "core/edit/hl-compare.h"
#include "core/edit/hl-edit-parameter.h"
#include "core/edit/hl-edit.h"
#include "core/document/hl-file-reference.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-json.h"
#include "ui/bench/hl-driving-peer.h"
#include "ui/bench/hl-editing-private.h"
#include "ui/bench/hl-knob.h"
#include "ui/bench/hl-runs-peer.h"

HlEditing *
hl_editing_new (HlWorkbench *hub)
{
  HlEditing *self = g_new0 (HlEditing, 1);
  g_autoptr (HlDocument) empty = hl_document_new_empty ();

  self->hub = hub;
  self->history = hl_history_new (empty);
  self->findings = hl_findings_new ();
  self->doubts = g_ptr_array_new ();
  return self;
}

void
hl_editing_free (HlEditing *self)
{
  hl_editing_solve_free (self);
  g_clear_pointer (&self->set_of, hl_document_unref);
  hl_history_free (self->history);
  g_free (self->path);
  g_free (self->title);
  g_free (self->lost_path);
  g_free (self->lost_text);
  g_free (self);
}

/* --- what is due after an edit --- */

/* What runs, knobs and the locus with its other poles are made of besides the model. */
static gboolean
same_questions (const HlDocument *a, const HlDocument *b)
{
  static const char *const keys[] = {"probes", "sliders", "parameter_sets"};

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    const HlValue *x = hl_value_member (hl_document_root (a), keys[i]);
    const HlValue *y = hl_value_member (hl_document_root (b), keys[i]);
    if (x != y && (x == NULL || y == NULL || !hl_value_equal (x, y)))
      return FALSE;
  }
  return TRUE;
}

/* The document before is another one: what is due follows from what they differ by. */
static void
invalidate_after (HlEditing *self, const HlDocument *before)
{
  const HlDocument *now = hl_editing_document (self);
  gboolean picture_only = self->stale <= HL_STALE_FINDINGS && self->solving <= HL_STALE_FINDINGS &&
                          !self->in_gesture && self->point != NULL &&
                          hl_document_same_model (before, now) && same_questions (before, now) &&
                          hl_runs_is_recorded (hl_workbench_runs (self->hub));

  /* a drive goes on as long as it can; a trace that it does not record waits for the next run */
  if (!picture_only && hl_driving_is_under_way (hl_workbench_driving (self->hub)) &&
      self->stale <= HL_STALE_FINDINGS)
    picture_only = hl_document_same_model (before, now) ||
                   hl_driving_tune (hl_workbench_driving (self->hub), before);
  hl_editing_invalidate (self, picture_only ? HL_STALE_FINDINGS : HL_STALE_SYSTEM);
}

static void commit (HlEditing *self, HlDocument *document, const char *step, const char *key);

/* --- the file --- */

static void
set_path (HlEditing *self, const char *path)
{
  g_autofree char *kept = g_strdup (path);

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->title, g_free);
  if (kept != NULL)
    self->title = g_path_get_basename (kept);
  self->path = g_steal_pointer (&kept);
}

static void
replace_document (HlEditing *self, HlDocument *document, const char *path)
{
  hl_history_free (self->history);
  self->history = hl_history_new (document);
  set_path (self, path);
  hl_editing_note_lost (self, NULL, NULL);
  hl_workbench_start_over (self->hub);
  hl_editing_invalidate (self, HL_STALE_SYSTEM);
  hl_workbench_announce (self->hub, HL_CHANGED_EVERYTHING & ~(guint)HL_CHANGED_LOCUS);
  hl_runs_follow_document (hl_workbench_runs (self->hub));
}

gboolean
hl_editing_load (HlEditing *self, const char *path, GError **error)
{
  g_autoptr (HlDocument) document = hl_document_load (path, error);
  if (document == NULL)
    return FALSE;
  replace_document (self, document, path);
  return TRUE;
}

void
hl_editing_set_document (HlEditing *self, HlDocument *document)
{
  replace_document (self, document, NULL);
  hl_document_unref (document);
}

gboolean
hl_editing_reload (HlEditing *self, GError **error)
{
  HlDocument *document = hl_document_load (self->path, error);

  if (document == NULL)
    return FALSE;
  commit (self, document, _ ("Reload the file"), NULL);
  hl_history_mark_clean (self->history);
  hl_workbench_announce (self->hub, HL_CHANGED_FILE);
  return TRUE;
}

void
hl_editing_restore (HlEditing *self, HlDocument *document, const char *path)
{
  g_autoptr (HlDocument) base = path != NULL ? hl_document_load (path, NULL) : NULL;

  if (base == NULL)
    base = hl_document_new_empty ();
  replace_document (self, base, path);
  commit (self, document, _ ("Restore unsaved changes"), NULL);
}

gboolean
hl_editing_save (HlEditing *self, const char *path, GError **error)
{
  g_autoptr (HlDocument) moved =
      hl_file_references_moved (hl_editing_document (self), self->path, path);

  if (!hl_document_save (moved != NULL ? moved : hl_editing_document (self), path, error))
    return FALSE;
  if (moved != NULL)
    hl_history_commit (self->history, moved, _ ("Save at another place"), NULL);
  hl_history_mark_clean (self->history);
  set_path (self, path);
  hl_runs_follow_document (hl_workbench_runs (self->hub));
  hl_workbench_announce (self->hub, HL_CHANGED_FILE | (moved != NULL ? HL_CHANGED_HISTORY : 0u));
  return TRUE;
}

const char *
hl_editing_path (HlEditing *self)
{
  return self->path;
}

const char *
hl_editing_title (HlEditing *self)
{
  return self->title != NULL ? self->title : _ ("Untitled");
}

gboolean
hl_editing_is_modified (HlEditing *self)
{
  return !hl_history_is_clean (self->history);
}

/* --- the document --- */

const HlDocument *
hl_editing_document (HlEditing *self)
{
  return hl_history_current (self->history);
}

static void
commit (HlEditing *self, HlDocument *document, const char *step, const char *key)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));

  char *lost = hl_document_lost_formula (before, document);
  if (lost != NULL)
    hl_editing_note_lost (self, lost, hl_document_typed (before, lost));
  hl_history_commit (self->history, document, step, key);
  hl_document_unref (document);
  invalidate_after (self, before);
  hl_workbench_announce (self->hub, HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE |
                                        HL_CHANGED_HISTORY);
  hl_runs_follow_document (hl_workbench_runs (self->hub));
}

void
hl_editing_commit (HlEditing *self, HlDocument *document, const char *step, const char *key)
{
  commit (self, hl_edit_drop_sliders (hl_editing_document (self), document), step, key);
}

/* A document in which nothing differs but that all paths have the value. */
static void
take_numbers (
    HlEditing *self, HlDocument *document, const char *const *paths, double value, const char *key)
{
  if (hl_document_equal (document, hl_editing_document (self)))
    return;

  guint n = g_strv_length ((char **)paths);
  g_autofree char *step = n == 1 ? g_strdup_printf (_ ("Set %s"), paths[0])
                                 : g_strdup_printf (_ ("Set %s and %u more"), paths[0], n - 1);
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  for (const char *const *path = paths; key != NULL && *path != NULL; path++)
    if (hl_document_lost_formula_at (before, document, *path))
      hl_editing_note_lost (self, g_strdup (*path), hl_document_typed (before, *path));
  hl_history_commit (self->history, document, step, key);
  gboolean goes_on = hl_driving_tune (hl_workbench_driving (self->hub), before);
  self->in_gesture = key != NULL && !goes_on;
  if (self->edited_us == 0 && !goes_on)
    self->edited_us = g_get_monotonic_time ();
  if (goes_on)
    ; /* what is driven takes it over */
  else if (hl_editing_reparameterise (self, paths, value))
    hl_editing_invalidate (self, key != NULL ? HL_STALE_NUMBERS : HL_STALE_SYSTEM);
  else
    hl_editing_invalidate (self, HL_STALE_SYSTEM);
  hl_workbench_wake (self->hub, HL_CHANGED_NUMBERS | HL_CHANGED_FILE | HL_CHANGED_HISTORY);
}

gboolean
hl_editing_set_numbers (
    HlEditing *self, const char *const *paths, double value, const char *key, GError **error)
{
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (self));

  for (const char *const *path = paths; *path != NULL; path++) {
    HlDocument *next = hl_document_with_number (document, *path, value, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  take_numbers (self, document, paths, value, key);
  return TRUE;
}

gboolean
hl_editing_set_text (HlEditing *self, const char *const *paths, const char *text, GError **error)
{
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (self));

  for (const char *const *path = paths; *path != NULL; path++) {
    HlDocument *next = hl_document_with_text (document, *path, text, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  /* a number with a unit of its own rests on nothing, and is taken over as any other */
  double value;
  if (hl_document_own_unit (document, paths[0]) != NULL &&
      hl_document_get_number (document, paths[0], &value, NULL, NULL)) {
    take_numbers (self, document, paths, value, NULL);
    return TRUE;
  }
  g_autofree char *step = g_strdup_printf (_ ("Set %s"), paths[0]);
  if (!hl_document_equal (document, hl_editing_document (self)))
    hl_editing_commit (self, hl_document_ref (document), step, NULL);
  return TRUE;
}

gboolean
hl_editing_mend (HlEditing *self, const HlFinding *finding)
{
  g_autofree char *step = g_strdup (finding->fix.label); /* the findings go with the document */
  HlDocument *document = hl_edit_apply_fix (hl_editing_document (self), &finding->fix, NULL);

  if (document == NULL)
    return FALSE;
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

void
hl_editing_end_gesture (HlEditing *self)
{
  hl_history_seal (self->history);
  if (!self->in_gesture)
    return;
  self->in_gesture = FALSE;
  hl_editing_invalidate (self, HL_STALE_SYSTEM);
}

static void
restored (HlEditing *self, const HlDocument *before)
{
  invalidate_after (self, before); /* a preview of the drag is no answer to what comes back */
  self->in_gesture = FALSE;
  hl_workbench_announce (self->hub, HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE |
                                        HL_CHANGED_HISTORY);
  hl_runs_follow_document (hl_workbench_runs (self->hub));
}

void
hl_editing_undo (HlEditing *self)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  if (hl_history_undo (self->history))
    restored (self, before);
}

void
hl_editing_redo (HlEditing *self)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  if (hl_history_redo (self->history))
    restored (self, before);
}

void
hl_editing_go_to_step (HlEditing *self, int step)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));

  if (step < 0 || step >= hl_history_n_steps (self->history) ||
      step == hl_history_position (self->history))
    return;
  hl_history_go_to (self->history, step);
  restored (self, before);
}

int
hl_editing_n_steps (HlEditing *self)
{
  return hl_history_n_steps (self->history);
}

int
hl_editing_step (HlEditing *self)
{
  return hl_history_position (self->history);
}

const char *
hl_editing_step_name (HlEditing *self, int step)
{
  return hl_history_step_name (self->history, step);
}

const char *
hl_editing_undo_name (HlEditing *self)
{
  return hl_history_undo_name (self->history);
}

const char *
hl_editing_redo_name (HlEditing *self)
{
  return hl_history_redo_name (self->history);
}

gboolean
hl_editing_apply_set (HlEditing *self, const char *name, GError **error)
{
  HlDocument *document = hl_document_apply_set (hl_editing_document (self), name, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Apply “%s”"), name);
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

gboolean
hl_editing_save_set (HlEditing *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) knobs = hl_knobs_of_document (hl_editing_document (self));
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (guint knob = 0; knob < knobs->len; knob++)
    for (char **path = ((HlKnob *)knobs->pdata[knob])->paths; *path != NULL; path++)
      g_ptr_array_add (paths, *path);
  g_ptr_array_add (paths, NULL);
  HlDocument *document = hl_document_with_set (hl_editing_document (self), name,
                                               (const char *const *)paths->pdata, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Save “%s”"), name);
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

/* What a file leaves to its default counts as stated. */
static gboolean
has_values (const HlDocument *document, const HlValue *values)
{
  for (gsize i = 0; i < hl_value_length (values); i++) {
    double present;
    if (!hl_document_get_number (document, hl_value_key (values, i), &present, NULL, NULL) ||
        present != hl_value_number (hl_value_member_at (values, i)))
      return FALSE;
  }
  return hl_value_length (values) > 0;
}

/* The master knob of the friction stands above what a set says of each part of it. */
static gboolean
is_scaled (const HlDocument *document, const HlValue *values)
{
  g_autoptr (GPtrArray) knobs = hl_knobs_of_document (document);

  for (guint i = 0; i < knobs->len; i++) {
    const HlKnob *knob = knobs->pdata[i];
    if (g_str_has_suffix (knob->paths[0], ".scale") &&
        hl_value_member (values, knob->paths[0]) == NULL && hl_knob_value (knob, document) != 1)
      return TRUE;
  }
  return FALSE;
}

static const char *
find_set (const HlDocument *document)
{
  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const HlValue *values =
        hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
    if (has_values (document, values) && !is_scaled (document, values))
      return hl_document_set_name (document, set);
  }
  return NULL;
}

const char *
hl_editing_current_set (HlEditing *self)
{
  const HlDocument *document = hl_editing_document (self);

  if (self->set_of != document) {
    g_clear_pointer (&self->set_of, hl_document_unref);
    self->set_of = hl_document_ref (document);
    self->set = find_set (document);
  }
  return self->set;
}
