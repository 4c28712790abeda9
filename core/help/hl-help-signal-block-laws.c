/* SPDX-License-Identifier: MIT */
/* The blocks of signals in words. All of them keep their numbers in one HlBlock, so that one vector of
 * letters and one law serve them. */
#include "core/help/hl-help-element-laws.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-status-codes.h"
#include "core/system/hl-signal-block.h"

enum {
  U, /* the signal it works on */
  M, /* measured quantity */
  STATE,
  OTHER_STATE,
  GAIN, /* or kp */
  OFFSET,
  TIME_CONSTANT, /* or lag, filter */
  LEAD,
  MIN_BOUND,
  MAX_BOUND,
  WIDTH,
  KI,
  KD,
  LET_GO
};
enum { GIVES_VALUE, GIVES_RATE, GIVES_OTHER_RATE };
#define GIVES_RAW 3

/* Returns a block with the values x in the order of the block's words. */
static HlBlock block_of (const HlBlockClass *klass, const double x[]) {
  return (HlBlock){.gain = x[GAIN],
                   .offset = x[OFFSET],
                   .time_constant = x[TIME_CONSTANT],
                   .min = x[MIN_BOUND],
                   .max = x[MAX_BOUND],
                   .width = x[WIDTH],
                   .lead = x[LEAD],
                   .lag = x[TIME_CONSTANT],
                   .kp = x[GAIN],
                   .ki = klass->measures ? x[KI] : 0.0,
                   .kd = klass->measures ? x[KD] : 0.0,
                   .filter = x[TIME_CONSTANT],
                   .anti_windup = x[LET_GO]};
}

static double law_of (const char *kind, const double x[], int gives, double d[]) {
  const HlBlockClass *klass = hl_block_class (kind);
  HlBlock block = block_of (klass, x);
  double states[HL_BLOCK_STATES] = {0.0}, slope;
  int n = hl_block_n_states (klass, &block), place[HL_BLOCK_STATES] = {-1, -1};

  for (int k = 0; k < n; k++) {
    int word = hl_block_word (klass, &block, k);
    states[k] = x[STATE + word];
    place[word] = k;
  }
  HlBlockPoint at = {.u = x[U], .m = x[M], .x = states};
  double value = hl_block_eval (klass, &block, &at, HL_SIDE_MEAN, &slope);
  if (gives == GIVES_VALUE || gives == GIVES_RAW) {
    double of_raw = gives == GIVES_VALUE ? slope : 1.0;
    d[U] = of_raw * at.d_raw.u;
    d[M] = of_raw * at.d_raw.m;
    for (int word = 0; word < HL_BLOCK_STATES; word++)
      if (place[word] >= 0)
        d[STATE + word] = of_raw * at.d_raw.x[place[word]];
    return gives == GIVES_VALUE ? value : at.raw;
  }
  int k = place[gives - GIVES_RATE];
  if (k < 0)
    return NAN;
  double back = at.back[k] * (slope - 1.0);
  d[U] = at.d_base[k].u + back * at.d_raw.u;
  d[M] = at.d_base[k].m + back * at.d_raw.m;
  return at.base[k] + at.back[k] * (value - at.raw);
}

#define LAW(name, kind)                                                                                      \
  static double name##_law (const double x[], int gives, double d[]) {                                       \
    return law_of (kind, x, gives, d);                                                                       \
  }
LAW (sensor, "sensor")
LAW (gain, "gain")
LAW (limit, "limit")
LAW (dead_zone, "dead-zone")
LAW (filter, "filter")
LAW (lead_lag, "lead-lag")
LAW (pid, "pid")

static unsigned sensor_form (const double x[]) {
  return 1u << (x[TIME_CONSTANT] > 0.0);
}

static unsigned pid_form (const double x[]) {
  return 1u << ((x[KI] != 0.0) + 2 * (x[KD] != 0.0));
}

/* Returns a number that stands in the block as a signal; NAN: it changes over time. */
static double number_of (const HlValue *signal) {
  return hl_value_number (hl_value_is_number (signal) ? signal : hl_value_member (signal, "value"));
}

