/* SPDX-License-Identifier: MIT */
/* Selection of the command. */
#include "app/cli/hl-cli.h"
#include "app/cli/hl-cli-private.h"

#include <string.h>

#define SUMMARY_COLUMN 22 /* where the words behind a command begin */

static const HlCliCommand *const commands[] = {
    &hl_cli_validate,   &hl_cli_equilibrium, &hl_cli_linearize,     &hl_cli_simulate,
    &hl_cli_root_locus, &hl_cli_sensitivity, &hl_cli_stability_map, &hl_cli_frequency_response,
    &hl_cli_sweep,      &hl_cli_quasistatic, &hl_cli_modes,         &hl_cli_compare_models,
    &hl_cli_paths,      &hl_cli_export_fmu,  &hl_cli_format,        &hl_cli_report,
    &hl_cli_reproduce,  &hl_cli_completion,  &hl_cli_screenshot,    &hl_cli_thumbnail,
    &hl_cli_lesson,     &hl_cli_study,       &hl_cli_fit,           &hl_cli_optimize,
    &hl_cli_help};

const HlCliCommand *hl_cli_command (int index) {
  return index >= 0 && index < (int)G_N_ELEMENTS (commands) ? commands[index] : NULL;
}

static const HlCliCommand *find_command (const char *name) {
  for (gsize k = 0; k < G_N_ELEMENTS (commands); k++)
    if (strcmp (commands[k]->name, name) == 0)
      return commands[k];
  return NULL;
}

static void print_program_help (void) {
  g_autoptr (GString) text = g_string_new (
      "Usage: hydrolink [FILE]             open the window\n"
      "       hydrolink COMMAND FILE [OPTION]...\n"
      "\n"
      "Hydrolink computes hydraulically actuated linkages. The commands need no display, except\n"
      "screenshot; each reads a model file and writes its result to standard output.\n"
      "\n"
      "Commands:\n");

  for (gsize k = 0; k < G_N_ELEMENTS (commands); k++) {
    g_string_append (text, "  ");
    hl_cli_append_cell (text, commands[k]->name, SUMMARY_COLUMN - 2, TRUE);
    g_string_append_printf (text, "%s\n", commands[k]->summary);
  }
  g_string_append (text,
                   "\n"
                   "Options:\n"
                   "  --help              this page; hydrolink COMMAND --help explains a command\n"
                   "  -V, --version       version of the program\n"
                   "\n"
                   "FILE - is standard input, --out - is standard output. hydrolink paths FILE lists every\n"
                   "PATH of a model; the help of each command ends with two examples.\n"
                   "\n"
                   "A PATH names one number: ELEMENT.PROPERTY, such as cyl.friction.Fc. A LIST is A:B:N,\n"
                   "log:A:B:N or numbers with commas; write --velocity=-0.1,0,0.2. A number may\n"
                   "have a unit, --t-end \"50 ms\"; without one it is in SI units.\n"
                   "\n"
                   "Exit status: 0 success; 1 failure (no equilibrium, the solver failed);\n"
                   "2 wrong usage or a bad file.\n");
  fputs (text->str, stdout);
}

/* Returns a first word that is no command: a file for the window, or a slip. */
static int refuse_or_open (const char *word) {
  const char *names[G_N_ELEMENTS (commands) + 1] = {NULL};

  if (strpbrk (word, "./\\") != NULL || g_file_test (word, G_FILE_TEST_EXISTS))
    return HL_CLI_NOT_A_COMMAND;
  for (gsize k = 0; k < G_N_ELEMENTS (commands); k++)
    names[k] = commands[k]->name;
  const char *near = hl_cli_near_miss (word, names);
  if (near != NULL)
    hl_cli_say ("there is no command and no file ‘%s’; perhaps ‘%s’? See hydrolink --help", word, near);
  else
    hl_cli_say ("there is no command and no file ‘%s’; see hydrolink --help", word);
  return HL_CLI_USAGE;
}

int hl_cli_run (int argc, char **argv) {
  /* options of the window; GApplication and GTK read them */
  static const char *const window_options[] = {"--new", "-n", "--quit-after-startup", "--display",
                                               "--gapplication-"};
  const char *word = argc > 1 ? argv[1] : NULL;

  if (word == NULL)
    return HL_CLI_NOT_A_COMMAND;
  /* `help` alone and `help COMMAND` explain; with an option it is a command itself */
  gboolean explains = strcmp (word, "help") == 0 && (argc == 2 || argv[2][0] != '-');
  if (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0 || explains) {
    const HlCliCommand *command = argc > 2 ? find_command (argv[2]) : NULL;
    if (command != NULL && command->program != NULL)
      return hl_cli_run_companion (command, 1, (char *[]){"--help"});
    if (command != NULL)
      hl_cli_print_command_help (command);
    else
      print_program_help ();
    return HL_CLI_OK;
  }
  if (strcmp (word, "--version") == 0 || strcmp (word, "-V") == 0 ||
      (strcmp (word, "version") == 0 && argc == 2 && !g_file_test (word, G_FILE_TEST_EXISTS))) {
    fputs ("hydrolink " HL_VERSION "\n", stdout);
    return HL_CLI_OK;
  }
  const HlCliCommand *command = find_command (word);
  if (command != NULL && command->program != NULL)
    return hl_cli_run_companion (command, argc - 2, argv + 2);
  if (command != NULL)
    return hl_cli_run_command (command, argc - 2, argv + 2);
  for (gsize k = 0; k < G_N_ELEMENTS (window_options); k++)
    if (g_str_has_prefix (word, window_options[k]))
      return HL_CLI_NOT_A_COMMAND;
  if (word[0] == '-') {
    hl_cli_say ("unknown option ‘%s’; see hydrolink --help", word);
    return HL_CLI_USAGE;
  }
  return refuse_or_open (word);
}
