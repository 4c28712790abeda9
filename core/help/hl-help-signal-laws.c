/* SPDX-License-Identifier: MIT */
/* Signals over time in words: numbers, tables, sines, sums and levers. Each law makes a table of a few signals and
 * evaluates the value and the rate of the last one. */
#include "core/help/hl-help-element-laws.h"

#include <math.h>

#include "core/base/hl-status-codes.h"
#include "core/system/hl-signal.h"

#define MOST_SIGNALS 4

enum { GIVES_VALUE, GIVES_RATE };

static double eval_signal (const HlSignal signals[], int n, double t, int gives, double *by_time) {
  double values[MOST_SIGNALS], rates[MOST_SIGNALS];
  int segments[MOST_SIGNALS];

  hl_signal_enter (signals, n, t, segments);
  hl_signal_eval (signals, n, segments, t, values);
  hl_signal_rate (signals, n, segments, t, rates);
  if (gives == GIVES_VALUE && by_time != NULL)
    *by_time = rates[n - 1];
  return gives == GIVES_VALUE ? values[n - 1] : rates[n - 1];
}

/* ---- constant ---- */

enum {
  TIME, /* of all of them */
  C_VALUE
};

static void fill_inputs (const HlHelpSight *sight, double x[]) {
  x[TIME] = sight->t;
}

static double constant_law (const double x[], int gives, double d[]) {
  HlSignal signal = {.kind = HL_SIGNAL_CONSTANT, .value = x[C_VALUE]};

  return eval_signal (&signal, 1, x[TIME], gives, &d[TIME]);
}

/* ---- table: between two of its points ---- */

enum { T_FROM = 1, T_TO, Y_FROM, Y_TO, WAY_FROM, WAY_TO, BETWEEN };
enum { LINE, HOLD, SMOOTH };

static unsigned table_form (const double x[]) {
  return 1u << (int)x[BETWEEN];
}

static double table_law (const double x[], int gives, double d[]) {
  HlSignal signal = {.kind = HL_SIGNAL_TABLE,
                     .n = 2,
                     .t = &x[T_FROM],
                     .y = &x[Y_FROM],
                     .hold = x[BETWEEN] == HOLD,
                     .way = x[BETWEEN] == SMOOTH ? &x[WAY_FROM] : NULL};

  return eval_signal (&signal, 1, x[TIME], gives, &d[TIME]);
}

/* Reads the two points around the present time; before the first and behind the last the outermost two. */
static void table_look (const HlHelpSight *sight, double x[]) {
  const HlValue *times = hl_value_member (sight->element, "t");
  const HlValue *values = hl_value_member (sight->element, "y");
  int n = (int)MIN (hl_value_length (times), hl_value_length (values)), k = 0;

  fill_inputs (sight, x);
  if (n < 2) /* it states no way to go */
    return;
  g_autofree double *t = g_new (double, n), *y = g_new (double, n), *way = g_new0 (double, n);
  for (int point = 0; point < n; point++) {
    t[point] = hl_value_number (hl_value_item (times, (gsize)point));
    y[point] = hl_value_number (hl_value_item (values, (gsize)point));
  }
  if (x[BETWEEN] == SMOOTH)
    hl_signal_find_way (n, t, y, way);
  while (k + 2 < n && t[k + 1] <= x[TIME])
    k++;
  for (int side = 0; side < 2; side++) {
    x[T_FROM + side] = t[k + side];
    x[Y_FROM + side] = y[k + side];
    x[WAY_FROM + side] = way[k + side];
  }
}

static void table_range (const double x[], int curve, double *low, double *high) {
  double span = x[T_TO] - x[T_FROM];

  (void)curve;
  *low = x[T_FROM] - 0.25 * span;
  *high = x[T_TO] + 0.25 * fmax (span, 1e-3);
}

/* ---- sine ---- */

enum { AMPLITUDE = 1, FREQUENCY, PHASE, OFFSET };

static double sine_law (const double x[], int gives, double d[]) {
  HlSignal signal = {.kind = HL_SIGNAL_SINE,
                     .amplitude = x[AMPLITUDE],
                     .frequency_hz = x[FREQUENCY],
                     .phase = x[PHASE],
                     .offset = x[OFFSET]};

  return eval_signal (&signal, 1, x[TIME], gives, &d[TIME]);
}

