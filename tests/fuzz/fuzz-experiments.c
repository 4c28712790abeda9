/* SPDX-License-Identifier: MIT */
/* Any bytes as a list of experiments beside a small model. Each of an accepted list has a name and a whole
 * model; a refused list says why. */
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-experiment-slides.h"
#include "tests/support/hl-test.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) experiments =
      hl_experiments_parse ((const char *)data, size, g_getenv ("HL_EXAMPLES_DIR"), "fuzz", &error);

  g_assert_true ((experiments == NULL) == (error != NULL));
  if (error != NULL)
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  for (guint k = 0; experiments != NULL && k < experiments->len; k++) {
    const HlExperiment *one = experiments->pdata[k];
    g_assert_nonnull (one->name);
    g_assert_nonnull (one->document);
  }
  return 0;
}
