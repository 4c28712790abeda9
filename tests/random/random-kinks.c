/* SPDX-License-Identifier: MIT */
/* random-kinks [N] [SEED[:FIRST]]: circuits of all classes, each brought to places where some rate has a kink. The kink
 * is found by halving a line of states, by the rates alone; there every state and input whose two one-sided
 * differences of the rates disagree must be among those that the linearization names, with these columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/random/hl-random-model-all-classes.h"

#define N_LINES 12
#define HALVINGS 44
#define N_STEPS 4      /* of the differences, each a quarter of the one before */
#define CLEAR 1e-3     /* a kink is at least this part of the larger slope */
#define STEADY 0.15    /* part by which the difference of the slopes may change with the step */
#define CLOSE 2e-2     /* of a column by differences to the one named */
#define ROUNDING 1e-11 /* of a rate's parts */

typedef struct {
  HlSystem *sys;
  HlWork *work;
  HlPoint *point;
  int n, n_inputs;
  double *scale, *y, *from, *way, *f[3], *up, *down, *trial, *most;
  guint32 seed, index;
  GRand *rand;
  int n_kinks, n_wrong;
} Machine;

static bool rates (Machine *m, const HlSystem *sys, const double y[], double f[]) {
  return hl_dynamics_eval (sys, m->point->t, y, f, m->work, NULL) == HL_OK;
}

static void at_part (const Machine *m, double part, double y[]) {
  for (int k = 0; k < m->n; k++)
    y[k] = m->from[k] + part * m->way[k];
}

/* Returns the curvature of the rates over a part of the line, relative to its width; -1: the rates are not
 * known there. */
static double bend (Machine *m, double a, double b) {
  double part[3] = {a, 0.5 * (a + b), b}, worst = 0.0;

  for (int k = 0; k < 3; k++) {
    at_part (m, part[k], m->trial);
    if (!rates (m, m->sys, m->trial, m->f[k]))
      return -1.0;
  }
  for (int row = 0; row < m->n; row++) {
    double second = fabs (m->f[0][row] - 2.0 * m->f[1][row] + m->f[2][row]) / (b - a);
    double noise = 1e-13 * m->most[row] / (b - a);
    worst = fmax (worst, (second - noise) / (m->most[row] + 1e-300));
  }
  return worst;
}

/* Halves the line towards where it bends most. Whether it still does at the end. */
static bool find_kink (Machine *m) {
  double a = 0.0, b = 1.0, first = -1.0, least = 1e-3;

  for (int row = 0; row < m->n; row++)
    m->most[row] = 0.0;
  for (int k = 0; k <= 16; k++) {
    at_part (m, k / 16.0, m->trial);
    if (!rates (m, m->sys, m->trial, m->f[0]))
      return false;
    for (int row = 0; row < m->n; row++)
      m->most[row] = fmax (m->most[row], fabs (m->f[0][row]));
  }
  for (int k = 0; k < HALVINGS; k++) {
    double w = b - a, best = -1.0, at = a;
    if (w * 1e3 < 1e-10)
      break;
    for (int piece = 0; piece < 3; piece++) { /* halves, and the one across the middle */
      double here = bend (m, a + 0.25 * piece * w, a + 0.25 * piece * w + 0.5 * w);
      if (here > best) {
        best = here;
        at = a + 0.25 * piece * w;
      }
    }
    first = k == 20 ? best : first;
    if (k > 20 && !(best > least && best > 0.3 * first))
      return false;
    a = at;
    b = at + 0.5 * w;
  }
  at_part (m, 0.5 * (a + b), m->y);
  return true;
}

