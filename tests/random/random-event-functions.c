/* SPDX-License-Identifier: MIT */
/* random-event-functions [N] [SEED[:FIRST]... [hybrid | quasistatic]]: draws N machines of each seed whose activity begins after flat stretches: commands behind dead
 * zones and limits, stops that are touched, cushions, check and relief valves, accumulators. Each is run by both methods
 * and compared with Radau's at a tight tolerance in very short steps: no row of a pressure or a place is further off than
 * 1000 rtol of the range of its column, up to the third stop that is met, and the first three are met at the same times.
 *
 * Where the reference rises or falls by more than a fifth of the range between the rows before and behind, as where a pocket of
 * vapour collapses, a row lies between those two: the front is met at the same time but for 1000 rtol of the run, as stops are.
 * Example: machine 1576 of seed 205 at 4.4868 s, behind 140 collapses. Radau itself is off by 8.6 kPa of a range of 1.84 MPa there,
 * 4.7 times what is allowed, which the line passes within 28 us, 6e-6 of the run.
 *
 * Some machines magnify what they begin with. Where a run is further off, the reference runs again from pressures that are off by three
 * tolerances: a row may be as far off as that run was up to there. Example: the load of machine 1919 of seed 209 hits its accumulator's end 58 times;
 * errors of 1e-9 rad of the first second have grown to 2e-5 rad behind eight, by both methods.
 *
 * In hybrid oil velocities are compared as well, and two things follow from how far off a right run may be:
 * - Pressures are no states there: they follow from the flow through a valve, q = K sqrt (dp). A flow that is off by 1000 rtol of
 *   itself and by two tolerances is a pressure that is off by 2 dp (1000 rtol + 2 rtol v0/v). Where a valve is nearly shut, v of
 *   the order of the tolerance, no method determines the pressure behind it; where it is shut, the pressure is trapped
 *   and compared.
 * - Pressures jump at events, which are met at the same times but for 1000 rtol of the run, as stops are: beside an event a row
 *   lies between those of the reference so long before and behind.
 * After a line becomes compressible, in the run or in the reference, the equations differ, from a time that depends on
 * the tolerance: rows up to there are compared.
 *
 * HL_RANDOM_DIR: where the files of those that fail go, or with HL_RANDOM_ALL those of all. HL_GUARDS_TELL: figures of
 * each machine. */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-sim-hybrid-event.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#define RTOL 1e-6
#define REFERENCE_RTOL 1e-9
#define REFERENCE_STEPS 4000 /* at least, in a run */
#define ALLOWED (1000.0 * RTOL)
#define START_OFF (3.0 * RTOL) /* what a method at RTOL may be off by within its first steps */
#define N_ROWS 1000
#define FRONT 0.2 /* of the range, within two rows */
#define MOST_OUTPUTS 16
#define MOST_SECONDS 40 /* of processor time, of one run */
#define N_TOUCHES 3
#define LEAST_RANGE_OF_PRESSURE 1e4 /* [Pa] */
#define LEAST_RANGE_OF_PLACE 1e-5   /* [m] */
#define LEAST_RANGE_OF_SPEED 1e-4   /* [m/s] */
#define TOUCH 1e-9                  /* a piston so near its stop stands there [m] */
#define AT_REST 1e-13               /* no flow but rounding [m/s] */
#define MOST_EVENTS 8192

static HlModelKind model = HL_MODEL_LUMPED;

/* Of cylinders, without which there is no quasistatic model. */
#define VIRTUAL (model == HL_MODEL_QUASISTATIC ? ", 'virtual_stiffness': 1e7, 'virtual_damping': 1e5" : "")

/* ---- a machine ---- */

typedef struct {
  GRand *rand;
  GString *bodies, *joints, *loads, *components, *lines;
  GPtrArray *outputs; /* paths of pressures, and of lengths of cylinders */
  double t_end;
} Draw;

static double uniform (Draw *draw, double low, double high) {
  return g_rand_double_range (draw->rand, low, high);
}

static double spread (Draw *draw, double low, double high) {
  return low * pow (high / low, g_rand_double (draw->rand));
}

static bool chance (Draw *draw, double of) {
  return g_rand_double (draw->rand) < of;
}

