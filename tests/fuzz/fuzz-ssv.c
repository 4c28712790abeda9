/* SPDX-License-Identifier: MIT */
/* Any bytes as a parameter set of SSP (.ssv) for a model. A set that is refused says why; the model that
 * an accepted one leaves is written and read back as the same. */
#include "core/fmu/hl-ssp-parameter-set.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test-document.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static HlDocument *model;
  g_autoptr (GError) error = NULL;

  if (model == NULL)
    model = hl_test_example ("slider-crank.hydrolink");
  g_autoptr (HlDocument) changed =
      hl_ssv_parse (model, size > 0 ? (const char *)data : "", size, "fuzz", &error);
  g_assert_true ((changed == NULL) == (error != NULL));
  if (error != NULL) {
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    g_assert_true (g_str_has_prefix (error->message, "fuzz: "));
    return 0;
  }
  if (changed == model)
    return 0;
  g_autofree char *text = hl_document_to_text (changed);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), "written", &error);
  g_assert_no_error (error);
  g_assert_true (hl_document_equal (again, changed));
  return 0;
}
