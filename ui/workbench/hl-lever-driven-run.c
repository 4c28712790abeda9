/* SPDX-License-Identifier: MIT */
/* An interactive run: levers, and the run that follows them. HlDriveInput passes the lever positions from
 * this thread to the worker; the rows return in posts as those of any run. */
#include "ui/workbench/hl-lever-driven-run.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/run/hl-interactive-run.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-lever-input.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>
#include <string.h>

/* Ranges: what the schema allows, where it bounds both ends. Speeds and flows range up to the largest value
 * in the file, which is taken as the rating, and are negative only if the file has negative values. Forces
 * and torques, which have no limits, range to twice the largest value in the file, else to a value from the
 * weight of the bodies, rounded in the unit of the window. */

#define REACH 1.0    /* [m] lever arm of the weight, for the range of a torque */
#define GRAVITY 9.81 /* [m/s2] */
#define OF ".of."
#define LEAST_LOAD 1.0 /* [N], [N m] */
#define NEAR_TARGET 0.2
#define LEAST_TARGET 0.01

static void free_lever (gpointer data) {
  HlLever *lever = data;
  g_free (lever->path);
  g_free (lever->label);
  g_free (lever->more);
  g_free (lever->less);
  g_free (lever);
}

/* Widens a range to the values that a signal of the file takes. */
static void widen_by (const HlValue *signal, double *low, double *high) {
  const char *kind = hl_value_string (hl_value_member (signal, "kind"));
  const HlValue *y = hl_value_member (signal, "y"), *of = hl_value_member (signal, "of");
  double least = 0.0, most = 0.0;

  if (hl_value_is_number (signal))
    least = most = hl_value_number (signal);
  if (g_strcmp0 (kind, "lever") == 0)
    widen_by (hl_value_member (signal, "value"), &least, &most);
  if (g_strcmp0 (kind, "sine") == 0) {
    double amplitude = fabs (hl_value_number (hl_value_member (signal, "amplitude")));
    double offset = hl_value_number (hl_value_member (signal, "offset"));
    offset = isfinite (offset) ? offset : 0.0;
    least = offset - amplitude;
    most = offset + amplitude;
  }
  if (g_strcmp0 (kind, "motion") == 0) {
    widen_by (hl_value_member (signal, "from"), &least, &most);
    widen_by (hl_value_member (signal, "to"), &least, &most);
  }
  for (gsize i = 0; y != NULL && i < hl_value_length (y); i++)
    widen_by (hl_value_item (y, i), &least, &most);
  for (gsize i = 0; of != NULL && i < hl_value_length (of); i++) {
    double from = 0.0, to = 0.0;
    widen_by (hl_value_item (of, i), &from, &to);
    least += from;
    most += to;
  }
  *low = isfinite (least) ? fmin (*low, least) : *low;
  *high = isfinite (most) ? fmax (*high, most) : *high;
}

static double weight (const HlDocument *document) {
  double mass = 0.0;

  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++) {
    double one =
        hl_value_number (hl_value_member (hl_document_element (document, HL_SECTION_BODIES, body), "mass"));
    mass += isfinite (one) ? one : 0.0;
  }
  return mass * GRAVITY * REACH;
}

