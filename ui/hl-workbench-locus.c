/* SPDX-License-Identifier: MIT */
/* The root locus over the chosen knob and what is computed with it: crossings of the stability
 * axis, sensitivities to every knob, poles of the other parameter sets. */
#include "ui/hl-workbench-private.h"

#include "core/analysis/hl-compile.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

#define LOCUS_POINTS 241
#define COARSE_POINTS 61 /* while a slider moves, where all of them would take longer than this */
#define LONG_SECONDS 0.1
#define REST_MS 250        /* without a move: the time cursor rests */
#define MOST_PARAMETERS 64 /* that one knob turns */

/* The system of a parameter set that needs a new compile; as it is, when that fails. */
static HlSystem *
compile_set (HlWorkbench *self, int set)
{
  const HlDocument *document = hl_workbench_document (self);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (HlDocument) changed =
      hl_document_apply_set (document, hl_document_set_name (document, set), NULL);
  HlSystem *system = changed != NULL ? hl_compile (changed, findings) : NULL;

  return system != NULL ? system : hl_system_copy (self->system);
}

/* One system for every parameter set of the file. */
static GPtrArray *
systems_of_sets (HlWorkbench *self)
{
  const HlDocument *document = hl_workbench_document (self);
  GPtrArray *systems = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_system_unref);

  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const HlValue *values =
        hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
    HlSystem *system = hl_system_copy (self->system);
    gboolean shapes = FALSE;
    for (gsize i = 0; i < hl_value_length (values); i++) {
      HlParameter parameter;
      if (hl_system_find_parameter (system, hl_value_key (values, i), &parameter))
        hl_system_set_parameter (system, parameter,
                                 hl_value_number (hl_value_member_at (values, i)));
      else
        shapes = TRUE;
    }
    if (shapes) {
      hl_system_unref (system);
      system = compile_set (self, set);
    }
    g_ptr_array_add (systems, system);
  }
  return systems;
}

/* Every knob as the sweeps see it, and its value; the parameters are owned by the array. */
static GArray *
sweeps_of_knobs (HlWorkbench *self, GPtrArray *owned, double values[])
{
  GArray *sweeps = g_array_new (FALSE, TRUE, sizeof (HlSweepParameter));

  for (guint k = 0; k < self->knobs->len; k++) {
    const HlKnob *knob = self->knobs->pdata[k];
    HlParameter *parameters = g_new0 (HlParameter, g_strv_length (knob->paths) + 1);
    HlSweepParameter sweep = {.parameters = parameters,
                              .paths = (const char *const *)knob->paths,
                              .low = -INFINITY,
                              .high = INFINITY};
    for (char **path = knob->paths; *path != NULL; path++) {
      HlPathInfo info;
      if (hl_path_find (hl_workbench_document (self), *path, &info, NULL))
        hl_path_narrow (&info, &sweep.low, &sweep.high);
      if (hl_system_find_parameter (self->system, *path, &parameters[sweep.n]))
        sweep.n++;
    }
    g_ptr_array_add (owned, parameters);
    values[k] = hl_knob_value (knob, hl_workbench_document (self));
    g_array_append_val (sweeps, sweep);
  }
  return sweeps;
}

void
hl_workbench_branches_changed (HlWorkbench *self)
{
  self->branches_due = TRUE;
  self->branches_from = 0;
}

gboolean
hl_workbench_is_locus_knob (HlWorkbench *self, const char *const *paths)
{
  if (self->locus_knob < 0)
    return FALSE;
  const HlKnob *knob = self->knobs->pdata[self->locus_knob];
  return g_strv_equal ((const char *const *)knob->paths, paths);
}

/* 0: the branches are there. */
static int
n_points_due (HlWorkbench *self)
{
  if (self->locus == NULL)
    return LOCUS_POINTS;
  if (!self->branches_due)
    return 0;
  double seconds = self->locus_seconds * LOCUS_POINTS / MAX (self->locus->n_values, 1);
  return self->in_gesture && seconds > LONG_SECONDS ? COARSE_POINTS : LOCUS_POINTS;
}

void
hl_workbench_forget_locus (HlWorkbench *self)
{
  self->locus_serial = 0;
  hl_workbench_branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  if (self->others != NULL)
    g_array_set_size (self->others, 0);
}

/* Where the hybrid run that is shown stands; 0: it is none, or of another model. */
static double
mode_time (HlWorkbench *self)
{
  const HlRun *run = self->shown;

  if (run == NULL || run->history == NULL || hl_mode_history_system (run->history) != self->system)
    return 0.0;
  return fmin (self->time, run->stats.t_reached);
}

static gboolean
rested_cb (gpointer data)
{
  HlWorkbench *self = data;

  self->rest_source = 0;
  self->locus_stale = TRUE;
  hl_workbench_wake (self, 0);
  return G_SOURCE_REMOVE;
}

/* Poles of a mode belong to the state there: once the time cursor rests, they follow it. */
void
hl_workbench_follow_visited_mode (HlWorkbench *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  if (mode_time (self) != self->locus_time)
    self->rest_source = g_timeout_add (REST_MS, rested_cb, self);
}

