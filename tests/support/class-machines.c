/* SPDX-License-Identifier: MIT */
/* class-machines FOLDER: writes the small machine of every class of component as FOLDER/KIND.hydrolink,
 * for tests that are no C. */
#include <stdlib.h>

#include "core/hydro/hl-component.h"
#include "tests/support/hl-component-test-machine.h"

int main (int argc, char **argv) {
  for (int k = 0; k < hl_n_components && argc > 1; k++) {
    g_autofree char *text = hl_test_class_machine (hl_components[k]->kind.name);
    g_autofree char *name = g_strconcat (hl_components[k]->kind.name, ".hydrolink", NULL);
    g_autofree char *path = g_build_filename (argv[1], name, NULL);
    if (!g_file_set_contents (path, text, -1, NULL))
      return EXIT_FAILURE;
  }
  return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
