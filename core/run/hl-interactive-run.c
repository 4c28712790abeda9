/* SPDX-License-Identifier: MIT */
/* A lever is a ramp signal in a private copy of the system: value and slope for the present tick.
 * Evaluated like the segment of a table, so that the table which the record becomes gives the same
 * bits. Until the hand takes it over a signal is the file's own. */
#include "core/run/hl-interactive-run.h"

#include "core/base/hl-arena.h"
#include "core/run/hl-input-recording.h"
#include "core/system/hl-system-private.h"

#include <math.h>

/* Corners are written as they come; a stretch at rest is its first and its last corner, and the
 * last one moves along. */

typedef struct {
  double t, y;
} Corner;

struct HlLeverRecord {
  int n;
  GArray **corners; /* Corner, one array a lever */
};

HlLeverRecord *hl_lever_record_new (int n_levers) {
  HlLeverRecord *record = g_new0 (HlLeverRecord, 1);

  record->n = n_levers;
  record->corners = g_new0 (GArray *, n_levers + 1);
  for (int lever = 0; lever < n_levers; lever++)
    record->corners[lever] = g_array_new (FALSE, FALSE, sizeof (Corner));
  return record;
}

void hl_lever_record_free (HlLeverRecord *record) {
  if (record == NULL)
    return;
  for (int lever = 0; lever < record->n; lever++)
    g_array_unref (record->corners[lever]);
  g_free (record->corners);
  g_free (record);
}

static const Corner *last_corner (const GArray *corners) {
  return &g_array_index (corners, Corner, corners->len - 1);
}

void hl_lever_record_put (HlLeverRecord *record, int lever, double t, double y) {
  Corner corner = {t, y};
  g_array_append_val (record->corners[lever], corner);
}

void hl_lever_record_add (HlLeverRecord *record, int lever, double from, double to, double y) {
  GArray *corners = record->corners[lever];
  Corner rest = {from, last_corner (corners)->y}, end = {to, y};

  if (y == rest.y)
    return; /* a lever at rest is known from its last corner */
  if (rest.t > last_corner (corners)->t)
    g_array_append_val (corners, rest);
  g_array_append_val (corners, end);
}

