/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-named-parameter-model.h"

#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

double hl_test_number (const HlDocument *document, const char *path) {
  g_autoptr (GError) error = NULL;
  double value = NAN;

  hl_document_get_number (document, path, &value, NULL, &error);
  g_assert_no_error (error);
  return value;
}

HlDocument *hl_test_named_four_bar (void) {
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) plain = hl_document_load (path, NULL);
  HlDocument *document = hl_document_ref (plain);
  static const char *const parameters[][2] = {
      {"bore", "0.08"}, {"rod", "bore*7/16"}, {"p_supply", "7.6 MPa"}, {"gap", "6 mm"}};
  static const char *const uses[][2] = {{"cyl.piston_diameter", "bore"},   {"cyl.rod_diameter", "rod"},
                                        {"pump.pressure", "p_supply"},     {"throttle.diameter", "gap"},
                                        {"link2.points.G.x", "bore-0.08"}, {"fluid.bulk_modulus", "1.5 GPa"}};

  for (gsize i = 0; i < G_N_ELEMENTS (parameters) + G_N_ELEMENTS (uses); i++) {
    g_autoptr (GError) error = NULL;
    gsize use = i - G_N_ELEMENTS (parameters);
    HlDocument *next = i < G_N_ELEMENTS (parameters)
                           ? hl_edit_set_parameter (document, parameters[i][0], parameters[i][1], &error)
                           : hl_document_with_text (document, uses[use][0], uses[use][1], &error);
    g_assert_no_error (error);
    hl_document_unref (document);
    document = next;
  }
  return document;
}

HlDocument *hl_test_written_out (const HlDocument *document) {
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  HlDocument *plain = hl_document_ref (document);

  for (int i = 0; paths[i] != NULL; i++) {
    if (hl_document_typed (document, paths[i]) == NULL || strchr (paths[i], '.') == NULL)
      continue;
    HlDocument *next = hl_document_with_number (plain, paths[i], hl_test_number (document, paths[i]), NULL);
    hl_document_unref (plain);
    plain = next;
  }
  HlDocument *without = hl_document_new (hl_value_without_member (hl_document_root (plain), "parameters"));
  hl_document_unref (plain);
  return without;
}
