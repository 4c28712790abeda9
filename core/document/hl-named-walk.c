/* SPDX-License-Identifier: MIT */
/* The walk over all places of a file where a number may stand, guided by the schema. Plain numbers,
 * which are nearly everything, are passed over; branches without a change are shared. */
#include <string.h>

#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "core/system/hl-block.h"

#define MOST_STEPS 40

/* One member or item; a name only when it is asked for, as most places hold plain numbers. */
typedef struct {
  const char *name; /* NULL: of an array */
  gsize index;
} Step;

typedef struct {
  const HlDocument *document;
  HlNumberVisit visit;
  gpointer data;
  Step steps[MOST_STEPS]; /* where the walk is; deeper ones are not told */
  int n_steps;
} Walk;

static HlValue *map_signal (Walk *walk, const HlValue *signal, HlQuantity quantity);
static HlValue *map_members (Walk *walk, const HlKind *kind, const HlValue *object, const char *above,
                             HlQuantity quantity);

/* Goes one step down, and back. */
static void enter (Walk *walk, const char *name, gsize index) {
  if (walk->n_steps < MOST_STEPS)
    walk->steps[walk->n_steps] = (Step){name, index};
  walk->n_steps++;
}

static void leave (Walk *walk) {
  walk->n_steps--;
}

/* "components.4.friction.Fc"; owned. */
static char *place_text (const Walk *walk) {
  GString *place = g_string_new (NULL);

  for (int k = 0; k < MIN (walk->n_steps, MOST_STEPS); k++) {
    g_string_append (place, k > 0 ? "." : "");
    if (walk->steps[k].name != NULL)
      g_string_append (place, walk->steps[k].name);
    else
      g_string_append_printf (place, "%zu", walk->steps[k].index);
  }
  return g_string_free (place, FALSE);
}

static gboolean is_text (const HlValue *value) {
  return hl_value_is_string (value) || hl_value_typed (value) != NULL;
}

static gboolean may_hold_text (const HlValue *value) {
  return is_text (value) || hl_value_is_array (value) || hl_value_is_object (value);
}

/* What takes the place of a number; NULL: nothing does. */
static HlValue *map_number (Walk *walk, const HlValue *value, HlQuantity quantity) {
  if (!is_text (value))
    return NULL;
  g_autofree char *place = place_text (walk);
  return walk->visit (walk->data, value, quantity, place);
}

/* Entries of an array or object; each has the quantity that stands at its place in `quantities`, the
 * last one of which counts on. NULL: nothing has changed. */
typedef HlValue *(*MapChild) (Walk *walk, const HlValue *child, const void *how);

static HlValue *map_children (Walk *walk, const HlValue *list, MapChild map, const void *hows, gsize size,
                              gsize n_hows) {
  HlValue *changed = NULL;

  for (gsize i = 0; i < hl_value_length (list); i++) {
    gboolean is_array = hl_value_is_array (list);
    const HlValue *child = is_array ? hl_value_item (list, i) : hl_value_member_at (list, i);
    if (!may_hold_text (child))
      continue;
    enter (walk, is_array ? NULL : hl_value_key (list, i), i);
    HlValue *next = map (walk, child, (const char *)hows + MIN (i, n_hows - 1) * size);
    leave (walk);
    if (next == NULL)
      continue;
    HlValue *with =
        is_array ? hl_value_with_item (changed != NULL ? changed : list, i, next)
                 : hl_value_with_member (changed != NULL ? changed : list, hl_value_key (list, i), next);
    hl_value_unref (changed);
    changed = with;
  }
  return changed;
}

static HlValue *map_entry (Walk *walk, const HlValue *child, const void *how) {
  return map_number (walk, child, *(const HlQuantity *)how);
}

static HlValue *map_vector (Walk *walk, const HlValue *list, const HlQuantity *quantities, gsize n) {
  return hl_value_is_array (list) ? map_children (walk, list, map_entry, quantities, sizeof *quantities, n)
                                  : NULL;
}

