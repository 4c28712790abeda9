/* SPDX-License-Identifier: MIT */
/* The central object of a window: its parts, the frames in which they are updated, selection and units. */
#include "ui/workbench/hl-workbench-state.h"

#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/workbench/hl-window-workers.h"

#include <string.h>

#define FALLBACK_MS 16

struct _HlWorkbench {
  GObject parent_instance;

  HlHub *hub; /* by which the following reach each other and this */
  HlEditing *editing;
  HlRuns *runs;
  HlLocusStudy *locus;
  HlManualRun *driving;
  HlMeasuredTables *measured;

  HlRunner *runner;
  HlWorkerShutdown *worker_shutdown; /* or NULL */

  GPtrArray *selection; /* ids, NULL-terminated */
  char *hover;
  char **veiled; /* NULL: none */
  const HlUnit *units[HL_N_QUANTITIES];

  gboolean was_running;
  guint fallback_source;
  void (*wake) (gpointer data);
  gpointer wake_data;
};

G_DEFINE_FINAL_TYPE (HlWorkbench, hl_workbench, G_TYPE_OBJECT)

static guint changed_signal, take_away_signal;

static void forget_results (HlWorkbench *self) {
  hl_manual_run_give_up (self->driving);
  hl_editing_forget_results (self->editing);
  hl_runs_forget (self->runs);
  hl_measured_tables_forget (self->measured);
  hl_locus_study_forget (self->locus);
}

static void hl_workbench_dispose (GObject *object) {
  HlWorkbench *self = HL_WORKBENCH (object);

  if (self->runner != NULL)
    hl_manual_run_leave (self->driving, NULL); /* it may have requested a frame, which is cancelled here */
  g_clear_handle_id (&self->fallback_source, g_source_remove);
  self->wake = NULL;
  if (self->runner != NULL)
    forget_results (self);
  hl_hub_set_runner (self->hub, NULL);
  if (self->worker_shutdown != NULL && self->runner != NULL)
    hl_worker_shutdown_take (self->worker_shutdown, g_steal_pointer (&self->runner));
  g_clear_pointer (&self->runner, hl_runner_free);
  g_clear_pointer (&self->worker_shutdown, hl_worker_shutdown_unref);
  G_OBJECT_CLASS (hl_workbench_parent_class)->dispose (object);
}

static void hl_workbench_finalize (GObject *object) {
  HlWorkbench *self = HL_WORKBENCH (object);

  g_signal_handlers_disconnect_by_data (self->hub, self);
  hl_manual_run_free (self->driving);
  hl_locus_study_free (self->locus);
  hl_measured_tables_free (self->measured);
  hl_runs_free (self->runs);
  hl_editing_free (self->editing);
  g_object_unref (self->hub);
  g_ptr_array_unref (self->selection);
  g_free (self->hover);
  g_strfreev (self->veiled);
  G_OBJECT_CLASS (hl_workbench_parent_class)->finalize (object);
}