static void G_GNUC_PRINTF (2, 3) add (GString *to, const char *format, ...) {
  va_list args;

  if (to->len > 0)
    g_string_append (to, ", ");
  va_start (args, format);
  g_string_append_vprintf (to, format, args);
  va_end (args);
}

/* Draws a signal over time about [low, high] that stays on both sides of some gate. */
static char *draw_wave (Draw *draw, double low, double high) {
  double middle = 0.5 * (low + high), half = 0.5 * (high - low);

  switch (g_rand_int_range (draw->rand, 0, 4)) {
  case 0:
    return g_strdup_printf ("{'kind': 'sine', 'amplitude': %.9g, 'frequency_hz': %.9g, 'offset': "
                            "%.9g, 'phase': %.9g}",
                            half, spread (draw, 0.5, 12.0) / draw->t_end, middle, uniform (draw, 0.0, 6.28));
  case 1: {
    g_autofree char *a =
        g_strdup_printf ("{'kind': 'sine', 'amplitude': %.9g, 'frequency_hz': %.9g, 'offset': %.9g}",
                         0.7 * half, spread (draw, 0.5, 5.0) / draw->t_end, middle);
    g_autofree char *b =
        g_strdup_printf ("{'kind': 'sine', 'amplitude': %.9g, 'frequency_hz': %.9g, 'phase': %.9g}",
                         0.3 * half, spread (draw, 5.0, 40.0) / draw->t_end, uniform (draw, 0.0, 6.28));
    return g_strdup_printf ("{'kind': 'sum', 'of': [%s, %s]}", a, b);
  }
  default: {
    g_autoptr (GString) t = g_string_new (NULL);
    g_autoptr (GString) y = g_string_new (NULL);
    double at = 0.0;
    for (int k = 0; at < draw->t_end; k++) {
      g_string_append_printf (t, "%s%.9g", k > 0 ? ", " : "", at);
      g_string_append_printf (y, "%s%.9g", k > 0 ? ", " : "", uniform (draw, low, high));
      at += uniform (draw, 0.02, 0.3) * draw->t_end;
    }
    return g_strdup_printf ("{'kind': 'table', 't': [%s, %.9g], 'y': [%s, %.9g], 'between': '%s'}", t->str,
                            at, y->str, middle, chance (draw, 0.5) ? "line" : "smooth");
  }
  }
}

/* Draws the same behind up to two blocks. */
static char *draw_signal (Draw *draw, double low, double high) {
  char *signal = draw_wave (draw, low, high);
  double size = fmax (fabs (low), fabs (high));
  int n = g_rand_int_range (draw->rand, 0, 3);

  for (int k = 0; k < n; k++) {
    g_autofree char *of = signal;
    switch (g_rand_int_range (draw->rand, 0, 4)) {
    case 0:
    case 1:
      signal = g_strdup_printf ("{'kind': 'dead-zone', 'width': %.9g, 'of': %s}",
                                size * uniform (draw, 0.3, 0.98), of);
      break;
    case 2:
      signal = g_strdup_printf ("{'kind': 'limit', 'min': %.9g, 'max': %.9g, 'of': %s}",
                                size * uniform (draw, -0.9, 0.3), size * uniform (draw, 0.35, 0.95), of);
      break;
    default:
      signal = g_strdup_printf ("{'kind': 'filter', 'time_constant': %.9g, 'of': %s}",
                                spread (draw, 0.002, 0.1) * draw->t_end, of);
    }
  }
  return signal;
}

static void add_line (Draw *draw, const char *id, const char *ports, double volume, double pressure) {
  add (draw->lines, "{'id': '%s', 'ports': [%s], 'volume': %.9g, 'pressure': %.9g}", id, ports, volume,
       pressure);
  g_ptr_array_add (draw->outputs, g_strconcat (id, ".pressure", NULL));
}

/* Draws components beside a line, perhaps: a store, a valve to the tank. Returns the ports of the line; tank
 * lines are added to `back`. */
