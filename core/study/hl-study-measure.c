/* SPDX-License-Identifier: MIT */
/* Between two rows a probe is a straight line; times of crossing are found on that line. */
#include "core/study/hl-study-measure.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/study/hl-study.h"

#include <math.h>
#include <string.h>

#define BAND 0.02 /* of settling, of the largest distance from the final value */
#define RISE_FROM 0.1
#define RISE_TO 0.9

/* Kinds of arguments behind the colon of a measure, and whether one is required. */
typedef enum {
  OF_NOTHING,
  OF_PROBE,
  OF_PROBE_LEVEL, /* and a number behind a second colon */
  OF_ELEMENT,
  OF_FREQUENCY, /* a number alone */
  OF_LOOP,      /* input, or "INPUT>OUTPUT" */
} Argument;

static const struct {
  const char *name;
  HlMeasureSource source;
  Argument argument;
  const char *unit; /* NULL: of the probe */
} kinds[HL_N_MEASURES] = {
    {"min", HL_MEASURES_RUN, OF_PROBE, NULL},
    {"max", HL_MEASURES_RUN, OF_PROBE, NULL},
    {"last", HL_MEASURES_RUN, OF_PROBE, NULL},
    {"mean", HL_MEASURES_RUN, OF_PROBE, NULL},
    {"rms", HL_MEASURES_RUN, OF_PROBE, NULL},
    {"settling", HL_MEASURES_RUN, OF_PROBE, "s"},
    {"overshoot", HL_MEASURES_RUN, OF_PROBE, "1"},
    {"rise", HL_MEASURES_RUN, OF_PROBE, "s"},
    {"max-time", HL_MEASURES_RUN, OF_PROBE, "s"},
    {"crossing", HL_MEASURES_RUN, OF_PROBE_LEVEL, "s"},
    {"lost", HL_MEASURES_ENERGY, OF_ELEMENT, "J"},
    {"supplied", HL_MEASURES_ENERGY, OF_ELEMENT, "J"},
    {"stored", HL_MEASURES_ENERGY, OF_ELEMENT, "J"},
    {"reached", HL_MEASURES_END, OF_NOTHING, "s"},
    {"growth", HL_MEASURES_MODES, OF_NOTHING, "1/s"},
    {"damping", HL_MEASURES_MODES, OF_NOTHING, "1"},
    {"frequency", HL_MEASURES_MODES, OF_FREQUENCY, "Hz"},
    {"mode-damping", HL_MEASURES_MODES, OF_FREQUENCY, "1"},
    {"gain-margin", HL_MEASURES_LOOP, OF_LOOP, "1"},
    {"phase-margin", HL_MEASURES_LOOP, OF_LOOP, "rad"},
    {"worst-gain", HL_MEASURES_LOOP, OF_LOOP, "1"},
};

/* Returns the kinds of measures, "min, max, ...". Owned by the caller. */
static char *kinds_text (void) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; k < HL_N_MEASURES; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", kinds[k].name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean parse_level (double *level, const char *text) {
  char *end = NULL;

  *level = text != NULL && *text != '\0' ? g_ascii_strtod (text, &end) : NAN;
  return end != NULL && *end == '\0' && isfinite (*level);
}

static gboolean parse_arguments (HlMeasure *self, const char *rest, const char *text, GError **error) {
  const char *kind = kinds[self->kind].name, *colon = rest != NULL ? strrchr (rest, ':') : NULL;
  gboolean has_rest = rest != NULL && *rest != '\0';

  switch (kinds[self->kind].argument) {
  case OF_NOTHING:
    if (rest == NULL)
      return TRUE;
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("measure ‘%s’: %s takes no argument; remove the colon and the argument"), text, kind);
    return FALSE;
  case OF_FREQUENCY:
    if (parse_level (&self->level, rest) && self->level >= 0.0)
      return TRUE;
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("measure ‘%s’ has no frequency; write %s:HZ, with the approximate frequency of the mode"),
                 text, kind);
    return FALSE;
  case OF_PROBE_LEVEL:
    if (colon != NULL && colon > rest && parse_level (&self->level, colon + 1)) {
      self->of = g_strndup (rest, (gsize)(colon - rest));
      return TRUE;
    }
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("measure ‘%s’ has no probe or no value; write %s:PROBE:VALUE, with the value that the "
                    "probe crosses"),
                 text, kind);
    return FALSE;
  default:
    self->of = has_rest ? g_strdup (rest) : NULL;
    if (has_rest)
      return TRUE;
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("measure ‘%s’ has no argument; write %s, a colon and %s"), text, kind,
                 kinds[self->kind].argument == OF_ELEMENT ? _ ("an element, or * for all")
                 : kinds[self->kind].argument == OF_LOOP  ? _ ("a controlled signal, or INPUT>OUTPUT")
                                                          : _ ("a probe"));
    return FALSE;
  }
}