static void hl_workbench_class_init (HlWorkbenchClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_workbench_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_workbench_finalize;
  changed_signal = g_signal_new ("changed", HL_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
  take_away_signal = g_signal_new ("take-away", HL_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_OBJECT);
}

/* Returns "bar" for "bar(g)", which only pressures have. Owned by the caller. */
static char *absolute_name (const HlUnit *unit) {
  return g_strndup (unit->name, strcspn (unit->name, "("));
}

/* Sets a unit. Pressures, pressure differences and moduli have one unit: the one chosen last for a pressure
 * or a difference. A modulus may have a unit of its own. */
static void set_unit (HlWorkbench *self, const HlUnit *unit) {
  static const HlQuantity family[] = {HL_QUANTITY_PRESSURE, HL_QUANTITY_PRESSURE_DIFFERENCE,
                                      HL_QUANTITY_MODULUS};

  self->units[unit->quantity] = unit;
  if (unit->quantity != HL_QUANTITY_PRESSURE && unit->quantity != HL_QUANTITY_PRESSURE_DIFFERENCE)
    return;
  g_autofree char *name = absolute_name (unit);
  for (gsize k = 0; k < G_N_ELEMENTS (family); k++) {
    const HlUnit *same = hl_unit_find (family[k], name);
    g_autofree char *present = absolute_name (self->units[family[k]]);
    if (same != NULL && strcmp (present, name) != 0) /* a gauge stays one */
      self->units[family[k]] = same;
  }
}

HlWorkbench *hl_workbench_new (void) {
  return g_object_new (HL_TYPE_WORKBENCH, NULL);
}

void hl_workbench_set_worker_shutdown (HlWorkbench *self, HlWorkerShutdown *worker_shutdown) {
  g_clear_pointer (&self->worker_shutdown, hl_worker_shutdown_unref);
  self->worker_shutdown = hl_worker_shutdown_ref (worker_shutdown);
}

/* --- what stands on it --- */

HlEditing *hl_workbench_editing (HlWorkbench *self) {
  return self->editing;
}

HlRuns *hl_workbench_runs (HlWorkbench *self) {
  return self->runs;
}

HlLocusStudy *hl_workbench_locus (HlWorkbench *self) {
  return self->locus;
}

HlManualRun *hl_workbench_manual_run (HlWorkbench *self) {
  return self->driving;
}

HlMeasuredTables *hl_workbench_measured (HlWorkbench *self) {
  return self->measured;
}

static void start_over (HlWorkbench *self) {
  g_ptr_array_set_size (self->selection, 0);
  g_ptr_array_add (self->selection, NULL);
  g_clear_pointer (&self->hover, g_free);
  forget_results (self);
}

/* --- what changed --- */

/* Removes from the selection the elements that an undo or another edit has deleted. */
static gboolean drop_gone_selection (HlWorkbench *self) {
  static const char *const objects[] = {"model", "fluid", "ground", "simulation", "equilibrium"};
  const HlDocument *document = hl_editing_document (self->editing);
  guint before = self->selection->len;

  for (guint i = self->selection->len - 1; i-- > 0;) {
    const char *id = self->selection->pdata[i];
    gboolean is_there = hl_document_find (document, id, NULL, NULL) != NULL;
    for (guint k = 0; k < G_N_ELEMENTS (objects); k++)
      is_there = is_there || strcmp (id, objects[k]) == 0;
    if (!is_there)
      g_ptr_array_remove_index (self->selection, i);
  }
  return self->selection->len != before;
}

static void announce (HlWorkbench *self, guint changes) {
  if ((changes & HL_CHANGED_DOCUMENT) != 0 && drop_gone_selection (self))
    changes |= HL_CHANGED_SELECTION;
  if (changes != 0)
    g_signal_emit (self, changed_signal, 0, changes);
}

static gboolean fallback_frame_cb (gpointer data) {
  HlWorkbench *self = data;

  if (hl_workbench_frame (self))
    return G_SOURCE_CONTINUE;
  self->fallback_source = 0;
  return G_SOURCE_REMOVE;
}

static void wake_cb (HlWorkbench *self) {
  if (self->wake != NULL)
    self->wake (self->wake_data);
  else if (self->fallback_source == 0)
    self->fallback_source = g_timeout_add (FALLBACK_MS, fallback_frame_cb, self);
}

void hl_workbench_set_wake (HlWorkbench *self, void (*wake) (gpointer data), gpointer data) {
  self->wake = wake;
  self->wake_data = data;
  if (wake != NULL)
    g_clear_handle_id (&self->fallback_source, g_source_remove);
}

static void prefer_unit (HlWorkbench *self, const HlUnit *unit) {
  set_unit (self, unit);
  hl_hub_note (self->hub, HL_CHANGED_UNITS);
}

/* --- the frame --- */

static void on_run (HlRunPost *post, gpointer data) {
  hl_runs_take (((HlWorkbench *)data)->runs, post);
}

static void on_locus (HlLocusPost *post, gpointer data) {
  hl_locus_study_take (((HlWorkbench *)data)->locus, post);
}

static void on_solved (HlSolvePost *post, gpointer data) {
  hl_editing_take_solved (((HlWorkbench *)data)->editing, post);
}

static const HlRunnerTakers takers = {on_run, on_locus, on_solved};

static void announce_pending (HlWorkbench *self) {
  announce (self, hl_hub_noted (self->hub, TRUE));
}

/* Requests the root locus after a run that follows a drag: the user waits for its trace, and there are few
 * processors. */
static void request_locus (HlWorkbench *self) {
  if (hl_locus_study_is_due (self->locus) && !hl_editing_is_compiling (self->editing))
    hl_locus_study_request (self->locus);
}

gboolean hl_workbench_awaits_run (HlWorkbench *self, gint64 until_us) {
  return hl_runs_is_expected (self->runs, until_us);
}

gboolean hl_workbench_frame (HlWorkbench *self) {
  if (hl_editing_stale (self->editing) > HL_STALE_FINDINGS) {
    hl_manual_run_leave_for_edit (self->driving);
    hl_runs_drop_models (self->runs);
  }
  hl_editing_frame (self->editing);
  hl_runs_refine (self->runs);
  if (!hl_workbench_awaits_run (self, G_MAXINT64))
    request_locus (self);
  hl_runner_drain (self->runner, &takers, self);
  hl_runs_drop_unanswered (self->runs);
  hl_runs_run_next_model (self->runs);
  hl_manual_run_frame (self->driving);

  gboolean running = hl_runs_is_running (self->runs);
  if (running != self->was_running)
    hl_hub_note (self->hub, HL_CHANGED_ACTIVITY);
  self->was_running = running;

  announce_pending (self);
  return hl_runner_is_busy (self->runner) || hl_editing_stale (self->editing) != HL_STALE_NOTHING ||
         hl_hub_noted (self->hub, FALSE) != 0 || hl_locus_study_is_due (self->locus) ||
         hl_runs_is_due (self->runs);
}

void hl_workbench_finish_frame (HlWorkbench *self, gint64 until_us) {
  if (hl_workbench_awaits_run (self, until_us))
    hl_runner_wait_for_run (self->runner, until_us);
  hl_runner_drain (self->runner, &takers, self);
  request_locus (self);
  announce_pending (self);
}

static void hl_workbench_init (HlWorkbench *self) {
  self->selection = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->selection, NULL);
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    self->units[quantity] = hl_quantity_default_unit (quantity);
  const HlUnit *megapascal = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  if (megapascal != NULL)
    set_unit (self, megapascal);
  self->runner = hl_runner_new ();
  self->hub = hl_hub_new ();
  self->editing = hl_editing_new (self->hub);
  self->runs = hl_runs_new (self->hub);
  self->measured = hl_measured_tables_new (self->hub);
  self->locus = hl_locus_study_new (self->hub);
  self->driving = hl_manual_run_new (self->hub);
  hl_hub_place (self->hub, self->editing, self->runs, self->driving, self->units);
  hl_hub_set_runner (self->hub, self->runner);
  g_signal_connect_swapped (self->hub, "announce", G_CALLBACK (announce), self);
  g_signal_connect_swapped (self->hub, "wake", G_CALLBACK (wake_cb), self);
  g_signal_connect_swapped (self->hub, "frame", G_CALLBACK (hl_workbench_frame), self);
  g_signal_connect_swapped (self->hub, "start-over", G_CALLBACK (start_over), self);
  g_signal_connect_swapped (self->hub, "prefer-unit", G_CALLBACK (prefer_unit), self);
}

