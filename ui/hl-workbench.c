/* SPDX-License-Identifier: MIT */
/* Document, file, selection and time. An edit only commits a snapshot and marks what is stale; see
 * hl-workbench-solve.c. */
#include "ui/hl-workbench.h"

#include "ui/hl-workbench-private.h"

#include "core/document/hl-error.h"
#include "core/document/hl-edit.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-json.h"

#include <math.h>
#include <string.h>

#define SHORTEST_DRIVE 0.01 /* [s] */

G_DEFINE_FINAL_TYPE (HlWorkbench, hl_workbench, G_TYPE_OBJECT)

static guint changed_signal;

void
hl_workbench_announce (HlWorkbench *self, guint changes)
{
  if (changes != 0)
    g_signal_emit (self, changed_signal, 0, changes);
}

static void
hl_workbench_dispose (GObject *object)
{
  HlWorkbench *self = HL_WORKBENCH (object);

  g_clear_handle_id (&self->rest_source, g_source_remove);
  hl_workbench_solve_dispose (self);
  g_clear_pointer (&self->history, hl_history_free);
  g_clear_pointer (&self->selection, g_ptr_array_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->hover, g_free);
  G_OBJECT_CLASS (hl_workbench_parent_class)->dispose (object);
}

static void
hl_workbench_class_init (HlWorkbenchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_workbench_dispose;
  changed_signal = g_signal_new ("changed", HL_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
hl_workbench_init (HlWorkbench *self)
{
  g_autoptr (HlDocument) empty = hl_document_new_empty ();

  self->history = hl_history_new (empty);
  self->selection = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->selection, NULL);
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    self->units[quantity] = hl_quantity_default_unit (quantity);
  const HlUnit *megapascal = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  if (megapascal != NULL)
    self->units[HL_QUANTITY_PRESSURE] = megapascal;
  hl_workbench_solve_init (self);
}

HlWorkbench *
hl_workbench_new (void)
{
  return g_object_new (HL_TYPE_WORKBENCH, NULL);
}

/* --- the file --- */

static void
set_path (HlWorkbench *self, const char *path)
{
  g_autofree char *kept = g_strdup (path);

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->title, g_free);
  if (kept != NULL)
    self->title = g_path_get_basename (kept);
  self->path = g_steal_pointer (&kept);
}

static void
replace_document (HlWorkbench *self, HlDocument *document, const char *path)
{
  hl_history_free (self->history);
  self->history = hl_history_new (document);
  set_path (self, path);
  g_ptr_array_set_size (self->selection, 0);
  g_ptr_array_add (self->selection, NULL);
  g_clear_pointer (&self->hover, g_free);
  self->time = 0;
  hl_workbench_forget_results (self);
  hl_workbench_invalidate (self, STALE_SYSTEM);
  hl_workbench_announce (self, HL_CHANGED_EVERYTHING & ~(guint)HL_CHANGED_LOCUS);
  hl_workbench_follow_measured (self);
}

gboolean
hl_workbench_load (HlWorkbench *self, const char *path, GError **error)
{
  g_autoptr (HlDocument) document = hl_document_load (path, error);
  if (document == NULL)
    return FALSE;
  replace_document (self, document, path);
  return TRUE;
}

void
hl_workbench_set_document (HlWorkbench *self, HlDocument *document)
{
  replace_document (self, document, NULL);
  hl_document_unref (document);
}

gboolean
hl_workbench_reload (HlWorkbench *self, GError **error)
{
  HlDocument *document = hl_document_load (self->path, error);

  if (document == NULL)
    return FALSE;
  hl_workbench_commit (self, document, _ ("Reload the file"), NULL);
  hl_history_mark_clean (self->history);
  hl_workbench_announce (self, HL_CHANGED_FILE);
  return TRUE;
}

void
hl_workbench_restore (HlWorkbench *self, HlDocument *document, const char *path)
{
  g_autoptr (HlDocument) base = path != NULL ? hl_document_load (path, NULL) : NULL;

  if (base == NULL)
    base = hl_document_new_empty ();
  replace_document (self, base, path);
  hl_workbench_commit (self, document, _ ("Restore unsaved changes"), NULL);
}

gboolean
hl_workbench_save (HlWorkbench *self, const char *path, GError **error)
{
  g_autoptr (HlDocument) moved =
      hl_file_references_moved (hl_workbench_document (self), self->path, path);

  if (!hl_document_save (moved != NULL ? moved : hl_workbench_document (self), path, error))
    return FALSE;
  if (moved != NULL)
    hl_history_commit (self->history, moved, _ ("Save at another place"), NULL);
  hl_history_mark_clean (self->history);
  set_path (self, path);
  hl_workbench_follow_measured (self);
  hl_workbench_announce (self, HL_CHANGED_FILE | (moved != NULL ? HL_CHANGED_HISTORY : 0u));
  return TRUE;
}

const char *
hl_workbench_path (HlWorkbench *self)
{
  return self->path;
}

const char *
hl_workbench_title (HlWorkbench *self)
{
  return self->title != NULL ? self->title : _ ("Untitled");
}

