/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-mode-verdict.h"

#include "core/compile/hl-compile.h"
#include "core/base/hl-i18n.h"
#include "ui/modes/hl-eigen-text.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/paint/chart/hl-paint-locus.h"

#include <math.h>
#include <string.h>

#define KICK 1e-4        /* natural sizes */
#define GENTLE_KICK 1e-6 /* where the laws bend within the first one */
#define LIMIT_TO 1e2
#define LIMIT_RTOL 1e-5 /* five in a hundred is looked for */
#define PART_APART 0.05
#define MOST_DRIFT 0.01 /* that a run can still show an eigenvalue with */
#define MOST_KINK 0.05
#define WORTH_SAYING 1e-6 /* [s]; what takes less is at once */

struct HlModeVerdict {
  HlSystem *system;
  HlPoint *point;
  int mode;
  HlEigenvalue value;
  HlStatus status; /* of the small one */
  HlFault fault;
  HlModeCheck small, limit;
  char *no_verdict;   /* on the way of a moving machine */
  char *state, *unit; /* of the state that is kicked furthest */
};

HlModeVerdict *hl_mode_verdict_new (HlSystem *system, const HlPoint *point, int mode) {
  HlModeVerdict *self = g_new0 (HlModeVerdict, 1);

  self->system = hl_system_ref (system);
  self->point = hl_point_new (system);
  hl_point_copy (system, self->point, point);
  self->mode = mode;
  self->status = HL_CANCELLED;
  return self;
}

void hl_mode_verdict_free (HlModeVerdict *self) {
  hl_point_free (self->point);
  hl_system_unref (self->system);
  g_free (self->no_verdict);
  g_free (self->state);
  g_free (self->unit);
  g_free (self);
}

/* Whether the machine itself, not the size of the kick, keeps run and eigenvalue apart. */
static gboolean has_reason (const HlModeCheck *check) {
  return check->drift > MOST_DRIFT || check->kink > MOST_KINK;
}

static void run_checks (HlModeVerdict *self, const HlLinearization *lin, HlModeCheckOptions *options) {
  const double kicks[] = {KICK, GENTLE_KICK};

  for (int i = 0; i < (int)G_N_ELEMENTS (kicks); i++) {
    self->fault = (HlFault){.time = NAN, .entity = -1};
    self->status = hl_mode_check (self->system, self->point, lin, self->mode, kicks[i], options, &self->small,
                                  &self->fault);
    if (self->status != HL_OK || self->small.apart < PART_APART || has_reason (&self->small))
      break;
  }
  if (self->status != HL_OK || self->small.apart >= PART_APART || has_reason (&self->small))
    return;
  const double range[2] = {self->small.amplitude, LIMIT_TO};
  options->rtol = LIMIT_RTOL;
  options->duration = self->small.duration;
  self->status = hl_mode_check_limit (self->system, self->point, lin, self->mode, range, PART_APART, options,
                                      &self->limit);
}

void hl_mode_verdict_compute (HlModeVerdict *self, bool (*cancel) (void *data), void *data) {
  HlModeCheckOptions options = hl_mode_check_options_default ();
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlWork *work = hl_work_new (self->system);
  HlLinearization *lin = hl_linearize (self->system, work, self->point, &how, &self->fault);

  options.cancel = cancel;
  options.cancel_data = data;
  self->status = HL_BAD_MODEL;
  if (lin != NULL && self->mode < lin->n) {
    self->value = lin->eigenvalues[self->mode];
    self->no_verdict = hl_eigen_text_no_verdict (lin);
    run_checks (self, lin, &options);
    self->state = g_strdup (lin->state_names[self->small.state]);
    self->unit = g_strdup (lin->state_units[self->small.state]);
  }
  hl_linearization_free (lin);
  hl_work_free (work);
}

/* ---- words ---- */

static char *number_text (double value, int digits) {
  char text[48];
  hl_axis_format (value, digits, text, sizeof text);
  return g_strdup (text);
}

static char *lambda_text (double re, double im) {
  double size = hypot (re, im);
  g_autofree char *real = number_text (hl_locus_part (re, size), 5);
  g_autofree char *imaginary = number_text (fabs (im), 5);
  return im == 0 ? g_steal_pointer (&real) : g_strdup_printf ("%s ± %s i", real, imaginary);
}

