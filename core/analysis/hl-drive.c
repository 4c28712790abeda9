/* SPDX-License-Identifier: MIT */
/* A lever is a ramp signal in a private copy of the system: value and slope for the present tick.
 * Evaluated like the segment of a table, so that the table which the record becomes gives the same
 * bits. */
#include "core/analysis/hl-drive.h"

#include "core/system/hl-system-private.h"

#include <math.h>

#define TICK 0.01         /* [s]: below what a hand and an eye can tell */
#define PICTURE_RTOL 1e-6 /* of a live run, unless the file is content with less */
#define PICTURE_ROW 0.005 /* [s] finest output step of a live run */
#define SAME_TIME 1e-9    /* of a tick */

typedef struct
{
  const HlDriveOptions *options;
  HlSystem *sys; /* own copy */
  HlLeverRecord *record;
  double *to; /* where each lever stands at the end of the tick */
  bool *moves;
  long n_ticks;
} Drive;

int
hl_drive_n_inputs (const HlSystem *sys)
{
  return sys->topology->n_inputs;
}

const char *
hl_drive_input_path (const HlSystem *sys, int input)
{
  return sys->topology->input_names[input];
}

double
hl_drive_input_start (const HlSystem *sys, int input)
{
  g_autofree double *values = g_new0 (double, sys->n_signals + 1);
  g_autofree int *segments = g_new0 (int, sys->n_signals + 1);

  hl_signal_enter (sys->signals, sys->n_signals, 0.0, segments);
  hl_signal_eval (sys->signals, sys->n_signals, segments, 0.0, values);
  return values[sys->topology->input_signal[input]];
}

HlDriveOptions
hl_drive_options_from_model (const HlSystem *sys)
{
  HlDriveOptions options = {.sim = hl_sim_options_from_model (sys), .tick = TICK};
  HlSimOptions *sim = &options.sim;

  sim->t_end = INFINITY;
  sim->every = fmin (fmax (sim->every, PICTURE_ROW), TICK);
  if (sim->formulation == HL_FORMULATION_DISCRETE && sim->step > 0.0)
    options.tick = sim->step * fmax (round (TICK / sim->step), 1.0);
  else
    sim->rtol = fmax (sim->rtol, PICTURE_RTOL);
  if (sim->model != HL_MODEL_HYBRID)
    sim->method = HL_METHOD_RADAU;
  return options;
}

/* The k-th multiple; a tick such as 0.01 counts in hundredths. */
static double
tick_time (double tick, long k)
{
  double per_second = round (1.0 / tick);
  bool divides = per_second >= 1.0 && fabs (per_second * tick - 1.0) < SAME_TIME;

  return divides ? (double)k / per_second : (double)k * tick;
}

static HlSignal *
signal_of (const Drive *drive, int lever)
{
  const HlSystem *sys = drive->sys;
  return &sys->signals[sys->topology->input_signal[drive->options->inputs[lever]]];
}

static double
ahead (double t, bool *turns, void *data)
{
  Drive *drive = data;
  const HlDriveOptions *options = drive->options;
  double until = tick_time (options->tick, ++drive->n_ticks);

  for (int lever = 0; lever < options->n_levers; lever++) {
    HlSignal *signal = signal_of (drive, lever);
    signal->value = drive->to[lever];
    signal->from = t;
    signal->slope = 0.0;
  }
  if (options->hand != NULL && !options->hand (t, drive->to, options->hand_data))
    return NAN;
  *turns = false;
  for (int lever = 0; lever < options->n_levers; lever++) {
    HlSignal *signal = signal_of (drive, lever);
    bool moved = drive->moves[lever];
    if (!isfinite (drive->to[lever]))
      drive->to[lever] = signal->value;
    drive->moves[lever] = drive->to[lever] != signal->value;
    if (drive->moves[lever]) {
      signal->slope = (drive->to[lever] - signal->value) / (until - t);
      hl_lever_record_add (drive->record, lever, t, until, drive->to[lever]);
    }
    *turns = *turns || moved || drive->moves[lever];
  }
  return until;
}

HlStatus
hl_drive (const HlSystem *sys,
          const HlDriveOptions *options,
          HlLeverRecord **record,
          HlSimStats *stats,
          HlFault *fault)
{
  HlSimOptions sim = options->sim;
  HlSimStats own_stats;
  Drive drive = {.options = options, .sys = hl_system_copy (sys)};

  stats = stats != NULL ? stats : &own_stats;
  drive.to = g_new0 (double, options->n_levers + 1);
  drive.moves = g_new0 (bool, options->n_levers + 1);
  for (int lever = 0; lever < options->n_levers; lever++) {
    drive.to[lever] = hl_drive_input_start (sys, options->inputs[lever]);
    *signal_of (&drive, lever) = (HlSignal){.kind = HL_SIGNAL_RAMP,
                                            .value = drive.to[lever],
                                            .is_input = signal_of (&drive, lever)->is_input};
  }
  drive.record = hl_lever_record_new (options->n_levers, drive.to);
  sim.linear = false;
  sim.ahead = ahead;
  sim.ahead_data = &drive;
  HlStatus status = hl_simulate (drive.sys, &sim, stats, fault);

  hl_lever_record_end (drive.record, stats->t_reached);
  if (record != NULL)
    *record = g_steal_pointer (&drive.record);
  hl_lever_record_free (drive.record);
  g_free (drive.to);
  g_free (drive.moves);
  hl_system_unref (drive.sys);
  return status;
}
