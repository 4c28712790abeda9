/* SPDX-License-Identifier: MIT */
/* The root locus over the chosen slider and what is computed with it: crossings of the stability
 * axis, sensitivities to every slider, poles of the other parameter sets. */
#include "ui/workbench/hl-locus-study.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/linear/hl-eigenmode-check.h"
#include "core/linear/hl-root-locus.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-state-snapshot.h"
#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-workbench-hub.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define FRAMES 32        /* of a period */
#define MOST_HALVINGS 12 /* of the amplitude, until the constraints can be met */
#define NOTHING 1e-12    /* of the largest part of the mode: rounding */

static gboolean film (HlModeMovie *movie, const HlWorkingPoint *at, HlWork *work, HlPoint *pose,
                      const HlRecording *recording) {
  int n_outputs;
  const HlObservable *outputs = hl_recording_outputs (recording, &n_outputs, NULL);
  g_autofree double *values = g_new0 (double, n_outputs + 1);
  g_autofree double *first = g_new0 (double, n_outputs + 1);
  g_autofree double *row = g_new0 (double, hl_recording_n_columns (recording) + 1);

  movie->results = hl_recording_new_results (recording);
  for (int frame = 0; frame <= FRAMES; frame++) {
    double t = (double)frame / FRAMES;
    if (hl_mode_pose (at->system, work, at->point, at->linearization, movie->mode, movie->amplitude,
                      2 * G_PI * t, pose) != HL_OK ||
        hl_snapshot_eval (at->system, work, pose, outputs, n_outputs, values, NULL) != HL_OK)
      return FALSE;
    hl_recorder_make_row (recording, values, first, FALSE, row);
    hl_results_append (movie->results, t, row);
  }
  return TRUE;
}

static void mode_movie_free (HlModeMovie *movie);

/* Returns the animation of a mode; `amplitude`: of the coordinate that moves most [m or rad]. NULL when no
 * pose can be found. */
static HlModeMovie *mode_movie_new (const HlDocument *document, const HlWorkingPoint *at, int mode,
                                    double amplitude) {
  if (at == NULL || at->point == NULL || at->linearization == NULL || mode < 0 ||
      mode >= at->linearization->n || at->linearization->right_re == NULL)
    return NULL;
  g_autoptr (HlRecording) recording = hl_recording_new (document, at->system, HL_RECORD_ALL, NULL, NULL);
  HlModeMovie *movie = g_new0 (HlModeMovie, 1);
  HlWork *work = hl_work_new (at->system);
  HlPoint *pose = hl_point_new (at->system);
  gboolean filmed = FALSE;

  movie->mode = mode;
  movie->amplitude = amplitude;
  for (int halving = 0; halving < MOST_HALVINGS && !filmed; halving++) {
    g_clear_pointer (&movie->results, hl_results_unref);
    filmed = film (movie, at, work, pose, recording);
    if (!filmed)
      movie->amplitude *= 0.5;
  }
  hl_point_free (pose);
  hl_work_free (work);
  if (!filmed)
    g_clear_pointer (&movie, mode_movie_free);
  return movie;
}

static void mode_movie_free (HlModeMovie *movie) {
  if (movie == NULL)
    return;
  g_clear_pointer (&movie->results, hl_results_unref);
  g_free (movie);
}

static double complex entry (const HlLinearization *lin, int mode, int state) {
  gsize at = (gsize)mode * (gsize)lin->n + (gsize)state;
  return lin->right_re[at] + I * lin->right_im[at];
}