static void sine_range (const double x[], int curve, double *low, double *high) {
  double period = x[FREQUENCY] > 0.0 ? 1.0 / x[FREQUENCY] : 1.0;

  (void)curve;
  *low = isfinite (x[TIME]) ? period * floor (x[TIME] / period) : 0.0;
  *high = *low + 2.0 * period;
}

/* ---- motion ---- */

enum { M_FROM = 1, M_TO, M_START, M_DURATION, M_SOFT, M_LAW };

static unsigned motion_form (const double x[]) {
  return 1u << (int)x[M_LAW];
}

static double motion_law (const double x[], int gives, double d[]) {
  static const HlMotionLaw laws[] = {HL_MOTION_CYCLOID, HL_MOTION_TRAPEZOID, HL_MOTION_SPEED};
  HlSignalMotion motion = {.law = laws[(int)x[M_LAW]],
                           .from = x[M_FROM],
                           .to = x[M_TO],
                           .start = x[M_START],
                           .duration = x[M_DURATION],
                           .acceleration_time = x[M_SOFT]};
  double t[HL_MOTION_POINTS], y[HL_MOTION_POINTS], way[HL_MOTION_POINTS];
  HlSignal signal;

  hl_signal_set_motion (&signal, &motion, t, y, way);
  return eval_signal (&signal, 1, x[TIME], gives, &d[TIME]);
}

static void motion_range (const double x[], int curve, double *low, double *high) {
  (void)curve;
  *low = x[M_START] - 0.25 * x[M_DURATION];
  *high = x[M_START] + 1.25 * fmax (x[M_DURATION], 1e-3);
}

/* ---- sum: two terms, and what is behind them ---- */

enum { FIRST = 1, SECOND, OTHERS, W_FIRST, W_SECOND, W_OTHERS };

static double sum_law (const double x[], int gives, double d[]) {
  static const int of[] = {0, 1, 2};
  HlSignal signals[MOST_SIGNALS] = {{.kind = HL_SIGNAL_CONSTANT, .value = x[FIRST]},
                                    {.kind = HL_SIGNAL_CONSTANT, .value = x[SECOND]},
                                    {.kind = HL_SIGNAL_CONSTANT, .value = x[OTHERS]},
                                    {.kind = HL_SIGNAL_SUM, .n_of = 3, .of = of, .weights = &x[W_FIRST]}};

  for (int k = 0; k < 3; k++)
    d[FIRST + k] = hl_signal_weight (&signals[3], k);
  return eval_signal (signals, 4, 0.0, gives, NULL);
}

static void sum_look (const HlHelpSight *sight, double x[]) {
  const HlValue *of = hl_value_member (sight->element, "of");
  const HlValue *weights = hl_value_member (sight->element, "weights");

  x[FIRST] = x[SECOND] = x[OTHERS] = 0.0;
  x[W_FIRST] = x[W_SECOND] = x[W_OTHERS] = 1.0;
  for (gsize k = 0; k < hl_value_length (of); k++) {
    const HlValue *term = hl_value_item (of, k);
    double weight = weights != NULL ? hl_value_number (hl_value_item (weights, k)) : 1.0;
    /* a term that is not a number is known during a run only */
    double value = hl_value_number (hl_value_is_number (term) ? term : hl_value_member (term, "value"));
    if (k < 2)
      x[W_FIRST + k] = weight;
    x[FIRST + MIN (k, 2)] += (k < 2 ? 1.0 : weight) * value;
  }
}

/* ---- lever: stands, or is moved ---- */

enum { STANDS = 1, MOVES, SINCE };

static double lever_law (const double x[], int gives, double d[]) {
  HlSignal signal = {.kind = HL_SIGNAL_RAMP, .value = x[STANDS], .slope = x[MOVES], .from = x[SINCE]};

  return eval_signal (&signal, 1, x[TIME], gives, &d[TIME]);
}

static void lever_look (const HlHelpSight *sight, double x[]) {
  fill_inputs (sight, x);
  x[MOVES] = x[SINCE] = 0.0;
}

/* ---- words ---- */

/* clang-format off */
#define GIVES(what) {HL_GIVES_VALUE, GIVES_##what}
#define OF_TIME HL_LET_VALUE ("t", TIME, TIME, HL_TEXT ("Time"))
#define CURVE_OVER_TIME {HL_TEXT ("Signal over time"), HL_LET_VALUE ("t", TIME, TIME, NULL), "y", HL_QUANTITY_NONE, GIVES (VALUE), .low = 0.0, .high = 2.0}

