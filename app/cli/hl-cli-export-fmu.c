/* SPDX-License-Identifier: MIT */
/* hydrolink export-fmu: writes the model for other programs, in FMI 3.0, FMI 2.0 or SSP 2.0. */
#include "app/cli/hl-cli-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/fmu/hl-fmu-export.h"
#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/io/hl-file-access.h"
#include "core/system/hl-hydraulic-model.h"

static void say_note (const char *text, gpointer data) {
  const HlCli *cli = data;

  hl_cli_say ("%s: note: %s", cli->file, text);
}

/* Returns whether the user stopped the export; only the compiler's time can be interrupted, since only then
 * are there files to remove. */
static gboolean is_stopped (gpointer data) {
  (void)data;
  hl_cli_hold_signals ();
  return hl_cli_is_stopped ();
}

static gboolean write_bytes (const char *path, const char *text, gsize length, GError **error) {
  g_autoptr (GError) why = NULL;

  if (hl_file_save_text (path, text, (gssize)length, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

/* Writes each parameter set of the file into the folder. */
static gboolean write_sets (const HlCli *cli, GError **error) {
  const char *folder = hl_cli_text (cli, "ssv");

  if (folder == NULL)
    return TRUE;
  if (hl_document_n_sets (cli->document) == 0)
    say_note ("the model has no parameter sets, so there is nothing to write for --ssv", (gpointer)cli);
  if (g_mkdir_with_parents (folder, 0777) < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "--ssv %s: the folder cannot be created", folder);
    return FALSE;
  }
  g_auto (GStrv) stems = hl_ssv_file_stems (cli->document);
  for (int k = 0; stems[k] != NULL; k++) {
    g_autofree char *name = g_strconcat (stems[k], ".ssv", NULL);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = hl_ssv_write (cli->document, k, NULL, NULL, error);
    if (text == NULL || !write_bytes (path, text, strlen (text), error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the file's name without folder and end. */
static char *title_of (const char *file) {
  g_autofree char *base = g_path_get_basename (file);
  char *dot = strrchr (base, '.');

  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_steal_pointer (&base);
}

/* Returns the model of the file, with the oil of --model and the hoses of the command line. */
static HlDocument *wanted (const HlCli *cli, GError **error) {
  const HlOilModel *oil = NULL;

  if (!hl_cli_oil (cli, FALSE, &oil, error))
    return NULL;
  g_autoptr (HlDocument) document =
      oil != NULL ? hl_edit_set_oil (cli->document, oil->name, error) : hl_document_ref (cli->document);
  HlDocument *with = document != NULL ? hl_fmu_with_hoses (document, hl_cli_texts (cli, "hose"), say_note,
                                                           (gpointer)cli, error)
                                      : NULL;
  if (document != NULL && with == NULL)
    g_prefix_error (error, "--hose ");
  return with;
}

/* Reads --platforms as a list of known names; NULL if the option is absent. */
static gboolean read_platforms (const HlCli *cli, char ***platforms, GError **error) {
  const char *text = hl_cli_text (cli, "platforms");

  if (text == NULL)
    return TRUE;
  if (hl_cli_has (cli, "sources-only")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--platforms and --sources-only exclude each other");
    return FALSE;
  }
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  for (int k = 0; names[k] != NULL; k++) {
    if (hl_fmu_platform_find (names[k]) != NULL)
      continue;
    g_autoptr (GString) known = g_string_new (NULL);
    for (int j = 0; hl_fmu_platforms[j].name != NULL; j++)
      g_string_append_printf (known, "%s%s", j > 0 ? ", " : "", hl_fmu_platforms[j].name);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--platforms: ‘%s’ is not a platform that is compiled for; choose from %s", names[k],
                 known->str);
    return FALSE;
  }
  *platforms = g_steal_pointer (&names);
  return TRUE;
}

static gboolean run (HlCli *cli, GError **error) {
  const char *out = hl_cli_text (cli, "out");
  g_autofree char *lower = out != NULL ? g_ascii_strdown (out, -1) : NULL;
  gboolean is_ssp = lower != NULL && g_str_has_suffix (lower, ".ssp");

  if (out == NULL && !hl_cli_has (cli, "ssv")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "export-fmu needs --out FILE.fmu or FILE.ssp, or --ssv DIR; see hydrolink "
                 "export-fmu --help");
    return FALSE;
  }
  if (out != NULL && !is_ssp && !g_str_has_suffix (lower, ".fmu")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--out %s: the name must end in .fmu or .ssp", out);
    return FALSE;
  }
  const char *fmi = hl_cli_text (cli, "fmi");
  gboolean is_2 = g_strcmp0 (fmi, "2") == 0 || g_strcmp0 (fmi, "2.0") == 0;
  if (fmi != NULL && !is_2 && strcmp (fmi, "3") != 0 && strcmp (fmi, "3.0") != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--fmi %s: the version is 2 or 3", fmi);
    return FALSE;
  }
  g_auto (GStrv) platforms = NULL;
  if (!read_platforms (cli, &platforms, error))
    return FALSE;
  if (!hl_cli_compile (cli, error) || !write_sets (cli, error))
    return FALSE;
  if (out == NULL)
    return TRUE;
  g_autofree char *title = title_of (cli->file);
  HlFmuExportOptions wish = {.title = title,
                             .inputs = hl_cli_texts (cli, "input"),
                             .has_binary = !hl_cli_has (cli, "sources-only"),
                             .platforms = (const char *const *)platforms,
                             .is_ssp = is_ssp,
                             .version = is_2 ? HL_FMI_2 : HL_FMI_3,
                             .is_stopped = is_stopped};
  g_autoptr (HlDocument) document = wanted (cli, error);
  g_autoptr (GBytes) bytes = document != NULL ? hl_fmu_export (document, &wish, say_note, cli, error) : NULL;
  if (hl_cli_is_stopped ()) {
    g_clear_error (error);
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, "export-fmu: stopped by %s before anything was written",
                 hl_cli_stopped_by ());
    return FALSE;
  }
  if (bytes == NULL) {
    if (error != NULL && *error != NULL)
      g_prefix_error (error, "%s: ", cli->file);
    return FALSE;
  }
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  return write_bytes (out, text, n, error);
}

static const HlCliOption options[] = {
    {"out", "FILE",
     "output FMU; with the ending .ssp, a system of this one\n"
     "                            FMU, with the parameter sets of the file",
     FALSE},
    {"fmi", "2|3",
     "version of FMI: 3.0 (the default), or 2.0 for programs that\n"
     "                            do not read 3.0",
     FALSE},
    {"ssv", "DIR", "write each parameter set of the file to DIR/SET.ssv", FALSE},
    {"input", "PATH",
     "make this signal (a table, a sine ...) an input; numbers and\n"
     "                            levers are always inputs; repeatable",
     TRUE},
    {"hose", "PORT|LINE",
     "connect an external hose there: the flow is an input, the\n"
     "                            pressure an output, both form a terminal; repeatable",
     TRUE},
    {"model", "lumped|quasistatic|hybrid",
     "oil model, instead of the file's; the last two are for\n"
     "                            Co-Simulation only",
     FALSE},
    {"platforms", "LIST",
     "binaries for these machines, with commas: x86_64-linux,\n"
     "                            x86_64-windows (about 12 s); default: this machine",
     FALSE},
    {"sources-only", NULL, "write the sources without a binary", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_export_fmu = {
    .name = "export-fmu",
    .usage = "FILE --out FILE.fmu|FILE.ssp [OPTION]...",
    .summary = "export the model as an FMU (FMI 3.0 or 2.0) or SSP",
    .text = "Writes the model as a Functional Mock-up Unit of FMI 3.0 or 2.0, for Model Exchange and\n"
            "for Co-Simulation, with its C sources and a binary for this machine if a C compiler is found;\n"
            "--platforms adds one for Windows. Probes are outputs, constant signals and levers are\n"
            "inputs, and all other numbers are parameters. Or writes parameter sets for SSP 2.0, which\n"
            "every command reads with --parameter-file.",
    .examples = {"hydrolink export-fmu four-bar.hydrolink --out four-bar.fmu",
                 "hydrolink export-fmu four-bar.hydrolink --fmi 2 --sources-only --out four-bar-2.fmu"},
    .options = options,
    .run = run,
};
