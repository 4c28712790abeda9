/* SPDX-License-Identifier: MIT */
/* Compiles the signals of loads and components into the flat table of core/system; and the graph of one
 * signal. */
#include "core/compile/hl-compile-private.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-signal.h"

#include <math.h>
#include <string.h>

/* Compiled as a run compiles it, evaluated as a run evaluates it. */

#define MOST_CORNERS 256
/* Points between two corners. */
#define POINTS 160

HlSignalMotion hl_compile_motion (const HlValue *signal) {
  const HlKind *kind = hl_schema_find_kind (HL_SECTION_SIGNAL, "motion");
  const char *law = hl_kind_text (kind, signal, "law");

  return (HlSignalMotion){
      .law = strcmp (law, "trapezoid") == 0 ? HL_MOTION_TRAPEZOID
             : strcmp (law, "speed") == 0   ? HL_MOTION_SPEED
                                            : HL_MOTION_CYCLOID,
      .from = hl_kind_number (kind, signal, "from", NULL),
      .to = hl_kind_number (kind, signal, "to", NULL),
      .start = hl_kind_number (kind, signal, "start", NULL),
      .duration = hl_kind_number (kind, signal, "duration", NULL),
      .acceleration_time = hl_kind_number (kind, signal, "acceleration_time", NULL),
  };
}

/* Returns whether a signal is complete and valid. The checks report invalid signals, which cannot be
 * compiled. */
static gboolean is_whole (const HlValue *signal) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);
  const HlValue *t = hl_value_member (signal, "t"), *of = hl_value_member (signal, "of");
  gboolean whole = signal != NULL && kind != NULL;

  if (!whole || hl_value_is_number (signal))
    return whole && isfinite (hl_value_number (signal));
  const HlBlockClass *block = hl_block_class (kind->name);
  if (block != NULL) /* a feedback signal has no graph of its own */
    return block->input != NULL && !block->measures && block->n_words == 0 &&
           is_whole (hl_value_member (signal, block->input));
  if (strcmp (kind->name, "motion") == 0) {
    HlSignalMotion motion = hl_compile_motion (signal);
    whole = isfinite (motion.from) && isfinite (motion.to) && isfinite (motion.start) &&
            motion.duration > 0.0 && isfinite (motion.duration) && motion.acceleration_time >= 0.0;
  }
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

/* Adds a segment between two corners, with the one-sided values at both ends. */
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

#define PRESSURE_SIZE 1.0e6
#define SLOPE_TIME 1.0 /* for the size of a signal that rises without end [s] */

static int add_signal (HlCompiler *c, const HlSignal *signal, const char *path) {
  int index = (int)c->signals->len;

  g_array_append_val (c->signals, *signal);
  if (c->signal_paths != NULL)
    g_ptr_array_add (c->signal_paths, path != NULL ? hl_compile_own_string (c, path) : NULL);
  if (c->signal_loads != NULL)
    g_array_append_val (c->signal_loads, c->load);
  return index;
}

/* Adds an input for a signal. The input of a driven joint has a rate and an acceleration as well. */
static void add_input (HlCompiler *c, int index, const char *path) {
  static const char *const marks[] = {"", "'", "''"};

  for (int order = 0; order < (c->drives ? 3 : 1); order++) {
    g_autofree char *name = g_strconcat (path, marks[order], NULL);
    g_array_append_val (c->inputs, index);
    g_array_append_val (c->input_orders, order);
    g_ptr_array_add (c->input_names, hl_compile_own_string (c, name));
  }
}

static void add_hand (HlCompiler *c, int signal, const char *path) {
  if (c->drives)
    return; /* the way of a hand has no acceleration */
  g_array_append_val (c->hands, signal);
  g_ptr_array_add (c->hand_names, hl_compile_own_string (c, path));
}