static char *draw_beside (Draw *draw, const char *id, double pressure, GString *back) {
  g_autoptr (GString) ports = g_string_new (NULL);

  if (chance (draw, 0.35)) {
    static const char *const types[] = {"bladder", "spring", "piston"};
    int type = g_rand_int_range (draw->rand, 0, 3);
    double precharge = pressure * uniform (draw, 0.5, 1.6);
    g_autofree char *own =
        type == 1   ? g_strdup_printf (", 'full_pressure': %.9g", precharge * uniform (draw, 1.1, 2.0))
        : type == 2 ? g_strdup_printf (", 'resistance': %.9g", spread (draw, 1e8, 1e10))
                    : g_strdup ("");
    add (draw->components,
         "{'id': 'acc%s', 'kind': 'accumulator', 'type': '%s', 'volume': %.9g, 'precharge': %.9g%s}", id,
         types[type], spread (draw, 1e-5, 1e-3), precharge, own);
    g_string_append_printf (ports, ", 'acc%s.A'", id);
  }
  if (chance (draw, 0.35)) {
    add (draw->components,
         "{'id': 'rel%s', 'kind': 'relief-valve', 'pressure': %.9g, 'Cd': 0.6, 'area': %.9g}", id,
         pressure * uniform (draw, 1.02, 2.0), spread (draw, 1e-6, 1e-4));
    g_string_append_printf (ports, ", 'rel%s.A'", id);
    g_string_append_printf (back, ", 'rel%s.T'", id);
  }
  if (chance (draw, 0.25)) {
    add (draw->components, "{'id': 'chk%s', 'kind': 'check-valve', 'Cd': 0.6, 'area': %.9g}", id,
         spread (draw, 1e-6, 1e-4));
    g_string_append_printf (ports, ", 'chk%s.B'", id);
    g_string_append_printf (back, ", 'chk%s.A'", id);
  }
  return g_strdup (ports->str);
}

static char *draw_cushion (Draw *draw, char side) {
  if (!chance (draw, 0.25))
    return g_strdup ("");
  return g_strdup_printf (", 'cushion_%c': {'length': %.9g, 'area': %.9g, 'end_area': %.9g, "
                          "'check_area': %.9g, 'dead_volume': 1e-5}",
                          side, uniform (draw, 0.01, 0.06), spread (draw, 1e-5, 1e-4),
                          spread (draw, 1e-7, 1e-6), spread (draw, 1e-6, 1e-4));
}

static void add_cylinder_outputs (Draw *draw) {
  if (model == HL_MODEL_HYBRID)
    g_ptr_array_add (draw->outputs, g_strdup ("c.speed"));
  g_ptr_array_add (draw->outputs, g_strdup ("c.s"));
}