static int find_kind (const char *name, gsize length) {
  for (int k = 0; k < HL_N_MEASURES; k++)
    if (strlen (kinds[k].name) == length && strncmp (kinds[k].name, name, length) == 0)
      return k;
  return -1;
}

static gboolean parse (HlMeasure *self, const char *text, GError **error) {
  const char *colon = strchr (text, ':');
  int kind = find_kind (text, colon != NULL ? (gsize)(colon - text) : strlen (text));

  *self = (HlMeasure){.band = BAND, .level = NAN, .low = -INFINITY, .high = INFINITY};
  if (kind < 0) {
    g_autofree char *all = kinds_text ();
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("measure ‘%s’ is unknown; write one of %s, a colon and the argument of the measure"),
                 text, all);
    return FALSE;
  }
  self->kind = (HlMeasureKind)kind;
  if (!parse_arguments (self, colon != NULL ? colon + 1 : NULL, text, error))
    return FALSE;
  self->name = g_strdup (text);
  if (self->of == NULL)
    self->of = g_strdup ("");
  return TRUE;
}

/* Reads a number of the object, if the member exists; FALSE when it is not a number. */
static gboolean read_number (const HlValue *object, const char *key, double *out) {
  const HlValue *value = hl_value_member (object, key);

  if (value == NULL)
    return TRUE;
  *out = hl_value_number (value);
  return isfinite (*out);
}

static gboolean read_object (HlMeasure *self, const HlValue *object, GError **error) {
  static const char *const directions[] = {"down", "either", "up"};
  static const char *const known[] = {"measure", "name", "band", "direction", "min", "max", NULL};
  const char *text = hl_value_string (hl_value_member (object, "measure")),
             *name = hl_value_string (hl_value_member (object, "name")),
             *direction = hl_value_string (hl_value_member (object, "direction"));

  if (text == NULL) {
    g_set_error_literal (
        error, HL_ERROR, HL_ERROR_SYNTAX,
        _ ("a measure must be a text such as “max:PROBE”, or an object with such a text as its “measure”"));
    return FALSE;
  }
  g_autofree char *what = g_strdup_printf (_ ("measure ‘%s’"), text);
  if (!hl_study_check_members (object, what, known, error) || !parse (self, text, error))
    return FALSE;
  if (name != NULL) {
    g_free (self->name);
    self->name = g_strdup (name);
  }
  self->direction = 5;
  for (int k = 0; k < 3; k++)
    if (direction == NULL || strcmp (direction, directions[k]) == 0)
      self->direction = direction == NULL ? 0 : k - 1;
  gboolean ok = read_number (object, "band", &self->band) && read_number (object, "min", &self->low) &&
                read_number (object, "max", &self->high) && self->band > 0.0 && self->band < 1.0 &&
                self->low <= self->high && self->direction <= 1;
  if (ok)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
               _ ("measure ‘%s’: “band” must be between 0 and 1, “min” at most “max”, and “direction” up, "
                  "down or either"),
               text);
  hl_measure_clear (self);
  return FALSE;
}

gboolean hl_measure_read (HlMeasure *self, const HlValue *value, GError **error) {
  gboolean ok = hl_value_is_string (value) ? parse (self, hl_value_string (value), error)
                                           : read_object (self, value, error);

  if (!ok && error != NULL)
    (*error)->code = HL_ERROR_SYNTAX;
  return ok;
}

void hl_measure_clear (HlMeasure *self) {
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->of, g_free);
}

HlMeasureSource hl_measure_source (const HlMeasure *self) {
  return kinds[self->kind].source;
}

const char *hl_measure_unit (const HlMeasure *self, const char *unit_of) {
  return kinds[self->kind].unit != NULL ? kinds[self->kind].unit : unit_of;
}

gboolean hl_measure_keeps_limits (const HlMeasure *self, double value) {
  return value >= self->low && value <= self->high;
}