/* Adds inputs for levers: the levers that are terms of a sum, or the whole signal. */
static void add_hands (HlCompiler *c, int index, const HlValue *value, const char *path) {
  const HlSignal signal = g_array_index (c->signals, HlSignal, index);
  gboolean has_levers = FALSE;

  for (int k = 0; signal.kind == HL_SIGNAL_SUM && k < signal.n_of; k++) {
    const HlValue *term = hl_value_item (hl_value_member (value, "of"), (gsize)k);
    if (g_strcmp0 (hl_value_string (hl_value_member (term, "kind")), "lever") != 0)
      continue;
    g_autofree char *name = g_strdup_printf ("%s.of.%d", path, k);
    add_hand (c, signal.of[k], name);
    has_levers = TRUE;
  }
  if (!has_levers)
    add_hand (c, index, path);
}

static const double *numbers (HlCompiler *c, const HlValue *array) {
  int n = (int)hl_value_length (array);
  double *out = hl_arena_take (&c->topology->arena, n, sizeof *out);

  for (int k = 0; k < n; k++)
    out[k] = hl_value_number (hl_value_item (array, (gsize)k));
  return out;
}

static const double *find_way (HlCompiler *c, const HlSignal *table) {
  double *way = hl_arena_take (&c->topology->arena, table->n, sizeof *way);

  hl_signal_find_way (table->n, table->t, table->y, way);
  return way;
}

static const HlSignal *signal_at (const HlCompiler *c, int index) {
  return &g_array_index (c->signals, HlSignal, index);
}

/* Returns whether it is more than a signal over time: its leaves are then inputs by themselves. */
static gboolean has_blocks (const HlValue *value) {
  const char *kind = hl_value_string (hl_value_member (value, "kind"));
  const HlValue *of = hl_value_member (value, "of");
  gboolean has = hl_block_class (kind) != NULL || hl_value_member (value, "weights") != NULL;

  for (gsize k = 0; !has && g_strcmp0 (kind, "sum") == 0 && k < hl_value_length (of); k++)
    has = has_blocks (hl_value_item (of, k));
  return has;
}

/* Adds a leaf of a signal with blocks as a separate input, which a lever can move. */
static void add_leaf (HlCompiler *c, int index, const char *path) {
  add_input (c, index, path);
  add_hand (c, index, path);
}

/* Compiles a signal: at a path, with its leaves as inputs, or as a part of a larger signal. */
static int compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback,
                           gboolean has_leaves);

static int compile_part (HlCompiler *c, const HlValue *value, const char *path, const char *name,
                         double fallback, gboolean has_leaves) {
  g_autofree char *at = path != NULL ? g_strconcat (path, ".", name, NULL) : NULL;

  return compile_signal (c, value, at, fallback, has_leaves);
}

/* Compiles a block. Its states are numbered by hl_compile_signal_states (), its measured quantities by
 * hl_compile_measures (). */
static int compile_block (HlCompiler *c, const HlBlockClass *klass, const HlValue *value, const char *path,
                          gboolean has_leaves) {
  HlSignal signal = {.kind = HL_SIGNAL_BLOCK, .klass = klass, .measure = -1};

  for (int k = 0; k < klass->kind.n_fields; k++) {
    const HlField *field = &klass->kind.fields[k];
    double number;
    if (field->place == 0)
      continue;
    number = hl_kind_number (&klass->kind, value, field->name, NULL);
    *hl_block_number (&signal.block, field) =
        isnan (number) && field->need == HL_NEED_ABSENT ? field->absent : number;
  }
  signal.n_states = hl_block_n_states (klass, &signal.block);
  signal.listens = klass->measures || signal.n_states > 0;
  if (klass->input != NULL) {
    int *of = hl_arena_take (&c->topology->arena, 1, sizeof *of);
    *of = compile_part (c, hl_value_member (value, klass->input), path, klass->input, 0.0, has_leaves);
    signal.of = of;
    signal.n_of = 1;
    signal.listens = signal.listens || signal_at (c, *of)->listens;
  }
  if (klass->measures && c->measured != NULL) {
    signal.measure = (int)c->measured->len;
    g_ptr_array_add (c->measured, hl_compile_own_string (c, hl_value_string (hl_value_member (value, "of"))));
  }
  return add_signal (c, &signal, path);
}