/* Computes slopes of the rates by a step of state or input k; false: unknown. */
static bool slopes (Machine *m, HlSystem *moved, int k, double h, double up[], double down[]) {
  const HlTopology *top = m->sys->topology;

  if (!rates (m, m->sys, m->y, m->f[0]))
    return false;
  for (int side = 0; side < 2; side++) {
    double by = side == 0 ? h : -h;
    memcpy (m->trial, m->y, (size_t)m->n * sizeof (double));
    if (k < m->n)
      m->trial[k] += by;
    else
      moved->signals[top->input_signal[k - m->n]].nudge[0] = by;
    bool known = rates (m, moved, m->trial, m->f[1]);
    if (k >= m->n)
      moved->signals[top->input_signal[k - m->n]].nudge[0] = 0.0;
    if (!known)
      return false;
    for (int row = 0; row < m->n; row++)
      (side == 0 ? up : down)[row] = (m->f[1][row] - m->f[0][row]) / by;
  }
  return true;
}

/* Returns a row in which the slopes of k clearly differ for any step; -1 = none. */
static int kinked_row (Machine *m, HlSystem *moved, int k, double size) {
  double *gap = g_new (double, N_STEPS * m->n), *larger = g_new (double, m->n);
  int found = -1;

  for (int step = 0; step < N_STEPS; step++) {
    if (!slopes (m, moved, k, 1e-5 * size * pow (4.0, -step), m->up, m->down)) {
      g_free (gap);
      g_free (larger);
      return -1;
    }
    for (int row = 0; row < m->n; row++) {
      gap[step * m->n + row] = m->up[row] - m->down[row];
      larger[row] = fmax (fabs (m->up[row]), fabs (m->down[row]));
    }
  }
  for (int row = 0; row < m->n && found < 0; row++) {
    const double *of = gap + row;
    double last = fabs (of[(N_STEPS - 1) * m->n]);
    double noise = ROUNDING * m->most[row] / (1e-5 * size * pow (4.0, 1 - N_STEPS));
    bool steady = last > CLEAR * larger[row] && last > noise;
    for (int step = 0; step < N_STEPS - 1; step++)
      steady = steady && fabs (of[step * m->n] - of[(step + 1) * m->n]) < STEADY * last;
    if (steady)
      found = row;
  }
  g_free (gap);
  g_free (larger);
  return found;
}

static void complain (Machine *m, const HlLinearization *lin, int k, int row, const char *what) {
  m->n_wrong++;
  printf ("%u:%u %s: %s: slopes of %s up %.9g, down %.9g\n", m->seed, m->index,
          k < m->n ? lin->state_names[k] : lin->input_names[k - m->n], what, lin->state_names[row],
          m->up[row], m->down[row]);
}

static void compare (Machine *m) {
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = NULL;
  HlSystem *moved = hl_system_copy (m->sys);

  if (hl_state_unpack (m->sys, m->work, m->point->t, m->y, m->point, NULL) == HL_OK)
    lin = hl_linearize (m->sys, m->work, m->point, &options, NULL);
  if (lin != NULL && lin->n == m->n) {
    memcpy (m->y, lin->reference, (size_t)m->n * sizeof (double));
    for (int k = 0; k < m->n + m->n_inputs; k++) {
      double size = k < m->n ? m->scale[k] : 1.0;
      const HlKink *named = NULL;
      if (k >= m->n && m->sys->topology->input_order[k - m->n] != 0)
        continue;
      for (int i = 0; i < lin->n_kinks; i++)
        if (lin->kinks[i].state == (k < m->n ? k : -1) && lin->kinks[i].input == (k < m->n ? -1 : k - m->n))
          named = &lin->kinks[i];
      int row = kinked_row (m, moved, k, size);
      if (row < 0)
        continue;
      m->n_kinks++;
      double gap = fabs (m->up[row] - m->down[row]);
      if (named == NULL)
        complain (m, lin, k, row, "not named");
      else if (fabs (named->toward_positive[row] - m->up[row]) > CLOSE * gap ||
               fabs (named->toward_negative[row] - m->down[row]) > CLOSE * gap) {
        complain (m, lin, k, row, "other columns");
        printf ("   named %.9g, %.9g\n", named->toward_positive[row], named->toward_negative[row]);
      }
    }
  }
  hl_linearization_free (lin);
  hl_system_unref (moved);
}