gboolean hl_mode_pressure (const HlWorkingPoint *at, int mode, const char *line_id, double *size,
                           double *phase) {
  const HlLinearization *lin = at->linearization;
  g_autofree char *path = g_strconcat (line_id, ".pressure", NULL);
  double complex mine = NAN, motion = 0;
  double largest = 0, all = 0;

  for (int state = 0; state < lin->n; state++) {
    double complex part = entry (lin, mode, state);
    all = fmax (all, cabs (part) / lin->scale[state]);
    if (strcmp (lin->state_names[state], path) == 0)
      mine = part;
    if (g_str_has_suffix (lin->state_names[state], ".pressure"))
      largest = fmax (largest, cabs (part) / lin->scale[state]);
    else if (!g_str_has_suffix (lin->state_names[state], ".spool") && cabs (part) > cabs (motion) &&
             strcmp (lin->state_units[state], "rad/s") != 0 && strcmp (lin->state_units[state], "m/s") != 0)
      motion = part;
    if (strcmp (lin->state_names[state], path) == 0)
      *size = cabs (part) / lin->scale[state];
  }
  if (isnan (creal (mine)))
    return FALSE;
  *size = largest > NOTHING * all ? *size / largest : 0;
  *phase = motion != 0 ? carg (mine / motion) : carg (mine);
  return TRUE;
}

struct _HlLocusStudy {
  HlHub *hub;

  GPtrArray *model_sliders;
  int model_slider; /* of the locus; -1: none */
  gboolean is_stale;
  gboolean branches_due; /* something else than the slider of the locus was moved */
  guint branches_from;   /* answers from this serial on have them; 0: not requested yet */
  HlLocus *locus;
  guint serial;        /* the first request over the present slider; 0: none of them */
  const char *message; /* reason for missing branches; NULL = there are branches, or none are requested */
  int n_states;        /* of the machine whose branches were requested last */
  char *some;          /* marks that only some of them are followed; NULL: all are */
  HlCrossing crossings[HL_LOCUS_MOST_CROSSINGS];
  int n_crossings;
  HlSensitivity *sensitivity;
  GArray *others;    /* HlOtherPole */
  GArray *fates;     /* HlPoleFate; NULL: none yet */
  double mode_time;  /* of the hybrid mode whose poles are among them; 0: where a run starts [s] */
  guint rest_source; /* waits for the time cursor to rest */
  double seconds;

  HlLocusTarget target;

  int mode; /* eigenvalue, -1 = none */
  double mode_amplitude, mode_phase;
  HlModeMovie *movie; /* made on demand */
};

static void forget_locus (HlLocusStudy *self);

/* Requests to the worker: branches over the chosen slider, sensitivities to every slider, poles of the other parameter
 * sets and of the mode that a hybrid run is in. */

#define LOCUS_POINTS 241
#define COARSE_POINTS 61 /* while a slider moves, where all of them would take longer than this */
#define LONG_SECONDS 0.1
#define REST_MS 250        /* without a move: the time cursor rests */
#define MOST_PARAMETERS 64 /* that one slider turns */

static HlEditing *editing_of (HlLocusStudy *self) {
  return hl_hub_editing (self->hub);
}

/* Returns the system of a parameter set that needs a new compile; as it is, when that fails. */
static HlSystem *compile_set (HlLocusStudy *self, int set) {
  const HlDocument *document = hl_editing_document (editing_of (self));
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (HlDocument) changed =
      hl_document_apply_set (document, hl_document_set_name (document, set), NULL);
  HlSystem *system = changed != NULL ? hl_compile (changed, findings) : NULL;

  return system != NULL ? system : hl_system_copy (hl_editing_system (editing_of (self)));
}

/* Returns one system for every parameter set of the file. */
static GPtrArray *systems_of_sets (HlLocusStudy *self) {
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
        hl_system_set_parameter (system, parameter, hl_value_number (hl_value_member_at (values, i)));
      else
        shapes = TRUE;
    }
    if (shapes || hl_system_check_numbers (system, NULL) != HL_OK) {
      hl_system_unref (system);
      system = compile_set (self, set);
    }
    g_ptr_array_add (systems, system);
  }
  return systems;
}

