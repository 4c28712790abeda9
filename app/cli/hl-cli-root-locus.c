/* SPDX-License-Identifier: MIT */
/* hydrolink root-locus: eigenvalues over a parameter. A parameter that the compiled system can
 * change takes the fast way of hl_root_locus (); one that shapes it (points, axes) is compiled anew
 * at every value. */
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-number.h"
#include "core/linear/hl-branches.h"
#include "core/linear/hl-crossing.h"
#include "core/linear/hl-parallel.h"
#include "core/linear/hl-root-locus.h"

#include <math.h>

#define DEFAULT_POINTS 100
#define MOST_POINTS 1000000
#define MOST_CROSSINGS 256

/* A locus being made by compiling: the last two linear models, for the vectors. */
typedef struct {
  HlLinearization *models[2];
} Pair;

static HlStatus vectors_of (int point, double complex right[], double complex left[], void *data) {
  const HlLinearization *lin = ((Pair *)data)->models[point & 1];
  int n = lin->n * lin->n;

  for (int k = 0; k < n; k++) {
    right[k] = lin->right_re[k] + lin->right_im[k] * I;
    left[k] = lin->left_re[k] + lin->left_im[k] * I;
  }
  return HL_OK;
}

static HlLinearization *linearize_document (const HlDocument *document, GError **error) {
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

static HlDocument *document_at (const HlDocument *document, const char *const *paths, double value,
                                GError **error) {
  HlDocument *changed = hl_document_ref (document);

  for (int k = 0; changed != NULL && paths[k] != NULL; k++) {
    HlDocument *next = hl_document_with_number (changed, paths[k], value, error);
    hl_document_unref (changed);
    changed = next;
  }
  return changed;
}

static HlLinearization *linearize_at (const HlDocument *document, const char *const *paths, double value,
                                      GError **error) {
  g_autoptr (HlDocument) changed = document_at (document, paths, value, error);

  return changed != NULL ? linearize_document (changed, error) : NULL;
}

/* ---- points that are compiled, on all processors ---- */

#define ROWS_PER_THREAD 8 /* at hand, each with its vectors */

typedef struct {
  const HlDocument *document;
  const char *const *paths;
  const double *values;
  HlCliWait *wait;
  int from;                 /* the first row at hand */
  HlLinearization **models; /* of the rows at hand; NULL where there is none */
  GError **errors;
  int n_done, is_stopped; /* atomic */
} Compiling;

static void tell_of_rows (void *data) {
  Compiling *compiling = data;

  if (!hl_cli_wait_at (g_atomic_int_get (&compiling->n_done), compiling->wait))
    g_atomic_int_set (&compiling->is_stopped, 1);
}

static void compile_row (int k, int place, void *data) {
  Compiling *compiling = data;

  if (place == 0)
    tell_of_rows (compiling);
  if (g_atomic_int_get (&compiling->is_stopped))
    return;
  compiling->models[k] = linearize_at (compiling->document, compiling->paths,
                                       compiling->values[compiling->from + k], &compiling->errors[k]);
  g_atomic_int_inc (&compiling->n_done);
}

/* What continues the branches, and the models that it looks at. */
typedef struct {
  Pair pair;
  HlBranches *branches;
  HlLocus *locus;
  double *re, *im; /* n */
  int n;
} Tracing;

/* Takes the model, whose row is the next one; FALSE when it has other states. */
static gboolean add_row (Tracing *tracing, HlLinearization *lin, double value, int n_values) {
  int row = tracing->locus != NULL ? tracing->locus->n_values : 0;

  hl_linearization_free (tracing->pair.models[row & 1]);
  tracing->pair.models[row & 1] = lin;
  if (row == 0) {
    tracing->n = lin->n;
    tracing->branches = hl_branches_new (lin->n, vectors_of, &tracing->pair);
    tracing->re = g_new (double, lin->n + 1);
    tracing->im = g_new (double, lin->n + 1);
    tracing->locus = hl_locus_alloc (lin->n, n_values);
  }
  if (lin->n != tracing->n)
    return FALSE;
  for (int k = 0; k < lin->n; k++) {
    tracing->re[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].re;
    tracing->im[k] = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].im;
  }
  gsize at = (gsize)row * (gsize)lin->n;
  hl_branches_add (tracing->branches, value, tracing->re, tracing->im, tracing->locus->re + at,
                   tracing->locus->im + at, NULL);
  tracing->locus->values[row] = value;
  tracing->locus->n_values = row + 1;
  return TRUE;
}

