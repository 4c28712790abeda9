/* SPDX-License-Identifier: MIT */
#include "core/document/hl-component-read.h"

#include <math.h>

static int index_of_choice (const HlField *field, const char *text) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);

  for (int k = 0; choices[k] != NULL; k++)
    if (g_strcmp0 (choices[k], text) == 0)
      return k;
  return 0;
}

void hl_component_read (HlComponent *component, const HlValue *element) {
  const HlKind *kind = &component->klass->kind;

  component->stated = 0;
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    char *place = (char *)component->self + field->place - 1;
    if (hl_value_at (element, field->name) != NULL)
      component->stated |= (uint64_t)1 << k;
    if (field->place == 0)
      continue;
    if (field->type == HL_FIELD_NUMBER) {
      double value = hl_kind_number (kind, element, field->name, NULL);
      *(double *)(void *)place = isnan (value) ? field->absent : value;
    } else if (field->type == HL_FIELD_BOOLEAN)
      *(bool *)(void *)place = hl_kind_boolean (kind, element, field->name);
    else if (field->type == HL_FIELD_CHOICE)
      *(int *)(void *)place = index_of_choice (field, hl_kind_text (kind, element, field->name));
  }
}

static double number_of_oil (const HlDocument *document, const char *name) {
  return document != NULL ? hl_document_object_number (document, HL_SECTION_FLUID, name)
                          : hl_kind_number (hl_schema_find_kind (HL_SECTION_FLUID, NULL), NULL, name, NULL);
}

HlFluid hl_fluid_read (const HlDocument *document) {
  return (HlFluid){
      .bulk_modulus = number_of_oil (document, "bulk_modulus"),
      .density = number_of_oil (document, "density"),
      .viscosity = number_of_oil (document, "viscosity"),
      .vapour_pressure = number_of_oil (document, "vapour_pressure"),
      .air_fraction = number_of_oil (document, "air_fraction"),
      .ambient_pressure = number_of_oil (document, "ambient_pressure"),
  };
}
