/* SPDX-License-Identifier: MIT */
/* hydrolink study: one command, its verbs by the first word. */
#include "app/study/hl-cli-study-private.h"
#include "core/fmu/hl-ssv.h"
#include "core/io/hl-json.h"
#include "core/study/hl-study-table.h"

#include <string.h>

#define MOST_SHARDS 100000

static const struct {
  const char *name;
  gboolean (*run) (HlCli *cli, GError **error);
} verbs[] = {
    {"run", hl_cli_study_run},     {"status", hl_cli_study_status},
    {"merge", hl_cli_study_merge}, {"statistics", hl_cli_study_statistics},
    {"plot", hl_cli_study_plot},   {"submit", hl_cli_study_submit},
};

const char *hl_cli_study_word (const HlCli *cli, int n) {
  const char *const *words = hl_cli_texts (cli, HL_CLI_WORDS);

  for (int k = 0; k <= n; k++)
    if (words[k] == NULL)
      return NULL;
  return words[n + 1];
}

/* --- options over a file --- */

HlValue *hl_cli_study_with (HlValue *root, const char *key, HlValue *member) {
  HlValue *changed = root != NULL && member != NULL ? hl_value_with_member (root, key, member) : NULL;

  if (changed == NULL && member != NULL)
    hl_value_unref (member);
  if (root != NULL)
    hl_value_unref (root);
  return changed;
}

void hl_cli_study_say (const char *text, void *data) {
  (void)data;
  hl_cli_say ("%s", text);
}

/* NULL with an error. Takes the root. */
static HlValue *with_list (HlValue *root, const char *key, const char *const texts[],
                           HlValue *(*of_text) (const char *text, GError **error), GError **error) {
  HlValue *list = hl_value_new_array ();

  for (int k = 0; texts[k] != NULL && list != NULL; k++) {
    HlValue *item = of_text (texts[k], error);
    HlValue *longer = item != NULL ? hl_value_with_inserted (list, (gsize)k, item) : NULL;
    hl_value_unref (list);
    list = longer;
  }
  return hl_cli_study_with (root, key, list);
}

static HlValue *text_value (const char *text, GError **error) {
  (void)error;
  return hl_value_new_string (text);
}

static HlValue *with_settings (const HlCli *cli, HlValue *root, GError **error) {
  const char *const *texts = hl_cli_texts (cli, "set");

  for (int k = 0; root != NULL && texts[k] != NULL; k++) {
    const char *sign = strchr (texts[k], '=');
    double value;
    if (sign == NULL || sign == texts[k]) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--set ‘%s’: write PATH=VALUE", texts[k]);
      hl_value_unref (root);
      return NULL;
    }
    g_autofree char *path = g_strndup (texts[k], (gsize)(sign - texts[k]));
    if (!hl_cli_parse_number (sign + 1, path, &value, error)) {
      hl_value_unref (root);
      return NULL;
    }
    root = hl_cli_study_with (
        root, "set", hl_value_with_member (hl_value_member (root, "set"), path, hl_value_new_number (value)));
  }
  return root;
}

static HlValue *with_design (const HlCli *cli, HlValue *root, GError **error) {
  const char *design = hl_cli_text (cli, "design"), *seed = hl_cli_text (cli, "seed");
  double number;

  if (root != NULL && design != NULL)
    root = hl_cli_study_with (root, "design", hl_study_design_of_text (design, error));
  if (root == NULL || seed == NULL || hl_value_member (root, "design") == NULL)
    return root;
  if (!hl_cli_parse_number (seed, "--seed", &number, error)) {
    hl_value_unref (root);
    return NULL;
  }
  return hl_cli_study_with (
      root, "design",
      hl_value_with_member (hl_value_member (root, "design"), "seed", hl_value_new_number (number)));
}

/* The model with the numbers of SSP parameter sets, behind the parameter set of the study, which is then
 * in the model. */
static HlValue *with_parameter_files (const HlCli *cli, HlValue *root, GError **error) {
  const char *const *files = hl_cli_texts (cli, "parameter-file");
  const char *set = hl_value_string (hl_value_member (root, "parameter_set"));

  if (files[0] == NULL || !hl_value_is_object (hl_value_member (root, "model")))
    return root;
  g_autofree char *text = hl_study_value_text (hl_value_member (root, "model"));
  g_autoptr (HlDocument) document = hl_document_parse (text, strlen (text), "model", error);
  if (document != NULL && set != NULL) {
    HlDocument *changed = hl_document_apply_set (document, set, error);
    hl_document_unref (document);
    document = changed;
  }
  for (int k = 0; document != NULL && files[k] != NULL; k++) {
    HlDocument *changed = hl_ssv_apply (document, files[k], error);
    hl_document_unref (document);
    document = changed;
  }
  if (document == NULL) {
    hl_value_unref (root);
    return NULL;
  }
  HlValue *plain = hl_value_without_member (root, "parameter_set");
  hl_value_unref (root);
  return hl_cli_study_with (plain, "model", hl_value_ref (hl_document_root (document)));
}

