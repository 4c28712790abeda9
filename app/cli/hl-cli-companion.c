/* SPDX-License-Identifier: MIT */
/* Commands that are programs of their own, so that nothing of them is in the workbench. */
#include "app/cli/hl-cli-private.h"

#include <errno.h>
#include <unistd.h>

#define OWN_PATH "/proc/self/exe"

/* Becomes the program when it is in that folder. */
static void
try_folder (const char *folder, char **argv)
{
  g_autofree char *path = g_build_filename (folder, argv[0], NULL);

  execv (path, argv);
}

int
hl_cli_run_companion (const HlCliCommand *command, int argc, char **argv)
{
  g_autofree char *own = g_file_read_link (OWN_PATH, NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : g_strdup (".");
  g_autofree char *built = g_build_filename (folder, command->name, NULL);
  g_autofree char *moved = g_build_filename (folder, "..", "libexec", NULL);
  g_autofree char **line = g_new0 (char *, argc + 2);

  line[0] = (char *)command->program;
  for (int k = 0; k < argc; k++)
    line[k + 1] = argv[k];
  try_folder (built, line); /* where nothing is installed yet */
  try_folder (folder, line);
  try_folder (moved, line); /* where an installation was put somewhere else as a whole */
  try_folder (HL_LIBEXEC_DIR, line);
  hl_cli_say ("%s is done by the program %s, which cannot be started: %s; install it beside "
              "hydrolink or in %s",
              command->name, command->program, g_strerror (errno), HL_LIBEXEC_DIR);
  return HL_CLI_FAILED;
}

const HlCliCommand hl_cli_reproduce = {
    .name = "reproduce",
    .summary = "write the figures and tables of the published four-bar study",
    .program = "hydrolink-reproduce",
};