static int compile_sum (HlCompiler *c, const HlValue *value, const char *path, gboolean has_leaves) {
  const HlValue *of = hl_value_member (value, "of"), *weights = hl_value_member (value, "weights");
  int n = (int)hl_value_length (of);
  int *terms = hl_arena_take (&c->topology->arena, n, sizeof *terms);
  HlSignal signal = {.kind = HL_SIGNAL_SUM, .n_of = n, .of = terms, .measure = -1};

  for (int k = 0; k < n; k++) {
    g_autofree char *name = g_strdup_printf ("of.%d", k);
    terms[k] = compile_part (c, hl_value_item (of, (gsize)k), path, name, 0.0, has_leaves);
    signal.listens = signal.listens || signal_at (c, terms[k])->listens;
  }
  if (weights != NULL)
    signal.weights = numbers (c, weights);
  return add_signal (c, &signal, path);
}

static int compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback,
                           gboolean has_leaves) {
  HlSignal signal = {.kind = HL_SIGNAL_CONSTANT, .value = fallback, .measure = -1};
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, value);
  const HlBlockClass *block = kind != NULL ? hl_block_class (kind->name) : NULL;

  if (block != NULL && hl_value_is_object (value))
    return compile_block (c, block, value, path, has_leaves);
  if (kind != NULL && strcmp (kind->name, "sum") == 0)
    return compile_sum (c, value, path, has_leaves);
  if (value != NULL && hl_value_is_number (value))
    signal.value = hl_value_number (value);
  else if (value != NULL && kind != NULL && strcmp (kind->name, "table") == 0) {
    signal.kind = HL_SIGNAL_TABLE;
    signal.n = (int)hl_value_length (hl_value_member (value, "t"));
    signal.t = numbers (c, hl_value_member (value, "t"));
    signal.y = numbers (c, hl_value_member (value, "y"));
    signal.hold = g_strcmp0 (hl_kind_text (kind, value, "between"), "hold") == 0;
    if (g_strcmp0 (hl_kind_text (kind, value, "between"), "smooth") == 0)
      signal.way = find_way (c, &signal);
  } else if (value != NULL && kind != NULL && strcmp (kind->name, "motion") == 0) {
    HlSignalMotion motion = hl_compile_motion (value);
    double *points = hl_arena_take (&c->topology->arena, 3 * HL_MOTION_POINTS, sizeof *points);
    hl_signal_set_motion (&signal, &motion, points, points + HL_MOTION_POINTS, points + 2 * HL_MOTION_POINTS);
  } else if (value != NULL && kind != NULL && strcmp (kind->name, "sine") == 0) {
    signal.kind = HL_SIGNAL_SINE;
    signal.amplitude = hl_kind_number (kind, value, "amplitude", NULL);
    signal.frequency_hz = hl_kind_number (kind, value, "frequency_hz", NULL);
    signal.phase = hl_kind_number (kind, value, "phase", NULL);
    signal.offset = hl_kind_number (kind, value, "offset", NULL);
  } else if (value != NULL && kind != NULL)
    signal.value = hl_kind_number (kind, value, "value", NULL);
  int index = add_signal (c, &signal, path);
  if (has_leaves)
    add_leaf (c, index, path);
  return index;
}

int hl_compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback) {
  gboolean has_leaves = path != NULL && has_blocks (value);
  int index = compile_signal (c, value, path, fallback, has_leaves);

  if (path != NULL && !has_leaves) {
    add_input (c, index, path);
    add_hands (c, index, value, path);
  }
  return index;
}

void hl_compile_signal_states (HlCompiler *c, int index) {
  HlSignal *signal = &g_array_index (c->signals, HlSignal, index);

  if (signal->n_states > 0) {
    signal->first_state = c->topology->n_states_u;
    c->topology->n_states_u += signal->n_states;
  }
  for (int k = 0; k < signal->n_of; k++)
    hl_compile_signal_states (c, signal->of[k]);
}