static void mark_null (HlLocus *locus) {
  int n = locus->n_states;

  for (int k = 0; k < n; k++) {
    locus->null[k] = true;
    for (int row = 0; row < locus->n_values; row++)
      locus->null[k] = locus->null[k] && locus->re[row * n + k] == 0.0 && locus->im[row * n + k] == 0.0;
  }
}

/* Rows as far as they can be computed; NULL when there is none. */
static HlLocus *locus_by_compiling (const HlCli *cli, const char *const *paths, const double values[],
                                    int n_values, HlCliWait *wait, GError **error) {
  int most = MIN (n_values, ROWS_PER_THREAD * hl_parallel_n_processors ());
  g_autofree HlLinearization **models = g_new0 (HlLinearization *, most + 1);
  g_autofree GError **errors = g_new0 (GError *, most + 1);
  Compiling compiling = {.document = cli->document,
                         .paths = paths,
                         .values = values,
                         .wait = wait,
                         .models = models,
                         .errors = errors};
  Tracing tracing = {.n = 0};
  gboolean goes_on = TRUE;

  for (; goes_on && compiling.from < n_values; compiling.from += most) {
    int n = MIN (most, n_values - compiling.from);
    hl_parallel_run (&(HlParallel){.n = n, .work = compile_row, .tick = tell_of_rows, .data = &compiling});
    for (int k = 0; k < n; k++) {
      if (goes_on && errors[k] != NULL)
        g_propagate_error (error, g_steal_pointer (&errors[k]));
      goes_on = goes_on && models[k] != NULL &&
                add_row (&tracing, g_steal_pointer (&models[k]), values[compiling.from + k], n_values);
      g_clear_error (&errors[k]);
      g_clear_pointer (&models[k], hl_linearization_free);
    }
  }
  if (tracing.locus != NULL)
    mark_null (tracing.locus);
  hl_branches_free (tracing.branches);
  hl_linearization_free (tracing.pair.models[0]);
  hl_linearization_free (tracing.pair.models[1]);
  g_free (tracing.re);
  g_free (tracing.im);
  return tracing.locus;
}

static HlLocus *locus_of_system (const HlCli *cli, const HlLocusOptions *options, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (cli->system, options, &fault);

  if ((locus != NULL ? locus->n_values : 0) < options->n_values && fault.status != HL_OK)
    hl_cli_set_fault (error, cli->system, &fault);
  return locus;
}

/* ---- what is written ---- */

/* Branches; each is two columns of the table, unless that is the one of the crossings. */
static void put_branches (HlAnswer *out, const HlLocus *locus, gboolean in_table) {
  int n = locus->n_states;

  hl_answer_open_list (out, "branches");
  for (int k = 0; k < n; k++) {
    g_autofree char *re = g_strdup_printf ("re%d", k + 1);
    g_autofree char *im = g_strdup_printf ("im%d", k + 1);
    hl_answer_open_object (out, NULL);
    hl_answer_bool (out, "null", locus->null[k]);
    hl_answer_column (out, "re", in_table ? re : NULL, "1/s", locus->re + k, locus->n_values, n);
    hl_answer_column (out, "im", in_table ? im : NULL, "rad/s", locus->im + k, locus->n_values, n);
    hl_answer_close (out);
  }
  hl_answer_close (out);
}

static void put_crossings (HlAnswer *out, const HlCrossing crossings[], int n) {
  hl_answer_open_list (out, "crossings");
  for (int k = 0; k < n; k++) {
    hl_answer_open_object (out, NULL);
    hl_answer_number (out, "value", crossings[k].value);
    hl_answer_number (out, "frequency_hz", crossings[k].frequency_hz);
    hl_answer_integer (out, "branch", crossings[k].branch + 1);
    hl_answer_bool (out, "into_right_half", crossings[k].into_right);
    hl_answer_close (out);
  }
  hl_answer_close (out);
}

