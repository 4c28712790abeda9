/* SPDX-License-Identifier: MIT */
/* Starts the commands that are separate programs, so that the command line does not link them: the window,
 * which alone needs GTK, and the published study. The process is replaced by exec, so its signals, streams
 * and bus connection remain. */
#include "app/cli/hl-cli-private.h"

#include <errno.h>
#include <unistd.h>

/* Starts the window program for `hydrolink screenshot`, which saves the main window as a picture. Its options
 * and help are here; the window paints the picture (app/window/main.c). */

static gboolean run_in_window (HlCli *cli, GError **error);

static const HlCliOption options[] = {
    {"out", "PNG", "output picture", FALSE},
    {"size", "WxH", "size of the window in pixels (default 1280x800)", FALSE},
    {"dark", NULL, "dark colours", FALSE},
    {"json", NULL, "list the written files as one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_screenshot = {
    .name = "screenshot",
    .usage = "FILE --out PNG [--size WxH] [--dark]",
    .summary = "write the main window as a picture (needs a display)",
    .text = "Opens the model in the main window, waits for its results, and writes the window as a PNG\n"
            "picture. Needs a display, which can be virtual: xvfb-run hydrolink screenshot ...",
    .examples =
        {"xvfb-run -a hydrolink screenshot four-bar.hydrolink --out window.png",
         "xvfb-run -a hydrolink screenshot four-bar.hydrolink --size 1600x1000 --dark --out dark.png"},
    .options = options,
    .run = run_in_window,
};

#define OWN_PATH "/proc/self/exe"
#define WINDOW_PROGRAM "hydrolink-window"

/* Replaces the process by the program, if it is in that folder. If the program exists but does not start,
 * the error is reported. */
static void try_folder (const char *folder, const char *program, char **line, int *why) {
  g_autofree char *path = g_build_filename (folder, program, NULL);

  execv (path, line);
  if (*why == ENOENT)
    *why = errno;
}

/* Becomes the program; comes back only when it cannot. `built`: its folder in the build tree, below
 * that of the command line. */
static int exec_program (const char *program, const char *built, char **line, const char *task) {
  g_autofree char *own = g_file_read_link (OWN_PATH, NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : g_strdup (".");
  g_autofree char *in_tree = g_build_filename (folder, built, NULL);
  g_autofree char *moved = g_build_filename (folder, HL_LIBEXEC_FROM_BIN, NULL);
  int why = ENOENT;

  try_folder (in_tree, program, line, &why); /* where nothing is installed yet */
  try_folder (folder, program, line, &why);
  try_folder (moved, program, line, &why); /* where an installation was moved as a whole */
  try_folder (HL_LIBEXEC_DIR, program, line, &why);
  hl_cli_say ("%s needs the program %s, which cannot be started: %s; install it next to hydrolink or in %s",
              task, program, g_strerror (why), HL_LIBEXEC_DIR);
  return HL_CLI_FAILED;
}

int hl_cli_run_companion (const HlCliCommand *command, int argc, char **argv) {
  g_autofree char **line = g_new0 (char *, argc + 2);

  line[0] = (char *)command->program;
  for (int k = 0; k < argc; k++)
    line[k + 1] = argv[k];
  return exec_program (command->program, command->name, line, command->name);
}

int hl_cli_open_window (char **argv) {
  return exec_program (WINDOW_PROGRAM, ".", argv, "the window");
}

/* Becomes the window's program with the same command line; `run` of a command of the window. */
static gboolean run_in_window (HlCli *cli, GError **error) {
  g_autofree char **line = g_new0 (char *, cli->n_words + 3);

  line[0] = (char *)"hydrolink";
  line[1] = (char *)cli->command->name;
  for (int k = 0; k < cli->n_words; k++)
    line[k + 2] = cli->line[k];
  cli->status = exec_program (WINDOW_PROGRAM, ".", line, cli->command->name);
  return TRUE;
}

const HlCliCommand hl_cli_reproduce = {
    .name = "reproduce",
    .summary = "write the figures and tables of the published four-bar study",
    .program = "hydrolink-reproduce",
};
