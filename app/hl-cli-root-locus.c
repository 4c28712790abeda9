/* SPDX-License-Identifier: MIT */
/* hydrolink root-locus: eigenvalues over a parameter. A parameter that the compiled system can
 * change takes the fast way of hl_root_locus (); one that shapes it (points, axes) is compiled anew
 * at every value. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-branches.h"
#include "core/analysis/hl-root-locus.h"
#include "core/io/hl-table.h"

#include <math.h>

#define DEFAULT_POINTS 100
#define MOST_POINTS 1000000

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

static void
append_header (GString *text, const HlDocument *document, const char *path, int n)
{
  g_autofree char *title = g_strdup_printf ("%s [%s]", path, hl_cli_unit_of (document, path));

  hl_table_append_text (text, title);
  for (int k = 1; k <= n; k++)
    g_string_append_printf (text, ",re%d [1/s],im%d [rad/s]", k, k);
  g_string_append_c (text, '\n');
}

static void
append_row (GString *text, double parameter, const double re[], const double im[], int n)
{
  g_autofree double *row = g_new (double, 2 * n + 1);

  row[0] = parameter;
  for (int k = 0; k < n; k++) {
    row[2 * k + 1] = re[k];
    row[2 * k + 2] = im[k];
  }
  hl_table_append_numbers (text, row, 2 * n + 1);
}

/* Appends as many rows as can be computed. */
static gboolean
locus_by_compiling (const HlCli *cli,
                    const char *const *paths,
                    const double values[],
                    int n_values,
                    GString *text,
                    GError **error)
{
  Pair pair = {{NULL, NULL}};
  HlBranches *branches = NULL;
  g_autofree double *re = NULL, *im = NULL, *out = NULL;
  gboolean ok = TRUE;
  int n = 0;

  for (int row = 0; ok && row < n_values; row++) {
    HlLinearization *lin = linearize_at (cli->document, paths, values[row], error);
    hl_linearization_free (pair.models[row & 1]);
    pair.models[row & 1] = lin;
    ok = lin != NULL && (row == 0 || lin->n == n);
    if (!ok)
      break;
    if (row == 0) {
      n = lin->n;
      branches = hl_branches_new (n, vectors_of, &pair);
      re = g_new (double, n + 1);
      im = g_new (double, n + 1);
      out = g_new (double, 2 * n + 1);
      append_header (text, cli->document, paths[0], n);
    }
    for (int k = 0; k < n; k++) {
      re[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].re;
      im[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].im;
    }
    hl_branches_add (branches, values[row], re, im, out, out + n, NULL);
    append_row (text, values[row], out, out + n, n);
  }
  hl_branches_free (branches);
  hl_linearization_free (pair.models[0]);
  hl_linearization_free (pair.models[1]);
  return ok;
}

static gboolean
locus_of_system (const HlCli *cli,
                 const HlLocusOptions *options,
                 const char *path,
                 GString *text,
                 GError **error)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (cli->system, options, &fault);
  int done = locus != NULL ? locus->n_values : 0;

  if (locus != NULL && done > 0)
    append_header (text, cli->document, path, locus->n_states);
  for (int row = 0; row < done; row++)
    append_row (text, locus->values[row], locus->re + row * locus->n_states,
                locus->im + row * locus->n_states, locus->n_states);
  hl_locus_free (locus);
  if (done == options->n_values)
    return TRUE;
  g_autofree char *value = hl_cli_pretty (options->values[done], 10);
  g_autofree char *why = hl_fault_message (cli->system, &fault);
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "at %s = %s: %s", path, value, why);
  return FALSE;
}

static gboolean
make_locus (const HlCli *cli, const double values[], int n_values, GString *text, GError **error)
{
  const char *const *paths = hl_cli_texts (cli, "parameter");
  int n = (int)g_strv_length ((char **)paths);
  g_autofree HlParameter *parameters = g_new (HlParameter, n);
  gboolean in_system = TRUE;

  for (int k = 0; k < n; k++)
    in_system = in_system && hl_system_find_parameter (cli->system, paths[k], &parameters[k]);
  if (!in_system)
    return locus_by_compiling (cli, paths, values, n_values, text, error);
  HlLocusOptions how = {.parameters = parameters,
                        .n_parameters = n,
                        .values = values,
                        .n_values = n_values,
                        .start = HL_START_FROM_MODEL};
  return locus_of_system (cli, &how, paths[0], text, error);
}

static gboolean
run (HlCli *cli, GError **error)
{
  static const char *const scales[] = {"linear", "log", NULL};
  double from = NAN, to = NAN;
  int n = DEFAULT_POINTS, scale = 0;

  if (!hl_cli_require (cli, "parameter", error) || !hl_cli_require (cli, "from", error) ||
      !hl_cli_require (cli, "to", error) || !hl_cli_number (cli, "from", &from, error) ||
      !hl_cli_number (cli, "to", &to, error) ||
      !hl_cli_count (cli, "points", &n, MOST_POINTS, error) ||
      !hl_cli_choice (cli, "scale", scales, &scale, error))
    return FALSE;
  if (scale == 1 && !(from * to > 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--scale log needs both ends on one side of 0; choose ends above 0");
    return FALSE;
  }
  if (!hl_cli_compile (cli, error))
    return FALSE;
  /* both ends lie in the parameter's range, so all between do */
  for (int end = 0; end < 2; end++) {
    g_autoptr (HlDocument) changed =
        document_at (cli->document, hl_cli_texts (cli, "parameter"), end == 0 ? from : to, error);
    if (changed == NULL)
      return FALSE;
  }
  g_autofree double *values = g_new (double, n);
  g_autoptr (GString) text = g_string_new (NULL);
  hl_sweep_values (from, to, n, scale == 1, values);
  gboolean done = make_locus (cli, values, n, text, error);
  return hl_cli_write (stdout, text->str, done ? error : NULL) && done;
}

static const HlCliOption options[] = {
    {"parameter", "PATH", "what varies; several get the same value", TRUE},
    {"from", "A", "first value", FALSE},
    {"to", "B", "last value", FALSE},
    {"points", "N", "how many values (100)", FALSE},
    {"scale", "linear|log", "how they are spaced (linear)", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_root_locus = {
    .name = "root-locus",
    .usage = "FILE --parameter PATH --from A --to B [--points N] [--scale log]",
    .summary = "eigenvalues over a parameter, branches kept in order",
    .text = "Linearizes the model at every value of a parameter and prints the eigenvalues as "
            "CSV:\none row a value, the parameter, then real and imaginary part of every "
            "eigenvalue. Each\ncolumn follows one branch. Null eigenvalues are printed as 0.",
    .options = options,
    .run = run,
};