/* Returns the value of a state without a run: the stated start of an integral, else 0. */
static double start_of (const HlHelpSight *sight, const char *word) {
  const HlValue *stated = hl_value_member (sight->element, word);

  return hl_value_is_number (stated) ? hl_value_number (stated) : 0.0;
}

/* Fills the known inputs of the block: a number, the measured quantity, the states of a run. */
static void fill_inputs (const HlHelpSight *sight, double x[]) {
  const HlBlockClass *klass = hl_block_class (hl_value_string (hl_value_member (sight->element, "kind")));
  const char *path = hl_value_string (hl_value_member (sight->element, "of"));
  const char *dot = path != NULL ? strchr (path, '.') : NULL;

  x[U] = NAN;
  if (klass->input != NULL)
    x[U] = hl_sight_own (sight, klass->input, number_of (hl_value_member (sight->element, klass->input)));
  x[M] = NAN;
  if (dot != NULL) {
    g_autofree char *id = g_strndup (path, (gsize)(dot - path));
    x[M] = hl_sight_read (sight, id, dot + 1);
  }
  for (int word = 0; word < klass->n_words; word++)
    x[STATE + word] = hl_sight_own (sight, klass->words[word], start_of (sight, klass->words[word]));
}

static void pid_look (const HlHelpSight *sight, double x[]) {
  fill_inputs (sight, x);
  if (isnan (x[LET_GO]))
    x[LET_GO] = x[GAIN] != 0.0 ? 1.0 / x[GAIN] : 0.0;
}

static void bounds_range (const double x[], int curve, double *low, double *high) {
  double span = x[MAX_BOUND] - x[MIN_BOUND];

  (void)curve;
  if (!(span > 0.0))
    return;
  *low = x[MIN_BOUND] - 0.5 * span;
  *high = x[MAX_BOUND] + 0.5 * span;
}

static void zone_range (const double x[], int curve, double *low, double *high) {
  (void)curve;
  *high = fmax (4.0 * x[WIDTH], 1e-6);
  *low = -*high;
}

/* clang-format off */
#define GIVES(what) {HL_GIVES_VALUE, GIVES_##what}
#define AT_ONCE (1u << 0)
#define LAGS (1u << 1)
#define P_ALONE (1u << 0)
#define P_AND_I (1u << 1)
#define P_AND_D (1u << 2)
#define P_I_D (1u << 3)
#define WORKS_ON HL_LET_VALUE ("u", U, NONE, HL_TEXT ("Input signal"))
#define MEASURES HL_LET_VALUE ("m", M, NONE, HL_TEXT ("Measured quantity, in SI units"))
#define FOLLOWS HL_LET_VALUE ("x", STATE, NONE, HL_TEXT ("State of the block"))

static const HlLetter sensor_letters[] = {
  MEASURES, FOLLOWS,
  HL_LET_FIELD ("k", GAIN, "gain"),
  HL_LET_FIELD ("y_0", OFFSET, "offset"),
  HL_LET_FIELD ("T", TIME_CONSTANT, "time_constant"),
};
static const HlFormulaText sensor_formulas[] = {
  {"y = k m + y_0", GIVES (VALUE), .forms = AT_ONCE, .when = HL_TEXT ("without a time constant")},
  {"y = x", GIVES (VALUE), .forms = LAGS, .when = HL_TEXT ("with a time constant")},
  {"x' = (k m + y_0 - x) / T", GIVES (RATE), .forms = LAGS, .when = HL_TEXT ("with a time constant")},
};
static const HlCurve sensor_curves[] = {
  {HL_TEXT ("Value over the measured quantity"), HL_LET_VALUE ("m", M, NONE, NULL), "y", HL_QUANTITY_NONE, GIVES (VALUE), .low = -2.0, .high = 2.0, .forms = AT_ONCE},
  {HL_TEXT ("Rate over the measured quantity"), HL_LET_VALUE ("m", M, NONE, NULL), "x'", HL_QUANTITY_NONE, GIVES (RATE), .low = -2.0, .high = 2.0, .forms = LAGS},
};