HlStudy *hl_cli_study_read_for (const HlCli *cli, HlValue *root, const char *file, HlStudyPurpose purpose,
                                GError **error) {
  const char *set = hl_cli_text (cli, "parameter-set");

  if (root != NULL && hl_cli_has (cli, "vary"))
    root = with_list (root, "vary", hl_cli_texts (cli, "vary"), hl_study_vary_of_text, error);
  if (root != NULL && hl_cli_has (cli, "measure"))
    root = with_list (root, "measures", hl_cli_texts (cli, "measure"), text_value, error);
  if (root != NULL && set != NULL)
    root = hl_cli_study_with (root, "parameter_set", hl_value_new_string (set));
  if (root != NULL)
    root = with_parameter_files (cli, root, error);
  if (root != NULL)
    root = with_settings (cli, root, error);
  if (root != NULL)
    root = with_design (cli, root, error);
  if (root == NULL)
    return NULL;
  HlStudy *study = hl_study_new_for (root, purpose, error);
  if (study == NULL)
    g_prefix_error (error, "%s: ", file);
  return study;
}

HlStudy *hl_cli_study_read (const HlCli *cli, const char *file, GError **error) {
  return hl_cli_study_read_for (cli, hl_study_load_root (file, error), file, HL_STUDY_ROWS, error);
}

HlStudyFolder *hl_cli_study_open (const HlCli *cli, const char *path, HlStudy **study, GError **error) {
  if (path == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "name the folder of the study: hydrolink study %s DIR",
                 hl_cli_texts (cli, HL_CLI_WORDS)[0]);
    return NULL;
  }
  *study = hl_study_folder_load_study (path, error);
  g_autoptr (HlStudyFolder) folder = *study != NULL ? hl_study_folder_open (path, *study, NULL, error) : NULL;
  if (folder == NULL || !hl_study_folder_scan (folder, error))
    return NULL;
  return g_steal_pointer (&folder);
}

gboolean hl_cli_study_shard (const HlCli *cli, int *part, int *of, GError **error) {
  const char *text = hl_cli_text (cli, "shard");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "1/1", "/", -1);
  gint64 a, b;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_signed (parts[1], 10, 1, MOST_SHARDS, &b, NULL) ||
      !g_ascii_string_to_signed (parts[0], 10, 1, b, &a, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--shard ‘%s’: write I/N with I from 1 to N, such as 1/4",
                 text);
    return FALSE;
  }
  *part = (int)a;
  *of = (int)b;
  return TRUE;
}

/* --- the command --- */

static gboolean run (HlCli *cli, GError **error) {
  const char *verb = hl_cli_texts (cli, HL_CLI_WORDS)[0];
  const char *names[G_N_ELEMENTS (verbs) + 1] = {NULL};

  for (gsize k = 0; k < G_N_ELEMENTS (verbs); k++) {
    names[k] = verbs[k].name;
    if (g_strcmp0 (verb, verbs[k].name) == 0)
      return verbs[k].run (cli, error);
  }
  g_autofree char *all = g_strjoinv (", ", (char **)names);
  if (verb == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "study needs a verb, one of %s; see hydrolink "
                 "study --help",
                 all);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "study cannot ‘%s’; it is one of %s", verb, all);
  return FALSE;
}

static const HlCliOption options[] = {
    {"out", "DIR", "run, submit: the folder of the study; plot: the picture", FALSE},
    {"jobs", "N", "run: processes at a time (one for each processor)", FALSE},
    {"vary", "PATH=A:B[:log]", "a number that varies; or PATH=VALUE,VALUE; repeatable", TRUE},
    {"design", "KIND:N", "grid, random, lhs, sobol, oat or saltelli", FALSE},
    {"seed", "N", "of the design (0)", FALSE},
    {"measure", "KIND[:PROBE]", "what is measured of each row; repeatable", TRUE},
    {"set", "PATH=VALUE", "give one number of the model another value; repeatable", TRUE},
    {"parameter-set", "NAME", "apply a parameter set of the model first", FALSE},
    {"parameter-file", "FILE", "then take the numbers of an SSP parameter set (.ssv)", TRUE},
    {"shard", "I/N", "run: only the I-th of N parts of the rows, I from 1", FALSE},
    {"progress", "FORM", "run: bar, lines, json or none on standard error", FALSE},
    {"strict", NULL, "run: status 1 when a row has failed", FALSE},
    {"engine", "NAME", "submit: slurm, htcondor or parallel", FALSE},
    {"shards", "N", "submit: tasks of the array (32)", FALSE},
    {"go", NULL, "submit: hand the job over, too", FALSE},
    {"kind", "NAME", "plot: scatter, histogram, surface, pareto or tornado", FALSE},
    {"json", NULL, "status, statistics: one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_study = {
    .name = "study",
    .usage = "run FILE --out DIR [--jobs N] | status|merge|statistics|plot DIR... | submit FILE",
    .summary = "thousands of runs on all processors, measured and resumable",
    .text = "study run FILE --out DIR computes the rows of a study, FILE.hlstudy, or of a model FILE "
            "with\n"
            "--vary, --design and --measure. Stopped or killed at any point it goes on when it is "
            "begun\n"
            "again, and DIR/results.csv has the same bytes in the end, for any --jobs and --shard. A "
            "row\n"
            "that fails says why in its last cell.\n"
            "study status DIR tells how far it is. study merge DIR [OTHER...] takes over the rows of "
            "other\n"
            "folders of the same study. study statistics DIR tells mean, spread and quantiles of each\n"
            "measure, and of a saltelli design the sensitivities of first order and in total.\n"
            "study plot DIR --kind NAME --out FILE.svg paints it. study submit FILE --engine NAME "
            "--out DIR\n"
            "writes an array job for a batch system.",
    .options = options,
    .no_file = TRUE,
    .takes_words = TRUE,
    .run = run,
};
