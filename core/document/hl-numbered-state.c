/* SPDX-License-Identifier: MIT */
#include "core/document/hl-numbered-state.h"

#include <string.h>

static gboolean has_numbered (const HlComponentClass *klass) {
  for (int word = 0; klass != NULL && word < HL_MOST_WORDS; word++)
    if (klass->states[word].is_numbered)
      return TRUE;
  return FALSE;
}

void hl_numbered_states_each (const char *kind, const HlValue *element,
                              void (*each) (const char *name, HlQuantity quantity, void *data), void *data) {
  const HlComponentClass *klass = hl_component_class (kind);

  if (!has_numbered (klass))
    return;
  /* any oil: how many there are does not depend on it */
  HlFluid fluid = {.bulk_modulus = 1e9, .density = 1e3, .viscosity = 1e-2};
  g_autofree void *self = g_malloc0 (klass->size);
  HlComponent component = {.klass = klass, .self = self};
  hl_component_read (&component, element);
  hl_component_derive (&component, &fluid);
  hl_component_count (&component);
  for (int state = 0; state < MIN (component.n_states, HL_MOST_STATES); state++) {
    char name[HL_STATE_NAME_ROOM];
    const HlStateWord *word = hl_component_word (&component, state, NULL);
    if (word->is_numbered)
      each (hl_component_state_name (&component, state, name), word->quantity, data);
  }
}

typedef struct {
  const char *name;
  HlQuantity *quantity;
  gboolean found;
} Search;

static void compare (const char *name, HlQuantity quantity, void *data) {
  Search *search = data;

  if (strcmp (name, search->name) != 0)
    return;
  *search->quantity = quantity;
  search->found = TRUE;
}

gboolean hl_numbered_state_find (const char *kind, const HlValue *element, const char *name,
                                 HlQuantity *quantity) {
  Search search = {.name = name, .quantity = quantity};

  if (strchr (name, '_') != NULL)
    hl_numbered_states_each (kind, element, compare, &search);
  return search.found;
}