/* Draws a slide or a crank that a valve moves by a cylinder, and a load pushes. */
static void draw_driven (Draw *draw) {
  bool turns = chance (draw, 0.4);
  double area = spread (draw, 2e-4, 3e-3), ratio = uniform (draw, 0.5, 1.0);
  double stroke = uniform (draw, 0.2, 0.6), p = spread (draw, 2e6, 2e7);
  g_autoptr (GString) back = g_string_new ("'t.T', 'v.T'");
  g_autofree char *cushion_A = draw_cushion (draw, 'A'), *cushion_B = draw_cushion (draw, 'B');
  g_autofree char *command = draw_signal (draw, -uniform (draw, 0.0, 1.0), uniform (draw, 0.1, 1.0));
  double mass = spread (draw, 10.0, 1000.0), c1 = 0.1;

  if (turns) { /* its length goes from 1 - r to 1 + r */
    double r = uniform (draw, 0.1, 0.25), angle = uniform (draw, 0.5, 2.5);
    double length = sqrt (1.0 + r * r + 2.0 * r * cos (angle));
    c1 = 1.0 - r - uniform (draw, -0.05, 0.05) * r;
    c1 = fmin (c1, length - 0.01);
    stroke = fmax (2.0 * r * uniform (draw, 0.9, 1.02), length - c1 + 0.01);
    add (draw->bodies,
         "{'id': 'm', 'points': {'O': [0, 0], 'P': [%.9g, 0]}, 'mass': %.9g, 'inertia': %.9g, "
         "'pose': [0, 0, %.9g]}",
         r, mass, mass * r * r, angle);
    add (draw->joints, "{'id': 'j', 'kind': 'revolute', 'a': 'ground.G', 'b': 'm.O'}");
  } else {
    add (draw->bodies,
         "{'id': 'm', 'points': {'P': [0, 0]}, 'mass': %.9g, 'inertia': 1, 'pose': [%.9g, 0, 0]}", mass,
         c1 - 1.0 + stroke * uniform (draw, 0.1, 0.9));
    add (draw->joints, "{'id': 'j', 'kind': 'prismatic', 'a': 'ground.H', 'b': 'm.P', 'axis': 0}");
  }
  if (chance (draw, 0.5) && !turns) {
    g_autofree char *push = draw_signal (draw, -0.8 * area * p, 0.8 * area * p);
    add (draw->loads, "{'id': 'push', 'kind': 'force', 'point': 'm.P', 'direction': [1, 0], 'signal': %s}",
         push);
  }
  add (draw->components,
       "{'id': 'c', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'm.P', 'piston_area': %.9g, "
       "'rod_side_area': %.9g, 'stroke': %.9g, 'c1': %.9g, 'friction': {'model': 'viscous', "
       "'sigma2': %.9g}%s%s%s}",
       area, area * ratio, stroke, c1, spread (draw, 100.0, 5000.0), cushion_A, cushion_B, VIRTUAL);
  add (draw->components, "{'id': 's', 'kind': 'pressure-source', 'pressure': %.9g}", p);
  add (draw->components, "{'id': 't', 'kind': 'tank'}");
  add (draw->components,
       "{'id': 'v', 'kind': 'directional-valve', 'Cv': %.9g, 'dead_zone': %.9g, 'time_constant': "
       "%.9g, 'command': %s}",
       area * stroke / draw->t_end * spread (draw, 1.0, 20.0) / sqrt (0.5 * p),
       chance (draw, 0.5) ? uniform (draw, 0.05, 0.7) : 0.0,
       chance (draw, 0.5) ? spread (draw, 0.005, 0.05) : 0.0, command);
  for (int side = 0; side < 2; side++) {
    char id[2] = {(char)('A' + side), 0};
    g_autofree char *more = draw_beside (draw, id, 0.5 * p, back);
    g_autofree char *ports = g_strdup_printf ("'c.%s', 'v.%s'%s", id, id, more);
    add_line (draw, id, ports, spread (draw, 2e-5, 1e-3),
              side == 0 ? 0.5 * p * ratio : fmin (0.5 * p, 0.9 * p));
  }
  add (draw->lines, "{'id': 'P', 'ports': ['s.P', 'v.P']}");
  add (draw->lines, "{'id': 'T', 'ports': [%s]}", back->str);
  add_cylinder_outputs (draw);
}

/* Draws a crank that turns freely and meets a stop once a turn. */
static void draw_touched (Draw *draw) {
  double r = uniform (draw, 0.05, 0.3), omega = spread (draw, 1.0, 20.0) * (chance (draw, 0.5) ? 1 : -1);
  bool upper = chance (draw, 0.5);
  double depth = spread (draw, 1e-5, 3e-3),
         angle = upper ? uniform (draw, 1.0, 5.2) : uniform (draw, -2.0, 2.0);
  double c1 = upper ? 0.5 : 1.0 - r + depth, stroke = upper ? 1.0 + r - c1 - depth : 0.7;

  draw->t_end = 4.0 * 6.2832 / fabs (omega);
  add (draw->bodies,
       "{'id': 'm', 'points': {'O': [0, 0], 'P': [%.9g, 0]}, 'mass': 10, 'inertia': %.9g, 'pose': "
       "[0, 0, %.9g], 'velocity': [0, 0, %.9g]}",
       r, spread (draw, 0.1, 10.0), angle, omega);
  add (draw->joints, "{'id': 'j', 'kind': 'revolute', 'a': 'ground.G', 'b': 'm.O'}");
  add (draw->components,
       "{'id': 'c', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'm.P', 'piston_area': 1e-3, "
       "'rod_side_area': 1e-3, 'stroke': %.9g, 'c1': %.9g%s}",
       stroke, c1, VIRTUAL);
  add (draw->components, "{'id': 't', 'kind': 'tank'}");
  add (draw->lines, "{'id': 'T', 'ports': ['c.A', 'c.B', 't.T']}");
  add_cylinder_outputs (draw);
}