gboolean
hl_workbench_is_modified (HlWorkbench *self)
{
  return !hl_history_is_clean (self->history);
}

/* --- the document --- */

const HlDocument *
hl_workbench_document (HlWorkbench *self)
{
  return hl_history_current (self->history);
}

void
hl_workbench_commit (HlWorkbench *self, HlDocument *document, const char *step, const char *key)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_workbench_document (self));

  hl_history_commit (self->history, document, step, key);
  hl_document_unref (document);
  hl_workbench_invalidate_after (self, before);
  hl_workbench_announce (self, HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE |
                                   HL_CHANGED_HISTORY);
  hl_workbench_follow_measured (self);
}

gboolean
hl_workbench_set_numbers (
    HlWorkbench *self, const char *const *paths, double value, const char *key, GError **error)
{
  g_autoptr (HlDocument) document = hl_document_ref (hl_workbench_document (self));

  for (const char *const *path = paths; *path != NULL; path++) {
    HlDocument *next = hl_document_with_number (document, *path, value, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  if (hl_document_equal (document, hl_workbench_document (self)))
    return TRUE;

  guint n = g_strv_length ((char **)paths);
  g_autofree char *step = n == 1 ? g_strdup_printf (_ ("Set %s"), paths[0])
                                 : g_strdup_printf (_ ("Set %s and %u more"), paths[0], n - 1);
  g_autoptr (HlDocument) before = hl_document_ref (hl_workbench_document (self));
  hl_history_commit (self->history, document, step, key);
  gboolean goes_on = hl_workbench_tune_drive (self, before);
  self->in_gesture = key != NULL && !goes_on;
  if (self->edited_us == 0 && !goes_on)
    self->edited_us = g_get_monotonic_time ();
  if (goes_on)
    ; /* what is driven takes it over */
  else if (hl_workbench_reparameterise (self, paths, value))
    hl_workbench_invalidate (self, key != NULL ? STALE_NUMBERS : STALE_SYSTEM);
  else
    hl_workbench_invalidate (self, STALE_SYSTEM);
  hl_workbench_wake (self, HL_CHANGED_NUMBERS | HL_CHANGED_FILE | HL_CHANGED_HISTORY);
  return TRUE;
}

gboolean
hl_workbench_mend (HlWorkbench *self, const HlFinding *finding)
{
  g_autofree char *step = g_strdup (finding->fix.label); /* the findings go with the document */
  HlDocument *document = hl_edit_apply_fix (hl_workbench_document (self), &finding->fix, NULL);

  if (document == NULL)
    return FALSE;
  hl_workbench_commit (self, document, step, NULL);
  return TRUE;
}

void
hl_workbench_end_gesture (HlWorkbench *self)
{
  hl_history_seal (self->history);
  if (!self->in_gesture)
    return;
  self->in_gesture = FALSE;
  hl_workbench_invalidate (self, STALE_SYSTEM);
}

static void
restored (HlWorkbench *self, const HlDocument *before)
{
  self->in_gesture = FALSE;
  hl_workbench_invalidate_after (self, before);
  hl_workbench_announce (self, HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE |
                                   HL_CHANGED_HISTORY);
  hl_workbench_follow_measured (self);
}

void
hl_workbench_undo (HlWorkbench *self)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_workbench_document (self));
  if (hl_history_undo (self->history))
    restored (self, before);
}

void
hl_workbench_redo (HlWorkbench *self)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_workbench_document (self));
  if (hl_history_redo (self->history))
    restored (self, before);
}

void
hl_workbench_go_to_step (HlWorkbench *self, int step)
{
  g_autoptr (HlDocument) before = hl_document_ref (hl_workbench_document (self));

  if (step < 0 || step >= hl_history_n_steps (self->history) ||
      step == hl_history_position (self->history))
    return;
  hl_history_go_to (self->history, step);
  restored (self, before);
}

int
hl_workbench_n_steps (HlWorkbench *self)
{
  return hl_history_n_steps (self->history);
}

int
hl_workbench_step (HlWorkbench *self)
{
  return hl_history_position (self->history);
}

const char *
hl_workbench_step_name (HlWorkbench *self, int step)
{
  return hl_history_step_name (self->history, step);
}

const char *
hl_workbench_undo_name (HlWorkbench *self)
{
  return hl_history_undo_name (self->history);
}

const char *
hl_workbench_redo_name (HlWorkbench *self)
{
  return hl_history_redo_name (self->history);
}

