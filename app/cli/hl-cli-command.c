/* SPDX-License-Identifier: MIT */
/* Execution of a command: its help, its command line, its exit status. The numeric locale is always C, so
 * that numbers are written the same everywhere; texts are UTF-8. */
#include "app/cli/hl-cli-private.h"

#include <locale.h>
#include <string.h>

#define HELP_COLUMN 28 /* where the words behind an option begin */

static void append_options (GString *text, const HlCliOption *options) {
  for (; options->name != NULL; options++) {
    g_autofree char *left = g_strdup_printf ("  --%s%s%s", options->name, options->value != NULL ? " " : "",
                                             options->value != NULL ? options->value : "");
    hl_cli_append_cell (text, left, HELP_COLUMN, TRUE);
    if (strlen (left) >= HELP_COLUMN)
      g_string_append_printf (text, "\n%*s", HELP_COLUMN, "");
    g_string_append_printf (text, "%s\n", options->help);
  }
}

static gboolean takes_a_list (const HlCliOption *options) {
  for (; options->name != NULL; options++)
    if (options->value != NULL && strstr (options->value, "LIST") != NULL)
      return TRUE;
  return FALSE;
}

void hl_cli_print_command_help (const HlCliCommand *command) {
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "Usage: hydrolink %s %s\n\n%s\n\nOptions:\n", command->name, command->usage,
                          command->text);
  append_options (text, command->options);
  append_options (text, hl_cli_options_of_all (command));
  if (takes_a_list (command->options))
    g_string_append (
        text,
        "\n"
        "A LIST is A:B:N (N values from A to B), log:A:B:N (with equal ratios) or numbers with commas;\n"
        "a number may have a unit, as in \"70 bar,8 MPa\".\n"
        "Write a LIST that starts with a minus directly after =, as in =-0.1,0,0.2.\n");
  g_string_append (text, "\nExamples:\n");
  for (int k = 0; k < HL_CLI_EXAMPLES; k++)
    g_string_append_printf (text, "  %s\n", command->examples[k]);
  fputs (text->str, stdout);
}

static int report_error (GError *error) {
  gboolean work_failed = g_error_matches (error, HL_ERROR, HL_ERROR_FAILED) ||
                         g_error_matches (error, HL_ERROR, HL_ERROR_CANCELLED);

  /* an empty message: everything has been said */
  if (*error->message != '\0')
    hl_cli_say ("%s", error->message);
  g_error_free (error);
  return work_failed ? HL_CLI_FAILED : HL_CLI_USAGE;
}

int hl_cli_run_command (const HlCliCommand *command, int argc, char **argv) {
  HlCli cli = {.command = command, .line = argv, .n_words = argc, .status = HL_CLI_OK};
  GError *error = NULL;

  setlocale (LC_NUMERIC, "C");
  cli.values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
  hl_cli_leave_on_signals (command->name);
  if (!hl_cli_parse (&cli, argc, argv, &error))
    cli.status = report_error (error);
  else if (hl_cli_has (&cli, "help"))
    hl_cli_print_command_help (command);
  else if (!command->run (&cli, &error))
    cli.status = report_error (error);
  g_clear_pointer (&cli.system, hl_system_unref);
  g_clear_pointer (&cli.document, hl_document_unref);
  g_clear_pointer (&cli.model, hydrolink_close);
  g_hash_table_unref (cli.values);
  return cli.status;
}