static const HlLetter gain_letters[] = { WORKS_ON, HL_LET_FIELD ("k", GAIN, "gain"), HL_LET_FIELD ("y_0", OFFSET, "offset") };
static const HlFormulaText gain_formulas[] = { {"y = k u + y_0", GIVES (VALUE)} };
static const HlCurve over_signal[] = {
  {HL_TEXT ("Value over the input"), HL_LET_VALUE ("u", U, NONE, NULL), "y", HL_QUANTITY_NONE, GIVES (VALUE), .low = -2.0, .high = 2.0},
};

static const HlLetter limit_letters[] = { WORKS_ON, HL_LET_FIELD ("u_1", MIN_BOUND, "min"), HL_LET_FIELD ("u_2", MAX_BOUND, "max") };
static const HlFormulaText limit_formulas[] = { {"y = cases(u_1, u < u_1, u_2, u > u_2, u)", GIVES (VALUE)} };

static const HlLetter dead_zone_letters[] = { WORKS_ON, HL_LET_FIELD ("w", WIDTH, "width") };
static const HlFormulaText dead_zone_formulas[] = { {"y = pos(u - w) - pos(-u - w)", GIVES (VALUE)} };

static const HlLetter filter_letters[] = { WORKS_ON, FOLLOWS, HL_LET_FIELD ("T", TIME_CONSTANT, "time_constant") };
static const HlFormulaText filter_formulas[] = {
  {"y = x", GIVES (VALUE)},
  {"x' = (u - x) / T", GIVES (RATE)},
};
static const HlCurve filter_curves[] = {
  {HL_TEXT ("Rate over the input"), HL_LET_VALUE ("u", U, NONE, NULL), "x'", HL_QUANTITY_NONE, GIVES (RATE), .low = -2.0, .high = 2.0},
};

static const HlLetter lead_lag_letters[] = {
  WORKS_ON, FOLLOWS,
  HL_LET_FIELD ("k", GAIN, "gain"),
  HL_LET_FIELD ("T_1", LEAD, "lead"),
  HL_LET_FIELD ("T_2", TIME_CONSTANT, "lag"),
};
static const HlFormulaText lead_lag_formulas[] = {
  {"y = k (x + T_1 / T_2 (u - x))", GIVES (VALUE)},
  {"x' = (u - x) / T_2", GIVES (RATE)},
};

static const HlLetter pid_letters[] = {
  HL_LET_VALUE ("w", U, NONE, HL_TEXT ("Target")), MEASURES,
  HL_LET_FIELD ("k_p", GAIN, "kp"),
  HL_LET_FIELD ("k_i", KI, "ki"),
  HL_LET_FIELD ("k_d", KD, "kd"),
  HL_LET_VALUE ("I", STATE, NONE, HL_TEXT ("Integral of the error")),
  HL_LET_VALUE ("z", OTHER_STATE, NONE, HL_TEXT ("Filtered error")),
  HL_LET_FIELD ("T", TIME_CONSTANT, "filter"),
  HL_LET_FIELD ("y_1", MIN_BOUND, "min"),
  HL_LET_FIELD ("y_2", MAX_BOUND, "max"),
  HL_LET_FIELD ("b", LET_GO, "anti_windup"),
};
static const HlFormulaText pid_formulas[] = {
  {"e = w - m"},
  {"r = k_p e", {HL_GIVES_VALUE, GIVES_RAW}, .forms = P_ALONE, .when = HL_TEXT ("P")},
  {"r = k_p e + k_i I", {HL_GIVES_VALUE, GIVES_RAW}, .forms = P_AND_I, .when = HL_TEXT ("PI")},
  {"r = k_p e + k_d (e - z) / T", {HL_GIVES_VALUE, GIVES_RAW}, .forms = P_AND_D, .when = HL_TEXT ("PD")},
  {"r = k_p e + k_i I + k_d (e - z) / T", {HL_GIVES_VALUE, GIVES_RAW}, .forms = P_I_D, .when = HL_TEXT ("PID")},
  {"y = cases(y_1, r < y_1, y_2, r > y_2, r)", GIVES (VALUE)},
  {"I' = e + b (y - r)", GIVES (RATE), .forms = P_AND_I | P_I_D, .when = HL_TEXT ("with an integral")},
  {"z' = (e - z) / T", GIVES (OTHER_RATE), .forms = P_AND_D | P_I_D, .when = HL_TEXT ("with a derivative")},
};
static const HlCurve pid_curves[] = {
  {HL_TEXT ("Value over the measured quantity"), HL_LET_VALUE ("m", M, NONE, NULL), "y", HL_QUANTITY_NONE, GIVES (VALUE), .low = -2.0, .high = 2.0},
};

