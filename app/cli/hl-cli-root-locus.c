/* SPDX-License-Identifier: MIT */
/* hydrolink root-locus: eigenvalues as functions of a parameter. */
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-number-format.h"
#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/linear/hl-root-locus.h"

#include <math.h>

#define DEFAULT_POINTS 100
#define MOST_POINTS 1000000
#define MOST_CROSSINGS 256

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

/* ---- what is written ---- */

/* Writes the branches; each is two columns of the table, unless the table is that of the crossings. */
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

/* Writes the table of crossings; cells: four columns of n. */
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

static gboolean write_answer (const HlCli *cli, const HlLocus *locus, const char *const *paths,
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

/* Writes the locus; *n_searched: branches whose crossings are known. */
static gboolean write_locus (const HlCli *cli, const HlLocus *locus, const HlCliParameter *parameter,
                             const char *const *paths, int *n_searched, GError **error) {
  *n_searched = locus->n_states;
  hl_cli_note_motion (cli, "crossings are computed for a start state at rest only");
  if (!hl_cli_has (cli, "json") && !hl_cli_has (cli, "crossings"))
    return write_answer (cli, locus, paths, NULL, 0, NULL, error);
  HlCrossing crossings[MOST_CROSSINGS];
  HlSweepParameter sweep = hl_cli_sweep_parameter (parameter);
  sweep.low = sweep.high = 0.0; /* both ends were accepted */
  HlSweepPoint *point = parameter->shapes
                            ? hl_sweep_point_new_of_document (cli->document, HL_START_FROM_MODEL, NULL)
                            : hl_sweep_point_new (cli->system, HL_START_FROM_MODEL, NULL);
  int n = point != NULL ? hl_crossings_find_until (point, &sweep, locus, hl_cli_stop_cb, NULL, crossings,
                                                   MOST_CROSSINGS, n_searched)
                        : 0;
  hl_sweep_point_free (point);
  n = MIN (n, MOST_CROSSINGS);
  HlOilSpectra *oils = hl_cli_has (cli, "oils") ? hl_cli_oils (cli, HL_START_FROM_MODEL, NULL, error) : NULL;
  gboolean done = (oils != NULL || !hl_cli_has (cli, "oils")) &&
                  write_answer (cli, locus, paths, crossings, n, oils, error);
  hl_oil_spectra_free (oils);
  return done;
}

/* ---- the command ---- */

/* Returns the system at a value; NULL with an error when it does not compile. */
static HlSystem *system_at (const HlCli *cli, const HlCliParameter *parameter, double value, GError **error) {
  HlSystem *sys = parameter->shapes ? NULL : hl_system_copy (cli->system);
  g_autoptr (HlDocument) changed =
      sys == NULL ? document_at (cli->document, (const char *const *)parameter->paths, value, error) : NULL;

  for (int k = 0; sys != NULL && k < parameter->n; k++)
    hl_system_set_parameter (sys, parameter->parameters[k], value);
  return changed != NULL ? hl_cli_compile_quietly (changed, error) : sys;
}

/* Says at which value the locus broke off, and why. */
static void set_broken (const HlCli *cli, const HlCliParameter *parameter, double value, const HlFault *fault,
                        GError **error) {
  g_autofree char *text = hl_cli_pretty (value, 10);
  HlSystem *sys = system_at (cli, parameter, value, error);

  if (sys != NULL && (fault->status == HL_OK || (parameter->shapes && fault->status == HL_BAD_MODEL)))
    g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED,
                         "the model has a different number of states there");
  else if (sys != NULL)
    hl_cli_set_fault (error, sys, fault);
  g_prefix_error (error, "at %s = %s: ", parameter->paths[0], text);
  if (sys != NULL)
    hl_system_unref (sys);
}