/* Rounds up to 1, 2 or 5 times a power of ten. */
static double round_up (double value) {
  double power = pow (10.0, floor (log10 (value))), lead = value / power;

  return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* Chooses the range of a setpoint: the values of the file, extended by their range on both sides. */
static void choose_target_range (HlLever *lever, const HlValue *signal) {
  const HlValue *y = hl_value_member (signal, "y");
  double low = lever->start, high = lever->start;

  for (gsize i = 0; y != NULL && i < hl_value_length (y); i++) {
    low = fmin (low, hl_value_number (hl_value_item (y, i)));
    high = fmax (high, hl_value_number (hl_value_item (y, i)));
  }
  double span = high > low ? high - low : fmax (NEAR_TARGET * fabs (low), LEAST_TARGET);
  lever->from = low - span;
  lever->to = high + span;
  lever->neutral = lever->start;
}

/* Chooses the range of a speed or a flow: from 0 to the value of the file, or else to the default. */
static void choose_rated_range (HlLever *lever, const HlField *field, double low, double high) {
  double rated = fmax (high, -low);

  if (!(rated > 0.0))
    rated = field->start > 0.0 ? field->start : 1.0;
  lever->from = low < 0.0 ? -rated : 0.0;
  lever->to = rated;
}

/* Chooses the range of a driven joint: twice its start value, a quarter of a turn at least. */
static void choose_place_range (HlLever *lever, double low, double high) {
  double reach = fmax (2.0 * fmax (high, -low), 0.0);

  if (lever->quantity == HL_QUANTITY_ANGLE)
    reach = fmax (reach, G_PI_2);
  reach = reach > 0.0 ? reach : 1.0;
  lever->from = -reach;
  lever->to = reach;
}

static void choose_range (HlLever *lever, const HlDocument *document, const HlPathInfo *info,
                          const HlValue *signal, const HlUnit *unit) {
  const HlField *field = info->field;
  double low = 0.0, high = 0.0;
  gboolean is_bounded = field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE;

  widen_by (signal, &low, &high);
  switch (lever->quantity) {
  case HL_QUANTITY_SHAFT_SPEED:
  case HL_QUANTITY_FLOW:
    choose_rated_range (lever, field, low, high);
    break;
  case HL_QUANTITY_ANGLE:
  case HL_QUANTITY_LENGTH:
    choose_place_range (lever, low, high);
    break;
  default:
    lever->to = 2.0 * fmax (high, -low);
    lever->to = lever->to > 0.0 ? lever->to : weight (document);
    lever->to = unit->factor * round_up (fmax (lever->to, LEAST_LOAD) / unit->factor);
    lever->from = -lever->to;
  }
  if (is_bounded) {
    lever->from = field->min;
    lever->to = field->max;
  }
  hl_path_narrow (info, &lever->from, &lever->to);
  lever->springs = is_bounded && field->min < 0.0; /* a spool; an opening or a load stays */
  lever->neutral = lever->springs ? 0.0 : hl_lever_clamp (lever, lever->start);
}

/* Returns a word of the file's; NULL: it has none. */
static char *word_of (const HlValue *signal, const char *member) {
  const char *word = hl_value_string (hl_value_member (signal, member));
  return word != NULL && *word != '\0' ? g_strdup (word) : NULL;
}

/* Splits "dcv.command.of.1", a term of the sum "dcv.command"; -1: the whole. Owned by the caller. */
static char *split_path (const char *path, int *term) {
  const char *of = g_strrstr (path, OF);
  gboolean is_term = of != NULL && of[strlen (OF) + strspn (of + strlen (OF), "0123456789")] == '\0';

  *term = is_term ? (int)g_ascii_strtoll (of + strlen (OF), NULL, 10) : -1;
  return is_term ? g_strndup (path, (gsize)(of - path)) : g_strdup (path);
}

/* Returns the document with another signal in the place of a lever's. Takes the signal. NULL: error says
 * why.
 */
static HlDocument *lever_with_signal (const HlDocument *document, const char *path, HlValue *signal,
                                      GError **error) {
  int term;
  g_autofree char *whole = split_path (path, &term);
  g_auto (GStrv) parts = g_strsplit (whole, ".", 2);

  if (term >= 0) {
    const HlValue *sum = hl_value_at (hl_document_find (document, parts[0], NULL, NULL), parts[1]);
    const HlValue *of = hl_value_member (sum, "of");
    if (of == NULL || hl_value_length (of) <= (gsize)term) {
      hl_value_unref (signal);
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "‘%s’ is gone", path);
      return NULL;
    }
    signal = hl_value_with_member (sum, "of", hl_value_with_item (of, (gsize)term, signal));
  }
  return hl_edit_set (document, parts[0], parts[1], signal, error);
}

/* Returns one for every input of the system, with ranges that are round in the units (one a quantity);
 * elements are freed with the array. */