/* Returns every slider in the form of the sweeps, and its value; the parameters are owned by the array. */
static GArray *sweeps_of_model_sliders (HlLocusStudy *self, GPtrArray *owned, double values[]) {
  const HlDocument *document = hl_editing_document (editing_of (self));
  const HlSystem *system = hl_editing_system (editing_of (self));
  GArray *sweeps = g_array_new (FALSE, TRUE, sizeof (HlSweepParameter));

  for (guint k = 0; k < self->model_sliders->len; k++) {
    const HlModelSlider *model_slider = self->model_sliders->pdata[k];
    HlParameter *parameters = g_new0 (HlParameter, g_strv_length (model_slider->paths) + 1);
    HlSweepParameter sweep = {.parameters = parameters,
                              .paths = (const char *const *)model_slider->paths,
                              .low = -INFINITY,
                              .high = INFINITY};
    for (char **path = model_slider->paths; *path != NULL; path++) {
      HlPathInfo info;
      if (hl_path_find (document, *path, &info, NULL))
        hl_path_narrow (&info, &sweep.low, &sweep.high);
      if (hl_system_find_parameter (system, *path, &parameters[sweep.n]))
        sweep.n++;
    }
    g_ptr_array_add (owned, parameters);
    values[k] = hl_model_slider_value (model_slider, document);
    g_array_append_val (sweeps, sweep);
  }
  return sweeps;
}

/* Returns the number of points still to be computed; 0: the branches are complete. */
static int n_points_due (HlLocusStudy *self) {
  if (self->locus == NULL)
    return LOCUS_POINTS;
  if (!self->branches_due)
    return 0;
  double seconds = self->seconds * LOCUS_POINTS / MAX (self->locus->n_values, 1);
  return hl_editing_is_in_gesture (editing_of (self)) && seconds > LONG_SECONDS ? COARSE_POINTS
                                                                                : LOCUS_POINTS;
}

/* Returns the time of the displayed hybrid run; 0: it is not hybrid, or of another model. */
static double mode_time (HlLocusStudy *self) {
  HlRuns *runs = hl_hub_runs (self->hub);
  const HlRun *run = hl_runs_shown (runs);

  if (run == NULL || run->history == NULL ||
      hl_mode_history_system (run->history) != hl_editing_system (editing_of (self)))
    return 0.0;
  return fmin (hl_runs_time (runs), run->stats.t_reached);
}

static gboolean rested_cb (gpointer data) {
  HlLocusStudy *self = data;

  self->rest_source = 0;
  self->is_stale = TRUE;
  hl_hub_wake (self->hub, 0);
  return G_SOURCE_REMOVE;
}

/* Poles of a mode belong to the state there: once the time cursor rests, they follow it. */
/* Follows the time cursor or another run: once the cursor rests, the poles of the mode of a hybrid run at
 * that time are computed. */
static void follow_time (HlLocusStudy *self) {
  g_clear_handle_id (&self->rest_source, g_source_remove);
  if (mode_time (self) != self->mode_time)
    self->rest_source = g_timeout_add (REST_MS, rested_cb, self);
}

void hl_locus_study_request (HlLocusStudy *self) {
  HlEditing *editing = editing_of (self);
  HlSystem *system = hl_editing_system (editing);
  const HlWorkingPoint *at = hl_editing_point (editing);
  HlParameter parameters[MOST_PARAMETERS];
  int n = 0;

  self->is_stale = FALSE;
  self->mode_time = mode_time (self);
  if (system == NULL || self->model_slider < 0 || at == NULL || at->linearization == NULL) {
    hl_runner_forget_locus (hl_hub_runner (self->hub));
    if (self->locus != NULL)
      hl_hub_note (self->hub, HL_CHANGED_LOCUS);
    forget_locus (self);
    return;
  }
  const HlModelSlider *model_slider = self->model_sliders->pdata[self->model_slider];
  gboolean shapes = FALSE;

  for (char **path = model_slider->paths; *path != NULL && n < (int)G_N_ELEMENTS (parameters); path++)
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
      .paths = shapes ? (const char *const *)model_slider->paths : NULL,
      .from = model_slider->from,
      .to = model_slider->to,
      .n_values = n_points_due (self),
      .log = model_slider->log,
      .within = shapes ? 0.0 : hl_locus_reach (at->linearization->n, at->linearization->eigenvalues),
      .n_others = -1,
  };
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autofree double *values = g_new0 (double, self->model_sliders->len + 1);
  g_autoptr (GArray) sweeps = sweeps_of_model_sliders (self, owned, values);
  g_autoptr (GPtrArray) sets = NULL;
  request.model_sliders = (gconstpointer)sweeps->data;
  request.model_slider_values = values;
  request.n_model_sliders = (int)sweeps->len;
  request.mode_time = self->mode_time;
  if (!hl_editing_is_in_gesture (editing)) { /* while a slider moves, the other sets stay where they are */
    sets = systems_of_sets (self);
    request.others = (HlSystem *const *)sets->pdata;
    request.n_others = (int)sets->len;
  }
  guint serial = hl_runner_trace_locus (hl_hub_runner (self->hub), &request);
  if (request.n_values > 0)
    self->n_states = at->linearization->n;
  if (self->serial == 0)
    self->serial = serial;
  if (request.n_values > 0 && self->branches_from == 0)
    self->branches_from = serial;
}

