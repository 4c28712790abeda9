/* SPDX-License-Identifier: MIT */
/* hydrolink format: what a model file may hold. */
#include "app/cli/hl-cli-private.h"
#include "core/io/hl-format.h"

static gboolean run (HlCli *cli, GError **error) {
  g_autofree char *text =
      hl_cli_has (cli, "schema") || hl_cli_has (cli, "json") ? hl_format_schema () : hl_format_page ();

  return hl_cli_write (stdout, text, error);
}

static const HlCliOption options[] = {
    {"schema", NULL, "as a JSON Schema (draft 2020-12)", FALSE},
    {"json", NULL, "the same", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_format = {
    .name = "format",
    .usage = "[--schema]",
    .summary = "describe the model file: kinds, properties, units, defaults",
    .text = "Prints what a model file may hold, as a page in Markdown or as a JSON Schema that\n"
            "other programs check files with. Both are made of the tables that the program\n"
            "itself reads files with.",
    .options = options,
    .no_file = TRUE,
    .run = run,
};
