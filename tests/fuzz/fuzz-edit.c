/* SPDX-License-Identifier: MIT */
/* Edits on whatever the reader accepts: removing, renaming, copying and correcting must return and leave a document
 * that is unchanged after writing and reading, however wrong its shape. */
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define ELEMENTS_TRIED 1 /* of each section: an example has dozens */

static void expect_round_trip (HlDocument *taken) {
  g_autoptr (HlDocument) document = taken;

  if (document == NULL)
    return;
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (HlValue) again = hl_json_parse (text, strlen (text), NULL, NULL);
  g_assert_true (hl_value_equal (again, hl_document_root (document)));
}

static void edit_element (const HlDocument *document, const char *id) {
  const char *ids[] = {id, NULL};
  g_autoptr (HlValue) fragment = hl_edit_copy (document, ids);

  expect_round_trip (hl_edit_remove (document, ids, NULL));
  expect_round_trip (hl_edit_rename (document, id, "another_name", NULL));
  expect_round_trip (hl_edit_paste (document, fragment, NULL, NULL));
  expect_round_trip (hl_edit_set (document, id, "mass", hl_value_new_number (1), NULL));
}

static void edit_line (const HlDocument *document, int line) {
  const HlValue *element = hl_document_element (document, HL_SECTION_LINES, line);
  const HlValue *ports = hl_value_member (element, "ports");
  const char *first[] = {hl_value_string (hl_value_item (ports, 0)), NULL};
  const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);

  if (first[0] == NULL)
    return;
  expect_round_trip (hl_edit_disconnect (document, first[0], NULL));
  expect_round_trip (hl_edit_split (document, id, first, NULL, NULL));
  expect_round_trip (hl_edit_connect (document, first[0], "V1", NULL));
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (HlDocument) document = hl_document_parse ((const char *)data, size, "fuzz", NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();

  if (document == NULL)
    return 0;
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < MIN (hl_document_n_elements (document, section), ELEMENTS_TRIED); i++)
      edit_element (document, hl_document_element_id (document, section, i));
  for (int line = 0; line < MIN (hl_document_n_elements (document, HL_SECTION_LINES), 2); line++)
    edit_line (document, line);
  hl_check_document (document, findings);
  for (int i = 0; i < hl_findings_n (findings); i++)
    if (hl_findings_get (findings, i)->fix.type != HL_FIX_NONE)
      expect_round_trip (hl_edit_apply_fix (document, &hl_findings_get (findings, i)->fix, NULL));
  return 0;
}