/* The table of crossings; cells: four columns of n. */
static void put_crossing_table (HlAnswer *out, const char *path, const char *unit,
                                const HlCrossing crossings[], int n, double cells[]) {
  for (int k = 0; k < n; k++) {
    cells[k] = crossings[k].value;
    cells[n + k] = crossings[k].frequency_hz;
    cells[2 * n + k] = crossings[k].branch + 1;
    cells[3 * n + k] = crossings[k].into_right;
  }
  hl_answer_column (out, NULL, path, unit, cells, n, 1);
  hl_answer_column (out, NULL, "frequency", "Hz", cells + n, n, 1);
  hl_answer_column (out, NULL, "branch", NULL, cells + 2 * n, n, 1);
  hl_answer_column (out, NULL, "into_right_half", NULL, cells + 3 * n, n, 1);
}

static gboolean tell (const HlCli *cli, const HlLocus *locus, const char *const *paths,
                      const HlCrossing crossings[], int n_crossings, const HlOilSpectra *oils,
                      GError **error) {
  g_autoptr (HlAnswer) out = hl_answer_new ();
  gboolean in_table = !hl_cli_has (cli, "crossings");
  const char *unit = hl_cli_unit_of (cli->document, paths[0]);
  g_autofree double *cells = g_new0 (double, 4 * n_crossings + 1);

  hl_answer_strings (out, "parameters", paths, -1);
  hl_answer_string (out, "unit", unit);
  hl_answer_column (out, "values", in_table ? paths[0] : NULL, unit, locus->values, locus->n_values, 1);
  put_branches (out, locus, in_table);
  put_crossings (out, crossings, n_crossings);
  if (oils != NULL)
    hl_cli_put_oils (out, oils);
  if (!in_table)
    put_crossing_table (out, paths[0], unit, crossings, n_crossings, cells);
  return hl_cli_answer (cli, out, HL_ANSWER_CSV, error);
}

static bool stop_search (void *data) {
  return hl_cli_is_stopped ();
}

/* *n_searched: branches whose crossings are known. */
static gboolean write_locus (const HlCli *cli, const HlLocus *locus, const HlCliParameter *parameter,
                             const char *const *paths, int *n_searched, GError **error) {
  *n_searched = locus->n_states;
  hl_cli_note_motion (cli, "no crossing is told where it moves");
  if (!hl_cli_has (cli, "json") && !hl_cli_has (cli, "crossings"))
    return tell (cli, locus, paths, NULL, 0, NULL, error);
  HlCrossing crossings[MOST_CROSSINGS];
  HlSweepParameter sweep = hl_cli_sweep_parameter (parameter);
  sweep.low = sweep.high = 0.0; /* both ends were accepted */
  HlSweepPoint *point = parameter->shapes
                            ? hl_sweep_point_new_of_document (cli->document, HL_START_FROM_MODEL, NULL)
                            : hl_sweep_point_new (cli->system, HL_START_FROM_MODEL, NULL);
  int n = point != NULL ? hl_crossings_find_until (point, &sweep, locus, stop_search, NULL, crossings,
                                                   MOST_CROSSINGS, n_searched)
                        : 0;
  hl_sweep_point_free (point);
  n = MIN (n, MOST_CROSSINGS);
  HlOilSpectra *oils = hl_cli_has (cli, "oils") ? hl_cli_oils (cli, HL_START_FROM_MODEL, NULL, error) : NULL;
  gboolean done =
      (oils != NULL || !hl_cli_has (cli, "oils")) && tell (cli, locus, paths, crossings, n, oils, error);
  hl_oil_spectra_free (oils);
  return done;
}

/* ---- the command ---- */

/* The value where the locus broke off, before what is wrong there. */
static void say_where (const char *path, double value, GError **error) {
  g_autofree char *text = hl_cli_pretty (value, 10);

  if (error != NULL && *error != NULL)
    g_prefix_error (error, "at %s = %s: ", path, text);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "at %s = %s: the model has another number of states there",
                 path, text);
}

