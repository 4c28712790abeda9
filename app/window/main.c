/* SPDX-License-Identifier: MIT */
/* hydrolink-window: what `hydrolink` becomes when it is called without a command, and for the
 * commands that need a window. It takes the same line. */
#include "app/window/hl-application.h"
#include "app/window/hl-memory.h"
#include "app/window/hl-screenshot-command.h"
#include "app/cli/hl-cli.h"
#include "core/math/hl-linalg-threads.h"

int main (int argc, char **argv) {
  HlCliCommand screenshot = hl_cli_screenshot;

  hl_cli_bind_catalogue ();
  hl_linalg_use_one_thread ();
  screenshot.run = hl_screenshot_answer;
  if (argc > 1 && g_str_equal (argv[1], screenshot.name))
    return hl_cli_run_command (&screenshot, argc - 2, argv + 2);
  hl_memory_prepare ();
  g_autoptr (HlApplication) application = hl_application_new (FALSE);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