/* The examined mode: its eigenvalue, the exaggeration, and the phase at which the drawings show it. */

static void drop_movie (HlLocusStudy *self) {
  g_clear_pointer (&self->movie, mode_movie_free);
}

int hl_locus_study_mode (HlLocusStudy *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_hub_editing (self->hub));
  return at != NULL && at->linearization != NULL && self->mode < at->linearization->n ? self->mode : -1;
}

void hl_locus_study_set_mode (HlLocusStudy *self, int mode) {
  if (mode == self->mode)
    return;
  self->mode = mode;
  self->mode_phase = 0;
  drop_movie (self);
  hl_hub_announce (self->hub, HL_CHANGED_MODE);
}

/* Follows the working point: the examined mode is the eigenvalue nearest to the previous one. */
static void follow_point (HlLocusStudy *self, const HlLinearization *before, const HlLinearization *now) {
  int nearest = -1;
  double best = INFINITY;

  drop_movie (self);
  if (self->mode < 0)
    return;
  for (int k = 0; before != NULL && now != NULL && self->mode < before->n && k < now->n; k++) {
    const HlEigenvalue *old = &before->eigenvalues[self->mode], *new = &now->eigenvalues[k];
    double apart = hypot (new->re - old->re, new->im - old->im);
    if (!new->null && apart < best) {
      best = apart;
      nearest = k;
    }
  }
  self->mode = nearest;
  hl_hub_note (self->hub, HL_CHANGED_MODE);
}

double hl_locus_study_mode_amplitude (HlLocusStudy *self) {
  return self->mode_amplitude;
}

void hl_locus_study_set_mode_amplitude (HlLocusStudy *self, double amplitude) {
  self->mode_amplitude = amplitude;
  drop_movie (self);
  hl_hub_announce (self->hub, HL_CHANGED_MODE);
}

double hl_locus_study_mode_phase (HlLocusStudy *self) {
  return self->mode_phase;
}

void hl_locus_study_set_mode_phase (HlLocusStudy *self, double phase) {
  self->mode_phase = phase - floor (phase);
  hl_hub_announce (self->hub, HL_CHANGED_PHASE);
}

const HlModeMovie *hl_locus_study_mode_movie (HlLocusStudy *self) {
  HlEditing *editing = hl_hub_editing (self->hub);
  int mode = hl_locus_study_mode (self);

  if (mode >= 0 && self->movie == NULL)
    self->movie = mode_movie_new (hl_editing_document (editing), hl_editing_point (editing), mode,
                                  self->mode_amplitude);
  return mode >= 0 ? self->movie : NULL;
}

#define MODE_AMPLITUDE 0.1 /* [m or rad] */
#define SAME_POLE 1e-6     /* part of an eigenvalue that two ways to it may differ by */

void hl_locus_study_free (HlLocusStudy *self) {
  g_signal_handlers_disconnect_by_data (self->hub, self);
  g_clear_handle_id (&self->rest_source, g_source_remove);
  g_clear_pointer (&self->locus, hl_locus_free);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  g_clear_pointer (&self->others, g_array_unref);
  g_clear_pointer (&self->fates, g_array_unref);
  g_free (self->some);
  drop_movie (self);
  g_ptr_array_unref (self->model_sliders);
  g_free (self);
}

