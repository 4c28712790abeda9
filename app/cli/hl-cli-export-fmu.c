/* SPDX-License-Identifier: MIT */
/* hydrolink export-fmu: the model for other programs, as FMI 3.0 and SSP 2.0 have it. */
#include "app/cli/hl-cli-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/fmu/hl-fmu-export.h"
#include "core/fmu/hl-ssv.h"
#include "core/io/hl-file.h"
#include "core/system/hl-oil-model.h"

static void say_note (const char *text, gpointer data) {
  const HlCli *cli = data;

  hl_cli_say ("%s: note: %s", cli->file, text);
}

/* Only while the compiler works is there something to put away. */
static gboolean is_stopped (gpointer data) {
  (void)data;
  hl_cli_hold_signals ();
  return hl_cli_is_stopped ();
}

static gboolean save (const char *path, const char *text, gsize length, GError **error) {
  g_autoptr (GError) why = NULL;

  if (hl_file_save_text (path, text, (gssize)length, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

/* Each parameter set of the file into the folder. */
static gboolean write_sets (const HlCli *cli, GError **error) {
  const char *folder = hl_cli_text (cli, "ssv");

  if (folder == NULL)
    return TRUE;
  if (hl_document_n_sets (cli->document) == 0)
    say_note ("it has no parameter sets: there is nothing to write for --ssv", (gpointer)cli);
  if (g_mkdir_with_parents (folder, 0777) < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "--ssv %s: the folder cannot be made", folder);
    return FALSE;
  }
  g_auto (GStrv) stems = hl_ssv_file_stems (cli->document);
  for (int k = 0; stems[k] != NULL; k++) {
    g_autofree char *name = g_strconcat (stems[k], ".ssv", NULL);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = hl_ssv_write (cli->document, k, NULL, NULL, error);
    if (text == NULL || !save (path, text, strlen (text), error))
      return FALSE;
  }
  return TRUE;
}

/* The file's name without folder and end. */
static char *title_of (const char *file) {
  g_autofree char *base = g_path_get_basename (file);
  char *dot = strrchr (base, '.');

  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_steal_pointer (&base);
}

/* The model of the file, or as --model wants its oil, with the hoses of the line. */
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
  if (!hl_cli_compile (cli, error) || !write_sets (cli, error))
    return FALSE;
  if (out == NULL)
    return TRUE;
  g_autofree char *title = title_of (cli->file);
  HlFmuWish wish = {.title = title,
                    .inputs = hl_cli_texts (cli, "input"),
                    .has_binary = !hl_cli_has (cli, "sources-only"),
                    .is_ssp = is_ssp,
                    .is_stopped = is_stopped};
  g_autoptr (HlDocument) document = wanted (cli, error);
  g_autoptr (GBytes) bytes = document != NULL ? hl_fmu_export (document, &wish, say_note, cli, error) : NULL;
  if (hl_cli_is_stopped ()) {
    g_clear_error (error);
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "export-fmu: stopped by %s before there was anything to write", hl_cli_stopped_by ());
    return FALSE;
  }
  if (bytes == NULL) {
    if (error != NULL && *error != NULL)
      g_prefix_error (error, "%s: ", cli->file);
    return FALSE;
  }
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  return save (out, text, n, error);
}

static const HlCliOption options[] = {
    {"out", "FILE",
     "the FMU; with a name that ends in .ssp a system of this one\n"
     "                            FMU, with the parameter sets of the file",
     FALSE},
    {"ssv", "DIR", "each parameter set of the file into DIR, as SET.ssv", FALSE},
    {"input", "PATH",
     "make this signal (a table, a sine ...) an input; numbers and\n"
     "                            levers are inputs anyhow; repeatable",
     TRUE},
    {"hose", "PORT|LINE",
     "let oil come from outside there: the flow is an input, the\n"
     "                            pressure answers, both are a terminal; repeatable",
     TRUE},
    {"model", "lumped|quasistatic|hybrid",
     "of the oil, instead of the file's. The latter two: Co-Simulation\n"
     "                            only",
     FALSE},
    {"sources-only", NULL, "no binary for this machine beside the sources", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_export_fmu = {
    .name = "export-fmu",
    .usage = "FILE --out FILE.fmu|FILE.ssp [OPTION]...",
    .summary = "the model for other programs: an FMU of FMI 3.0, an SSP",
    .text = "Writes the model as a Functional Mock-up Unit of FMI 3.0, for Model Exchange and for\n"
            "Co-Simulation, with its C sources and, where a C compiler is found, a binary for this\n"
            "machine. Probes are its outputs, numbers and levers that signals are its inputs, all\n"
            "other numbers parameters. Or writes parameter sets for SSP 2.0, which every command\n"
            "reads with --parameter-file.",
    .options = options,
    .run = run,
};