/* --- selection, hover, units --- */

static gboolean find_selected (HlWorkbench *self, const char *id, guint *index) {
  for (guint i = 0; i + 1 < self->selection->len; i++)
    if (strcmp (self->selection->pdata[i], id) == 0) {
      *index = i;
      return TRUE;
    }
  return FALSE;
}

void hl_workbench_select (HlWorkbench *self, const char *id) {
  if (g_strcmp0 (id, hl_workbench_selected (self)) == 0 && self->selection->len <= 2)
    return;
  g_autofree char *kept = g_strdup (id); /* it may be one of those that go */
  g_ptr_array_set_size (self->selection, 0);
  if (kept != NULL)
    g_ptr_array_add (self->selection, g_steal_pointer (&kept));
  g_ptr_array_add (self->selection, NULL);
  announce (self, HL_CHANGED_SELECTION);
}

void hl_workbench_select_ids (HlWorkbench *self, const char *const *ids) {
  g_auto (GStrv) kept = g_strdupv ((char **)ids);

  if (g_strv_equal (ids, hl_workbench_selection (self)))
    return;
  g_ptr_array_set_size (self->selection, 0);
  for (int i = 0; kept[i] != NULL; i++)
    g_ptr_array_add (self->selection, g_strdup (kept[i]));
  g_ptr_array_add (self->selection, NULL);
  announce (self, HL_CHANGED_SELECTION);
}

void hl_workbench_toggle_selected (HlWorkbench *self, const char *id) {
  guint index;

  if (find_selected (self, id, &index))
    g_ptr_array_remove_index (self->selection, index);
  else
    g_ptr_array_insert (self->selection, (int)self->selection->len - 1, g_strdup (id));
  announce (self, HL_CHANGED_SELECTION);
}

gboolean hl_workbench_is_selected (HlWorkbench *self, const char *id) {
  return find_selected (self, id, &(guint){0});
}

const char *hl_workbench_selected (HlWorkbench *self) {
  return self->selection->pdata[0];
}

const char *const *hl_workbench_selection (HlWorkbench *self) {
  return (const char *const *)self->selection->pdata;
}

void hl_workbench_set_hover (HlWorkbench *self, const char *id) {
  if (g_strcmp0 (id, self->hover) == 0)
    return;
  g_free (self->hover);
  self->hover = g_strdup (id);
  announce (self, HL_CHANGED_HOVER);
}

void hl_workbench_set_veiled (HlWorkbench *self, const char *const *paths) {
  static const char *const none[] = {NULL};
  const char *const *next = paths != NULL ? paths : none;

  if (g_strv_equal (hl_workbench_veiled (self), next))
    return;
  g_strfreev (self->veiled);
  self->veiled = g_strdupv ((char **)next);
  announce (self, HL_CHANGED_DOCUMENT);
}

const char *const *hl_workbench_veiled (HlWorkbench *self) {
  static const char *const none[] = {NULL};

  return self->veiled != NULL ? (const char *const *)self->veiled : none;
}

const char *hl_workbench_hover (HlWorkbench *self) {
  return self->hover;
}

const HlUnit *const *hl_workbench_units (HlWorkbench *self) {
  return self->units;
}

void hl_workbench_set_unit (HlWorkbench *self, const HlUnit *unit) {
  if (self->units[unit->quantity] == unit)
    return;
  set_unit (self, unit);
  announce (self, HL_CHANGED_UNITS);
}

void hl_workbench_take_away (HlWorkbench *self, GObject *picture) {
  g_signal_emit (self, take_away_signal, 0, picture);
}
