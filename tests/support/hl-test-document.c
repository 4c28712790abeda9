/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-document.h"

#include <string.h>

#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

static HlDocument *load (const char *path) {
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  g_assert_no_error (error);
  return document;
}

HlDocument *hl_test_example (const char *name) {
  g_autofree char *path = hl_test_example_path (name);
  return load (path);
}

HlDocument *hl_test_golden (const char *name) {
  g_autofree char *path = hl_test_golden_path (name);
  return load (path);
}

HlDocument *hl_test_parsed (const char *text) {
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), "test", &error);

  g_assert_no_error (error);
  return document;
}

HlDocument *hl_test_quoted (const char *text) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  return hl_test_parsed (json);
}
