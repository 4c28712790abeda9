/* SPDX-License-Identifier: MIT */
/* hydrolink root-locus: eigenvalues over a parameter. A parameter that the compiled system can
 * change takes the fast way of hl_root_locus (); one that shapes it (points, axes) is compiled anew
 * at every value. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-branches.h"
#include "core/analysis/hl-crossing.h"
#include "core/analysis/hl-root-locus.h"
#include "core/io/hl-table.h"

#include <math.h>

#define DEFAULT_POINTS 100
#define MOST_POINTS 1000000
#define MOST_CROSSINGS 256
#define MUCH_TEXT (1 << 20)

/* A locus being made by compiling: the last two linear models, for the vectors. */
typedef struct
{
  HlLinearization *models[2];
} Pair;

static HlStatus
vectors_of (int point, double complex right[], double complex left[], void *data)
{
  const HlLinearization *lin = ((Pair *)data)->models[point & 1];
  int n = lin->n * lin->n;

  for (int k = 0; k < n; k++) {
    right[k] = lin->right_re[k] + lin->right_im[k] * I;
    left[k] = lin->left_re[k] + lin->left_im[k] * I;
  }
  return HL_OK;
}

static HlLinearization *
linearize_document (const HlDocument *document, GError **error)
{
  HlSystem *sys = hl_cli_compile_quietly (document, error);
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = NULL;

  if (sys == NULL)
    return NULL;
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  if (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, NULL, &fault) == HL_OK)
    lin = hl_linearize (sys, work, point, &how, &fault);
  if (lin == NULL)
    hl_cli_set_fault (error, sys, &fault);
  hl_point_free (point);
  hl_work_free (work);
  hl_system_unref (sys);
  return lin;
}

static HlDocument *
document_at (const HlDocument *document, const char *const *paths, double value, GError **error)
{
  HlDocument *changed = hl_document_ref (document);

  for (int k = 0; changed != NULL && paths[k] != NULL; k++) {
    HlDocument *next = hl_document_with_number (changed, paths[k], value, error);
    hl_document_unref (changed);
    changed = next;
  }
  return changed;
}

static HlLinearization *
linearize_at (const HlDocument *document, const char *const *paths, double value, GError **error)
{
  g_autoptr (HlDocument) changed = document_at (document, paths, value, error);

  return changed != NULL ? linearize_document (changed, error) : NULL;
}

/* Rows as far as they can be computed; NULL when there is none. */
static HlLocus *
locus_by_compiling (const HlCli *cli,
                    const char *const *paths,
                    const double values[],
                    int n_values,
                    HlCliWait *wait,
                    GError **error)
{
  Pair pair = {{NULL, NULL}};
  HlBranches *branches = NULL;
  HlLocus *locus = NULL;
  g_autofree double *re = NULL, *im = NULL;
  int n = 0;

  for (int row = 0; row < n_values && !hl_cli_wait_cancel (wait); row++) {
    HlLinearization *lin = linearize_at (cli->document, paths, values[row], error);
    hl_linearization_free (pair.models[row & 1]);
    pair.models[row & 1] = lin;
    if (lin == NULL || (row > 0 && lin->n != n))
      break;
    if (row == 0) {
      n = lin->n;
      branches = hl_branches_new (n, vectors_of, &pair);
      re = g_new (double, n + 1);
      im = g_new (double, n + 1);
      locus = hl_locus_alloc (n, n_values);
    }
    for (int k = 0; k < n; k++) {
      re[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].re;
      im[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].im;
    }
    hl_branches_add (branches, values[row], re, im, locus->re + (gsize)row * (gsize)n,
                     locus->im + (gsize)row * (gsize)n, NULL);
    locus->values[row] = values[row];
    locus->n_values = row + 1;
  }
  for (int k = 0; locus != NULL && k < n; k++) {
    locus->null[k] = true;
    for (int row = 0; row < locus->n_values; row++)
      locus->null[k] =
          locus->null[k] && locus->re[row * n + k] == 0.0 && locus->im[row * n + k] == 0.0;
  }
  hl_branches_free (branches);
  hl_linearization_free (pair.models[0]);
  hl_linearization_free (pair.models[1]);
  return locus;
}

static HlLocus *
locus_of_system (const HlCli *cli, const HlLocusOptions *options, GError **error)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (cli->system, options, &fault);

  if ((locus != NULL ? locus->n_values : 0) < options->n_values && fault.status != HL_OK)
    hl_cli_set_fault (error, cli->system, &fault);
  return locus;
}

/* ---- what is written ---- */

/* What is at hand goes out when it has become much, unless it is for a file. */
static gboolean
pass_on (const HlCli *cli, GString *text, GError **error)
{
  if (text->len < MUCH_TEXT || hl_cli_has (cli, "out"))
    return TRUE;
  gboolean done = hl_cli_write (stdout, text->str, error);
  g_string_truncate (text, 0);
  return done;
}

