/* SPDX-License-Identifier: MIT */
/* The program `hydrolink`. It runs the commands of the command line, which need neither a display nor the
 * libraries of one; otherwise it executes the window program. */
#include "app/cli/hl-cli.h"
#include "core/math/hl-linalg.h"

int main (int argc, char **argv) {
  hl_cli_bind_catalogue ();
  hl_linalg_use_one_thread ();
  int status = hl_cli_run (argc, argv);

  return status != HL_CLI_NOT_A_COMMAND ? status : hl_cli_open_window (argv);
}
