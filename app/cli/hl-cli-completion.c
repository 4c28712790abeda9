/* SPDX-License-Identifier: MIT */
/* hydrolink completion: completion scripts for shells, made from the table that --help uses. */
#include "app/cli/hl-cli-private.h"

#include <string.h>

/* Calls with each option of a command, its own and the common ones. */
static void each_option (const HlCliCommand *command,
                         void (*visit) (GString *text, const HlCliCommand *command,
                                        const HlCliOption *option),
                         GString *text) {
  const HlCliOption *lists[] = {command->options, hl_cli_options_of_all (command)};

  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    for (const HlCliOption *option = lists[k]; option != NULL && option->name != NULL; option++)
      visit (text, command, option);
}

/* Returns the words as one line within single quotes; `marks` get a backslash. */
static char *quoted (const char *words, const char *marks) {
  GString *text = g_string_new (NULL);
  bool was_blank = false;

  for (const char *at = words; *at != '\0'; at++) {
    bool is_blank = g_ascii_isspace (*at);
    if (is_blank && was_blank)
      continue;
    was_blank = is_blank;
    if (*at == '\'')
      g_string_append (text, "’");
    else {
      if (strchr (marks, *at) != NULL)
        g_string_append_c (text, '\\');
      g_string_append_c (text, is_blank ? ' ' : *at);
    }
  }
  return g_string_free (text, FALSE);
}

/* --- bash --- */

static void bash_option (GString *text, const HlCliCommand *command, const HlCliOption *option) {
  g_string_append_printf (text, " --%s", option->name);
}

static void bash_valued (GString *text, const HlCliCommand *command, const HlCliOption *option) {
  if (option->value != NULL)
    g_string_append_printf (text, " --%s", option->name);
}

static void write_bash (GString *text) {
  g_string_append (
      text, "# bash completion for hydrolink\n"
            "_hydrolink ()\n"
            "{\n"
            "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= valued=\n"
            "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
            "    COMPREPLY=($(compgen -W '--help --version");
  for (int k = 0; hl_cli_command (k) != NULL; k++)
    g_string_append_printf (text, " %s", hl_cli_command (k)->name);
  g_string_append (text, "' -- \"$word\") $(compgen -f -- \"$word\"))\n    return\n  fi\n"
                         "  case ${COMP_WORDS[1]} in\n");
  for (int k = 0; hl_cli_command (k) != NULL; k++) {
    g_string_append_printf (text, "    %s) options='", hl_cli_command (k)->name);
    each_option (hl_cli_command (k), bash_option, text);
    g_string_append (text, "' valued='");
    each_option (hl_cli_command (k), bash_valued, text);
    g_string_append (text, " ' ;;\n");
  }
  g_string_append (text, "  esac\n"
                         "  if [[ $word == -* && $valued != *\" $before \"* ]]; then\n"
                         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                         "  else\n"
                         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                         "  fi\n"
                         "}\n"
                         "complete -o filenames -F _hydrolink hydrolink\n");
}

/* --- zsh --- */

static void zsh_option (GString *text, const HlCliCommand *command, const HlCliOption *option) {
  g_autofree char *help = quoted (option->help, "[]:");
  bool is_file =
      option->value != NULL && (strcmp (option->value, "FILE") == 0 || strcmp (option->value, "DIR") == 0);

  g_string_append_printf (text, " \\\n        '%s--%s[%s]", option->repeatable ? "*" : "", option->name,
                          help);
  if (option->value != NULL) {
    g_autofree char *value = quoted (option->value, "[]:");
    g_string_append_printf (text, ":%s:%s", value, is_file ? "_files" : "");
  }
  g_string_append_c (text, '\'');
}

static void write_zsh (GString *text) {
  g_string_append (text, "#compdef hydrolink\n"
                         "_hydrolink ()\n"
                         "{\n"
                         "  local -a list\n"
                         "  list=(");
  for (int k = 0; hl_cli_command (k) != NULL; k++) {
    g_autofree char *summary = quoted (hl_cli_command (k)->summary, ":");
    g_string_append_printf (text, "\n    '%s:%s'", hl_cli_command (k)->name, summary);
  }
  g_string_append (text, ")\n"
                         "  if (( CURRENT == 2 )); then\n"
                         "    _describe command list\n"
                         "    _files -g '*.hydrolink'\n"
                         "    return\n"
                         "  fi\n"
                         "  case $words[2] in\n");
  for (int k = 0; hl_cli_command (k) != NULL; k++) {
    g_string_append_printf (text, "    %s)\n      _arguments", hl_cli_command (k)->name);
    each_option (hl_cli_command (k), zsh_option, text);
    g_string_append (text, " \\\n        '*:file:_files' ;;\n");
  }
  g_string_append (text, "  esac\n}\n_hydrolink \"$@\"\n");
}

/* --- fish --- */

static void fish_option (GString *text, const HlCliCommand *command, const HlCliOption *option) {
  g_autofree char *help = quoted (option->help, "\\");

  g_string_append_printf (text, "complete -c hydrolink -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n",
                          command->name, option->name, option->value != NULL ? " -r" : "", help);
}

static void write_fish (GString *text) {
  g_string_append (text, "# fish completion for hydrolink\n");
  for (int k = 0; hl_cli_command (k) != NULL; k++) {
    g_autofree char *summary = quoted (hl_cli_command (k)->summary, "\\");
    g_string_append_printf (text, "complete -c hydrolink -n __fish_use_subcommand -a %s -d '%s'\n",
                            hl_cli_command (k)->name, summary);
    each_option (hl_cli_command (k), fish_option, text);
  }
}

/* --- the command --- */

static const struct {
  const char *shell;
  void (*write) (GString *text);
} shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

static gboolean run (HlCli *cli, GError **error) {
  const char *wanted = hl_cli_text (cli, "shell");
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (shells); k++)
    if (g_strcmp0 (wanted, shells[k].shell) == 0) {
      g_autoptr (HlAnswer) answer = hl_answer_new ();
      shells[k].write (text);
      hl_answer_string (answer, "shell", wanted);
      hl_answer_string (answer, "script", text->str);
      g_string_append (hl_answer_page (answer), text->str);
      return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
    }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--shell %s: choose bash, zsh or fish",
               wanted != NULL ? wanted : "is missing");
  return FALSE;
}

static const HlCliOption options[] = {
    {"shell", "NAME", "bash, zsh or fish", FALSE},
    {"json", NULL, "one JSON object with the script", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_completion = {
    .name = "completion",
    .usage = "--shell bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .text = "Prints a script with which a shell completes commands, options and files after\n"
            "hydrolink. The installed program includes these scripts.",
    .examples = {"hydrolink completion --shell bash", "hydrolink completion --shell fish"},
    .options = options,
    .no_file = TRUE,
    .run = run,
};
