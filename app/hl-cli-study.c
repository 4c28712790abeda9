/* SPDX-License-Identifier: MIT */
/* hydrolink sensitivity, stability-map, frequency-response: what parameters and frequencies do to
 * the linear model. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-linear-model.h"
#include "core/analysis/hl-linear-response.h"
#include "core/analysis/hl-root-locus.h"
#include "core/analysis/hl-sensitivity.h"
#include "core/analysis/hl-stability-map.h"
#include "core/io/hl-table.h"
#include "core/system/hl-dynamics.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define MOST_PARAMETERS 64
#define MOST_FREQUENCIES 1000000

static gboolean
find_parameter (const HlCli *cli, const char *path, HlParameter *parameter, GError **error)
{
  if (hl_system_find_parameter (cli->system, path, parameter))
    return TRUE;
  double value;
  if (!hl_document_get_number (cli->document, path, &value, NULL, error))
    return FALSE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "%s: it shapes the model, so it cannot vary here; name a mass, a pressure, a "
               "volume, a stiffness, a friction "
               "or a speed",
               path);
  return FALSE;
}

/* ---- sensitivity ---- */

static gboolean
print_sensitivity (const HlCli *cli,
                   const HlSensitivity *s,
                   const char *const *paths,
                   const double values[],
                   GError **error)
{
  if (hl_cli_has (cli, "json")) {
    g_autoptr (HlJsonOut) out = hl_json_out_new ();
    hl_json_out_open (out, NULL, '{');
    hl_json_out_open (out, "eigenvalues", '[');
    for (int k = 0; k < s->n_states; k++) {
      hl_json_out_open (out, NULL, '{');
      hl_json_out_number (out, "re", s->re[k]);
      hl_json_out_number (out, "im", s->im[k]);
      hl_json_out_close (out, '}');
    }
    hl_json_out_close (out, ']');
    hl_json_out_open (out, "parameters", '[');
    for (int p = 0; p < s->n_parameters; p++) {
      hl_json_out_open (out, NULL, '{');
      hl_json_out_text (out, "path", paths[p]);
      hl_json_out_number (out, "value", values[p]);
      hl_json_out_numbers (out, "d_re", s->d_re + p * s->n_states, s->n_states, 1);
      hl_json_out_numbers (out, "d_im", s->d_im + p * s->n_states, s->n_states, 1);
      hl_json_out_numbers (out, "error", s->error + p * s->n_states, s->n_states, 1);
      hl_json_out_close (out, '}');
    }
    hl_json_out_close (out, ']');
    hl_json_out_close (out, '}');
    g_string_append_c (out->text, '\n');
    return hl_cli_write (stdout, out->text->str, error);
  }
  g_autoptr (GString) text = g_string_new ("re [1/s],im [rad/s]");
  for (int p = 0; p < s->n_parameters; p++)
    g_string_append_printf (text, ",d_re/d %s,d_im/d %s,error %s", paths[p], paths[p], paths[p]);
  g_string_append_c (text, '\n');
  for (int k = 0; k < s->n_states; k++) {
    g_autofree double *row = g_new (double, 2 + 3 * s->n_parameters);
    row[0] = s->re[k];
    row[1] = s->im[k];
    for (int p = 0; p < s->n_parameters; p++) {
      row[2 + 3 * p] = s->d_re[p * s->n_states + k];
      row[3 + 3 * p] = s->d_im[p * s->n_states + k];
      row[4 + 3 * p] = s->error[p * s->n_states + k];
    }
    hl_table_append_numbers (text, row, 2 + 3 * s->n_parameters);
  }
  return hl_cli_write (stdout, text->str, error);
}

/* The paths named, or those of the file's sliders. */
static GPtrArray *
chosen_paths (const HlCli *cli)
{
  GPtrArray *paths = g_ptr_array_new ();
  const char *const *given = hl_cli_texts (cli, "parameter");

  for (int k = 0; given[k] != NULL; k++)
    g_ptr_array_add (paths, (char *)given[k]);
  gboolean from_sliders = paths->len == 0;
  for (int k = 0; from_sliders && k < hl_document_n_sliders (cli->document); k++) {
    HlSlider slider;
    if (hl_document_slider (cli->document, k, &slider))
      g_ptr_array_add (paths, (char *)slider.path);
  }
  g_ptr_array_add (paths, NULL);
  return paths;
}

