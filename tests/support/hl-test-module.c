/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-module.h"

#include <string.h>

#include <glib.h>

/* The name of the module for processes that it starts. */
#define VARIABLE "HL_TEST_MODULE"

static const HlTestModule *find_module (const HlTestModule modules[], int n, const char *name,
                                        size_t length) {
  for (int k = 0; k < n; k++)
    if (strlen (modules[k].name) == length && strncmp (modules[k].name, name, length) == 0)
      return &modules[k];
  return NULL;
}

/* Returns the module that an option -p names by its path, or NULL. */
static const HlTestModule *find_module_of_path (const HlTestModule modules[], int n, int argc, char **argv) {
  for (int k = 1; k + 1 < argc; k++)
    if (strcmp (argv[k], "-p") == 0 && argv[k + 1][0] == '/')
      return find_module (modules, n, argv[k + 1] + 1, strcspn (argv[k + 1] + 1, "/"));
  return NULL;
}

int hl_test_module_run (const HlTestModule modules[], int n, int argc, char **argv) {
  const char *outer = g_getenv (VARIABLE);
  const HlTestModule *module = argc > 1 ? find_module (modules, n, argv[1], strlen (argv[1])) : NULL;

  if (module != NULL) {
    /* argv[0] stays the path of the program */
    argv[1] = argv[0];
    argc--;
    argv++;
  } else {
    module = find_module_of_path (modules, n, argc, argv);
    if (module == NULL && outer != NULL)
      module = find_module (modules, n, outer, strlen (outer));
  }
  if (module == NULL) {
    g_printerr ("usage: %s MODULE [-p PATH]...\n", argv[0]);
    for (int k = 0; k < n; k++)
      g_printerr ("  %s\n", modules[k].name);
    return 2;
  }
  g_setenv (VARIABLE, module->name, TRUE);
  return module->main (argc, argv);
}