/* Draws volumes between throttles and valves, filled and emptied by a pump that follows a signal. */
static void draw_circuit (Draw *draw) {
  double p = spread (draw, 2e6, 2e7), flow = spread (draw, 1e-6, 3e-4);
  g_autoptr (GString) back = g_string_new ("'t.T'");
  g_autofree char *signal = draw_signal (draw, -flow * uniform (draw, 0.0, 1.0), flow);
  int n = g_rand_int_range (draw->rand, 1, 4);

  add (draw->components, "{'id': 'q', 'kind': 'flow-source', 'flow': %s}", signal);
  add (draw->components, "{'id': 't', 'kind': 'tank'}");
  for (int k = 0; k < n; k++) {
    char id[2] = {(char)('A' + k), 0};
    g_autofree char *more = draw_beside (draw, id, p, back);
    g_autoptr (GString) ports = g_string_new (NULL);
    if (k == 0)
      g_string_append (ports, "'q.P'");
    else
      g_string_append_printf (ports, "'w%d.B'", k - 1);
    double area = flow / (0.6 * sqrt (2.0 * p * spread (draw, 0.003, 0.3) / 850.0));
    if (chance (draw, 0.3) && k + 1 < n)
      add (draw->components, "{'id': 'w%d', 'kind': 'check-valve', 'Cd': 0.6, 'area': %.9g}", k, area);
    else
      add (draw->components, "{'id': 'w%d', 'kind': 'throttle', 'diameter': %.9g}", k, sqrt (1.2732 * area));
    g_string_append_printf (ports, ", 'w%d.A'%s", k, more);
    if (k + 1 == n)
      g_string_append_printf (back, ", 'w%d.B'", k);
    add_line (draw, id, ports->str, spread (draw, 1e-5, 1e-3), p * uniform (draw, 0.5, 1.3));
  }
  add (draw->lines, "{'id': 'T', 'ports': [%s]}", back->str);
}

static char *draw_machine (Draw *draw) {
  int kind = g_rand_int_range (draw->rand, 0, 10);

  draw->t_end = spread (draw, 0.5, 10.0);
  if (kind < 5)
    draw_driven (draw);
  else if (kind < 7)
    draw_touched (draw);
  else
    draw_circuit (draw);
  char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'bulk_modulus': 1.5e9, "
      "'density': 850, 'viscosity': 0.04}, 'ground': {'points': {'G': [0, 0], 'H': [-1, 0]}}, "
      "'bodies': [%s], 'joints': [%s], 'loads': [%s], 'components': [%s], 'lines': [%s], "
      "'simulation': {'t_end': %.9g, 'every': %.9g, 'rtol': %g, 'start': 'as-given'}}",
      draw->bodies->str, draw->joints->str, draw->loads->str, draw->components->str, draw->lines->str,
      draw->t_end, draw->t_end / N_ROWS, RTOL);
  return g_strdelimit (text, "'", '"');
}

/* ---- runs ---- */

typedef struct {
  int n, n_rows;
  double t[N_ROWS + 2], values[N_ROWS + 2][MOST_OUTPUTS];
  int n_events;
  double events[MOST_EVENTS]; /* times, ascending */
  HlSimStats stats;
  HlFault fault;
  HlStatus status;
  clock_t begin;
} Run;

static bool keep (double t, const double values[], void *data) {
  Run *run = data;

  if (run->n_rows < N_ROWS + 2) {
    run->t[run->n_rows] = t;
    memcpy (run->values[run->n_rows++], values, sizeof (double) * (size_t)run->n);
  }
  return true;
}

static void keep_event (const HlSimEvent *event, void *data) {
  Run *run = data;

  if (run->n_events < MOST_EVENTS)
    run->events[run->n_events++] = event->t;
}

/* Drops the rows as the program does: when a method gives up, the other one makes the rows again, and Radau
 * replaces BDF where oscillations grow. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  Run *run = data;

  (void)method;
  (void)why;
  run->n_rows = 0;
  return true;
}

static bool is_late (void *data) {
  const Run *run = data;
  return clock () - run->begin > MOST_SECONDS * CLOCKS_PER_SEC;
}

/* Runs from a point, or from the start of the model where it is NULL. */
static void simulate (const HlSystem *sys, const HlObservable outputs[], int n, HlMethod method, double rtol,
                      const HlPoint *from, Run *run) {
  HlSimOptions options = hl_sim_options_from_model (sys);

  memset (run, 0, sizeof *run);
  run->n = n;
  run->begin = clock ();
  run->fault = (HlFault){.time = NAN, .entity = -1};
  options.model = model;
  options.method = method;
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep;
  options.row_data = run;
  if (model == HL_MODEL_HYBRID) {
    options.event = keep_event;
    options.event_data = run;
  }
  options.again = begin_again;
  options.again_data = run;
  options.cancel = is_late;
  options.cancel_data = run;
  options.rtol = rtol;
  options.from = from;
  if (rtol == REFERENCE_RTOL) {
    options.longest_step = options.t_end / REFERENCE_STEPS;
  }
  run->status = hl_simulate (sys, &options, &run->stats, &run->fault);
}