static char *time_text (double seconds) {
  gboolean in_ms = seconds < 1;
  g_autofree char *number = number_text (in_ms ? 1e3 * seconds : seconds, 2);
  return g_strdup_printf ("%s %s", number, in_ms ? "ms" : "s");
}

/* The kick of an amplitude in the state that is kicked furthest: all go in proportion. */
static char *kick_text (const HlModeVerdict *self, HlUnits units, double amplitude) {
  double kick = fabs (self->small.kick) * amplitude / self->small.amplitude;
  HlQuantity quantity = hl_quantity_of_si (self->unit);
  if (quantity != HL_QUANTITY_NONE)
    return hl_units_format (units, quantity, kick, 2);
  g_autofree char *number = number_text (kick, 2);
  return strcmp (self->unit, "1") == 0 ? g_steal_pointer (&number)
                                       : g_strdup_printf ("%s %s", number, self->unit);
}

static void append_reason (GString *text, const HlModeCheck *check) {
  g_autofree char *while_ = time_text (check->duration);
  g_autofree char *drift = number_text (100 * check->drift, 2);
  g_autofree char *kink = number_text (100 * check->kink, 2);

  if (check->drift > MOST_DRIFT && isfinite (check->drift) && check->duration > WORTH_SAYING)
    g_string_append_printf (text,
                            _ (" The machine moves on at once: within %s this eigenvalue changes "
                               "by %s %%, so that no run can show it."),
                            while_, drift);
  else if (check->drift > MOST_DRIFT)
    g_string_append (text, _ (" The machine moves on at once, so that no run can show it."));
  else if (check->moves_on)
    g_string_append_printf (text, _ (" Fitted over %s: the machine moves on, and its eigenvalues with it."),
                            while_);
  if (check->kink > MOST_KINK)
    g_string_append_printf (text,
                            _ (" The laws have a kink here: the slopes on both sides differ by "
                               "%s %%, and the eigenvalue takes their mean."),
                            kink);
}

static void append_limit (GString *text, const HlModeVerdict *self, HlUnits units) {
  gboolean is_found = isfinite (self->limit.amplitude);
  g_autofree char *kick = kick_text (self, units, is_found ? self->limit.amplitude : LIMIT_TO);

  if (is_found && self->limit.ended) {
    g_autofree char *why = hl_fault_message (self->system, &self->limit.fault);
    g_string_append_printf (
        text,
        _ (" Up to a kick of %s in %s the linear model is less than 5 %% wrong; there the run "
           "ends: %s"),
        kick, self->state, why);
  } else if (is_found) {
    g_string_append_printf (text,
                            _ (" Beyond a kick of %s in %s the linear model is more than 5 %% "
                               "wrong."),
                            kick, self->state);
  } else {
    g_string_append_printf (text,
                            _ (" Even at a kick of %s in %s the linear model is less than 5 %% "
                               "wrong."),
                            kick, self->state);
  }
}

static char *comparison_text (const HlModeVerdict *self, HlUnits units) {
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->status != HL_OK) {
    g_autofree char *why = hl_fault_message (self->system, &self->fault);
    if (self->status == HL_TOO_MUCH_WORK)
      g_string_append (text, _ ("The kicked run takes too many steps to compare with."));
    else
      g_string_append_printf (text, _ ("The kicked run ends early: %s"), why);
    append_reason (text, &self->small);
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  g_autofree char *fitted = lambda_text (self->small.re, self->value.im == 0 ? 0 : self->small.im);
  g_autofree char *apart = number_text (100 * self->small.apart, 2);
  g_string_append_printf (text,
                          self->value.im != 0  ? _ ("The full model rings at %s, %s %% off.")
                          : self->small.re > 0 ? _ ("The full model runs away at %s, %s %% off.")
                                               : _ ("The full model comes to rest at %s, %s %% off."),
                          fitted, apart);
  append_reason (text, &self->small);
  if (has_reason (&self->small))
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (self->small.apart < PART_APART) {
    append_limit (text, self, units);
  } else {
    g_autofree char *kick = kick_text (self, units, self->small.amplitude);
    g_string_append_printf (text,
                            _ (" Already at a kick of %s in %s the linear model is more than 5 %% "
                               "wrong."),
                            kick, self->state);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_mode_verdict_text (const HlModeVerdict *self, HlUnits units) {
  char *text = comparison_text (self, units);

  if (self->no_verdict == NULL)
    return text;
  g_autofree char *alone = text;
  return g_strconcat (alone, " ", self->no_verdict, NULL);
}
