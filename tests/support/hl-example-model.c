/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-example-model.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/edit/hl-document-check.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test-document.h"

HlTestModel hl_test_model_from_document (HlDocument *doc) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlTestModel model = {.doc = doc, .sys = hl_compile (doc, findings)};

  for (int k = 0; model.sys == NULL && k < hl_findings_n (findings); k++) {
    g_autofree char *text = hl_finding_format (hl_findings_get (findings, k));
    g_printerr ("%s\n", text);
  }
  g_assert_nonnull (model.sys);
  model.work = hl_work_new (model.sys);
  model.point = hl_point_new (model.sys);
  return model;
}

HlTestModel hl_test_model_load (const char *name) {
  return hl_test_model_from_document (hl_test_example (name));
}

HlTestModel hl_test_model_load_with (const char *name, ...) {
  HlDocument *doc = hl_test_example (name);
  va_list args;

  va_start (args, name);
  for (const char *path = va_arg (args, const char *); path != NULL; path = va_arg (args, const char *)) {
    g_autoptr (GError) error = NULL;
    HlDocument *next = hl_document_with_number (doc, path, va_arg (args, double), &error);
    g_assert_no_error (error);
    hl_document_unref (doc);
    doc = next;
  }
  va_end (args);
  return hl_test_model_from_document (doc);
}

HlTestModel hl_test_model_from_text (const char *text) {
  return hl_test_model_from_document (hl_test_parsed (text));
}

HlTestModel hl_test_model_filled (const char *text, ...) {
  g_autoptr (GString) whole = g_string_new (text);
  va_list args;

  va_start (args, text);
  for (const char *word = va_arg (args, const char *); word != NULL; word = va_arg (args, const char *))
    g_assert_cmpuint (g_string_replace (whole, word, va_arg (args, const char *), 1), ==, 1);
  va_end (args);
  return hl_test_model_from_text (g_strdelimit (whole->str, "'", '"'));
}

HlTestModel hl_test_model_cushion_without_line (void) {
  return hl_test_model_from_document (hl_test_golden ("cushion-without-line.hydrolink"));
}

void hl_test_model_clear (HlTestModel *model) {
  hl_point_free (model->point);
  hl_work_free (model->work);
  hl_system_unref (model->sys);
  hl_document_unref (model->doc);
  *model = (HlTestModel){0};
}

void hl_test_model_start (HlTestModel *model, HlStart start) {
  HlFault fault = {0};
  HlStatus status = hl_start_point (model->sys, model->work, start, NULL, model->point, NULL, &fault);

  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_printerr ("%s\n", message);
  }
  g_assert_cmpint (status, ==, HL_OK);
}

gboolean hl_test_is_sound (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_check_document (document, findings);
  const HlFinding *first = hl_findings_first_error (findings);
  if (first == NULL)
    return TRUE;
  g_autofree char *text = hl_finding_format (first);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  return FALSE;
}