static GPtrArray *levers_of_model (const HlDocument *document, const HlSystem *system,
                                   const HlUnit *const *units) {
  GPtrArray *levers = g_ptr_array_new_with_free_func (free_lever);
  guint n_levers = 0;

  for (int input = 0; input < hl_drive_n_inputs (system); input++) {
    const char *path = hl_drive_input_path (system, input);
    int term;
    g_autofree char *whole = split_path (path, &term);
    HlPathInfo info;
    if (!hl_path_find (document, whole, &info, NULL) || info.field == NULL)
      continue;
    const HlValue *signal = hl_value_at (hl_document_element (document, info.section, info.index), info.name);
    if (term >= 0)
      signal = hl_value_item (hl_value_member (signal, "of"), (gsize)term);
    HlLever *lever = g_new0 (HlLever, 1);
    lever->path = g_strdup (path);
    lever->label = g_strdup_printf ("%s: %s", info.id, _ (info.field->label));
    lever->more = word_of (signal, "more");
    lever->less = word_of (signal, "less");
    lever->input = input;
    lever->quantity = info.quantity;
    lever->start = hl_drive_input_start (system, input);
    lever->is_lever = g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "lever") == 0;
    if (g_strcmp0 (info.field->name, "target") == 0)
      choose_target_range (lever, signal);
    else
      choose_range (lever, document, &info, signal, units[info.quantity]);
    if (lever->is_lever)
      g_ptr_array_insert (levers, (int)n_levers++, lever);
    else
      g_ptr_array_add (levers, lever);
  }
  return levers;
}

/* Copies the settings of the old levers to new ones with the same path. */
static void levers_inherit (GPtrArray *levers, const GPtrArray *old) {
  for (guint i = 0; i < levers->len; i++)
    for (guint k = 0; old != NULL && k < old->len; k++) {
      HlLever *lever = levers->pdata[i];
      const HlLever *before = old->pdata[k];
      if (strcmp (lever->path, before->path) != 0)
        continue;
      lever->springs = before->springs;
      if (before->is_set)
        hl_lever_set_range (lever, before->from, before->to, before->neutral);
    }
}

gboolean hl_lever_set_range (HlLever *lever, double from, double to, double neutral) {
  if (!isfinite (from) || !isfinite (to) || !isfinite (neutral) || from == to)
    return FALSE;
  lever->from = fmin (from, to);
  lever->to = fmax (from, to);
  lever->neutral = hl_lever_clamp (lever, neutral);
  lever->is_set = TRUE;
  return TRUE;
}

double hl_lever_clamp (const HlLever *lever, double value) {
  return fmin (fmax (value, lever->from), lever->to);
}

struct _HlManualRun {
  HlHub *hub;
  GPtrArray *levers;  /* HlLever, of the present system */
  HlDriveInput *desk; /* of the drive under way, else NULL */
  HlRun *run;         /* its run, else NULL */
  double speed;
  gboolean is_due; /* as soon as there is a start state */
  HlTape *replay;  /* driven by that, when there is a start state; NULL: by hand */
  guint n_drives;
  char *news;
};

/* Levers: their positions, which of them are held, and the recorded input. */

void hl_manual_run_follow_system (HlManualRun *self) {
  HlEditing *editing = hl_hub_editing (self->hub);
  GPtrArray *levers = hl_editing_has_system (editing)
                          ? levers_of_model (hl_editing_document (editing), hl_editing_system (editing),
                                             hl_hub_units (self->hub))
                          : g_ptr_array_new ();

  levers_inherit (levers, self->levers);
  g_ptr_array_unref (self->levers);
  self->levers = levers;
  hl_hub_note (self->hub, HL_CHANGED_LEVERS);
}

GPtrArray *hl_manual_run_levers (HlManualRun *self) {
  return self->levers;
}

void hl_manual_run_move_lever (HlManualRun *self, guint lever, double value) {
  if (self->desk == NULL || lever >= self->levers->len || !isfinite (value))
    return;
  hl_drive_input_set_lever (self->desk, (int)lever, hl_lever_clamp (self->levers->pdata[lever], value));
}