/* --- of a run --- */

typedef struct {
  const HlResults *results;
  int column, n;
} Trace;

static double value_at (const Trace *trace, int row) {
  return hl_results_get (trace->results, trace->column, row);
}

static double time_at (const Trace *trace, int row) {
  return hl_results_get (trace->results, 0, row);
}

/* Returns the integral over time of the values, or of their squares, by trapezoids, over the time it took. */
static double mean (const Trace *trace, gboolean squares) {
  double sum = 0.0, time = time_at (trace, trace->n - 1) - time_at (trace, 0);

  for (int row = 1; row < trace->n; row++) {
    double a = value_at (trace, row - 1), b = value_at (trace, row);
    sum += (time_at (trace, row) - time_at (trace, row - 1)) * 0.5 * (squares ? a * a + b * b : a + b);
  }
  return time > 0.0 ? sum / time : NAN;
}

static double settling (const Trace *trace, double band) {
  double last = value_at (trace, trace->n - 1), largest = 0.0;

  for (int row = 0; row < trace->n; row++)
    largest = fmax (largest, fabs (value_at (trace, row) - last));
  for (int row = trace->n - 1; row >= 0; row--) {
    double beyond = fabs (value_at (trace, row) - last) - band * largest;
    if (!(beyond > 0.0))
      continue;
    /* on the straight line to the next row, which lies within the band; on the same side of the last value its distance
       counts as positive */
    double side = value_at (trace, row) > last ? 1.0 : -1.0;
    double within = band * largest - side * (value_at (trace, row + 1) - last);
    return time_at (trace, row) +
           (time_at (trace, row + 1) - time_at (trace, row)) * beyond / (beyond + within);
  }
  return time_at (trace, 0);
}

static double overshoot (const Trace *trace) {
  double first = value_at (trace, 0), way = value_at (trace, trace->n - 1) - first, most = 1.0;

  if (way == 0.0)
    return NAN;
  for (int row = 0; row < trace->n; row++)
    most = fmax (most, (value_at (trace, row) - first) / way);
  return most - 1.0;
}

static double crossing (const Trace *trace, double level, int direction) {
  for (int row = 1; row < trace->n; row++) {
    double a = value_at (trace, row - 1), b = value_at (trace, row);
    gboolean up = a < level && b >= level, down = a > level && b <= level;
    if ((up && direction >= 0) || (down && direction <= 0))
      return time_at (trace, row - 1) +
             (level - a) / (b - a) * (time_at (trace, row) - time_at (trace, row - 1));
  }
  return NAN;
}

static double rise_time (const Trace *trace) {
  double first = value_at (trace, 0), way = value_at (trace, trace->n - 1) - first;
  int direction = way > 0.0 ? 1 : -1;

  if (way == 0.0)
    return NAN;
  return crossing (trace, first + RISE_TO * way, direction) -
         crossing (trace, first + RISE_FROM * way, direction);
}

static double time_of_largest (const Trace *trace) {
  int best = 0;

  for (int row = 1; row < trace->n; row++)
    if (value_at (trace, row) > value_at (trace, best))
      best = row;
  return time_at (trace, best);
}

double hl_measure_eval (const HlMeasure *self, const HlResults *results, int column) {
  Trace trace = {results, column, hl_results_n_rows (results)};
  double least = NAN, most = NAN;

  if (column < 0 || trace.n == 0)
    return NAN;
  switch (self->kind) {
  case HL_MEASURE_MIN:
  case HL_MEASURE_MAX:
    hl_results_range (results, column, 0, trace.n, &least, &most);
    return self->kind == HL_MEASURE_MIN ? least : most;
  case HL_MEASURE_LAST:
    return value_at (&trace, trace.n - 1);
  case HL_MEASURE_MEAN:
    return mean (&trace, FALSE);
  case HL_MEASURE_RMS:
    return sqrt (mean (&trace, TRUE));
  case HL_MEASURE_SETTLING:
    return settling (&trace, self->band);
  case HL_MEASURE_OVERSHOOT:
    return overshoot (&trace);
  case HL_MEASURE_RISE:
    return rise_time (&trace);
  case HL_MEASURE_MAX_TIME:
    return time_of_largest (&trace);
  case HL_MEASURE_CROSSING:
    return crossing (&trace, self->level, self->direction);
  default:
    return NAN;
  }
}
