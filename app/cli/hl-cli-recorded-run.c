/* SPDX-License-Identifier: MIT */
/* A run on the command line, and the options that define it. */
#include "app/cli/hl-cli-recorded-run.h"
#include "core/document/hl-quantity-path.h"

#include <math.h>
#include <string.h>

struct _HlCliRecorder {
  HlRecorder *recorder;
  gboolean linear;
};

#define MUCH_MEMORY (256.0 * 1024 * 1024) /* is announced [bytes] */

static bool check_stopped (const double row[], void *data) {
  hl_cli_hold_signals ();
  return !hl_cli_is_stopped ();
}

static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  static const char *const names[] = {[HL_METHOD_BDF] = "bdf", [HL_METHOD_RADAU] = "radau"};

  if (why == NULL) /* said behind the run, with the reason */
    return true;
  g_autofree char *time = hl_cli_pretty (why->time, 6);
  hl_cli_say (
      "note: the integrator %s failed at t = %s s; the run was repeated with %s, and these are its rows",
      names[method == HL_METHOD_RADAU ? HL_METHOD_BDF : HL_METHOD_RADAU], time, names[method]);
  return true;
}

const HlRowTaker hl_cli_row_taker = {.keeps = TRUE, .row = check_stopped, .again = begin_again};

HlCliRecorder *hl_cli_recorder_new (const HlDocument *document, const HlSystem *sys, HlRecordFlags flags,
                                    const char *const *extra, GError **error) {
  g_autoptr (HlRecording) recording = hl_recording_new (document, sys, flags, extra, error);

  if (recording == NULL)
    return NULL;
  HlCliRecorder *self = g_new0 (HlCliRecorder, 1);
  self->recorder = hl_recorder_new (recording, sys, &hl_cli_row_taker);
  self->linear = (flags & HL_RECORD_LINEAR) != 0;
  return self;
}

void hl_cli_recorder_free (HlCliRecorder *self) {
  hl_recorder_free (self->recorder);
  g_free (self);
}

HlResults *hl_cli_recorder_results (const HlCliRecorder *self) {
  return hl_recorder_results (self->recorder);
}

const HlCavitations *hl_cli_recorder_cavitations (const HlCliRecorder *self) {
  return hl_recorder_cavitations (self->recorder);
}

gint64 hl_cli_recorder_n_rows (const HlCliRecorder *self) {
  return hl_recorder_n_rows (self->recorder);
}

void hl_cli_set_broken (GError **error, const HlSystem *sys, HlStatus status, double t_reached, double t_end,
                        const HlFault *fault) {
  if (status == HL_CANCELLED && hl_cli_is_stopped ())
    hl_cli_set_stopped_at (error, t_reached, t_end);
  else
    hl_cli_set_fault (error, sys, fault);
}

void hl_cli_set_stopped_at (GError **error, double t_reached, double t_end) {
  g_autofree char *at = hl_cli_pretty (t_reached, 6);
  g_autofree char *end = hl_cli_pretty (t_end, 6);
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, "stopped by %s at t = %s s of %s s", hl_cli_stopped_by (),
               at, end);
}

gboolean hl_cli_recorder_run (HlCliRecorder *self, const HlSystem *sys, const HlSimOptions *options,
                              HlSimStats *stats, GError **error) {
  HlSimOptions run = *options;
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimStats own;

  stats = stats != NULL ? stats : &own;
  run.linear = self->linear;
  run.cancel = hl_cli_stop_cb;
  hl_recorder_attach (self->recorder, &run);
  HlStatus status = hl_simulate (sys, &run, stats, &fault);
  if (status == HL_OK)
    return TRUE;
  hl_cli_set_broken (error, sys, status, stats->t_reached, run.t_end, &fault);
  return FALSE;
}

gboolean hl_cli_check_rows (const HlSimOptions *options, double most, const char *raise, GError **error) {
  double n = floor (options->t_end / options->every * (1.0 + 1e-12));

  if (n <= most)
    return TRUE;
  /* the least step of two digits that is enough */
  double least = options->t_end / most, digit = pow (10.0, floor (log10 (least)) - 1.0);
  g_autofree char *rows = hl_cli_pretty (n, 10);
  g_autofree char *every = hl_cli_pretty (options->every, 6);
  g_autofree char *end = hl_cli_pretty (options->t_end, 6);
  g_autofree char *enough = hl_cli_pretty (ceil (least / digit * (1.0 - 1e-12)) * digit, 2);
  g_autofree char *limit = hl_cli_pretty (most, 15);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "one row every %s s until %s s gives %s rows, more than %s; use --every %s or more "
               "(simulation.every), or a shorter --t-end%s%s",
               every, end, rows, limit, enough, raise != NULL ? ", or raise " : "",
               raise != NULL ? raise : "");
  return FALSE;
}

