/* SPDX-License-Identifier: MIT */
/* The program hydrolink-reproduce, which `hydrolink reproduce` executes. It needs no display. */
#include "app/reproduce/hl-cli-reproduce.h"

#include "core/math/hl-linalg.h"

int main (int argc, char **argv) {
  hl_linalg_use_one_thread ();
  return hl_cli_run_command (&hl_reproduce_command, argc - 1, argv + 1);
}