/* Simulates the reference from a start whose pressures are off by START_OFF. Returns whether it reached the
 * same end. */
static bool simulate_off (const HlSystem *sys, const HlObservable outputs[], int n, const Run *reference,
                          Run *off) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlStatus status = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL);

  for (int k = 0; k < work->r; k++)
    point->p[k] += START_OFF * fmax (fabs (point->p[k]), HL_SCALE_PRESSURE);
  if (status == HL_OK)
    simulate (sys, outputs, n, HL_METHOD_RADAU, REFERENCE_RTOL, point, off);
  hl_point_free (point);
  hl_work_free (work);
  return status == HL_OK && off->status == HL_OK && off->n_rows == reference->n_rows;
}

/* Finds the times at which the cylinder, whose length is the last output, meets a stop. */
static int find_touches (const HlSystem *sys, const Run *run, double times[N_TOUCHES]) {
  int n = 0;

  for (int row = 1; row < run->n_rows && sys->n_cylinders > 0; row++)
    for (int side = 0; side < 2 && n < N_TOUCHES; side++) {
      const HlCylinder *cyl = &sys->cylinders[0];
      double s = run->values[row - 1][run->n - 1], next = run->values[row][run->n - 1];
      double a = side == 0 ? hl_cylinder_length_a (cyl, s) : hl_cylinder_length_b (cyl, s);
      double b = side == 0 ? hl_cylinder_length_a (cyl, next) : hl_cylinder_length_b (cyl, next);
      if (a > TOUCH && b <= TOUCH)
        times[n++] = run->t[row - 1] + (a - TOUCH) / (a - b) * (run->t[row] - run->t[row - 1]);
    }
  return n;
}

/* Compared quantities: pressures, their fronts, and of a cylinder its speed, in hybrid oil, and its length at
 * the end. */
typedef enum { PRESSURE, SPEED, PLACE } Column;

static Column column_of (const Run *run, bool has_cylinder, int column) {
  if (!has_cylinder || column < run->n - 2)
    return PRESSURE;
  return column == run->n - 1 ? PLACE : model == HL_MODEL_HYBRID ? SPEED : PRESSURE;
}

/* Returns whether an event of the run is within the permitted time difference of a row. */
static bool is_beside_event (const Run *run, double t, double reach) {
  for (int k = 0; k < run->n_events; k++)
    if (fabs (run->events[k] - t) <= reach)
      return true;
  return false;
}

/* Returns whether the reference changes by a part of its range within the permitted time. */
static bool is_in_front (const Run *reference, int n_rows, int row, int column, double range) {
  int from = row > 0 ? row - 1 : 0, to = row + 1 < n_rows ? row + 1 : row;
  double change = reference->values[to][column] - reference->values[from][column];

  return fabs (change) > FRONT * range * (to - from) / 2.0;
}

/* Returns the difference of a value from the reference; beside an event and in a front the distance from the
 * range of the reference there. */
static double distance (const Run *run, const Run *reference, int n_rows, int row, int column, double range) {
  double value = run->values[row][column], t = reference->t[row];
  double low = reference->values[row][column], high = low;
  double reach = ALLOWED * reference->t[reference->n_rows - 1];

  if (is_beside_event (run, t, reach) || is_beside_event (reference, t, reach) ||
      is_in_front (reference, n_rows, row, column, range))
    for (int k = row > 0 ? row - 1 : 0; k <= row + 1 && k < n_rows; k++) {
      low = fmin (low, reference->values[k][column]);
      high = fmax (high, reference->values[k][column]);
    }
  return value < low ? low - value : value > high ? value - high : 0.0;
}

/* Returns the error of a pressure in hybrid oil that corresponds to the permitted error of the flow [Pa];
 * highest: the source's pressure. */