static const HlLetter constant_letters[] = { HL_LET_FIELD ("y_0", C_VALUE, "value") };
static const HlFormulaText constant_formulas[] = { {"y = y_0", GIVES (VALUE)} };
static const HlCurve over_time[] = { CURVE_OVER_TIME };

static const HlLetter table_letters[] = {
  OF_TIME,
  HL_LET_VALUE ("t_1", T_FROM, TIME, HL_TEXT ("Time of the previous point")),
  HL_LET_VALUE ("t_2", T_TO, TIME, HL_TEXT ("Time of the next point")),
  HL_LET_VALUE ("y_1", Y_FROM, NONE, HL_TEXT ("Value of the previous point")),
  HL_LET_VALUE ("y_2", Y_TO, NONE, HL_TEXT ("Value of the next point")),
  HL_LET_VALUE ("r_1", WAY_FROM, NONE, HL_TEXT ("Slope at the previous point (Fritsch and Carlson)")),
  HL_LET_VALUE ("r_2", WAY_TO, NONE, HL_TEXT ("Slope at the next point (Fritsch and Carlson)")),
  HL_LET_FIELD ("between", BETWEEN, "between"),
};
static const HlFormulaText table_formulas[] = {
  {"h = t_2 - t_1"},
  {"sigma = (t - t_1) / h"},
  {"g = (y_2 - y_1) / h", .forms = 1u << LINE | 1u << SMOOTH},
  {"y = cases(y_1, sigma < 0, y_1 + g h sigma, sigma < 1, y_2)", GIVES (VALUE), .forms = 1u << LINE, .when = HL_TEXT ("straight lines")},
  {"y = cases(y_1, sigma < 1, y_2)", GIVES (VALUE), .forms = 1u << HOLD, .when = HL_TEXT ("steps")},
  {"f(x) = r_1 x + (3 g - 2 r_1 - r_2) x^2 + (r_1 + r_2 - 2 g) x^3", .forms = 1u << SMOOTH, .when = HL_TEXT ("smooth")},
  {"y = cases(y_1, sigma < 0, y_1 + h f(sigma), sigma < 1, y_2)", GIVES (VALUE), .forms = 1u << SMOOTH, .when = HL_TEXT ("smooth")},
};

static const HlLetter sine_letters[] = {
  OF_TIME,
  HL_LET_FIELD ("A", AMPLITUDE, "amplitude"),
  HL_LET_FIELD ("f", FREQUENCY, "frequency_hz"),
  HL_LET_FIELD ("phi", PHASE, "phase"),
  HL_LET_FIELD ("y_0", OFFSET, "offset"),
};
static const HlFormulaText sine_formulas[] = {
  {"omega = 2 pi f"},
  {"y = y_0 + A sin(omega t + phi)", GIVES (VALUE)},
  {"y' = A omega cos(omega t + phi)", GIVES (RATE)},
};

static const HlLetter motion_letters[] = {
  OF_TIME,
  HL_LET_FIELD ("y_1", M_FROM, "from"),
  HL_LET_FIELD ("y_2", M_TO, "to"),
  HL_LET_FIELD ("t_0", M_START, "start"),
  HL_LET_FIELD ("t_m", M_DURATION, "duration"),
  HL_LET_FIELD ("t_a", M_SOFT, "acceleration_time"),
  HL_LET_FIELD ("law", M_LAW, "law"),
};
enum { CYCLOID, TRAPEZOID, SPEED };
static const HlFormulaText motion_formulas[] = {
  {"tau = t - t_0"},
  {"sigma = tau / t_m", .forms = 1u << CYCLOID},
  {"y = cases(y_1, sigma < 0, y_1 + (y_2 - y_1) (sigma - sin(2 pi sigma) / (2 pi)), sigma < 1, y_2)", GIVES (VALUE), .forms = 1u << CYCLOID, .when = HL_TEXT ("cycloid")},
  {"t_b = min(t_a, t_m / 2)", .forms = 1u << TRAPEZOID},
  {"v = (y_2 - y_1) / (t_m - t_b)", .forms = 1u << TRAPEZOID},
  {"y = cases(y_1, tau < 0, y_1 + v tau^2 / (2 t_b), tau < t_b, y_1 + v (tau - t_b / 2), tau < t_m - t_b, y_2 - v (t_m - tau)^2 / (2 t_b), tau < t_m, y_2)", GIVES (VALUE), .forms = 1u << TRAPEZOID, .when = HL_TEXT ("trapezoidal speed")},
  {"v = (y_2 - y_1) / t_m", .forms = 1u << SPEED},
  {"y = cases(y_1, tau < 0, y_1 + v tau^2 / (2 t_a), tau < t_a, y_1 + v (tau - t_a / 2))", GIVES (VALUE), .forms = 1u << SPEED, .when = HL_TEXT ("constant speed")},
};