/* Returns the last corner at t or before it. */
static guint corner_at (const GArray *corners, double t) {
  guint low = 0, high = corners->len - 1;

  while (low < high) {
    guint middle = low + (high - low + 1) / 2;
    if (g_array_index (corners, Corner, middle).t <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double hl_lever_record_value (const HlLeverRecord *record, int lever, double t) {
  const GArray *corners = record->corners[lever];

  if (corners->len == 0)
    return NAN;
  guint at = corner_at (corners, t);
  const Corner *a = &g_array_index (corners, Corner, at);

  if (at + 1 == corners->len || t <= a->t)
    return a->y;
  return a->y + (a[1].y - a->y) / (a[1].t - a->t) * (t - a->t);
}

void hl_lever_record_end (HlLeverRecord *record, double t) {
  for (int lever = 0; lever < record->n; lever++) {
    GArray *corners = record->corners[lever];
    Corner end = {t, hl_lever_record_value (record, lever, t)};
    if (corners->len == 0 || last_corner (corners)->t <= t)
      continue;
    g_array_set_size (corners, corner_at (corners, t) + 1);
    if (last_corner (corners)->t < t)
      g_array_append_val (corners, end);
  }
}

gboolean hl_lever_record_is_held (const HlLeverRecord *record, int lever) {
  return record->corners[lever]->len > 0;
}

HlValue *hl_lever_record_signal (const HlLeverRecord *record, int lever) {
  static const char *const keys[] = {"kind", "t", "y", "between"};
  const GArray *corners = record->corners[lever];

  if (corners->len == 0)
    return NULL;
  if (corners->len == 1)
    return hl_value_new_number (last_corner (corners)->y);
  g_autofree double *t = g_new (double, corners->len), *y = g_new (double, corners->len);
  for (guint k = 0; k < corners->len; k++) {
    t[k] = g_array_index (corners, Corner, k).t;
    y[k] = g_array_index (corners, Corner, k).y;
  }
  HlValue *parts[] = {hl_value_new_string ("table"), hl_value_new_numbers (t, corners->len),
                      hl_value_new_numbers (y, corners->len), hl_value_new_string ("line")};
  return hl_value_new_object_take (keys, parts, G_N_ELEMENTS (parts));
}

#define TICK 0.01         /* [s]: shorter than a person can notice */
#define PICTURE_RTOL 1e-6 /* of a live run, unless the file sets a coarser one */
#define PICTURE_ROW 0.005 /* [s] finest output step of a live run */
#define SAME_TIME 1e-9    /* of a tick */

typedef struct {
  const HlDriveOptions *options;
  HlSystem *sys; /* own copy */
  HlLeverRecord *record;
  double *to, *now;      /* n_levers: where each stands at the end of the tick, and at its beginning */
  double *told;          /* n_levers: the last on the tape; NAN: none */
  bool *moves, *is_held; /* n_levers: within this tick */
  int *segments;         /* n_signals, at the present tick */
  double *values;        /* n_signals, likewise */
  long n_ticks;
} Drive;

int hl_drive_n_inputs (const HlSystem *sys) {
  return sys->topology->n_hands;
}

const char *hl_drive_input_path (const HlSystem *sys, int input) {
  return sys->topology->hand_names[input];
}

double hl_drive_input_start (const HlSystem *sys, int input) {
  g_autofree double *values = g_new0 (double, sys->n_signals + 1);
  g_autofree int *segments = g_new0 (int, sys->n_signals + 1);

  hl_signal_enter (sys->signals, sys->n_signals, 0.0, segments);
  hl_signal_eval (sys->signals, sys->n_signals, segments, 0.0, values);
  return values[sys->topology->hand_signal[input]];
}

HlDriveOptions hl_drive_options_from_model (const HlSystem *sys) {
  HlDriveOptions options = {.sim = hl_sim_options_from_model (sys), .tick = TICK};
  HlSimOptions *sim = &options.sim;

  sim->t_end = INFINITY;
  sim->every = fmin (fmax (sim->every, PICTURE_ROW), TICK);
  if (hl_oil_form (sim->model, sim->formulation)->has_fixed_step && sim->step > 0.0)
    options.tick = sim->step * fmax (round (TICK / sim->step), 1.0);
  else
    sim->rtol = fmax (sim->rtol, PICTURE_RTOL);
  if (!hl_oil_models[sim->model]->keeps_method)
    sim->method = HL_METHOD_RADAU;
  return options;
}

/* Returns the k-th multiple; a tick such as 0.01 counts in hundredths. */
static double tick_time (double tick, long k) {
  double per_second = round (1.0 / tick);
  bool divides = per_second >= 1.0 && fabs (per_second * tick - 1.0) < SAME_TIME;

  return divides ? (double)k / per_second : (double)k * tick;
}

static HlSignal *signal_of (const Drive *drive, int lever) {
  const HlSystem *sys = drive->sys;
  return &sys->signals[sys->topology->hand_signal[drive->options->inputs[lever]]];
}

/* Reads the signals of the file at t. */
static void read_file (Drive *drive, double t) {
  const HlSystem *sys = drive->sys;

  hl_signal_enter (sys->signals, sys->n_signals, t, drive->segments);
  hl_signal_eval (sys->signals, sys->n_signals, drive->segments, t, drive->values);
}

/* Lets a lever adopt a signal at t: the signal of the file up to t is recorded; for a curve the points at the
 * ticks. */
static void adopt_signal (Drive *drive, int lever, double t) {
  const HlSystem *sys = drive->sys;
  int index = sys->topology->hand_signal[drive->options->inputs[lever]];
  HlSignal *signal = &sys->signals[index];
  double value = drive->values[index];

  if (signal->kind == HL_SIGNAL_TABLE && !signal->hold && signal->way == NULL) {
    for (int point = 0; point < signal->n && signal->t[point] <= t; point++)
      hl_lever_record_put (drive->record, lever, signal->t[point], signal->y[point]);
  } else if (signal->kind != HL_SIGNAL_CONSTANT) {
    for (long k = 0; k + 1 < drive->n_ticks; k++) {
      double tick = tick_time (drive->options->tick, k);
      read_file (drive, tick);
      hl_lever_record_put (drive->record, lever, tick, drive->values[index]);
    }
    read_file (drive, t);
  } else if (t > 0.0)
    hl_lever_record_put (drive->record, lever, 0.0, value);
  if (signal->kind != HL_SIGNAL_CONSTANT || t == 0.0)
    hl_lever_record_put (drive->record, lever, t, value); /* a jump before it, if there is one */
  *signal = (HlSignal){.kind = HL_SIGNAL_RAMP, .value = value, .from = t, .is_input = signal->is_input};
  drive->is_held[lever] = true;
}

/* Sets the signal from t to `until` along the motion of the lever; true: there is a corner at t. */
static bool set_course (Drive *drive, int lever, double t, double until) {
  HlSignal *signal = signal_of (drive, lever);
  bool moved = drive->moves[lever];
  double to = drive->to[lever];

  drive->moves[lever] = false;
  if (isfinite (to) && !drive->is_held[lever]) {
    adopt_signal (drive, lever, t);
    moved = true; /* whatever the file did here, it is another signal now */
  }
  if (!drive->is_held[lever])
    return false;
  signal->value = drive->now[lever];
  signal->from = t;
  signal->slope = 0.0;
  if (isfinite (to) && to != signal->value) {
    drive->moves[lever] = true;
    signal->slope = (to - signal->value) / (until - t);
    hl_lever_record_add (drive->record, lever, t, until, to);
  } else
    drive->to[lever] = signal->value;
  return moved || drive->moves[lever];
}

/* Reads the lever positions. */
static void write_tape (Drive *drive, double t, double until) {
  const HlDriveOptions *options = drive->options;

  for (int lever = 0; lever < options->n_levers; lever++)
    if (isfinite (drive->to[lever]) && drive->to[lever] != drive->told[lever]) {
      drive->told[lever] = drive->to[lever];
      hl_tape_add (options->tape, t, hl_drive_input_path (drive->sys, options->inputs[lever]), FALSE,
                   drive->to[lever]);
    }
  hl_tape_set_end (options->tape, until);
}

static double extend_signals (double t, bool *turns, void *data) {
  Drive *drive = data;
  const HlDriveOptions *options = drive->options;
  double until = tick_time (options->tick, ++drive->n_ticks);

  read_file (drive, t);
  for (int lever = 0; lever < options->n_levers; lever++) {
    int index = drive->sys->topology->hand_signal[options->inputs[lever]];
    drive->now[lever] = drive->is_held[lever] ? drive->to[lever] : drive->values[index];
    drive->to[lever] = drive->now[lever];
  }
  if (options->hand != NULL && !options->hand (t, drive->to, options->hand_data))
    return NAN;
  if (options->tape != NULL)
    write_tape (drive, t, until);
  *turns = options->tune != NULL && options->tune (drive->sys, options->tune_data);
  for (int lever = 0; lever < options->n_levers; lever++)
    *turns = set_course (drive, lever, t, until) || *turns;
  return until;
}

HlStatus hl_drive (const HlSystem *sys, const HlDriveOptions *options, HlLeverRecord **record,
                   HlSimStats *stats, HlFault *fault) {
  HlSimOptions sim = options->sim;
  HlSimStats own_stats;
  Drive drive = {.options = options, .sys = hl_system_copy (sys)};
  HlArena scratch = {0};
  int n = options->n_levers;

  stats = stats != NULL ? stats : &own_stats;
  drive.to = hl_arena_take (&scratch, n, sizeof (double));
  drive.now = hl_arena_take (&scratch, n, sizeof (double));
  drive.told = hl_arena_take (&scratch, n, sizeof (double));
  for (int lever = 0; lever < n; lever++)
    drive.told[lever] = NAN;
  drive.moves = hl_arena_take (&scratch, n, sizeof (bool));
  drive.is_held = hl_arena_take (&scratch, n, sizeof (bool));
  drive.segments = hl_arena_take (&scratch, sys->n_signals, sizeof (int));
  drive.values = hl_arena_take (&scratch, sys->n_signals, sizeof (double));
  drive.record = hl_lever_record_new (options->n_levers);
  sim.linear = false;
  sim.max_steps = 0.0; /* the hand ends it */
  sim.ahead = extend_signals;
  sim.ahead_data = &drive;
  HlStatus status = hl_simulate (drive.sys, &sim, stats, fault);

  hl_lever_record_end (drive.record, stats->t_reached);
  if (record != NULL)
    *record = g_steal_pointer (&drive.record);
  hl_lever_record_free (drive.record);
  hl_arena_clear (&scratch);
  if (options->tuned != NULL)
    *options->tuned = drive.sys;
  else
    hl_system_unref (drive.sys);
  return status;
}
