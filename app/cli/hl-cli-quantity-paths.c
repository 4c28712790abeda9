/* SPDX-License-Identifier: MIT */
/* hydrolink paths: lists the numbers of a model that can be set, and those that a run can record. */
#include "app/cli/hl-cli-private.h"

#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/system/hl-observable.h"

#include <math.h>
#include <string.h>

typedef struct {
  const HlCli *cli;
  const char *const *patterns;
  GPtrArray *paths, *uses, *units, *meanings; /* texts; those of `uses` and `units` are borrowed */
  GArray *values;
  GHashTable *seen;
} Listing;

/* Returns whether a path is listed: a pattern with * or ? must match the whole path, another one a part of
 * it; without a pattern every path matches. */
static gboolean is_wanted (const char *const *patterns, const char *path) {
  if (patterns[0] == NULL)
    return TRUE;
  for (int k = 0; patterns[k] != NULL; k++)
    if (strpbrk (patterns[k], "*?") != NULL ? g_pattern_match_simple (patterns[k], path)
                                            : strstr (path, patterns[k]) != NULL)
      return TRUE;
  return FALSE;
}

/* Returns the description of a path; empty for paths that need none (link2.x). Owned by the caller. */
static char *meaning_of (const HlDocument *document, const char *path) {
  char *label = hl_path_label (document, path);
  HlPathInfo info;

  if (strcmp (label, path) != 0)
    return label;
  g_free (label);
  return hl_path_find (document, path, &info, NULL) && info.output != NULL
             ? g_strdup_printf ("%s of %s", info.output->label, info.id)
             : g_strdup ("");
}

static void add_row (Listing *list, const char *path, const char *use, double value, const char *unit) {
  if (!is_wanted (list->patterns, path) || g_hash_table_contains (list->seen, path))
    return;
  char *kept = g_strdup (path);
  g_ptr_array_add (list->paths, kept);
  g_hash_table_add (list->seen, kept);
  g_ptr_array_add (list->uses, (gpointer)use);
  g_ptr_array_add (list->units, (gpointer)unit);
  g_ptr_array_add (list->meanings, meaning_of (list->cli->document, path));
  g_array_append_val (list->values, value);
}

static void add_output (const char *path, const HlObservable *output, void *data) {
  add_row (data, path, "record", NAN, hl_observable_unit (*output));
}

static void list_settable (Listing *list) {
  HydrolinkModel *model = list->cli->model;

  for (int k = 0; k < hydrolink_n_paths (model); k++) {
    const char *path = hydrolink_path (model, k), *unit = hydrolink_unit (model, path);
    HlObservable output;
    gboolean is_both = list->cli->system != NULL && hl_observable_find (list->cli->system, path, &output);
    double value = NAN;
    if (!hydrolink_get (model, path, &value, NULL))
      value = NAN;
    add_row (list, path, is_both ? "set, record" : "set", value, unit != NULL ? unit : "1");
  }
}

static void clear_listing (Listing *list) {
  g_hash_table_unref (list->seen);
  g_ptr_array_unref (list->paths);
  g_ptr_array_unref (list->uses);
  g_ptr_array_unref (list->units);
  g_ptr_array_unref (list->meanings);
  g_array_unref (list->values);
}

static gboolean write_listing (const Listing *list, GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  int n = (int)list->paths->len;
  const char *const *paths = (const char *const *)list->paths->pdata;
  const char *const *uses = (const char *const *)list->uses->pdata;
  const char *const *units = (const char *const *)list->units->pdata;
  const char *const *meanings = (const char *const *)list->meanings->pdata;

  hl_answer_open_list (answer, "paths");
  for (int k = 0; k < n; k++) {
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "path", paths[k]);
    hl_answer_string (answer, "use", uses[k]);
    hl_answer_number (answer, "value", g_array_index (list->values, double, k));
    hl_answer_string (answer, "unit", units[k]);
    hl_answer_string (answer, "meaning", meanings[k]);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  hl_answer_text_column (answer, "path", paths, n);
  hl_answer_text_column (answer, "use", uses, n);
  hl_answer_column (answer, NULL, "value", NULL, (const double *)(void *)list->values->data, n, 1);
  hl_answer_text_column (answer, "unit", units, n);
  hl_answer_text_column (answer, "meaning", meanings, n);
  return hl_cli_answer (list->cli, answer, HL_ANSWER_CSV, error);
}

/* Lists the paths; a model that does not compile has settable paths nevertheless. */
static gboolean run (HlCli *cli, GError **error) {
  Listing list = {.cli = cli, .patterns = hl_cli_texts (cli, HL_CLI_WORDS)};
  g_autoptr (HlFindings) findings = hl_findings_new ();

  if (!hl_cli_load (cli, error))
    return FALSE;
  if (!hl_cli_compile_model (cli, findings))
    hl_cli_say ("%s: note: the model has errors, so only paths that can be set are listed; see hydrolink "
                "validate",
                cli->file);
  list.paths = g_ptr_array_new_with_free_func (g_free);
  list.uses = g_ptr_array_new ();
  list.units = g_ptr_array_new ();
  list.meanings = g_ptr_array_new_with_free_func (g_free);
  list.values = g_array_new (FALSE, FALSE, sizeof (double));
  list.seen = g_hash_table_new (g_str_hash, g_str_equal);
  list_settable (&list);
  if (cli->system != NULL)
    hl_observable_visit_outputs (cli->system, add_output, &list);
  gboolean done = list.paths->len > 0;
  if (done)
    done = write_listing (&list, error);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 "%s: no path matches; leave out the pattern to list all paths", cli->file);
  clear_listing (&list);
  return done;
}

static const HlCliOption options[] = {
    {"out", "FILE", "write to a file instead of standard output", FALSE},
    {"json", NULL, "one JSON object instead of CSV", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_paths = {
    .name = "paths",
    .usage = "FILE [PATTERN]... [--out FILE] [--json]",
    .summary = "list the numbers that may be set or recorded, with value and unit",
    .text = "Lists every PATH of the model as CSV: what it may be used for (set: --set, sweep, fit;\n"
            "record: a probe), its value, unit and meaning. A PATTERN is a part of the path, or with *\n"
            "or ? the whole path; several patterns list what matches any of them.",
    .examples = {"hydrolink paths four-bar.hydrolink friction",
                 "hydrolink paths four-bar.hydrolink \"cyl.*\" --json"},
    .options = options,
    .takes_words = TRUE,
    .run = run,
};