static gboolean make_locus (const HlCli *cli, HlCliParameter *parameter, double values[], int n_values,
                            double within, GError **error) {
  const char *const *paths = hl_cli_texts (cli, "parameter");
  HlFault fault = {.time = NAN, .entity = -1};
  g_autoptr (GError) unwritten = NULL;
  HlCliWait wait;

  hl_cli_wait_begin (&wait, 2.0 * n_values); /* points are found, then put in order */
  HlLocusOptions how = {.parameters = parameter->parameters,
                        .n_parameters = parameter->n,
                        .document = parameter->shapes ? cli->document : NULL,
                        .paths = paths,
                        .values = values,
                        .n_values = n_values,
                        .within = within,
                        .start = HL_START_FROM_MODEL,
                        .cancel = hl_cli_wait_cancel,
                        .cancel_data = &wait};
  HlLocus *locus = hl_root_locus (cli->system, &how, &fault);
  int done = locus != NULL ? locus->n_values : 0;
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  int n_branches = locus != NULL ? locus->n_states : 0, n_searched = n_branches;

  if (done > 0 && locus->way == HL_LOCUS_DISAGREED)
    hl_cli_say (
        "%s: note: a search within %s 1/s missed eigenvalues; all eigenvalues were computed at every value",
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
  else if (done < n_values)
    set_broken (cli, parameter, values[done], &fault, error);
  else
    return TRUE;
  return FALSE;
}

static gboolean check_line (const HlCli *cli, int *n, int *scale, GError **error) {
  static const char *const scales[] = {"linear", "log", NULL};

  return hl_cli_require (cli, "parameter", error) && hl_cli_require (cli, "from", error) &&
         hl_cli_require (cli, "to", error) && hl_cli_count (cli, "points", n, MOST_POINTS, error) &&
         hl_cli_choice (cli, "scale", scales, scale, error);
}

/* Reads --from and --to, in the unit of the first path. */
static gboolean read_ends (const HlCli *cli, const char *path, double *from, double *to, const int *scale,
                           GError **error) {
  g_auto (GStrv) each = g_strsplit (path, ",", -1);
  HlQuantity quantity = hl_cli_quantity_of (cli->document, each[0] != NULL ? each[0] : "");

  if (!hl_cli_number_of (cli, "from", quantity, from, error) ||
      !hl_cli_number_of (cli, "to", quantity, to, error))
    return FALSE;
  if (*scale == 0 || *from * *to > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--scale log needs ends of the same sign; choose ends above 0");
  return FALSE;
}

/* Reads --within; 0: all branches. */
static gboolean read_within (const HlCli *cli, double *within, GError **error) {
  if (!hl_cli_has (cli, "within"))
    return TRUE;
  if (!hl_cli_number (cli, "within", within, error))
    return FALSE;
  if (*within > 0.0 && isfinite (*within))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--within must be a distance from the origin in 1/s, above 0");
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  double from = NAN, to = NAN, within = 0.0;
  int n = DEFAULT_POINTS, scale = 0;
  HlCliParameter parameter;

  const char *const *paths = hl_cli_texts (cli, "parameter");
  if (!check_line (cli, &n, &scale, error) || !read_within (cli, &within, error) ||
      !hl_cli_compile (cli, error) || !read_ends (cli, paths[0], &from, &to, &scale, error))
    return FALSE;
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
    {"parameter", "PATH", "parameter; several paths get the same value", TRUE},
    {"from", "A", "first value", FALSE},
    {"to", "B", "last value", FALSE},
    {"points", "N", "number of values (default 100)", FALSE},
    {"scale", "linear|log", "spacing (default linear)", FALSE},
    {"within", "RATE",
     "only branches that come within this distance of the origin [1/s];\n"
     "                            much faster for a machine of many states",
     FALSE},
    {"crossings", NULL, "instead: crossings of the imaginary axis", FALSE},
    {"oils", NULL,
     "with --json: also the eigenvalues of all three oil models side by\n"
     "                            side, at the model's own value",
     FALSE},
    {"json", NULL, "one JSON object, crossings included, instead of CSV", FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_root_locus = {
    .name = "root-locus",
    .usage = "FILE --parameter PATH --from A --to B [--points N] [OPTION]...",
    .summary = "eigenvalues over a parameter, branches kept in order",
    .text = "Linearizes the model at every value of a parameter and prints the eigenvalues as CSV:\n"
            "one row per value, with the parameter and the real and imaginary part of every eigenvalue.\n"
            "Each column follows one branch. Null eigenvalues are printed as 0. Ctrl+C stops and prints\n"
            "the finished rows.",
    .examples =
        {"hydrolink root-locus four-bar.hydrolink --parameter cyl.friction.scale --from 0.01 --to 1",
         "hydrolink root-locus four-bar.hydrolink --parameter link2.mass --from 1 --to \"4 kg\" --crossings"},
    .options = options,
    .run = run,
};
