/* SPDX-License-Identifier: MIT */
/* Several test files in one program (modules.py): linking one program takes less time and room than linking a hundred. Each module
 * still runs in a process of its own, so a crash of one leaves the results of the others. */
#pragma once

typedef struct {
  const char *name;
  int (*main) (int argc, char **argv); /* of the test file */
} HlTestModule;

/* Runs the module that the first argument names, with the arguments after it. Without such a name the module is the first part of the
 * path behind -p (`-p /arena/rooms-together`), or, in a process that a module started, that module. */
int hl_test_module_run (const HlTestModule modules[], int n, int argc, char **argv);