static double error_by_flow (const Run *reference, int row, int column, double highest) {
  double speed = fabs (reference->values[row][reference->n - 2]), p = reference->values[row][column];

  if (speed < AT_REST)
    return 0.0;
  return 2.0 * fmax (fabs (highest - p), fabs (p)) * (ALLOWED + 2.0 * RTOL * HL_SCALE_VELOCITY / speed);
}

/* Returns the largest difference of a row, relative to the allowed one; start_off: the run from another
 * start, or NULL. */
static double compare (const Run *run, const Run *reference, const Run *start_off, int n_rows,
                       const HlSystem *sys, int *column, int *at) {
  static const double least[] = {LEAST_RANGE_OF_PRESSURE, LEAST_RANGE_OF_SPEED, LEAST_RANGE_OF_PLACE};
  bool has_cylinder = sys->n_cylinders > 0;
  double worst = 0.0, highest = 0.0;

  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state < 0)
      highest = fmax (highest, sys->nodes[node].given);
  for (int k = 0; k < run->n; k++) {
    Column kind = column_of (run, has_cylinder, k);
    double low = INFINITY, high = -INFINITY;
    for (int row = 0; row < n_rows; row++) {
      low = fmin (low, reference->values[row][k]);
      high = fmax (high, reference->values[row][k]);
    }
    double allowed = fmax (high - low, least[kind]) * ALLOWED;
    for (int row = 0; row < n_rows; row++) {
      double off = distance (run, reference, n_rows, row, k, fmax (high - low, least[kind]));
      if (off > allowed && kind == PRESSURE && has_cylinder && model == HL_MODEL_HYBRID)
        off -= error_by_flow (reference, row, k, highest);
      if (start_off != NULL)
        allowed = fmax (allowed, fabs (start_off->values[row][k] - reference->values[row][k]));
      if (off / allowed > worst) {
        worst = off / allowed;
        *column = k;
        *at = row;
      }
    }
  }
  return worst;
}

/* Counts, of the first n_rows rows, those before a line becomes compressible. */
static int count_rows_before_soft (const Run *run, int n_rows) {
  while (run->stats.compressible_lines.n > 0 && n_rows > 0 &&
         run->t[n_rows - 1] >= run->stats.compressible_lines.t)
    n_rows--;
  return n_rows;
}

typedef enum {
  AGREES,
  REFUSED,
  STOPPED, /* the reference as well */
  FAILED
} Fate;

static Fate look_at (const char *text, guint number, char *const paths[], int n_paths) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *doc = hl_document_parse (text, strlen (text), "random", &error);
  HlSystem *sys = doc != NULL ? hl_compile (doc, findings) : NULL;
  bool tells = g_getenv ("HL_GUARDS_TELL") != NULL;
  static Run runs[2], reference, start_off;
  HlObservable outputs[MOST_OUTPUTS];
  Fate fate = AGREES;
  int n = 0;

  if (sys == NULL) {
    g_autofree char *why =
        doc != NULL ? hl_finding_format (hl_findings_first_error (findings)) : g_strdup (error->message);
    printf ("# %u: refused: %s\n", number, why);
    if (doc != NULL)
      hl_document_unref (doc);
    return REFUSED;
  }
  for (int k = 0; k < n_paths && n < MOST_OUTPUTS; k++)
    n += hl_observable_find (sys, paths[k], &outputs[n]);
  simulate (sys, outputs, n, HL_METHOD_RADAU, REFERENCE_RTOL, NULL, &reference);
  double touches[N_TOUCHES], found[N_TOUCHES];
  int n_touches = find_touches (sys, &reference, touches);
  int n_rows = reference.n_rows;
  while (n_touches == N_TOUCHES && n_rows > 0 && reference.t[n_rows - 1] > touches[N_TOUCHES - 1])
    n_rows--;
  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU && reference.status == HL_OK; method++) {
    Run *run = &runs[method];
    const char *name = method == HL_METHOD_BDF ? "bdf" : "radau";
    simulate (sys, outputs, n, (HlMethod)method, RTOL, NULL, run);
    if (run->status != HL_OK) {
      g_autofree char *why = hl_fault_message (sys, &run->fault);
      printf ("not ok %u %s: ends at %g s: %s\n", number, name, run->stats.t_reached, why);
      fate = FAILED;
      continue;
    }
    int column = 0, row = 0, n_found = find_touches (sys, run, found);
    int n_same = count_rows_before_soft (run, count_rows_before_soft (&reference, MIN (n_rows, run->n_rows)));
    double worst = compare (run, &reference, NULL, n_same, sys, &column, &row);
    if (worst > 1.0 && model == HL_MODEL_LUMPED && simulate_off (sys, outputs, n, &reference, &start_off))
      worst = compare (run, &reference, &start_off, n_same, sys, &column, &row);
    bool same = n_found == n_touches;
    for (int k = 0; same && k < n_touches; k++)
      same = fabs (found[k] - touches[k]) <= ALLOWED * reference.t[reference.n_rows - 1];
    bool is_wrong = !same || worst > 1.0;
    if (tells || is_wrong)
      printf ("%s %u %s: %.3g of what is allowed (%s at %g s: %.9g for %.9g), %d touches for %d, "
              "%ld steps, %ld restarts, %.2f s\n",
              is_wrong ? "not ok" : "#", number, name, worst, paths[column], reference.t[row],
              run->values[row][column], reference.values[row][column], n_found, n_touches, run->stats.steps,
              run->stats.restarts, run->stats.seconds);
    if (is_wrong)
      fate = FAILED;
  }
  if (reference.status != HL_OK) {
    g_autofree char *why = hl_fault_message (sys, &reference.fault);
    printf ("# %u: the reference ends at %g s: %s\n", number, reference.stats.t_reached, why);
    fate = STOPPED;
  }
  hl_system_unref (sys);
  hl_document_unref (doc);
  return fate;
}