/* Returns the lever of an interactive run that has the path; -1: none. */
static int find_recorded (const HlRun *run, const char *path) {
  for (int i = 0; run != NULL && run->lever_paths != NULL && run->lever_paths[i] != NULL; i++)
    if (strcmp (run->lever_paths[i], path) == 0)
      return i;
  return -1;
}

double hl_manual_run_lever (HlManualRun *self, guint lever) {
  const HlLever *one = self->levers->pdata[lever];

  if (self->desk != NULL) {
    double held = hl_drive_input_lever (self->desk, (int)lever);
    if (isfinite (held))
      return held;
  }
  const HlRun *run = hl_runs_shown (hl_hub_runs (self->hub));
  double time = hl_runs_time (hl_hub_runs (self->hub));
  int recorded = find_recorded (run, one->path);
  if (recorded >= 0 && run->levers != NULL && hl_lever_record_is_held (run->levers, recorded))
    return hl_lever_record_value (run->levers, recorded, time);
  double shown = hl_run_value (run, one->path, time);
  return isfinite (shown) ? shown : one->start;
}

gboolean hl_manual_run_is_lever_held (HlManualRun *self, guint lever) {
  const HlLever *one = self->levers->pdata[lever];
  const HlRun *run = hl_runs_shown (hl_hub_runs (self->hub));
  int recorded = find_recorded (run, one->path);

  if (self->desk != NULL)
    return isfinite (hl_drive_input_lever (self->desk, (int)lever));
  return recorded >= 0 && run->levers != NULL && hl_lever_record_is_held (run->levers, recorded);
}

gboolean hl_manual_run_keep_levers (HlManualRun *self, const HlRun *run, GError **error) {
  HlDocument *document = hl_edit_set (hl_editing_document (hl_hub_editing (self->hub)), "simulation", "t_end",
                                      hl_value_new_number (run->t_end), error);

  for (int lever = 0; document != NULL && run->levers != NULL && run->lever_paths[lever] != NULL; lever++) {
    HlValue *signal = hl_lever_record_signal (run->levers, lever);
    if (signal == NULL)
      continue;
    g_autoptr (HlDocument) before = document;
    document = lever_with_signal (before, run->lever_paths[lever], signal, error);
  }
  if (document == NULL)
    return FALSE;
  g_autofree char *title = hl_run_title (run);
  g_autofree char *step = g_strdup_printf (_ ("Keep “%s” as signals"), title);
  hl_editing_commit (hl_hub_editing (self->hub), document, step, NULL);
  return TRUE;
}

#define LATE 0.95 /* of the requested speed: below, the machine is late */
#define SECONDS_A_MINUTE 60.0

HlManualRun *hl_manual_run_new (HlHub *hub) {
  HlManualRun *self = g_new0 (HlManualRun, 1);

  self->hub = hub;
  self->levers = g_ptr_array_new ();
  self->speed = 1.0;
  return self;
}

void hl_manual_run_free (HlManualRun *self) {
  g_clear_pointer (&self->desk, hl_drive_input_unref);
  g_clear_pointer (&self->run, hl_run_unref);
  hl_tape_free (self->replay);
  g_ptr_array_unref (self->levers);
  g_free (self->news);
  g_free (self);
}

static HlEditing *editing_of (HlManualRun *self) {
  return hl_hub_editing (self->hub);
}

static HlRuns *runs_of (HlManualRun *self) {
  return hl_hub_runs (self->hub);
}

gboolean hl_manual_run_is_possible (HlManualRun *self) {
  const HlWorkingPoint *at = hl_editing_point (editing_of (self));
  return hl_editing_has_system (editing_of (self)) && at != NULL && at->point != NULL;
}

gboolean hl_manual_run_is_under_way (HlManualRun *self) {
  return self->desk != NULL;
}

static char **lever_paths (const GPtrArray *levers) {
  char **paths = g_new0 (char *, levers->len + 1);

  for (guint i = 0; i < levers->len; i++)
    paths[i] = g_strdup (((const HlLever *)levers->pdata[i])->path);
  return paths;
}