static gboolean
write_csv (const HlCli *cli, const HlLocus *locus, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *title = g_strdup_printf ("%s [%s]", path, hl_cli_unit_of (cli->document, path));
  int n = locus->n_states;
  g_autofree double *cells = g_new (double, 2 * n + 1);
  gboolean ok = TRUE;

  hl_table_append_text (text, title);
  for (int k = 1; k <= n; k++)
    g_string_append_printf (text, ",re%d [1/s],im%d [rad/s]", k, k);
  g_string_append_c (text, '\n');
  for (int row = 0; ok && row < locus->n_values; row++) {
    cells[0] = locus->values[row];
    for (int k = 0; k < n; k++) {
      cells[2 * k + 1] = locus->re[row * n + k];
      cells[2 * k + 2] = locus->im[row * n + k];
    }
    hl_table_append_numbers (text, cells, 2 * n + 1);
    ok = pass_on (cli, text, error);
  }
  return ok && hl_cli_deliver (cli, text->str, error);
}

static gboolean
write_crossings (
    const HlCli *cli, const char *path, const HlCrossing crossings[], int n, GError **error)
{
  g_autofree char *title = g_strdup_printf ("%s [%s]", path, hl_cli_unit_of (cli->document, path));
  g_autoptr (GString) text = g_string_new (NULL);

  hl_table_append_text (text, title);
  g_string_append (text, ",frequency [Hz],branch,into_right_half\n");
  for (int k = 0; k < n; k++) {
    double cells[] = {crossings[k].value, crossings[k].frequency_hz, crossings[k].branch + 1,
                      crossings[k].into_right};
    hl_table_append_numbers (text, cells, G_N_ELEMENTS (cells));
  }
  return hl_cli_deliver (cli, text->str, error);
}

static gboolean
write_json (const HlCli *cli,
            const HlLocus *locus,
            const char *const *paths,
            const HlCrossing crossings[],
            int n_crossings,
            GError **error)
{
  g_autoptr (HlJsonOut) out = hl_json_out_new ();

  hl_json_out_open (out, NULL, '{');
  hl_json_out_open (out, "parameters", '[');
  for (int k = 0; paths[k] != NULL; k++)
    hl_json_out_text (out, NULL, paths[k]);
  hl_json_out_close (out, ']');
  hl_json_out_text (out, "unit", hl_cli_unit_of (cli->document, paths[0]));
  hl_json_out_numbers (out, "values", locus->values, locus->n_values, 1);
  hl_json_out_open (out, "branches", '[');
  for (int k = 0; k < locus->n_states; k++) {
    hl_json_out_open (out, NULL, '{');
    hl_json_out_bool (out, "null", locus->null[k]);
    hl_json_out_numbers (out, "re", locus->re + k, locus->n_values, locus->n_states);
    hl_json_out_numbers (out, "im", locus->im + k, locus->n_values, locus->n_states);
    hl_json_out_close (out, '}');
  }
  hl_json_out_close (out, ']');
  hl_json_out_open (out, "crossings", '[');
  for (int k = 0; k < n_crossings; k++) {
    hl_json_out_open (out, NULL, '{');
    hl_json_out_number (out, "value", crossings[k].value);
    hl_json_out_number (out, "frequency_hz", crossings[k].frequency_hz);
    hl_json_out_integer (out, "branch", crossings[k].branch + 1);
    hl_json_out_bool (out, "into_right_half", crossings[k].into_right);
    hl_json_out_close (out, '}');
  }
  hl_json_out_close (out, ']');
  hl_json_out_close (out, '}');
  return hl_cli_deliver (cli, out->text->str, error);
}

static gboolean
write_locus (const HlCli *cli,
             const HlLocus *locus,
             const HlCliParameter *parameter,
             const char *const *paths,
             GError **error)
{
  if (!hl_cli_has (cli, "json") && !hl_cli_has (cli, "crossings"))
    return write_csv (cli, locus, paths[0], error);
  HlCrossing crossings[MOST_CROSSINGS];
  HlSweepParameter sweep = hl_cli_sweep_parameter (parameter);
  sweep.low = sweep.high = 0.0; /* both ends were accepted */
  HlSweepPoint *point =
      parameter->shapes ? hl_sweep_point_new_of_document (cli->document, HL_START_FROM_MODEL, NULL)
                        : hl_sweep_point_new (cli->system, HL_START_FROM_MODEL, NULL);
  int n =
      point != NULL ? hl_crossings_find_at (point, &sweep, locus, crossings, MOST_CROSSINGS) : 0;
  hl_sweep_point_free (point);
  n = MIN (n, MOST_CROSSINGS);
  return hl_cli_has (cli, "json") ? write_json (cli, locus, paths, crossings, n, error)
                                  : write_crossings (cli, paths[0], crossings, n, error);
}

