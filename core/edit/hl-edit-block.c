/* SPDX-License-Identifier: MIT */
/* Blocks put around a signal, and taken off again. */
#include "core/base/hl-i18n.h"
#include "core/edit/hl-edit-private.h"
#include "core/system/hl-block.h"

#include <math.h>
#include <string.h>

/* What a new sensor looks at: the first body's place, else the first cylinder's length, else the
 * first line's pressure. NULL: there is nothing; owned. */
static char *first_measure (const HlDocument *document) {
  static const struct {
    HlSection section;
    const char *output;
  } first[] = {{HL_SECTION_BODIES, "x"}, {HL_SECTION_COMPONENTS, "s"}, {HL_SECTION_LINES, "pressure"}};

  for (gsize k = 0; k < G_N_ELEMENTS (first); k++)
    for (int i = 0; i < hl_document_n_elements (document, first[k].section); i++) {
      const HlKind *kind = hl_document_element_kind (document, first[k].section, i);
      if (first[k].section == HL_SECTION_COMPONENTS &&
          (kind == NULL || hl_kind_find_output (kind, first[k].output) == NULL))
        continue;
      return g_strdup_printf ("%s.%s", hl_document_element_id (document, first[k].section, i),
                              first[k].output);
    }
  return NULL;
}

/* A number that the model states for the path, for a target to begin with; else 0. */
static double stated (const HlDocument *document, const char *path) {
  double value;
  return path != NULL && hl_document_get_number (document, path, &value, NULL, NULL) ? value : 0.0;
}

HlValue *hl_edit_new_block (const HlDocument *document, const HlValue *signal, const char *kind) {
  const HlBlockClass *block = hl_block_class (kind);
  g_autofree char *measure = block->measures ? first_measure (document) : NULL;
  HlValue *made = hl_value_with_member (NULL, "kind", hl_value_new_string (kind));

  for (int k = 0; k < block->kind.n_fields; k++) {
    const HlField *field = &block->kind.fields[k];
    HlValue *value = NULL;
    if (field->type == HL_FIELD_PATH)
      value = hl_value_new_string (measure != NULL ? measure : "");
    else if (field->type == HL_FIELD_SIGNAL)
      value = block->measures  ? hl_value_new_number (stated (document, measure))
              : signal != NULL ? hl_value_ref (signal)
                               : hl_value_new_number (0.0);
    else if (field->need == HL_NEED_REQUIRED)
      value = hl_value_new_number (field->start);
    if (value == NULL)
      continue;
    HlValue *next = hl_value_with_member (made, field->name, value);
    hl_value_unref (made);
    made = next;
  }
  return made;
}

const HlValue *hl_edit_inner_signal (const HlValue *signal) {
  const HlBlockClass *block = hl_block_class (hl_value_string (hl_value_member (signal, "kind")));

  return block != NULL && block->input != NULL ? hl_value_member (signal, block->input) : NULL;
}