/* Draws a line of states about the start, with one or all of them varied. */
static void draw_line (Machine *m, const double start[], int line) {
  int only = line % 2 == 0 ? (int)g_rand_int_range (m->rand, 0, m->n) : -1;

  for (int k = 0; k < m->n; k++) {
    bool is_pressure = k >= hl_off_p (m->work) && k < hl_off_u (m->work);
    double reach = is_pressure ? 0.9 * start[k] : (line % 4 < 2 ? 1.0 : 0.05) * m->scale[k];
    double down = g_rand_double_range (m->rand, 0.2, 1.0) * reach,
           up = g_rand_double_range (m->rand, 0.2, 1.0) * reach;
    bool flips = g_rand_boolean (m->rand);
    m->from[k] = start[k];
    m->way[k] = 0.0;
    if (only >= 0 && only != k)
      continue;
    m->from[k] += flips ? up : -down;
    m->way[k] = (flips ? -1.0 : 1.0) * (up + down);
  }
}

static void look_at (Machine *m) {
  HlStatus status = hl_start_point (m->sys, m->work, HL_START_AS_GIVEN, NULL, m->point, NULL, NULL);

  if (status != HL_OK)
    return;
  hl_work_enter_point (m->sys, m->work, m->point);
  if (hl_partition_choose (m->sys, m->work, m->point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL) != HL_OK)
    return;
  m->n = hl_work_n_states (m->work);
  m->n_inputs = hl_system_n_inputs (m->sys);
  if (m->n == 0)
    return;
  double *room = g_new0 (double, 12 * m->n), *start = room + 11 * m->n;
  double **arrays[] = {&m->scale, &m->y,  &m->from, &m->way,   &m->f[0], &m->f[1],
                       &m->f[2],  &m->up, &m->down, &m->trial, &m->most};
  for (gsize k = 0; k < G_N_ELEMENTS (arrays); k++)
    *arrays[k] = room + k * (gsize)m->n;
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (m->sys, m->work, m->point, &options, NULL);
  if (lin != NULL && lin->n == m->n) {
    memcpy (m->scale, lin->scale, (size_t)m->n * sizeof (double));
    memcpy (start, lin->reference, (size_t)m->n * sizeof (double));
    for (int line = 0; line < N_LINES; line++) {
      draw_line (m, start, line);
      if (find_kink (m))
        compare (m);
    }
  }
  hl_linearization_free (lin);
  g_free (room);
}

int main (int argc, char **argv) {
  guint32 n = argc > 1 ? (guint32)strtoul (argv[1], NULL, 10) : 100, first = 0;
  guint32 seed = argc > 2 ? (guint32)strtoul (argv[2], NULL, 10) : g_random_int () % 1000000;
  int n_kinks = 0, n_wrong = 0;

  if (argc > 2 && strchr (argv[2], ':') != NULL)
    first = (guint32)strtoul (strchr (argv[2], ':') + 1, NULL, 10);
  for (guint32 index = first; index < first + n; index++) {
    json_t *drawn = hl_draw_classes (seed, index);
    g_autofree char *text = json_dumps (drawn, JSON_REAL_PRECISION (17));
    g_autoptr (HlFindings) findings = hl_findings_new ();
    HlDocument *doc = hl_document_parse (text, strlen (text), "drawn", NULL);
    HlSystem *sys = doc != NULL ? hl_compile (doc, findings) : NULL;
    if (sys != NULL) {
      Machine m = {.sys = sys,
                   .work = hl_work_new (sys),
                   .point = hl_point_new (sys),
                   .seed = seed,
                   .index = index,
                   .rand = g_rand_new_with_seed (seed + 7919 * index)};
      look_at (&m);
      n_kinks += m.n_kinks;
      n_wrong += m.n_wrong;
      g_rand_free (m.rand);
      hl_point_free (m.point);
      hl_work_free (m.work);
    }
    hl_system_unref (sys);
    hl_document_unref (doc);
    json_decref (drawn);
  }
  printf ("%u circuits of seed %u: %d kinks of states and inputs, %d wrong\n", n, seed, n_kinks, n_wrong);
  return n_wrong > 0 || n_kinks == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