static const HlLetter sum_letters[] = {
  HL_LET_VALUE ("y_1", FIRST, NONE, HL_TEXT ("First signal")),
  HL_LET_VALUE ("y_2", SECOND, NONE, HL_TEXT ("Second signal")),
  HL_LET_VALUE ("y_3", OTHERS, NONE, HL_TEXT ("Weighted sum of all other signals")),
  HL_LET_VALUE ("w_1", W_FIRST, NONE, HL_TEXT ("Weight of the first")),
  HL_LET_VALUE ("w_2", W_SECOND, NONE, HL_TEXT ("Weight of the second")),
};
static const HlFormulaText sum_formulas[] = { {"y = w_1 y_1 + w_2 y_2 + y_3", GIVES (VALUE)} };
static const HlCurve sum_curves[] = {
  {HL_TEXT ("Sum over its first signal"), HL_LET_VALUE ("y_1", FIRST, NONE, NULL), "y", HL_QUANTITY_NONE, GIVES (VALUE), .low = -2.0, .high = 2.0},
};

static const HlLetter lever_letters[] = {
  OF_TIME,
  HL_LET_FIELD ("y_0", STANDS, "value"),
  HL_LET_VALUE ("r", MOVES, NONE, HL_TEXT ("Maximum speed of a movement by hand")),
  HL_LET_VALUE ("t_0", SINCE, TIME, HL_TEXT ("Time of the last movement by hand")),
};
static const HlFormulaText lever_formulas[] = {
  {"y = y_0 + r (t - t_0)", GIVES (VALUE)},
};

const HlElementHelp hl_signal_helps[] = {
  { HL_SECTION_SIGNAL, "constant",
    {HL_HELP_TABLES (constant_letters, constant_formulas, over_time), .sources = "format.md"},
    .usual = {[TIME] = 0.5, [C_VALUE] = 1.0}, .look = fill_inputs, .law = constant_law },
  { HL_SECTION_SIGNAL, "table",
    {HL_HELP_TABLES (table_letters, table_formulas, over_time), .sources = "format.md; theory/integration.md (13), (14)"},
    .usual = {[TIME] = 0.6, [T_FROM] = 0.2, [T_TO] = 1.2, [Y_FROM] = 0.0, [Y_TO] = 1.0},
    .look = table_look, .form = table_form, .law = table_law, .range = table_range },
  { HL_SECTION_SIGNAL, "sine",
    {HL_HELP_TABLES (sine_letters, sine_formulas, over_time), .sources = "format.md"},
    .usual = {[TIME] = 0.6, [AMPLITUDE] = 1.0, [FREQUENCY] = 1.0, [PHASE] = 0.3, [OFFSET] = 0.5},
    .look = fill_inputs, .law = sine_law, .range = sine_range },
  { HL_SECTION_SIGNAL, "motion",
    {HL_HELP_TABLES (motion_letters, motion_formulas, over_time), .sources = "format.md; theory/integration.md (21) to (23)"},
    .usual = {[TIME] = 0.6, [M_FROM] = 0.0, [M_TO] = 1.0, [M_START] = 0.2, [M_DURATION] = 1.0, [M_SOFT] = 0.25},
    .look = fill_inputs, .form = motion_form, .law = motion_law, .range = motion_range },
  { HL_SECTION_SIGNAL, "sum",
    {HL_HELP_TABLES (sum_letters, sum_formulas, sum_curves), .sources = "format.md"},
    .usual = {[FIRST] = 0.5, [SECOND] = 0.3, [W_FIRST] = 1.0, [W_SECOND] = 2.0, [W_OTHERS] = 1.0},
    .look = sum_look, .law = sum_law },
  { HL_SECTION_SIGNAL, "lever",
    {HL_HELP_TABLES (lever_letters, lever_formulas, over_time), .sources = "format.md"},
    .usual = {[TIME] = 1.0, [STANDS] = 0.2, [MOVES] = 0.5, [SINCE] = 0.2},
    .look = lever_look, .law = lever_law },
  { 0 },
};
/* clang-format on */