/* ---- what is measured ---- */

static void add_heard (HlTopology *top, const HlSystem *sys, int signal) {
  if (signal >= 0 && sys->signals[signal].listens)
    top->heard[top->n_heard++] = signal;
}

/* Returns the typical size of what a signal holds, for the error weights of states behind it. 0: a constant, which may be a
 * lever, says little of what it may become. */
static double size_of (const HlCompiler *c, int index, const double sizes[]) {
  const HlSignal *signal = &c->sys->signals[index];
  double size = 0.0, level = 0.0;

  switch (signal->kind) {
  case HL_SIGNAL_TABLE:
    for (int k = 0; k < signal->n; k++)
      size = fmax (size, fabs (signal->y[k]));
    return size + fabs (signal->slope) * SLOPE_TIME;
  case HL_SIGNAL_SINE:
    return fabs (signal->offset) + fabs (signal->amplitude);
  case HL_SIGNAL_SUM:
    for (int k = 0; k < signal->n_of; k++) {
      const HlSignal *term = &c->sys->signals[signal->of[k]];
      double weight = fabs (hl_signal_weight (signal, k));
      size = fmax (size, weight * sizes[signal->of[k]]);
      if (term->kind == HL_SIGNAL_CONSTANT)
        level = fmax (level, weight * fabs (term->value));
    }
    return size > 0.0 ? fmax (size, level) : 0.0;
  case HL_SIGNAL_BLOCK:
    size = signal->n_of > 0 ? sizes[signal->of[0]] : 0.0;
    if (signal->measure >= 0)
      size = fmax (size, strcmp (hl_observable_unit (c->topology->measures[signal->measure]), "Pa") == 0
                             ? PRESSURE_SIZE
                             : 1.0);
    if (strcmp (signal->klass->kind.name, "pid") == 0)
      return fabs (signal->block.kp) * size;
    return signal->block.gain != 0.0 ? fabs (signal->block.gain) * size : size;
  default:
    return 0.0;
  }
}

static void find_sizes (HlCompiler *c) {
  HlSystem *sys = c->sys;
  g_autofree double *sizes = g_new0 (double, sys->n_signals + 1);

  for (int k = 0; k < sys->n_signals; k++) {
    HlSignal *signal = &sys->signals[k];
    const HlBlock *block = &signal->block;
    sizes[k] = size_of (c, k, sizes);
    double in = signal->n_of > 0 ? sizes[signal->of[0]] : 0.0;
    if (signal->measure >= 0 && signal->n_of > 0) /* the error has the size of what is measured */
      in = block->kp != 0.0 ? sizes[k] / fabs (block->kp) : 1.0;
    else if (signal->measure >= 0)
      in = sizes[k];
    for (int state = 0; state < signal->n_states; state++) {
      const char *word = signal->klass->words[hl_block_word (signal->klass, block, state)];
      double range = block->max - block->min;
      signal->size[state] = strcmp (word, "integral") == 0 ? (range > 0.0 ? range : 1.0) / fabs (block->ki)
                                                           : (in > 0.0 ? in : 1.0);
    }
  }
}

static gboolean can_measure (HlCompiler *c, const char *path) {
  HlObservable of;

  return hl_observable_find (c->sys, path, &of) && hl_feedback_can_measure (c->sys, of);
}

/* Returns the path of a quantity that a sensor can measure at the element of a path: its position, or the
 * pressure at one of its ports, otherwise the pressure of any line. NULL if there is none. Owned by the
 * caller. */
