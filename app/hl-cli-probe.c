/* SPDX-License-Identifier: MIT */
/* Recording of a run. A probe of a settable number that no run computes is a constant column; one
 * that nothing knows is an empty one. */
#include "app/hl-cli-probe.h"
#include "core/document/hl-path.h"
#include "core/document/hl-unit.h"

#include <math.h>
#include <string.h>

typedef struct
{
  int output; /* into the outputs of the run; -1 = constant */
  double constant;
  gboolean relative;
  double first; /* value in the first row */
} Column;

struct _HlRecorder
{
  GArray *columns; /* Column */
  GArray *outputs; /* HlObservable */
  gboolean linear;
  double *row; /* what is appended */
  HlResults *results;
};

static void
add_column (HlRecorder *self,
            const HlDocument *document,
            const HlSystem *sys,
            const HlProbe *probe,
            HlColumnInfo *info)
{
  Column column = {.output = -1, .constant = NAN, .relative = probe->relative};
  const char *unit = "1";
  HlObservable output;

  if (probe->of != NULL && hl_observable_find (sys, probe->of, &output)) {
    HlPathInfo path;
    column.output = (int)self->outputs->len;
    g_array_append_val (self->outputs, output);
    unit = hl_observable_unit (output);
    /* a signal has the unit of what it drives */
    if (strcmp (unit, "1") == 0 && hl_path_find (document, probe->of, &path, NULL))
      unit = hl_quantity_si (path.quantity);
  } else if (probe->of != NULL)
    hl_document_get_number (document, probe->of, &column.constant, &unit, NULL);
  *info = (HlColumnInfo){.id = probe->id, .label = probe->label, .unit = unit};
  g_array_append_val (self->columns, column);
}

HlRecorder *
hl_recorder_new (const HlDocument *document,
                 const HlSystem *sys,
                 const char *const *extra,
                 gboolean linear,
                 GError **error)
{
  g_autoptr (HlRecorder) self = g_new0 (HlRecorder, 1);
  int n_extra = extra != NULL ? (int)g_strv_length ((char **)extra) : 0;
  int most = hl_document_n_probes (document) + n_extra;
  g_autofree HlColumnInfo *info = g_new0 (HlColumnInfo, 2 * most + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable));
  self->linear = linear;
  for (int k = 0; k < hl_document_n_probes (document); k++) {
    HlProbe probe;
    if (hl_document_probe (document, k, &probe))
      add_column (self, document, sys, &probe, &info[self->columns->len]);
  }
  for (int k = 0; k < n_extra; k++) {
    HlProbe probe = {.id = extra[k], .of = extra[k], .label = extra[k]};
    HlObservable output;
    if (!hl_observable_find (sys, extra[k], &output)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "‘%s’ is neither a probe of the file nor an output of a run", extra[k]);
      return NULL;
    }
    add_column (self, document, sys, &probe, &info[self->columns->len]);
  }
  int n = (int)self->columns->len;
  for (int k = 0; linear && k < n; k++) {
    g_ptr_array_add (names, g_strconcat (info[k].id, ".linear", NULL));
    info[n + k] = info[k];
    info[n + k].id = g_ptr_array_index (names, k);
  }
  self->row = g_new0 (double, 2 * n + 1);
  self->results = hl_results_new (info, linear ? 2 * n : n);
  return g_steal_pointer (&self);
}

void
hl_recorder_free (HlRecorder *self)
{
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_clear_pointer (&self->results, hl_results_unref);
  g_free (self->row);
  g_free (self);
}

HlResults *
hl_recorder_results (const HlRecorder *self)
{
  return self->results;
}

static bool
take_row (double t, const double values[], void *data)
{
  HlRecorder *self = data;
  int n = (int)self->columns->len;
  gboolean is_first = hl_results_n_rows (self->results) == 0;

  for (int k = 0; k < n; k++) {
    Column *column = &g_array_index (self->columns, Column, k);
    double value = column->output >= 0 ? values[column->output] : column->constant;
    double linear = column->output >= 0 && self->linear
                        ? values[(int)self->outputs->len + column->output]
                        : NAN;

    if (is_first)
      column->first = value;
    self->row[k] = column->relative ? value - column->first : value;
    self->row[n + k] = column->relative ? linear - column->first : linear;
  }
  hl_results_append (self->results, t, self->row);
  return true;
}