gboolean
hl_workbench_apply_set (HlWorkbench *self, const char *name, GError **error)
{
  HlDocument *document = hl_document_apply_set (hl_workbench_document (self), name, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Apply “%s”"), name);
  hl_workbench_commit (self, document, step, NULL);
  return TRUE;
}

gboolean
hl_workbench_save_set (HlWorkbench *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (guint knob = 0; knob < self->knobs->len; knob++)
    for (char **path = ((HlKnob *)self->knobs->pdata[knob])->paths; *path != NULL; path++)
      g_ptr_array_add (paths, *path);
  g_ptr_array_add (paths, NULL);
  HlDocument *document = hl_document_with_set (hl_workbench_document (self), name,
                                               (const char *const *)paths->pdata, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Save “%s”"), name);
  hl_workbench_commit (self, document, step, NULL);
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
is_scaled (HlWorkbench *self, const HlValue *values)
{
  for (guint i = 0; i < self->knobs->len; i++) {
    const HlKnob *knob = self->knobs->pdata[i];
    if (g_str_has_suffix (knob->paths[0], ".scale") &&
        hl_value_member (values, knob->paths[0]) == NULL &&
        hl_knob_value (knob, hl_workbench_document (self)) != 1)
      return TRUE;
  }
  return FALSE;
}

const char *
hl_workbench_current_set (HlWorkbench *self)
{
  const HlDocument *document = hl_workbench_document (self);

  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const HlValue *values =
        hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
    if (has_values (document, values) && !is_scaled (self, values))
      return hl_document_set_name (document, set);
  }
  return NULL;
}

/* --- selection, hover, time, units --- */

static gboolean
find_selected (HlWorkbench *self, const char *id, guint *index)
{
  for (guint i = 0; i + 1 < self->selection->len; i++)
    if (strcmp (self->selection->pdata[i], id) == 0) {
      *index = i;
      return TRUE;
    }
  return FALSE;
}

void
hl_workbench_select (HlWorkbench *self, const char *id)
{
  if (g_strcmp0 (id, hl_workbench_selected (self)) == 0 && self->selection->len <= 2)
    return;
  g_autofree char *kept = g_strdup (id); /* it may be one of those that go */
  g_ptr_array_set_size (self->selection, 0);
  if (kept != NULL)
    g_ptr_array_add (self->selection, g_steal_pointer (&kept));
  g_ptr_array_add (self->selection, NULL);
  hl_workbench_announce (self, HL_CHANGED_SELECTION);
}

void
hl_workbench_select_ids (HlWorkbench *self, const char *const *ids)
{
  g_auto (GStrv) kept = g_strdupv ((char **)ids);

  if (g_strv_equal (ids, hl_workbench_selection (self)))
    return;
  g_ptr_array_set_size (self->selection, 0);
  for (int i = 0; kept[i] != NULL; i++)
    g_ptr_array_add (self->selection, g_strdup (kept[i]));
  g_ptr_array_add (self->selection, NULL);
  hl_workbench_announce (self, HL_CHANGED_SELECTION);
}

void
hl_workbench_toggle_selected (HlWorkbench *self, const char *id)
{
  guint index;

  if (find_selected (self, id, &index))
    g_ptr_array_remove_index (self->selection, index);
  else
    g_ptr_array_insert (self->selection, (int)self->selection->len - 1, g_strdup (id));
  hl_workbench_announce (self, HL_CHANGED_SELECTION);
}

gboolean
hl_workbench_is_selected (HlWorkbench *self, const char *id)
{
  return find_selected (self, id, &(guint){0});
}

const char *
hl_workbench_selected (HlWorkbench *self)
{
  return self->selection->pdata[0];
}

const char *const *
hl_workbench_selection (HlWorkbench *self)
{
  return (const char *const *)self->selection->pdata;
}

void
hl_workbench_set_hover (HlWorkbench *self, const char *id)
{
  if (g_strcmp0 (id, self->hover) == 0)
    return;
  g_free (self->hover);
  self->hover = g_strdup (id);
  hl_workbench_announce (self, HL_CHANGED_HOVER);
}

const char *
hl_workbench_hover (HlWorkbench *self)
{
  return self->hover;
}

static const HlRun *
shown_drive (HlWorkbench *self)
{
  return self->shown != NULL && self->shown->is_driven &&
                 hl_results_n_rows (self->shown->results) > 0
             ? self->shown
             : NULL;
}

double
hl_workbench_t_end (HlWorkbench *self)
{
  const HlRun *drive = shown_drive (self);

  if (drive != NULL)
    return fmax (drive->t_end, SHORTEST_DRIVE);
  double t_end =
      hl_document_object_number (hl_workbench_document (self), HL_SECTION_SIMULATION, "t_end");
  return isfinite (t_end) && t_end > 0 ? t_end : 1;
}

double
hl_workbench_time (HlWorkbench *self)
{
  return self->time;
}

void
hl_workbench_set_time (HlWorkbench *self, double t)
{
  const HlRun *drive = shown_drive (self);
  double begin = drive != NULL ? hl_results_get (drive->results, 0, 0) : 0;

  t = CLAMP (t, begin, hl_workbench_t_end (self));
  if (t == self->time)
    return;
  self->time = t;
  hl_workbench_follow_visited_mode (self);
  hl_workbench_announce (self, HL_CHANGED_TIME);
}

const HlUnit *const *
hl_workbench_units (HlWorkbench *self)
{
  return self->units;
}

const HlUnit *
hl_workbench_unit (HlWorkbench *self, HlQuantity quantity)
{
  return self->units[quantity];
}

void
hl_workbench_set_unit (HlWorkbench *self, const HlUnit *unit)
{
  if (self->units[unit->quantity] == unit)
    return;
  self->units[unit->quantity] = unit;
  hl_workbench_announce (self, HL_CHANGED_UNITS);
}