static gboolean make_locus (const HlCli *cli, HlCliParameter *parameter, double values[], int n_values,
                            double within, GError **error) {
  const char *const *paths = hl_cli_texts (cli, "parameter");
  g_autoptr (GError) broken = NULL, unwritten = NULL;
  HlCliWait wait;

  /* a compiled system's points are found, then put in order */
  hl_cli_wait_begin (&wait, parameter->shapes ? n_values : 2.0 * n_values);
  HlLocusOptions how = {.parameters = parameter->parameters,
                        .n_parameters = parameter->n,
                        .values = values,
                        .n_values = n_values,
                        .within = within,
                        .start = HL_START_FROM_MODEL,
                        .cancel = hl_cli_wait_cancel,
                        .cancel_data = &wait};
  HlLocus *locus = parameter->shapes ? locus_by_compiling (cli, paths, values, n_values, &wait, &broken)
                                     : locus_of_system (cli, &how, &broken);
  int done = locus != NULL ? locus->n_values : 0;
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  int n_branches = locus != NULL ? locus->n_states : 0, n_searched = n_branches;

  if (done > 0 && within > 0.0 && parameter->shapes)
    hl_locus_keep_within (locus, within);
  if (done > 0 && locus->way == HL_LOCUS_DISAGREED)
    hl_cli_say ("%s: note: the eigenvalues within %s 1/s alone were not those that all of them show; all "
                "were computed at every value",
                cli->file, hl_shown (within, 4).text);
  if (done > 0) {
    hl_cli_say_cavitations_at_start (cli);
    write_locus (cli, locus, parameter, paths, &n_searched, &unwritten);
  }
  hl_locus_free (locus);
  if (unwritten != NULL)
    g_propagate_error (error, g_steal_pointer (&unwritten));
  else if (was_stopped)
    hl_cli_set_stopped (error, done, n_values, "points");
  else if (n_searched < n_branches)
    hl_cli_set_stopped (error, n_searched, n_branches, "branches, in the search for crossings");
  else if (done < n_values) {
    say_where (paths[0], values[done], &broken);
    g_propagate_error (error, g_steal_pointer (&broken));
  } else
    return TRUE;
  return FALSE;
}

static gboolean check_line (const HlCli *cli, double *from, double *to, int *n, int *scale, GError **error) {
  static const char *const scales[] = {"linear", "log", NULL};

  if (!hl_cli_require (cli, "parameter", error) || !hl_cli_require (cli, "from", error) ||
      !hl_cli_require (cli, "to", error) || !hl_cli_number (cli, "from", from, error) ||
      !hl_cli_number (cli, "to", to, error) || !hl_cli_count (cli, "points", n, MOST_POINTS, error) ||
      !hl_cli_choice (cli, "scale", scales, scale, error))
    return FALSE;
  if (*scale == 0 || *from * *to > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--scale log needs both ends on one side of 0; choose ends above 0");
  return FALSE;
}

/* 0: all branches. */
static gboolean read_within (const HlCli *cli, double *within, GError **error) {
  if (!hl_cli_has (cli, "within"))
    return TRUE;
  if (!hl_cli_number (cli, "within", within, error))
    return FALSE;
  if (*within > 0.0 && isfinite (*within))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--within is a distance from the origin in 1/s, above 0");
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  double from = NAN, to = NAN, within = 0.0;
  int n = DEFAULT_POINTS, scale = 0;
  HlCliParameter parameter;

  if (!check_line (cli, &from, &to, &n, &scale, error) || !read_within (cli, &within, error) ||
      !hl_cli_compile (cli, error))
    return FALSE;
  const char *const *paths = hl_cli_texts (cli, "parameter");
  /* both ends lie in the parameter's range, so all between do */
  for (int end = 0; end < 2; end++) {
    g_autoptr (HlDocument) changed = document_at (cli->document, paths, end == 0 ? from : to, error);
    if (changed == NULL)
      return FALSE;
  }
  g_autofree char *all = g_strjoinv (",", (char **)paths);
  g_autofree double *values = g_new (double, n);
  hl_sweep_values (from, to, n, scale == 1, values);
  if (!hl_cli_parse_parameter (cli, all, &parameter, error))
    return FALSE;
  gboolean done = make_locus (cli, &parameter, values, n, within, error);
  hl_cli_parameter_clear (&parameter);
  return done;
}

static const HlCliOption options[] = {
    {"parameter", "PATH", "what varies; several get the same value", TRUE},
    {"from", "A", "first value", FALSE},
    {"to", "B", "last value", FALSE},
    {"points", "N", "how many values (100)", FALSE},
    {"scale", "linear|log", "how they are spaced (linear)", FALSE},
    {"within", "RATE",
     "only branches that come so near to the origin somewhere [1/s];\n"
     "                            much faster for a machine of many states",
     FALSE},
    {"crossings", NULL, "instead: where branches cross the imaginary axis, solved", FALSE},
    {"oils", NULL,
     "with --json: also the eigenvalues of all three oils beside each\n"
     "                            other, at the model's own value",
     FALSE},
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