static gboolean
run_sensitivity (HlCli *cli, GError **error)
{
  HlParameter parameters[MOST_PARAMETERS];
  HlSweepParameter sweeps[MOST_PARAMETERS];
  double values[MOST_PARAMETERS];
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_compile (cli, error))
    return FALSE;
  g_autoptr (GPtrArray) list = chosen_paths (cli);
  const char *const *paths = (const char *const *)list->pdata;
  int n = (int)list->len - 1;
  if (n == 0 || n > MOST_PARAMETERS) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "name 1 to %d parameters by --parameter PATH; the file has no sliders",
                 MOST_PARAMETERS);
    return FALSE;
  }
  for (int k = 0; k < n; k++) {
    if (!find_parameter (cli, paths[k], &parameters[k], error))
      return FALSE;
    sweeps[k] = (HlSweepParameter){.parameters = &parameters[k], .n = 1};
    values[k] = hl_system_get_parameter (cli->system, parameters[k]);
  }
  HlSensitivity *s =
      hl_sensitivity_new (cli->system, HL_START_FROM_MODEL, sweeps, values, n, &fault);
  if (s == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  gboolean ok = print_sensitivity (cli, s, paths, values, error);
  hl_sensitivity_free (s);
  return ok;
}

static const HlCliOption sensitivity_options[] = {
    {"parameter", "PATH", "a parameter; repeat it for several (the file's sliders)", TRUE},
    {"json", NULL, "one JSON object instead of CSV", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_sensitivity = {
    .name = "sensitivity",
    .usage = "FILE [--parameter PATH …] [--json]",
    .summary = "how every eigenvalue changes with parameters",
    .text =
        "Prints one row an eigenvalue: its value, and for every parameter the derivatives of its\n"
        "real and imaginary part with an estimate of their error. Null eigenvalues have none.",
    .options = sensitivity_options,
    .run = run_sensitivity,
};

/* ---- stability map ---- */

/* "PATH=LIST"; several paths with commas before the sign get the same value. */
static gboolean
parse_axis (const HlCli *cli,
            const char *text,
            HlParameter parameters[],
            int *n,
            GArray **values,
            GError **error)
{
  const char *sign = strchr (text, '=');

  if (sign == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: write PATH=A:B:N or PATH=value,value…",
                 text);
    return FALSE;
  }
  g_autofree char *names = g_strndup (text, (gsize)(sign - text));
  g_auto (GStrv) paths = g_strsplit (names, ",", -1);
  for (*n = 0; paths[*n] != NULL; (*n)++)
    if (*n >= MOST_PARAMETERS || !find_parameter (cli, paths[*n], &parameters[*n], error))
      return FALSE;
  *values = hl_cli_parse_list (sign + 1, names, error);
  return *values != NULL;
}

static gboolean
run_stability_map (HlCli *cli, GError **error)
{
  HlParameter x[MOST_PARAMETERS], y[MOST_PARAMETERS];
  HlStabilityMapOptions options = {.start = HL_START_FROM_MODEL};
  g_autoptr (GArray) x_values = NULL;
  g_autoptr (GArray) y_values = NULL;
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_require (cli, "x", error) || !hl_cli_require (cli, "y", error) ||
      !hl_cli_compile (cli, error) ||
      !parse_axis (cli, hl_cli_text (cli, "x"), x, &options.x.n, &x_values, error) ||
      !parse_axis (cli, hl_cli_text (cli, "y"), y, &options.y.n, &y_values, error))
    return FALSE;
  options.x.parameters = x;
  options.y.parameters = y;
  options.x_values = (const double *)(void *)x_values->data;
  options.y_values = (const double *)(void *)y_values->data;
  options.n_x = (int)x_values->len;
  options.n_y = (int)y_values->len;
  HlStabilityMap *map = hl_stability_map_new (cli->system, &options, &fault);
  if (map == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (GString) text = g_string_new ("x,y,growth [1/s],damping_ratio [1]\n");
  for (int k = 0; k < map->n_x * map->n_y; k++) {
    double row[4] = {map->x[k % map->n_x], map->y[k / map->n_x], map->growth[k], map->damping[k]};
    hl_table_append_numbers (text, row, 4);
  }
  for (int k = 0; k < map->n_boundary; k++) {
    double row[4] = {map->boundary[2 * k], map->boundary[2 * k + 1], 0.0, NAN};
    hl_table_append_numbers (text, row, 4);
  }
  hl_stability_map_free (map);
  return hl_cli_write (stdout, text->str, error);
}

static const HlCliOption map_options[] = {
    {"x", "PATH[,PATH]=LIST", "first parameter and its values", FALSE},
    {"y", "PATH[,PATH]=LIST", "second parameter and its values", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_stability_map = {
    .name = "stability-map",
    .usage = "FILE --x PATH=LIST --y PATH=LIST",
    .summary = "stability over two parameters, and its boundary",
    .text =
        "Prints one row a grid point: the two values, the largest real part of the eigenvalues "
        "that\n"
        "are not null, and the least damping ratio. Rows with an empty damping ratio follow: "
        "points\n"
        "of the boundary, solved to rounding along the grid lines. LIST is A:B:N or values with\n"
        "commas; several paths with commas get the same value.",
    .options = map_options,
    .run = run_stability_map,
};

/* ---- frequency response ---- */

static int
find_input (const HlSystem *sys, const char *path)
{
  for (int k = 0; k < hl_linear_model_n_inputs (sys); k++) {
    g_autofree char *name = hl_linear_model_input_name (sys, k);
    if (strcmp (name, path) == 0)
      return k;
  }
  return -1;
}

static gboolean
print_response (const HlLinearModel *model, int input, GArray *frequencies, GError **error)
{
  HlFrequencyResponse *response = hl_frequency_response_new (
      model->n, model->n_inputs, 1, model->A, model->B, model->C, model->D, model->scale);
  g_autofree double complex *G = g_new (double complex, model->n_inputs + 1);
  g_autoptr (GString) text = g_string_new ("frequency [Hz],re,im,magnitude,phase [rad]\n");

  for (guint k = 0; k < frequencies->len; k++) {
    double f = g_array_index (frequencies, double, k);
    double row[5] = {f, NAN, NAN, NAN, NAN};
    if (hl_frequency_response_eval (response, 2.0 * G_PI * f * I, G) == HL_OK) {
      row[1] = creal (G[input]);
      row[2] = cimag (G[input]);
      row[3] = cabs (G[input]);
      row[4] = carg (G[input]);
    }
    hl_table_append_numbers (text, row, 5);
  }
  hl_frequency_response_free (response);
  return hl_cli_write (stdout, text->str, error);
}

static gboolean
run_frequency_response (HlCli *cli, GError **error)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlObservable output;

  if (!hl_cli_require (cli, "input", error) || !hl_cli_require (cli, "output", error) ||
      !hl_cli_require (cli, "frequencies", error) || !hl_cli_compile (cli, error))
    return FALSE;
  g_autoptr (GArray) frequencies =
      hl_cli_parse_list (hl_cli_text (cli, "frequencies"), "--frequencies", error);
  if (frequencies == NULL)
    return FALSE;
  const char *input_path = hl_cli_text (cli, "input"), *output_path = hl_cli_text (cli, "output");
  for (int k = 0; k < hl_document_n_probes (cli->document); k++) {
    HlProbe probe;
    if (hl_document_probe (cli->document, k, &probe) && strcmp (probe.id, output_path) == 0)
      output_path = probe.of;
  }
  if (!hl_observable_find (cli->system, output_path, &output)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: neither a probe nor an output of the model",
                 output_path);
    return FALSE;
  }
  HlWork *work = hl_work_new (cli->system);
  HlPoint *point = hl_point_new (cli->system);
  HlLinearModel *model = NULL;
  if (hl_start_point (cli->system, work, HL_START_FROM_MODEL, NULL, point, NULL, &fault) == HL_OK)
    model = hl_linear_model_new (cli->system, work, point, &output, 1, &fault);
  gboolean ok = FALSE;
  if (model == NULL)
    hl_cli_set_fault (error, cli->system, &fault);
  else {
    int input = find_input (cli->system, input_path);
    if (input < 0)
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: not a signal of the model", input_path);
    else
      ok = print_response (model, input, frequencies, error);
  }
  hl_linear_model_free (model);
  hl_point_free (point);
  hl_work_free (work);
  return ok;
}

static const HlCliOption frequency_options[] = {
    {"input", "PATH", "a signal, such as dcv.command, or the pressure of a pump", FALSE},
    {"output", "PROBE|PATH", "a probe, or an output by its path", FALSE},
    {"frequencies", "LIST", "in Hz: A:B:N or values with commas", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_frequency_response = {
    .name = "frequency-response",
    .usage = "FILE --input PATH --output PROBE --frequencies LIST",
    .summary = "response of an output to a sinusoidal signal",
    .text =
        "Linearizes the model where its run starts and prints the complex response of the output\n"
        "to the input at each frequency as CSV.",
    .options = frequency_options,
    .run = run_frequency_response,
};