static HlValue *map_point (Walk *walk, const HlValue *child, const void *how) {
  return map_vector (walk, child, how, 1);
}

static HlValue *map_term (Walk *walk, const HlValue *child, const void *how) {
  return map_signal (walk, child, *(const HlQuantity *)how);
}

/* HL_N_QUANTITIES: any, of a parameter that is a pure number. */
static HlQuantity quantity_at (const Walk *walk, const char *path) {
  HlFormulaValue value;
  HlPathInfo info;

  if (path != NULL && strchr (path, '.') == NULL &&
      hl_document_parameter_value (walk->document, path, &value, NULL) && value.is_open)
    return HL_N_QUANTITIES;

  return path != NULL && hl_path_find (walk->document, path, &info, NULL) ? info.quantity : HL_QUANTITY_NONE;
}

/* Values of a parameter set have the quantities of their paths. */
static HlValue *map_values (Walk *walk, const HlValue *values) {
  HlValue *changed = NULL;

  for (gsize i = 0; hl_value_is_object (values) && i < hl_value_length (values); i++) {
    const HlValue *value = hl_value_member_at (values, i);
    if (!is_text (value))
      continue;
    enter (walk, hl_value_key (values, i), i);
    HlValue *next = map_number (walk, value, quantity_at (walk, hl_value_key (values, i)));
    leave (walk);
    if (next == NULL)
      continue;
    HlValue *with = hl_value_with_member (changed != NULL ? changed : values, hl_value_key (values, i), next);
    hl_value_unref (changed);
    changed = with;
  }
  return changed;
}

static HlValue *map_field (Walk *walk, const HlField *field, const HlValue *value, HlQuantity quantity) {
  static const HlQuantity pose[] = {HL_QUANTITY_LENGTH, HL_QUANTITY_LENGTH, HL_QUANTITY_ANGLE};
  static const HlQuantity velocity[] = {HL_QUANTITY_SPEED, HL_QUANTITY_SPEED, HL_QUANTITY_ANGULAR_SPEED};

  switch (field->type) {
  case HL_FIELD_NUMBER:
    return map_number (walk, value, quantity);
  case HL_FIELD_SIGNAL:
    return map_signal (walk, value, quantity);
  case HL_FIELD_SIGNALS:
    return hl_value_is_array (value) ? map_children (walk, value, map_term, &quantity, sizeof quantity, 1)
                                     : NULL;
  case HL_FIELD_NUMBERS:
  case HL_FIELD_VEC2:
    return map_vector (walk, value, &quantity, 1);
  case HL_FIELD_POSE:
    return map_vector (walk, value, pose, G_N_ELEMENTS (pose));
  case HL_FIELD_VELOCITY:
    return map_vector (walk, value, velocity, G_N_ELEMENTS (velocity));
  case HL_FIELD_POINTS:
    return hl_value_is_object (value) ? map_children (walk, value, map_point, &quantity, sizeof quantity, 1)
                                      : NULL;
  case HL_FIELD_VALUES:
    return map_values (walk, value);
  default:
    return NULL;
  }
}

/* Numbers of a signal have its quantity unless they have one of their own; a block's are pure, but
 * for the target of one that measures. */
static HlQuantity quantity_in_signal (const Walk *walk, const HlKind *kind, const HlField *field,
                                      const HlValue *signal, HlQuantity quantity) {
  const HlBlockClass *block = hl_block_class (kind->name);

  if (field->quantity != HL_QUANTITY_NONE)
    return field->quantity;
  if (block != NULL && block->measures && field->type == HL_FIELD_SIGNAL)
    return quantity_at (walk, hl_value_string (hl_value_member (signal, "of")));
  return block != NULL || strcmp (field->name, "weights") == 0 ? HL_QUANTITY_NONE : quantity;
}