/* --- sliders --- */

/* Chooses m/s as the unit of speed for a machine that travels, unless the user chose another unit. */
static void choose_speed_unit (HlLocusStudy *self) {
  const HlUnit *unit = hl_unit_find (HL_QUANTITY_SPEED, "m/s");

  for (guint i = 0; i < self->model_sliders->len && unit != NULL; i++) {
    const HlModelSlider *model_slider = self->model_sliders->pdata[i];
    if (model_slider->slider >= 0 || model_slider->quantity != HL_QUANTITY_SPEED)
      continue;
    hl_hub_prefer_unit (self->hub, unit);
  }
}

/* Follows a newly compiled document, or none: its sliders may be others. */
static void follow_system (HlLocusStudy *self) {
  GPtrArray *model_sliders = hl_model_sliders_of_document (hl_editing_document (editing_of (self)));
  gboolean same = model_sliders->len == self->model_sliders->len;

  for (guint i = 0; same && i < model_sliders->len; i++)
    same = hl_model_slider_equal (model_sliders->pdata[i], self->model_sliders->pdata[i]);
  if (same) { /* rows of the window hold on to the array */
    g_ptr_array_unref (model_sliders);
    return;
  }
  gboolean first = self->model_sliders->len == 0;
  g_ptr_array_unref (self->model_sliders);
  self->model_sliders = model_sliders;
  if (first)
    choose_speed_unit (self);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free); /* to the sliders before */
  self->model_slider = model_sliders->len > 0 ? 0 : -1;
  hl_hub_note (self->hub, HL_CHANGED_KNOBS | HL_CHANGED_LOCUS);
}

const HlLocusTarget *hl_locus_study_target (HlLocusStudy *self) {
  return &self->target;
}

void hl_locus_study_set_target (HlLocusStudy *self, const HlLocusTarget *target) {
  self->target = *target;
  hl_hub_announce (self->hub, HL_CHANGED_LOCUS);
}

GPtrArray *hl_locus_study_model_sliders (HlLocusStudy *self) {
  return self->model_sliders;
}

/* Handles new branches. Moving the slider of the root locus does not change them. */
static void branches_changed (HlLocusStudy *self) {
  self->branches_due = TRUE;
  self->branches_from = 0;
}

static gboolean is_model_slider (HlLocusStudy *self, const char *const *paths) {
  if (self->model_slider < 0)
    return FALSE;
  const HlModelSlider *model_slider = self->model_sliders->pdata[self->model_slider];
  return g_strv_equal ((const char *const *)model_slider->paths, paths);
}

static void follow_numbers (HlLocusStudy *self, const char *const *paths) {
  if (paths == NULL || !is_model_slider (self, paths))
    branches_changed (self);
}

static void forget_locus (HlLocusStudy *self) {
  self->serial = 0;
  branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
  if (self->others != NULL)
    g_array_set_size (self->others, 0);
  g_clear_pointer (&self->fates, g_array_unref);
}

void hl_locus_study_forget (HlLocusStudy *self) {
  hl_runner_forget_locus (hl_hub_runner (self->hub));
  forget_locus (self);
  drop_movie (self);
  self->mode = -1;
}

static void set_due (HlLocusStudy *self) {
  self->is_stale = TRUE;
}

HlLocusStudy *hl_locus_study_new (HlHub *hub) {
  HlLocusStudy *self = g_new0 (HlLocusStudy, 1);

  self->hub = hub;
  g_signal_connect_swapped (hub, "system", G_CALLBACK (follow_system), self);
  g_signal_connect_swapped (hub, "numbers", G_CALLBACK (follow_numbers), self);
  g_signal_connect_swapped (hub, "point", G_CALLBACK (follow_point), self);
  g_signal_connect_swapped (hub, "stale", G_CALLBACK (set_due), self);
  g_signal_connect_swapped (hub, "time", G_CALLBACK (follow_time), self);
  self->model_sliders = g_ptr_array_new ();
  self->model_slider = -1;
  self->mode = -1;
  self->mode_amplitude = MODE_AMPLITUDE;
  self->target = (HlLocusTarget){NAN, NAN};
  return self;
}

