/* SPDX-License-Identifier: MIT */
/* What the worker is asked for: branches over the chosen knob, sensitivities to every knob, poles
 * of the other parameter sets and of the mode that a hybrid run is in. */
#include "ui/bench/hl-locus-study-private.h"

#include "core/compile/hl-compile.h"
#include "core/document/hl-path.h"
#include "core/linear/hl-locus-reach.h"
#include "ui/bench/hl-runs-peer.h"

#include <math.h>

#define LOCUS_POINTS 241
#define COARSE_POINTS 61 /* while a slider moves, where all of them would take longer than this */
#define LONG_SECONDS 0.1
#define REST_MS 250        /* without a move: the time cursor rests */
#define MOST_PARAMETERS 64 /* that one knob turns */

static HlEditing *
editing_of (HlLocusStudy *self)
{
  return hl_workbench_editing (self->hub);
}

/* The system of a parameter set that needs a new compile; as it is, when that fails. */
static HlSystem *
compile_set (HlLocusStudy *self, int set)
{
  const HlDocument *document = hl_editing_document (editing_of (self));
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (HlDocument) changed =
      hl_document_apply_set (document, hl_document_set_name (document, set), NULL);
  HlSystem *system = changed != NULL ? hl_compile (changed, findings) : NULL;

  return system != NULL ? system : hl_system_copy (hl_editing_system (editing_of (self)));
}

/* One system for every parameter set of the file. */
static GPtrArray *
systems_of_sets (HlLocusStudy *self)
{
  const HlDocument *document = hl_editing_document (editing_of (self));
  GPtrArray *systems = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_system_unref);

  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const HlValue *values =
        hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
    HlSystem *system = hl_system_copy (hl_editing_system (editing_of (self)));
    gboolean shapes = FALSE;
    for (gsize i = 0; i < hl_value_length (values); i++) {
      HlParameter parameter;
      if (hl_system_find_parameter (system, hl_value_key (values, i), &parameter))
        hl_system_set_parameter (system, parameter,
                                 hl_value_number (hl_value_member_at (values, i)));
      else
        shapes = TRUE;
    }
    if (shapes || hl_system_check_shape (system, NULL) != HL_OK) {
      hl_system_unref (system);
      system = compile_set (self, set);
    }
    g_ptr_array_add (systems, system);
  }
  return systems;
}

/* Every knob as the sweeps see it, and its value; the parameters are owned by the array. */
static GArray *
sweeps_of_knobs (HlLocusStudy *self, GPtrArray *owned, double values[])
{
  const HlDocument *document = hl_editing_document (editing_of (self));
  const HlSystem *system = hl_editing_system (editing_of (self));
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
      if (hl_path_find (document, *path, &info, NULL))
        hl_path_narrow (&info, &sweep.low, &sweep.high);
      if (hl_system_find_parameter (system, *path, &parameters[sweep.n]))
        sweep.n++;
    }
    g_ptr_array_add (owned, parameters);
    values[k] = hl_knob_value (knob, document);
    g_array_append_val (sweeps, sweep);
  }
  return sweeps;
}

/* 0: the branches are there. */
static int
n_points_due (HlLocusStudy *self)
{
  if (self->locus == NULL)
    return LOCUS_POINTS;
  if (!self->branches_due)
    return 0;
  double seconds = self->seconds * LOCUS_POINTS / MAX (self->locus->n_values, 1);
  return hl_editing_is_in_gesture (editing_of (self)) && seconds > LONG_SECONDS ? COARSE_POINTS
                                                                                : LOCUS_POINTS;
}

/* Where the hybrid run that is shown stands; 0: it is none, or of another model. */
static double
mode_time (HlLocusStudy *self)
{
  HlRuns *runs = hl_workbench_runs (self->hub);
  const HlRun *run = hl_runs_shown (runs);

  if (run == NULL || run->history == NULL ||
      hl_mode_history_system (run->history) != hl_editing_system (editing_of (self)))
    return 0.0;
  return fmin (hl_runs_time (runs), run->stats.t_reached);
}

static gboolean
rested_cb (gpointer data)
{
  HlLocusStudy *self = data;

  self->rest_source = 0;
  self->is_stale = TRUE;
  hl_workbench_wake (self->hub, 0);
  return G_SOURCE_REMOVE;
}

/* Poles of a mode belong to the state there: once the time cursor rests, they follow it. */
void
hl_locus_study_follow_time (HlLocusStudy *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  if (mode_time (self) != self->mode_time)
    self->rest_source = g_timeout_add (REST_MS, rested_cb, self);
}

void
hl_locus_study_ask (HlLocusStudy *self)
{
  HlEditing *editing = editing_of (self);
  HlSystem *system = hl_editing_system (editing);
  const HlWorkingPoint *at = hl_editing_point (editing);
  HlParameter parameters[MOST_PARAMETERS];
  int n = 0;

  self->is_stale = FALSE;
  self->mode_time = mode_time (self);
  if (system == NULL || self->knob < 0 || at == NULL || at->linearization == NULL) {
    hl_runner_forget_locus (hl_workbench_runner (self->hub));
    if (self->locus != NULL)
      hl_workbench_note (self->hub, HL_CHANGED_LOCUS);
    hl_locus_study_forget_locus (self);
    return;
  }
  const HlKnob *knob = self->knobs->pdata[self->knob];
  gboolean shapes = FALSE;

  for (char **path = knob->paths; *path != NULL && n < (int)G_N_ELEMENTS (parameters); path++)
    if (hl_system_find_parameter (system, *path, &parameters[n]))
      n++;
    else
      shapes = TRUE;
  self->message = NULL;
  HlLocusRequest request = {
      .system = system,
      .document = hl_editing_document (editing),
      .parameters = parameters,
      .n_parameters = n,
      .paths = shapes ? (const char *const *)knob->paths : NULL,
      .from = knob->from,
      .to = knob->to,
      .n_values = n_points_due (self),
      .log = knob->log,
      .within =
          shapes ? 0.0 : hl_locus_reach (at->linearization->n, at->linearization->eigenvalues),
      .n_others = -1,
  };
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autofree double *values = g_new0 (double, self->knobs->len + 1);
  g_autoptr (GArray) sweeps = sweeps_of_knobs (self, owned, values);
  g_autoptr (GPtrArray) sets = NULL;
  request.knobs = (gconstpointer)sweeps->data;
  request.knob_values = values;
  request.n_knobs = (int)sweeps->len;
  request.mode_time = self->mode_time;
  if (!hl_editing_is_in_gesture (
          editing)) { /* while a slider moves, the other sets stay where they are */
    sets = systems_of_sets (self);
    request.others = (HlSystem *const *)sets->pdata;
    request.n_others = (int)sets->len;
  }
  guint serial = hl_runner_trace_locus (hl_workbench_runner (self->hub), &request);
  if (request.n_values > 0)
    self->n_states = at->linearization->n;
  if (self->serial == 0)
    self->serial = serial;
  if (request.n_values > 0 && self->branches_from == 0)
    self->branches_from = serial;
}