static Fate try_one (guint32 seed, guint number) {
  const guint32 seeds[] = {seed, number};
  Draw draw = {.rand = g_rand_new_with_seed_array (seeds, 2),
               .bodies = g_string_new (NULL),
               .joints = g_string_new (NULL),
               .loads = g_string_new (NULL),
               .components = g_string_new (NULL),
               .lines = g_string_new (NULL),
               .outputs = g_ptr_array_new_with_free_func (g_free)};
  g_autofree char *text = draw_machine (&draw);
  Fate fate = look_at (text, number, (char *const *)draw.outputs->pdata, (int)draw.outputs->len);
  const char *folder = g_getenv ("HL_RANDOM_DIR");

  if (folder != NULL && (fate == FAILED || g_getenv ("HL_RANDOM_ALL") != NULL)) {
    g_autofree char *path = g_strdup_printf ("%s/guards-%u-%u.hydrolink", folder, seed, number);
    g_file_set_contents (path, text, -1, NULL);
  }
  g_rand_free (draw.rand);
  GString *parts[] = {draw.bodies, draw.joints, draw.loads, draw.components, draw.lines};
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    g_string_free (parts[k], TRUE);
  g_ptr_array_unref (draw.outputs);
  fflush (stdout);
  return fate;
}

int main (int argc, char **argv) {
  guint n = argc > 1 ? (guint)strtoul (argv[1], NULL, 10) : 100, counts[4] = {0};
  int n_seeds = argc - 2;

  if (argc > 3 && strcmp (argv[argc - 1], "hybrid") == 0)
    model = HL_MODEL_HYBRID;
  else if (argc > 3 && strcmp (argv[argc - 1], "quasistatic") == 0)
    model = HL_MODEL_QUASISTATIC;
  n_seeds -= model != HL_MODEL_LUMPED;
  for (int at = 0; at < MAX (n_seeds, 1); at++) {
    char *rest = "";
    guint32 seed = n_seeds > 0 ? (guint32)strtoul (argv[2 + at], &rest, 10) : g_random_int ();
    guint first = *rest == ':' ? (guint)strtoul (rest + 1, NULL, 10) : 0;
    printf ("# seed %u\n", seed);
    for (guint k = first; k < first + n; k++)
      counts[try_one (seed, k)]++;
  }
  printf ("# %u agree, %u refused, %u stopped with their reference\n", counts[AGREES], counts[REFUSED],
          counts[STOPPED]);
  printf ("%s 1 - /random/guards\n1..1\n", counts[FAILED] == 0 ? "ok" : "not ok");
  return counts[FAILED] == 0 ? 0 : 1;
}