gboolean hl_locus_study_is_due (HlLocusStudy *self) {
  return self->is_stale;
}

/* Reports that only some branches of a large machine are computed. */
static void report_some (HlLocusStudy *self) {
  int n = self->locus->n_states;

  g_clear_pointer (&self->some, g_free);
  if (n < self->n_states)
    self->some = g_strdup_printf (_ ("%d of %d branches:\noscillating and slow ones"), n, self->n_states);
}

void hl_locus_study_take (HlLocusStudy *self, HlLocusPost *post) {
  /* branches over the slider before are of no use, and their values would mislead */
  if (self->serial == 0 || (gint)(post->base.serial - self->serial) < 0)
    return;
  if (post->has_branches && (post->locus == NULL || post->locus->n_values < 2)) {
    self->message = _ ("No branches for this slider:\nno start state in its range");
    g_clear_pointer (&self->locus, hl_locus_free);
    g_clear_pointer (&self->sensitivity, hl_sensitivity_free);
    hl_hub_note (self->hub, HL_CHANGED_LOCUS);
    return;
  }
  if (post->locus != NULL) {
    g_clear_pointer (&self->locus, hl_locus_free);
    self->locus = g_steal_pointer (&post->locus);
    report_some (self);
    self->seconds = post->seconds;
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
  if (post->fates != NULL) {
    g_clear_pointer (&self->fates, g_array_unref);
    self->fates = g_steal_pointer (&post->fates);
  }
  hl_hub_note (self->hub, HL_CHANGED_LOCUS);
}

int hl_locus_study_model_slider (HlLocusStudy *self) {
  return self->model_slider;
}

void hl_locus_study_set_model_slider (HlLocusStudy *self, int model_slider) {
  if (model_slider == self->model_slider || model_slider < -1 ||
      model_slider >= (int)self->model_sliders->len)
    return;
  self->model_slider = model_slider;
  self->is_stale = TRUE;
  self->serial = 0;
  self->message = NULL;
  branches_changed (self);
  g_clear_pointer (&self->locus, hl_locus_free);
  hl_hub_wake (self->hub, HL_CHANGED_LOCUS);
}

const HlLocus *hl_locus_study_locus (HlLocusStudy *self) {
  return self->locus;
}

const char *hl_locus_study_message (HlLocusStudy *self) {
  return self->message != NULL ? self->message : self->locus != NULL ? self->some : NULL;
}

const HlCrossing *hl_locus_study_crossings (HlLocusStudy *self, int *n) {
  *n = self->locus != NULL ? self->n_crossings : 0;
  return self->crossings;
}

const HlSensitivity *hl_locus_study_sensitivity (HlLocusStudy *self) {
  return self->sensitivity;
}

gboolean hl_locus_study_other_pole (HlLocusStudy *self, int index, double *re, double *im, int *set) {
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return FALSE;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  *re = pole->re;
  *im = pole->im;
  *set = pole->other;
  return TRUE;
}

const char *hl_locus_study_other_pole_mode (HlLocusStudy *self, int index) {
  if (self->others == NULL || index < 0 || index >= (int)self->others->len)
    return NULL;
  const HlOtherPole *pole = &g_array_index (self->others, HlOtherPole, index);
  return pole->other < 0 ? pole->mode : NULL;
}

const char *hl_locus_study_fate (HlLocusStudy *self, double re, double im) {
  for (guint k = 0; self->fates != NULL && k < self->fates->len; k++) {
    const HlPoleFate *fate = &g_array_index (self->fates, HlPoleFate, k);
    if (hypot (fate->re - re, fate->im - im) <= SAME_POLE * (1.0 + hypot (re, im)))
      return fate->text;
  }
  return NULL;
}

double hl_locus_study_seconds (HlLocusStudy *self) {
  return self->seconds;
}