static HlValue *map_signal (Walk *walk, const HlValue *signal, HlQuantity quantity) {
  const HlKind *kind = hl_value_is_object (signal) ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;

  if (kind == NULL)
    return map_number (walk, signal, quantity);
  return map_members (walk, kind, signal, "", quantity);
}

static gboolean has_fields_below (const HlKind *kind, const char *name) {
  gsize length = strlen (name);

  for (int i = 0; i < kind->n_fields; i++)
    if (strncmp (kind->fields[i].name, name, length) == 0 && kind->fields[i].name[length] == '.')
      return TRUE;
  return FALSE;
}

/* The members of an element, of an object inside it ("friction", `above` "friction.") or of a signal,
 * whose quantity then is given. */
static HlValue *map_members (Walk *walk, const HlKind *kind, const HlValue *object, const char *above,
                             HlQuantity quantity) {
  HlValue *changed = NULL;

  for (gsize i = 0; i < hl_value_length (object); i++) {
    const HlValue *value = hl_value_member_at (object, i);
    const char *key = hl_value_key (object, i);
    if (!may_hold_text (value))
      continue;
    g_autofree char *joined = *above != '\0' ? g_strconcat (above, key, NULL) : NULL;
    const char *name = joined != NULL ? joined : key;
    const HlField *field = hl_kind_find_field (kind, name);
    enter (walk, key, i);
    HlValue *next = NULL;
    if (field != NULL)
      next = map_field (walk, field, value,
                        kind->section == HL_SECTION_SIGNAL
                            ? quantity_in_signal (walk, kind, field, object, quantity)
                        : kind->section == HL_SECTION_SLIDERS
                            ? quantity_at (walk, hl_value_string (hl_value_member (object, "path")))
                            : field->quantity);
    else if (hl_value_is_object (value) && has_fields_below (kind, name)) {
      g_autofree char *below = g_strconcat (name, ".", NULL);
      next = map_members (walk, kind, value, below, quantity);
    }
    leave (walk);
    if (next == NULL)
      continue;
    HlValue *with = hl_value_with_member (changed != NULL ? changed : object, key, next);
    hl_value_unref (changed);
    changed = with;
  }
  return changed;
}

static HlValue *map_element (Walk *walk, const HlValue *element, const void *section) {
  const HlKind *kind =
      hl_value_is_object (element) ? hl_schema_kind_of (*(const HlSection *)section, element) : NULL;

  return kind != NULL ? map_members (walk, kind, element, "", HL_QUANTITY_NONE) : NULL;
}

/* A list of elements, or a single object. */
static HlValue *map_section (Walk *walk, HlSection section, const HlValue *value) {
  gboolean is_list = section < HL_SECTION_MODEL;

  if (is_list)
    return hl_value_is_array (value) ? map_children (walk, value, map_element, &section, sizeof section, 1)
                                     : NULL;
  return map_element (walk, value, &section);
}

HlValue *hl_document_map_texts (const HlDocument *document, HlNumberVisit visit, gpointer data) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_GROUND, HL_SECTION_SIMULATION};
  const HlValue *root = hl_document_root (document);
  HlValue *changed = hl_value_ref (root);
  Walk walk = {.document = document, .visit = visit, .data = data};
  HlSection sections[HL_N_SECTIONS];
  int n = 0;

  for (HlSection section = 0; section < HL_SECTION_MODEL; section++)
    sections[n++] = section;
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    sections[n++] = objects[i];
  for (int i = 0; i <= n; i++) {
    const HlQuantity acceleration = HL_QUANTITY_ACCELERATION;
    const char *key = i < n ? hl_section_key (sections[i]) : "gravity";
    const HlValue *value = hl_value_member (root, key);
    enter (&walk, key, 0);
    HlValue *next =
        i < n ? map_section (&walk, sections[i], value) : map_vector (&walk, value, &acceleration, 1);
    leave (&walk);
    if (next == NULL)
      continue;
    HlValue *with = hl_value_with_member (changed, key, next);
    hl_value_unref (changed);
    changed = with;
  }
  return changed;
}