gboolean hl_cli_check_kept (const HlSimOptions *options, int n_columns, GError **error) {
  double n = floor (options->t_end / options->every) + 1.0;
  double bytes = n * (double)n_columns * (double)sizeof (double);

  if (!hl_cli_check_rows (options, HL_CLI_MOST_ROWS, NULL, error))
    return FALSE;
  if (bytes > MUCH_MEMORY)
    hl_cli_say ("a run of %.0f rows needs %.0f MB of memory", n, bytes / (1024.0 * 1024.0));
  return TRUE;
}

/* Reads --beta and --gamma, and checks whether the given options have an effect. */
static gboolean read_method (const HlCli *cli, HlSimOptions *options, GError **error) {
  static const char *const integrators[] = {"bdf", "radau", NULL};
  static const char *const decay[] = {"beta", "gamma"};
  double *rates[] = {&options->beta, &options->gamma};
  const HlOilForm *form = hl_oil_form (options->model, options->formulation);
  int method = (int)options->method;

  for (int k = 0; k < 2; k++) {
    if (!hl_cli_number (cli, decay[k], rates[k], error))
      return FALSE;
    if (hl_cli_has (cli, decay[k]) && !form->has_decay) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--%s needs the Baumgarte formulation; add --formulation baumgarte", decay[k]);
      return FALSE;
    }
    if (*rates[k] < 0.0) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s must not be negative: %s 1/s", decay[k],
                   hl_cli_text (cli, decay[k]));
      return FALSE;
    }
  }
  if (!hl_cli_choice (cli, "integrator", integrators, &method, error))
    return FALSE;
  if (hl_cli_has (cli, "integrator") && form->has_fixed_step) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "the discrete formulation uses --step and has no integrator; leave --integrator out, or add "
                 "--formulation relaxed");
    return FALSE;
  }
  options->method = (HlMethod)method;
  return TRUE;
}

/* Reads --rtol and --max-steps, within the range that a file may state. */
static gboolean read_limits (const HlCli *cli, HlSimOptions *options, GError **error) {
  static const char *const names[] = {"rtol", "max-steps"};
  static const char *const paths[] = {"simulation.rtol", "simulation.max_steps"};
  double *values[] = {&options->rtol, &options->max_steps};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    HlPathInfo info;
    if (!hl_cli_number (cli, names[k], values[k], error))
      return FALSE;
    if (!hl_cli_has (cli, names[k]) || !hl_path_find (cli->document, paths[k], &info, NULL) ||
        hl_field_accepts (info.field, *values[k]))
      continue;
    g_autofree char *range = hl_field_range_text (info.field);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s must be %s, not %s", names[k], range,
                 hl_cli_text (cli, names[k]));
    return FALSE;
  }
  return TRUE;
}

/* Returns the formulations of a model: "reduced and baumgarte". */
static char *forms_text (const HlOilModel *oil) {
  GString *text = g_string_new (NULL);

  for (int k = 0; k < oil->n_forms; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? " and " : "",
                            hl_formulation_words[oil->forms[k].formulation]);
  return g_string_free (text, FALSE);
}

gboolean hl_cli_sim_options (const HlCli *cli, HlSimOptions *options, GError **error) {
  int formulation;

  *options = hl_sim_options_from_model (cli->system);
  formulation = (int)options->formulation;
  const HlOilModel *oil = hl_oil_models[options->model];
  if (!hl_cli_positive (cli, "t-end", &options->t_end, error) ||
      !hl_cli_positive (cli, "every", &options->every, error) ||
      !hl_cli_positive (cli, "step", &options->step, error) || !read_limits (cli, options, error) ||
      !hl_cli_oil (cli, FALSE, &oil, error) ||
      !hl_cli_choice (cli, "formulation", hl_formulation_words, &formulation, error))
    return FALSE;
  options->model = oil->kind;
  options->formulation = hl_oil_form (oil->kind, (HlFormulation)formulation)->formulation;
  if ((int)options->formulation != formulation && hl_cli_has (cli, "formulation")) {
    g_autofree char *forms = forms_text (oil);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "the %s model has no formulation ‘%s’; use %s", oil->name,
                 hl_formulation_words[formulation], forms);
    return FALSE;
  }
  return read_method (cli, options, error);
}