/* Returns whether the tape that is to be replayed is one of this system; if not it is given up, and why is
 * news. */
static gboolean levers_fit (HlManualRun *self, const HlSystem *system) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTapePlayer) player = hl_tape_player_new (self->replay, system, &error);

  if (player != NULL)
    return TRUE;
  g_clear_pointer (&self->replay, hl_tape_free);
  g_free (self->news);
  self->news = g_strdup (error->message);
  hl_hub_wake (self->hub, HL_CHANGED_ACTIVITY);
  return FALSE;
}

void hl_manual_run_begin (HlManualRun *self) {
  HlEditing *editing = editing_of (self);

  if (self->desk != NULL)
    return;
  if (!self->is_due)
    hl_hub_frame (self->hub); /* a recent edit counts */
  /* and what the worker makes of it */
  self->is_due = hl_editing_solving (editing) > HL_STALE_FINDINGS;
  if (self->is_due || !hl_manual_run_is_possible (self))
    return;

  HlSystem *system = hl_editing_system (editing);
  const HlDocument *document = hl_editing_document (editing);
  if (self->replay != NULL && !levers_fit (self, system))
    return;
  g_autoptr (HlRecording) recording = hl_recording_new (document, system, HL_RECORD_ALL, NULL, NULL);
  HlDriveOptions options = hl_drive_options_from_model (system);
  options.sim.every = fmax (options.sim.every, options.tick / HL_DRIVE_MOST_ROWS_A_TICK);
  g_autofree int *inputs = g_new (int, self->levers->len + 1);
  for (guint i = 0; i < self->levers->len; i++)
    inputs[i] = ((const HlLever *)self->levers->pdata[i])->input;
  g_autoptr (HlTape) replay = g_steal_pointer (&self->replay);
  if (replay == NULL)
    self->desk = hl_drive_input_new ((int)self->levers->len, self->speed);
  HlRunRequest request = {.system = system,
                          .recording = recording,
                          .from = hl_editing_point (editing)->point,
                          .options = options.sim,
                          .desk = self->desk,
                          .tick = options.tick,
                          .inputs = inputs,
                          .n_levers = (int)self->levers->len,
                          .play = replay};

  HlRun *run = hl_run_new (document, hl_recording_new_results (recording), 0.0);
  request.results = run->results;
  run->is_driven = TRUE;
  run->lever_paths = replay != NULL ? hl_tape_lever_paths (replay) : lever_paths (self->levers);
  run->name = replay != NULL ? g_strdup_printf (_ ("Replayed %u"), ++self->n_drives)
                             : g_strdup_printf (_ ("Driven %u"), ++self->n_drives);
  run->edited_us = run->requested_us;
  hl_runs_drop_models (runs_of (self));
  g_clear_pointer (&self->news, g_free);
  g_clear_pointer (&self->run, hl_run_unref);
  self->run = replay == NULL ? hl_run_ref (run) : NULL;
  run->serial = hl_runner_simulate (hl_hub_runner (self->hub), &request, TRUE);
  hl_runs_expect (runs_of (self), run);
  hl_runs_put_time (runs_of (self), 0.0);
  hl_hub_wake (self->hub, HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY | HL_CHANGED_TIME);
}

gboolean hl_manual_run_replay (HlManualRun *self, const HlRun *run, const HlTape *tape, GError **error) {
  HlEditing *editing = editing_of (self);
  g_autofree char *title = hl_run_title (run);
  g_autofree char *step = g_strdup_printf (_ ("Restore the model of “%s”"), title);

  if (self->desk != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s",
                 _ ("The machine is being driven. Stop driving before you replay a recording."));
    return FALSE;
  }
  if (!hl_value_equal (hl_document_root (run->document), hl_document_root (hl_editing_document (editing))))
    hl_editing_commit (editing, hl_document_ref (run->document), step, NULL);
  g_clear_pointer (&self->replay, hl_tape_free);
  self->replay = hl_tape_copy (tape);
  hl_manual_run_begin (self);
  return TRUE;
}