void
hl_workbench_ask_for_locus (HlWorkbench *self)
{
  HlParameter parameters[MOST_PARAMETERS];
  int n = 0;

  self->locus_stale = FALSE;
  self->locus_time = mode_time (self);
  if (self->system == NULL || self->locus_knob < 0 || self->point == NULL ||
      self->point->linearization == NULL) {
    hl_runner_forget_locus (self->runner);
    if (self->locus != NULL)
      self->pending |= HL_CHANGED_LOCUS;
    hl_workbench_forget_locus (self);
    return;
  }
  const HlKnob *knob = self->knobs->pdata[self->locus_knob];
  gboolean shapes = FALSE;

  for (char **path = knob->paths; *path != NULL && n < (int)G_N_ELEMENTS (parameters); path++)
    if (hl_system_find_parameter (self->system, *path, &parameters[n]))
      n++;
    else
      shapes = TRUE;
  self->locus_message = NULL;
  HlLocusRequest request = {
      .system = self->system,
      .document = hl_workbench_document (self),
      .parameters = parameters,
      .n_parameters = n,
      .paths = shapes ? (const char *const *)knob->paths : NULL,
      .from = knob->from,
      .to = knob->to,
      .n_values = n_points_due (self),
      .log = knob->log,
      .n_others = -1,
  };
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autofree double *values = g_new0 (double, self->knobs->len + 1);
  g_autoptr (GArray) sweeps = sweeps_of_knobs (self, owned, values);
  g_autoptr (GPtrArray) sets = NULL;
  request.knobs = (gconstpointer)sweeps->data;
  request.knob_values = values;
  request.n_knobs = (int)sweeps->len;
  request.mode_time = self->locus_time;
  if (!self->in_gesture) { /* while a slider moves, the other sets stay where they are */
    sets = systems_of_sets (self);
    request.others = (HlSystem *const *)sets->pdata;
    request.n_others = (int)sets->len;
  }
  guint serial = hl_runner_trace_locus (self->runner, &request);
  if (self->locus_serial == 0)
    self->locus_serial = serial;
  if (request.n_values > 0 && self->branches_from == 0)
    self->branches_from = serial;
}

void
hl_workbench_take_locus (HlLocusPost *post, gpointer data)
{
  HlWorkbench *self = data;

  /* branches over the knob before are of no use, and their values would mislead */
  if (self->locus_serial == 0 || (gint)(post->base.serial - self->locus_serial) < 0)
    return;
  if (post->has_branches && (post->locus == NULL || post->locus->n_values < 2)) {
    self->locus_message = _ ("No branches over this slider:\nno start state on its range");
    g_clear_pointer (&self->locus, hl_locus_free);
    g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
    self->pending |= HL_CHANGED_LOCUS;
    return;
  }
  if (post->locus != NULL) {
    g_clear_pointer (&self->locus, hl_locus_free);
    self->locus = g_steal_pointer (&post->locus);
    self->locus_seconds = post->seconds;
    self->n_crossings = post->n_crossings;
    memcpy (self->crossings, post->crossings, sizeof post->crossings);
    if (self->branches_from != 0 && post->base.serial >= self->branches_from)
      self->branches_due = FALSE;
  }
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  self->sensitivity = g_steal_pointer (&post->sensitivity);
  if (post->others != NULL) {
    g_clear_pointer (&self->others, g_array_unref);
    self->others = g_steal_pointer (&post->others);
  }
  self->pending |= HL_CHANGED_LOCUS;
}

int
hl_workbench_locus_knob (HlWorkbench *self)
{
  return self->locus_knob;
}

void
hl_workbench_set_locus_knob (HlWorkbench *self, int knob)
{
  if (knob == self->locus_knob || knob < -1 || knob >= (int)self->knobs->len)
    return;
  self->locus_knob = knob;
  self->locus_stale = TRUE;
  self->locus_serial = 0;
  self->locus_message = NULL;
  hl_workbench_branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  hl_workbench_wake (self, HL_CHANGED_LOCUS);
}

const HlLocus *
hl_workbench_locus (HlWorkbench *self)
{
  return self->locus;
}

const char *
hl_workbench_locus_message (HlWorkbench *self)
{
  return self->locus_message;
}

const HlCrossing *
hl_workbench_crossings (HlWorkbench *self, int *n)
{
  *n = self->locus != NULL ? self->n_crossings : 0;
  return self->crossings;
}

const HlSensitivity *
hl_workbench_sensitivity (HlWorkbench *self)
{
  return self->sensitivity;
}

gboolean
hl_workbench_set_pole (HlWorkbench *self, int index, double *re, double *im, int *set)
{
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return FALSE;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  *re = pole->re;
  *im = pole->im;
  *set = pole->other;
  return TRUE;
}

const char *
hl_workbench_pole_mode (HlWorkbench *self, int index)
{
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return NULL;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  return pole->other < 0 ? pole->mode : NULL;
}

double
hl_workbench_locus_seconds (HlWorkbench *self)
{
  return self->locus_seconds;
}
