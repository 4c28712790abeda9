/* SPDX-License-Identifier: MIT */
/* Any bytes as a recovery file: refused, or a document that a slot keeps and gives back as it was.
 */
#include "core/io/hl-json-text.h"
#include "core/io/hl-crash-recovery.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void keep_and_find (const HlDocument *document, const char *path) {
  g_autofree char *text = hl_recovered_text (document, path);
  g_autofree char *path_again = NULL;
  HlDocument *again = hl_recovered_parse (text, strlen (text), &path_again);

  g_assert_nonnull (again);
  g_assert_true (hl_document_equal (again, document));
  g_assert_cmpstr (path_again, ==, path);
  hl_document_unref (again);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autofree char *path = NULL;
  HlDocument *document = hl_recovered_parse ((const char *)data, size, &path);

  if (document != NULL) {
    keep_and_find (document, path);
    hl_document_unref (document);
  }
  /* a model kept from the window, whatever is in it */
  g_autoptr (HlDocument) model = hl_document_parse ((const char *)data, size, NULL, NULL);
  if (model != NULL)
    keep_and_find (model, NULL);
  return 0;
}