void hl_manual_run_leave (HlManualRun *self, char *news) {
  if (self->desk == NULL) {
    g_free (news);
    return;
  }
  if (self->run->n_tuned > 0)
    hl_editing_settle (editing_of (self));
  g_clear_pointer (&self->desk, hl_drive_input_unref);
  g_clear_pointer (&self->run, hl_run_unref);
  g_free (self->news);
  self->news = news;
  hl_hub_wake (self->hub, HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY);
}

void hl_manual_run_give_up (HlManualRun *self) {
  g_clear_pointer (&self->replay, hl_tape_free);
  hl_manual_run_leave (self, NULL);
  self->is_due = FALSE;
}

void hl_manual_run_leave_for_edit (HlManualRun *self) {
  if (self->desk == NULL)
    return;
  hl_runner_stop (hl_hub_runner (self->hub));
  hl_manual_run_leave (self, g_strdup_printf (_ ("Driving stopped, because the model was changed. “%s” is in "
                                                 "the list of runs with all recorded data."),
                                              self->run->name));
}

/* Returns whether a number defines the start of a run, and so does not affect a run in progress. */
static gboolean is_start_value (const HlPathInfo *info) {
  static const char *const pose[] = {"x", "y", "angle", "vx", "vy", "omega", NULL};

  return (info->section == HL_SECTION_BODIES && g_strv_contains (pose, info->name)) ||
         (info->section == HL_SECTION_LINES && strcmp (info->name, "pressure") == 0) ||
         (info->section == HL_SECTION_COMPONENTS && strcmp (info->name, "spool") == 0);
}

/* Finds a number that the equations read at every evaluation. */
static gboolean find_live (HlManualRun *self, const HlDifference *difference, HlParameter *parameter) {
  HlPathInfo info;

  return difference->is_number && isfinite (difference->after) &&
         hl_path_find (hl_editing_document (editing_of (self)), difference->path, &info, NULL) &&
         info.type == HL_PATH_NUMBER && info.field != NULL && info.field->type != HL_FIELD_SIGNAL &&
         !is_start_value (&info) &&
         hl_system_find_parameter (hl_editing_system (editing_of (self)), difference->path, parameter);
}

gboolean hl_manual_run_tune (HlManualRun *self, const HlDocument *before) {
  HlEditing *editing = editing_of (self);
  const HlSystem *present = hl_editing_system (editing);

  if (self->desk == NULL || present == NULL || hl_editing_stale (editing) > HL_STALE_FINDINGS ||
      hl_editing_is_compiling (editing) ||
      !hl_oil_models[hl_sim_options_from_model (present).model]->has_points)
    return FALSE;
  g_autoptr (GPtrArray) differences = hl_document_differences (before, hl_editing_document (editing));
  g_autofree HlParameter *parameters = g_new0 (HlParameter, differences->len + 1);
  for (guint i = 0; i < differences->len; i++)
    if (!find_live (self, differences->pdata[i], &parameters[i]))
      return FALSE;
  if (differences->len == 0)
    return FALSE;
  HlSystem *system = hl_system_copy (present);
  for (guint i = 0; i < differences->len; i++)
    hl_system_set_parameter (system, parameters[i], ((const HlDifference *)differences->pdata[i])->after);
  if (hl_system_check_numbers (system, NULL) != HL_OK) {
    hl_system_unref (system);
    return FALSE;
  }
  for (guint i = 0; i < differences->len; i++)
    hl_drive_input_set_number (self->desk, parameters[i], ((const HlDifference *)differences->pdata[i])->path,
                               ((const HlDifference *)differences->pdata[i])->after);
  hl_editing_tune (editing, system);
  hl_hub_notify_numbers (self->hub, NULL);
  self->run->n_tuned++;
  hl_hub_wake (self->hub, HL_CHANGED_NUMBERS);
  return TRUE;
}

/* Limits the memory of a run: half of the rows beyond the limit are removed at a time, so that the cost per
 * row is small. */