#define OPEN [MIN_BOUND] = NAN, [MAX_BOUND] = NAN

const HlElementHelp hl_block_helps[] = {
  { HL_SECTION_SIGNAL, "sensor",
    {HL_HELP_TABLES (sensor_letters, sensor_formulas, sensor_curves), .sources = "theory/feedback.md"},
    .usual = {[M] = 0.5, [STATE] = 0.8, [GAIN] = 2.0, OPEN},
    .form = sensor_form, .look = fill_inputs, .law = sensor_law, .states = "value [1]" },
  { HL_SECTION_SIGNAL, "pid",
    {HL_HELP_TABLES (pid_letters, pid_formulas, pid_curves), .sources = "theory/feedback.md"},
    .usual = {[U] = 0.5, [M] = 0.3, [STATE] = 0.05, [OTHER_STATE] = 0.1, [GAIN] = 2.0, [KI] = 4.0, [KD] = 0.02,
              [TIME_CONSTANT] = 0.05, [MIN_BOUND] = -1.0, [MAX_BOUND] = 1.0, [LET_GO] = 0.5},
    .look = pid_look, .form = pid_form, .law = pid_law, .states = "integral [s], derivative [1]" },
  { HL_SECTION_SIGNAL, "gain",
    {HL_HELP_TABLES (gain_letters, gain_formulas, over_signal), .sources = "theory/feedback.md"},
    .usual = {[U] = 0.5, [GAIN] = 2.0, [OFFSET] = 0.2, OPEN}, .look = fill_inputs, .law = gain_law },
  { HL_SECTION_SIGNAL, "limit",
    {HL_HELP_TABLES (limit_letters, limit_formulas, over_signal), .sources = "theory/feedback.md"},
    .usual = {[U] = 0.5, [MIN_BOUND] = -1.0, [MAX_BOUND] = 1.0}, .look = fill_inputs, .law = limit_law, .range = bounds_range },
  { HL_SECTION_SIGNAL, "dead-zone",
    {HL_HELP_TABLES (dead_zone_letters, dead_zone_formulas, over_signal), .sources = "theory/feedback.md"},
    .usual = {[U] = 0.25, [WIDTH] = 0.1, OPEN}, .look = fill_inputs, .law = dead_zone_law, .range = zone_range },
  { HL_SECTION_SIGNAL, "filter",
    {HL_HELP_TABLES (filter_letters, filter_formulas, filter_curves), .sources = "theory/feedback.md"},
    .usual = {[U] = 1.0, [STATE] = 0.4, [TIME_CONSTANT] = 0.01, OPEN}, .look = fill_inputs, .law = filter_law,
    .states = "value [1]" },
  { HL_SECTION_SIGNAL, "lead-lag",
    {HL_HELP_TABLES (lead_lag_letters, lead_lag_formulas, over_signal), .sources = "theory/feedback.md"},
    .usual = {[U] = 1.0, [STATE] = 0.8, [GAIN] = 1.0, [LEAD] = 0.1, [TIME_CONSTANT] = 0.01, OPEN}, .look = fill_inputs, .law = lead_lag_law,
    .states = "value [1]" },
  { 0 },
};
/* clang-format on */
