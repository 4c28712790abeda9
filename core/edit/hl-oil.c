/* SPDX-License-Identifier: MIT */
#include "core/edit/hl-oil.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "core/system/hl-oil-model.h"

HlOil hl_document_oil (const HlDocument *document) {
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (document, HL_SECTION_SIMULATION, "model"));

  return (oil != NULL ? oil : hl_oil_models[0])->bit;
}

const char *hl_path_idle_text (const HlDocument *document, const char *path, HlOil oil) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.type != HL_PATH_NUMBER || info.field == NULL)
    return NULL;
  return hl_field_idle_text (info.field, oil);
}

char *hl_field_idle_help (const HlField *field, HlOil oil) {
  const char *text = hl_field_idle_text (field, oil);

  HlOil at_points = hl_oil_model_of_points ()->bit;

  if (text == NULL || oil == at_points || hl_field_is_idle (field, at_points))
    return g_strdup (text);
  return g_strdup_printf (_ ("%s; only the equilibrium that a run may start from, which is that of "
                             "the lumped model, depends on it"),
                          text);
}
