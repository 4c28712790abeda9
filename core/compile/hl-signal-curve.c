/* SPDX-License-Identifier: MIT */
/* Compiled as a run compiles it, evaluated as a run evaluates it. */
#include "core/compile/hl-signal-curve.h"

#include <math.h>
#include <string.h>

#include "core/compile/hl-compile-private.h"
#include "core/schema/hl-schema.h"
#include "core/system/hl-signal.h"

#define MOST_CORNERS 256
/* Points between two corners. */
#define POINTS 160

/* What the checks would refuse cannot be compiled. */
static gboolean is_whole (const HlValue *signal) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);
  const HlValue *t = hl_value_member (signal, "t"), *of = hl_value_member (signal, "of");
  gboolean whole = signal != NULL && kind != NULL;

  if (!whole || hl_value_is_number (signal))
    return whole && isfinite (hl_value_number (signal));
  const HlBlockClass *block = hl_block_class (kind->name);
  if (block != NULL) /* what listens has no graph of its own */
    return block->input != NULL && !block->measures && block->n_words == 0 &&
           is_whole (hl_value_member (signal, block->input));
  if (strcmp (kind->name, "table") == 0)
    whole = hl_value_length (t) > 0 && hl_value_length (t) == hl_value_length (hl_value_member (signal, "y"));
  gboolean is_smooth = g_strcmp0 (hl_value_string (hl_value_member (signal, "between")), "smooth") == 0;
  for (gsize i = 1; whole && t != NULL && i < hl_value_length (t); i++) {
    double step = hl_value_number (hl_value_item (t, i)) - hl_value_number (hl_value_item (t, i - 1));
    whole = is_smooth ? step > 0.0 : step >= 0.0;
  }
  for (gsize i = 0; whole && of != NULL && i < hl_value_length (of); i++)
    whole = is_whole (hl_value_item (of, i));
  return whole;
}

/* From one corner to the next, both ends as they are from inside. */
static void add_piece (GArray *t, GArray *y, const GArray *signals, int signal, double from, double to) {
  int n = (int)signals->len;
  const HlSignal *all = (const HlSignal *)(gconstpointer)signals->data;
  g_autofree int *segments = g_new0 (int, n);
  g_autofree double *values = g_new0 (double, n);

  hl_signal_enter (all, n, from, segments);
  for (int k = 0; k <= POINTS; k++) {
    double at = from + (to - from) * k / POINTS;
    hl_signal_eval (all, n, segments, at, values);
    g_array_append_val (t, at);
    g_array_append_val (y, values[signal]);
  }
}

double hl_signal_start (const HlValue *signal) {
  double *t, *y, start = NAN;

  if (hl_signal_curve (signal, 1.0, &t, &y) > 0)
    start = y[0];
  g_free (t);
  g_free (y);
  return start;
}

int hl_signal_curve (const HlValue *signal, double end, double **t, double **y) {
  HlTopology topology = {.refs = 1};
  HlCompiler c = {.topology = &topology};
  double corners[MOST_CORNERS + 1];
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  if (is_whole (signal) && end > 0.0 && isfinite (end)) {
    c.signals = g_array_new (FALSE, TRUE, sizeof (HlSignal));
    int index = hl_compile_signal (&c, signal, NULL, 0.0);
    int n = hl_signal_find_corners ((const HlSignal *)(gconstpointer)c.signals->data, (int)c.signals->len,
                                    0.0, end, corners, MOST_CORNERS);
    double from = 0.0;
    n = MIN (n, MOST_CORNERS);
    if (n == 0 || corners[n - 1] < end)
      corners[n++] = end;
    for (int k = 0; k < n; from = corners[k++])
      add_piece (times, values, c.signals, index, from, corners[k]);
    g_array_free (c.signals, TRUE);
    hl_arena_clear (&topology.arena);
  }
  int n = (int)times->len;
  *t = (double *)(gpointer)g_array_free (times, FALSE);
  *y = (double *)(gpointer)g_array_free (values, FALSE);
  return n;
}