static void bound_memory (HlRun *run) {
  if (hl_results_bytes (run->results) <= HL_DRIVE_MOST_BYTES)
    return;
  HlResults *tail = hl_results_tail (run->results, hl_results_n_rows (run->results) / 2);
  hl_results_unref (run->results);
  run->results = tail;
}

void hl_manual_run_follow_run (HlManualRun *self, HlRun *run) {
  HlRuns *runs = runs_of (self);
  gboolean is_followed =
      run == self->run || (run == hl_runs_shown (runs) && hl_runs_time (runs) >= run->t_end);

  bound_memory (run);
  run->t_end = hl_results_get (run->results, 0, hl_results_n_rows (run->results) - 1);
  if (is_followed)
    hl_runs_put_time (runs, run->t_end);
}

void hl_manual_run_end_run (HlManualRun *self, HlRun *run) {
  if (run->state == HL_RUN_FAILED && hl_results_n_rows (run->results) > 0) {
    run->state = HL_RUN_STOPPED;
    if (run == self->run)
      hl_manual_run_leave (self,
                           g_strdup_printf (_ ("Driving stopped at %s s: %s"), hl_shown (run->t_end, 3).text,
                                            run->message != NULL ? run->message : ""));
  } else if (run->state == HL_RUN_STOPPED)
    run->state = HL_RUN_DONE; /* a drive has no other end */
  if (run == self->run)
    hl_manual_run_leave (self, NULL);
}

void hl_manual_run_frame (HlManualRun *self) {
  if (self->is_due && hl_editing_solving (editing_of (self)) <= HL_STALE_FINDINGS)
    hl_manual_run_begin (self);
}

void hl_manual_run_set_paused (HlManualRun *self, gboolean paused) {
  if (self->desk == NULL || hl_drive_input_is_paused (self->desk) == paused)
    return;
  hl_drive_input_set_paused (self->desk, paused);
  hl_hub_announce (self->hub, HL_CHANGED_ACTIVITY);
}

gboolean hl_manual_run_is_paused (HlManualRun *self) {
  return self->desk != NULL && hl_drive_input_is_paused (self->desk);
}

void hl_manual_run_set_speed (HlManualRun *self, double speed) {
  self->speed = speed;
  if (self->desk != NULL)
    hl_drive_input_set_speed (self->desk, speed);
}

gboolean hl_manual_run_is_late (HlManualRun *self) {
  double pace = self->desk != NULL ? hl_drive_input_pace (self->desk) : NAN;
  return isfinite (pace) && pace < LATE * self->speed;
}

/* Returns the time that fits into the memory of a drive [s]; NAN: not known yet. */
static double kept_seconds (const HlRun *run) {
  int n = hl_results_n_rows (run->results);
  gsize row = (gsize)hl_results_n_columns (run->results) * sizeof (double);

  if (n < 2)
    return NAN;
  double span = run->t_end - hl_results_get (run->results, 0, 0);
  return 0.5 * span / (n - 1) * (double)(HL_DRIVE_MOST_BYTES / row);
}

char *hl_manual_run_text (HlManualRun *self) {
  if (self->desk == NULL)
    return NULL;
  GString *text = g_string_new (NULL);
  double pace = hl_drive_input_pace (self->desk), kept = kept_seconds (self->run);
  const char *state = hl_drive_input_is_paused (self->desk) ? _ ("paused at %.1f s") : _ ("driving %.1f s");

  g_string_append_printf (text, state, self->run->t_end);
  if (isfinite (pace) && !hl_drive_input_is_paused (self->desk))
    g_string_append_printf (text, _ (" · %s × real time"), hl_shown (pace, 2).text);
  if (isfinite (kept))
    g_string_append_printf (text, _ (" · keeps the last %.0f min"), fmax (kept / SECONDS_A_MINUTE, 1.0));
  return hl_number_localize (g_string_free (text, FALSE));
}

char *hl_manual_run_take_news (HlManualRun *self) {
  return g_steal_pointer (&self->news);
}