/* ---- the command ---- */

/* The value where the locus broke off, before what is wrong there. */
static void
say_where (const char *path, double value, GError **error)
{
  g_autofree char *text = hl_cli_pretty (value, 10);

  if (error != NULL && *error != NULL)
    g_prefix_error (error, "at %s = %s: ", path, text);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 "at %s = %s: the model has another number of states there", path, text);
}

static gboolean
make_locus (
    const HlCli *cli, HlCliParameter *parameter, double values[], int n_values, GError **error)
{
  const char *const *paths = hl_cli_texts (cli, "parameter");
  g_autoptr (GError) broken = NULL, unwritten = NULL;
  HlCliWait wait;

  hl_cli_wait_begin (&wait, n_values);
  HlLocusOptions how = {.parameters = parameter->parameters,
                        .n_parameters = parameter->n,
                        .values = values,
                        .n_values = n_values,
                        .start = HL_START_FROM_MODEL,
                        .cancel = hl_cli_wait_cancel,
                        .cancel_data = &wait};
  HlLocus *locus = parameter->shapes
                       ? locus_by_compiling (cli, paths, values, n_values, &wait, &broken)
                       : locus_of_system (cli, &how, &broken);
  int done = locus != NULL ? locus->n_values : 0;
  gboolean was_stopped = !hl_cli_wait_end (&wait);

  if (done > 0)
    write_locus (cli, locus, parameter, paths, &unwritten);
  hl_locus_free (locus);
  if (unwritten != NULL)
    g_propagate_error (error, g_steal_pointer (&unwritten));
  else if (was_stopped)
    hl_cli_set_stopped (error, done, n_values);
  else if (done < n_values) {
    say_where (paths[0], values[done], &broken);
    g_propagate_error (error, g_steal_pointer (&broken));
  } else
    return TRUE;
  return FALSE;
}

static gboolean
check_line (const HlCli *cli, double *from, double *to, int *n, int *scale, GError **error)
{
  static const char *const scales[] = {"linear", "log", NULL};

  if (!hl_cli_require (cli, "parameter", error) || !hl_cli_require (cli, "from", error) ||
      !hl_cli_require (cli, "to", error) || !hl_cli_number (cli, "from", from, error) ||
      !hl_cli_number (cli, "to", to, error) ||
      !hl_cli_count (cli, "points", n, MOST_POINTS, error) ||
      !hl_cli_choice (cli, "scale", scales, scale, error))
    return FALSE;
  if (*scale == 0 || *from * *to > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--scale log needs both ends on one side of 0; choose ends above 0");
  return FALSE;
}

static gboolean
run (HlCli *cli, GError **error)
{
  double from = NAN, to = NAN;
  int n = DEFAULT_POINTS, scale = 0;
  HlCliParameter parameter;

  if (!check_line (cli, &from, &to, &n, &scale, error) || !hl_cli_compile (cli, error))
    return FALSE;
  const char *const *paths = hl_cli_texts (cli, "parameter");
  /* both ends lie in the parameter's range, so all between do */
  for (int end = 0; end < 2; end++) {
    g_autoptr (HlDocument) changed =
        document_at (cli->document, paths, end == 0 ? from : to, error);
    if (changed == NULL)
      return FALSE;
  }
  g_autofree char *all = g_strjoinv (",", (char **)paths);
  g_autofree double *values = g_new (double, n);
  hl_sweep_values (from, to, n, scale == 1, values);
  if (!hl_cli_parse_parameter (cli, all, &parameter, error))
    return FALSE;
  gboolean done = make_locus (cli, &parameter, values, n, error);
  hl_cli_parameter_clear (&parameter);
  return done;
}

static const HlCliOption options[] = {
    {"parameter", "PATH", "what varies; several get the same value", TRUE},
    {"from", "A", "first value", FALSE},
    {"to", "B", "last value", FALSE},
    {"points", "N", "how many values (100)", FALSE},
    {"scale", "linear|log", "how they are spaced (linear)", FALSE},
    {"crossings", NULL, "instead: where branches cross the imaginary axis, solved", FALSE},
    {"json", NULL, "one JSON object, crossings included, instead of CSV", FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_root_locus = {
    .name = "root-locus",
    .usage = "FILE --parameter PATH --from A --to B [--points N] [OPTION]...",
    .summary = "eigenvalues over a parameter, branches kept in order",
    .text = "Linearizes the model at every value of a parameter and prints the eigenvalues as "
            "CSV:\none row a value, the parameter, then real and imaginary part of every "
            "eigenvalue. Each\ncolumn follows one branch. Null eigenvalues are printed as 0. "
            "Ctrl+C stops, and what there\nis is printed.",
    .options = options,
    .run = run,
};
