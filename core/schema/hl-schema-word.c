/* SPDX-License-Identifier: MIT */
/* Words of the file as people read them. */
#include "core/schema/hl-schema.h"

#include "core/base/hl-i18n.h"
#include "core/system/hl-oil-model.h"

#include <string.h>

/* By the choice, whatever field it belongs to. */
static const struct {
  const char *word;
  const char *label;
} words[] = {
    {"none", NC_ ("choice", "none")},
    {"viscous", NC_ ("choice", "viscous")},
    {"brown-mcphee", NC_ ("choice", "Brown and McPhee")},
    {"stribeck-tanh", NC_ ("choice", "Stribeck curve, smooth at rest")},
    {"bengisu-akay", NC_ ("choice", "Bengisu and Akay")},
    {"lugre", NC_ ("choice", "LuGre: bristles")},
    {"modified-lugre", NC_ ("choice", "LuGre, smooth at rest")},
    {"working", NC_ ("choice", "working line")},
    {"pilot", NC_ ("choice", "pilot line")},
    {"drain", NC_ ("choice", "drain line")},
    {"ground", NC_ ("choice", "ground")},
    {"body", NC_ ("choice", "body")},
    {"linear", NC_ ("choice", "linear")},
    {"log", NC_ ("choice", "logarithmic")},
    {"time", NC_ ("choice", "over time")},
    {"phase", NC_ ("choice", "phase plot")},
    {"spectrum", NC_ ("choice", "spectrum")},
    {"difference", NC_ ("choice", "difference")},
    {"energy", NC_ ("choice", "energy")},
    {"below", NC_ ("choice", "below")},
    {"beside", NC_ ("choice", "beside")},
    {"tab", NC_ ("choice", "new tab")},
    {"pinned", NC_ ("choice", "pinned")},
    {"measured", NC_ ("choice", "measured")},
    {"hann", NC_ ("choice", "Hann")},
    {"rectangular", NC_ ("choice", "rectangular")},
    {"flat-top", NC_ ("choice", "flat top")},
    {"reduced", NC_ ("choice", "reduced coordinates")},
    {"baumgarte", NC_ ("choice", "Baumgarte")},
    {"relaxed", NC_ ("choice", "relaxed")},
    {"discrete", NC_ ("choice", "discrete")},
    {"bdf", NC_ ("choice", "BDF")},
    {"radau", NC_ ("choice", "Radau")},
    {"equilibrium", NC_ ("choice", "equilibrium")},
    {"as-given", NC_ ("choice", "as given")},
    {"line", NC_ ("choice", "straight lines")},
    {"hold", NC_ ("choice", "steps")},
    {"smooth", NC_ ("choice", "smooth curve")},
    {"closed", NC_ ("choice", "closed")},
    {"open", NC_ ("choice", "open")},
    {"tandem", NC_ ("choice", "tandem: P to T")},
    {"float", NC_ ("choice", "floating: A and B to T")},
    {"regenerative", NC_ ("choice", "regenerative: P to A and B")},
    {"4/3", NC_ ("choice", "4/3: four ports, three positions")},
    {"4/2", NC_ ("choice", "4/2: four ports, two positions")},
    {"3/2", NC_ ("choice", "3/2: three ports, two positions")},
    {"2/2", NC_ ("choice", "2/2: two ports, two positions")},
    {"6/3", NC_ ("choice", "6/3: six ports, three positions")},
    {"bladder", NC_ ("choice", "bladder")},
    {"piston", NC_ ("choice", "piston")},
    {"churchill", NC_ ("choice", "Churchill")},
};

const char *hl_schema_word (const char *word) {
  const HlOilModel *oil = hl_oil_model_find (word);

  if (oil != NULL)
    return g_dpgettext2 (GETTEXT_PACKAGE, "choice", oil->label);
  for (gsize k = 0; word != NULL && k < G_N_ELEMENTS (words); k++)
    if (strcmp (words[k].word, word) == 0)
      return g_dpgettext2 (GETTEXT_PACKAGE, "choice", words[k].label);
  for (HlSection section = HL_SECTION_BODIES; word != NULL && section < HL_N_SECTIONS; section++)
    if (hl_section_has_kinds (section) && hl_schema_find_kind (section, word) != NULL)
      return _ (hl_schema_find_kind (section, word)->label);
  return word;
}