static char *nearest_measure (HlCompiler *c, const char *path) {
  static const char *const places[] = {"s", "angle", "x"};
  g_autofree char *id = g_strndup (path, strcspn (path, "."));
  HlSection section = HL_SECTION_NONE;
  int index = -1;

  for (gsize k = 0; k < G_N_ELEMENTS (places); k++) {
    g_autofree char *place = g_strconcat (id, ".", places[k], NULL);
    if (can_measure (c, place))
      return g_steal_pointer (&place);
  }
  hl_document_find (c->doc, id, &section, &index);
  const HlComponent *component = section == HL_SECTION_COMPONENTS ? &c->sys->components[index] : NULL;
  for (int line = 0; line < c->sys->n_lines; line++) {
    g_autofree char *pressure = g_strconcat (c->topology->names[HL_ENTITY_LINE][line], ".pressure", NULL);
    gboolean touches = component == NULL;
    for (int port = 0; component != NULL && port < component->klass->kind.n_ports; port++)
      touches = touches || component->line[port] == line;
    if (touches && can_measure (c, pressure))
      return g_steal_pointer (&pressure);
  }
  return NULL;
}

static void offer_measure (HlCompiler *c, HlFinding *finding, const char *owner, const char *path) {
  HlSection section = HL_SECTION_NONE;
  int index = -1;
  const char *rest = owner + strcspn (owner, ".");
  g_autofree char *id = g_strndup (owner, (gsize)(rest - owner));
  g_autofree char *other = nearest_measure (c, path);

  if (other == NULL || hl_document_find (c->doc, id, &section, &index) == NULL)
    return;
  g_autofree char *place = g_strdup_printf ("%s.%d%s.of", hl_section_key (section), index, rest);
  g_autofree char *label = g_strdup_printf (_ ("Measure %s"), other);
  hl_finding_set_place_fix (finding, label, place, hl_value_new_string (other));
}

static void refuse_measure (HlCompiler *c, int signal, const char *path, gboolean is_known) {
  const char *owner = c->topology->signal_paths[signal];
  g_autofree char *id = g_strndup (owner, strcspn (owner, "."));
  g_autofree char *at = g_strconcat (owner, ".of", NULL);
  HlFinding *finding =
      is_known ? hl_findings_add (
                     c->findings, HL_SEVERITY_ERROR, id, at,
                     _ ("let the block measure a state instead: a position, a speed, a pressure or a spool"),
                     _ ("‘%s’ is an algebraic loop: ‘%s’ depends on this signal"), at, path)
               : hl_findings_add (
                     c->findings, HL_SEVERITY_ERROR, id, at,
                     _ ("let the block measure a position, a speed, a pressure or a state of an element"),
                     _ ("‘%s’ measures ‘%s’, which a run does not compute"), at, path);

  offer_measure (c, finding, owner, path);
}

void hl_compile_measures (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;
  int n = (int)c->measured->len;

  top->n_measures = 0;
  top->measures = hl_arena_take (&top->arena, n, sizeof (HlObservable));
  top->heard = hl_arena_take (&top->arena, sys->n_signals, sizeof (int));
  for (int k = 0; k < sys->n_signals; k++) {
    HlSignal *signal = &sys->signals[k];
    if (signal->kind != HL_SIGNAL_BLOCK || signal->measure < 0)
      continue;
    const char *path = g_ptr_array_index (c->measured, (guint)signal->measure);
    HlObservable of;
    gboolean is_known = path != NULL && hl_observable_find (sys, path, &of);
    if (!is_known || !hl_feedback_can_measure (sys, of)) {
      refuse_measure (c, k, path != NULL ? path : "", is_known);
      continue;
    }
    top->measures[signal->measure] = of;
    top->measures_motion = top->measures_motion || sys->mech.n_bodies > 0;
  }
  top->n_measures = n;
  for (int k = 0; k < sys->mech.n_loads; k++)
    add_heard (top, sys, sys->mech.loads[k].signal);
  for (int k = 0; k < sys->n_components; k++)
    for (int at = 0; at < sys->components[k].klass->n_signals; at++)
      add_heard (top, sys, sys->components[k].signal[at]);
  if (hl_findings_first_error (c->findings) == NULL)
    find_sizes (c);
}