void
hl_recorder_attach (HlRecorder *self, HlSimOptions *options)
{
  options->outputs = (const HlObservable *)(void *)self->outputs->data;
  options->n_outputs = (int)self->outputs->len;
  options->linear = self->linear;
  options->row = take_row;
  options->row_data = self;
}

gboolean
hl_recorder_run (HlRecorder *self,
                 const HlSystem *sys,
                 const HlSimOptions *options,
                 HlSimStats *stats,
                 GError **error)
{
  HlSimOptions run = *options;
  HlFault fault = {.time = NAN, .entity = -1};

  hl_recorder_attach (self, &run);
  if (hl_simulate (sys, &run, stats, &fault) == HL_OK)
    return TRUE;
  hl_cli_set_fault (error, sys, &fault);
  return FALSE;
}

/* The formulations of a model; the first is its default. */
static const HlFormulation formulations_of[][2] = {
    [HL_MODEL_LUMPED] = {HL_FORMULATION_REDUCED, HL_FORMULATION_BAUMGARTE},
    [HL_MODEL_HYBRID] = {HL_FORMULATION_REDUCED, HL_FORMULATION_REDUCED},
    [HL_MODEL_QUASISTATIC] = {HL_FORMULATION_RELAXED, HL_FORMULATION_DISCRETE},
};

/* --beta and --gamma, and whether options that were given have an effect. */
static gboolean
read_method (const HlCli *cli, HlSimOptions *options, GError **error)
{
  static const char *const integrators[] = {"bdf", "radau", NULL};
  static const char *const decay[] = {"beta", "gamma"};
  double *rates[] = {&options->beta, &options->gamma};
  int method = (int)options->method;

  for (int k = 0; k < 2; k++) {
    if (!hl_cli_number (cli, decay[k], rates[k], error))
      return FALSE;
    if (hl_cli_has (cli, decay[k]) && options->formulation != HL_FORMULATION_BAUMGARTE) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--%s belongs to the baumgarte formulation; give --formulation baumgarte too",
                   decay[k]);
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
  if (hl_cli_has (cli, "integrator") && options->formulation == HL_FORMULATION_DISCRETE) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "the discrete formulation steps by --step and has no integrator; leave "
                 "--integrator out, or give --formulation relaxed");
    return FALSE;
  }
  options->method = (HlMethod)method;
  return TRUE;
}

gboolean
hl_cli_sim_options (const HlCli *cli, HlSimOptions *options, GError **error)
{
  static const char *const models[] = {"lumped", "hybrid", "quasistatic", NULL};
  static const char *const formulations[] = {"reduced", "baumgarte", "relaxed", "discrete", NULL};
  int model, formulation;

  *options = hl_sim_options_from_model (cli->system);
  model = (int)options->model;
  formulation = (int)options->formulation;
  if (!hl_cli_positive (cli, "t-end", &options->t_end, error) ||
      !hl_cli_positive (cli, "every", &options->every, error) ||
      !hl_cli_positive (cli, "rtol", &options->rtol, error) ||
      !hl_cli_positive (cli, "step", &options->step, error) ||
      !hl_cli_choice (cli, "model", models, &model, error) ||
      !hl_cli_choice (cli, "formulation", formulations, &formulation, error))
    return FALSE;
  const HlFormulation *fitting = formulations_of[model];
  gboolean fits =
      fitting[0] == (HlFormulation)formulation || fitting[1] == (HlFormulation)formulation;
  if (!fits && hl_cli_has (cli, "formulation")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "the %s model has no formulation ‘%s’; it has %s",
                 models[model], formulations[formulation],
                 model == HL_MODEL_LUMPED   ? "reduced and baumgarte"
                 : model == HL_MODEL_HYBRID ? "reduced"
                                            : "relaxed and discrete");
    return FALSE;
  }
  options->model = (HlModelKind)model;
  options->formulation = fits ? (HlFormulation)formulation : fitting[0];
  return read_method (cli, options, error);
}
