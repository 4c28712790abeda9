/* SPDX-License-Identifier: MIT */
/* The table of named parameters: each is evaluated once, on first use, so that parameters may refer to others
 * in any order; one that needs itself is part of a circular definition. */
#include "core/document/hl-named-parameters.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-similar-names.h"
#include "core/document/hl-quantity-path.h"
#include "core/system/hl-signal-block.h"

#include <math.h>
#include <string.h>

/* The walk over all places of a file where a number may stand, guided by the schema. Plain numbers,
 * which are nearly everything, are passed over; branches without a change are shared. */

#define MOST_STEPS 40

/* One member or item; a name only on demand, since most places hold plain numbers. */
typedef struct {
  const char *name; /* NULL: of an array */
  gsize index;
} Step;

typedef struct {
  const HlDocument *document;
  HlNumberVisit visit;
  gpointer data;
  Step steps[MOST_STEPS]; /* where the walk is; deeper ones are not listed */
  int n_steps;
} Walk;

static HlValue *map_signal (Walk *walk, const HlValue *signal, HlQuantity quantity);
static HlValue *map_members (Walk *walk, const HlKind *kind, const HlValue *object, const char *above,
                             HlQuantity quantity);

/* Goes one step down, and back. */
static void push_name (Walk *walk, const char *name, gsize index) {
  if (walk->n_steps < MOST_STEPS)
    walk->steps[walk->n_steps] = (Step){name, index};
  walk->n_steps++;
}

static void pop_name (Walk *walk) {
  walk->n_steps--;
}

/* Returns the place of a value, "components.4.friction.Fc". Owned by the caller. */
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

/* Returns the replacement of a number, or NULL to keep the number. */
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
    push_name (walk, is_array ? NULL : hl_value_key (list, i), i);
    HlValue *next = map (walk, child, (const char *)hows + MIN (i, n_hows - 1) * size);
    pop_name (walk);
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

/* Returns the quantity of a path; HL_N_QUANTITIES: any, for a parameter that is a pure number. */
static HlQuantity quantity_at (const Walk *walk, const char *path) {
  HlFormulaValue value;
  HlPathInfo info;

  if (path != NULL && strchr (path, '.') == NULL &&
      hl_document_parameter_value (walk->document, path, &value, NULL) && value.is_open)
    return HL_N_QUANTITIES;

  return path != NULL && hl_path_find (walk->document, path, &info, NULL) ? info.quantity : HL_QUANTITY_NONE;
}

/* Maps the values of a parameter set, which have the quantities of their paths. */
static HlValue *map_values (Walk *walk, const HlValue *values) {
  HlValue *changed = NULL;

  for (gsize i = 0; hl_value_is_object (values) && i < hl_value_length (values); i++) {
    const HlValue *value = hl_value_member_at (values, i);
    if (!is_text (value))
      continue;
    push_name (walk, hl_value_key (values, i), i);
    HlValue *next = map_number (walk, value, quantity_at (walk, hl_value_key (values, i)));
    pop_name (walk);
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

/* Returns the quantity of a number in a signal: the signal's, unless the field has one of its own; a block's
 * numbers are pure, except the target of one that measures. */
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

/* Returns the members of an element, of an object inside it ("friction", `above` "friction.") or of a signal,
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
    push_name (walk, key, i);
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
    pop_name (walk);
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

/* Returns a list of elements, or a single object. */
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
    push_name (&walk, key, 0);
    HlValue *next =
        i < n ? map_section (&walk, sections[i], value) : map_vector (&walk, value, &acceleration, 1);
    pop_name (&walk);
    if (next == NULL)
      continue;
    HlValue *with = hl_value_with_member (changed, key, next);
    hl_value_unref (changed);
    changed = with;
  }
  return changed;
}

#define MOST_DIGITS 17 /* distinguish any two doubles */

static const HlUnit *base_unit (HlQuantity quantity) {
  int n;

  return hl_quantity_units (quantity, &n);
}

const HlUnit *hl_document_own_unit (const HlDocument *document, const char *path) {
  const char *typed = hl_document_typed (document, path);
  const HlUnit *unit = NULL;
  HlPathInfo info;
  double si;

  if (typed == NULL || !hl_path_find (document, path, &info, NULL) || info.quantity == HL_QUANTITY_NONE)
    return NULL;
  return hl_unit_parse (typed, info.quantity, base_unit (info.quantity), &si, &unit, NULL) ? unit : NULL;
}

char *hl_own_unit_text (const char *typed, HlQuantity quantity, const HlUnit *assumed, const HlUnit *shown) {
  const HlUnit *unit = assumed, *again = NULL;
  double si, read;

  if (quantity == HL_QUANTITY_NONE || !hl_unit_parse_typed (typed, quantity, assumed, &si, &unit, NULL) ||
      unit == shown)
    return NULL;
  /* the typed text where it has a point and a unit; a second unit is none */
  g_autofree char *plain = hl_formula_from_typed (typed);
  g_strstrip (plain);
  g_autofree char *with_unit = g_strdup_printf ("%s %s", plain, unit->name);
  const char *const texts[] = {with_unit, plain};
  for (gsize k = 0; k < G_N_ELEMENTS (texts); k++)
    if (hl_unit_parse (texts[k], quantity, base_unit (quantity), &read, &again, NULL) && again == unit &&
        read == si)
      return g_strdup (texts[k]);
  return hl_own_unit_format (unit, si);
}

char *hl_own_unit_format (const HlUnit *unit, double si) {
  char *text = NULL;
  double read = NAN;

  for (int digits = 1; digits <= MOST_DIGITS && read != si; digits++) {
    g_autofree char *number = hl_unit_format_plain (unit, si, digits);
    g_free (text);
    text = g_strdup_printf ("%s %s", number, unit->name);
    if (!hl_unit_parse (text, unit->quantity, unit, &read, NULL, NULL))
      read = NAN;
  }
  return text;
}

#define MOST_LISTED 20    /* names in a message */
#define SAME_NUMBER 1e-14 /* of a formula read in another unit: its rounding */
#define MOST_CHAIN 100    /* parameters that rest on each other */

typedef enum { STATE_UNKNOWN, STATE_BUSY, STATE_GOOD, STATE_BAD } State;

typedef struct {
  State state;
  HlFormulaValue value;
  char *why; /* of a bad one */
} Entry;

struct HlNamed {
  gatomicrefcount ref_count;
  const HlValue *object; /* while the table is made */
  char **names;          /* NULL-terminated */
  GHashTable *entries;   /* name -> Entry */
  GPtrArray *chain;      /* names that are being evaluated; while the table is made */
};

static void entry_free (gpointer data) {
  Entry *entry = data;

  g_free (entry->why);
  g_free (entry);
}

/* Returns a circular reference as text, "bore → rod → bore". */
static char *circle_text (const HlNamed *named, const char *name) {
  GString *text = g_string_new (NULL);
  guint first = 0;

  while (first < named->chain->len && strcmp (g_ptr_array_index (named->chain, first), name) != 0)
    first++;
  for (guint k = first; k < named->chain->len; k++)
    g_string_append_printf (text, "%s → ", (char *)g_ptr_array_index (named->chain, k));
  g_string_append (text, name);
  return g_string_free (text, FALSE);
}

static gboolean refuse_unknown (const HlNamed *named, const char *name, GError **error) {
  g_autofree char *near = named != NULL ? hl_near_names ((const char *const *)named->names, name) : NULL;
  g_autofree char *all = named != NULL && g_strv_length (named->names) <= MOST_LISTED
                             ? g_strjoinv (", ", named->names)
                             : g_strdup ("");

  if (near != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter ‘%s’; perhaps %s"), name, near);
  else if (*all != '\0')
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter ‘%s’; the parameters are %s"),
                 name, all);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 named != NULL ? _ ("there is no parameter ‘%s’")
                               : _ ("there is no parameter ‘%s’; the model has no parameters yet"),
                 name);
  return FALSE;
}

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error);

static void evaluate (HlNamed *named, const char *name, Entry *entry) {
  const HlValue *stated = hl_value_member (named->object, name);
  const char *text = hl_value_text (stated);
  g_autoptr (GError) error = NULL;

  entry->state = STATE_BUSY;
  g_ptr_array_add (named->chain, (gpointer)name);
  entry->value = (HlFormulaValue){.value = hl_value_number (stated), .is_open = TRUE};
  if (named->chain->len > MOST_CHAIN)
    entry->why = g_strdup (_ ("the parameter depends on too many other parameters"));
  else if (!hl_formula_is_name (name))
    entry->why = g_strdup_printf (
        _ ("‘%s’ cannot be the name of a parameter; use letters, digits and _, and no name of a function"),
        name);
  else if (text != NULL && !hl_formula_evaluate (text, look_up, named, &entry->value, NULL, &error))
    entry->why = g_strdup (error->message);
  else if (!isfinite (entry->value.value))
    entry->why = g_strdup (_ ("the value is neither a number nor a formula"));
  /* a pure number has the unit of the place that uses it */
  entry->value.is_open = entry->value.is_open || hl_dimension_is_none (entry->value.dimension);
  entry->state = entry->why != NULL ? STATE_BAD : STATE_GOOD;
  g_ptr_array_set_size (named->chain, (int)named->chain->len - 1);
}

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  HlNamed *named = data;
  Entry *entry = named != NULL ? g_hash_table_lookup (named->entries, name) : NULL;

  if (entry == NULL)
    return refuse_unknown (named, name, error);
  if (entry->state == STATE_UNKNOWN)
    evaluate (named, name, entry);
  if (entry->state == STATE_BUSY) {
    g_autofree char *circle = circle_text (named, name);
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("the formulas are circular: %s"), circle);
    return FALSE;
  }
  if (entry->state == STATE_BAD) {
    if (strstr (entry->why, "→") != NULL)
      g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, entry->why);
    else
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("parameter ‘%s’ has no value: %s"), name, entry->why);
    return FALSE;
  }
  *value = entry->value;
  return TRUE;
}

HlNamed *hl_named_new (const HlValue *root) {
  const HlValue *object = hl_value_member (root, "parameters");
  gsize n = hl_value_is_object (object) ? hl_value_length (object) : 0;

  if (n == 0)
    return NULL;
  HlNamed *named = g_new0 (HlNamed, 1);
  g_atomic_ref_count_init (&named->ref_count);
  named->object = object;
  named->names = g_new0 (char *, n + 1);
  named->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  named->chain = g_ptr_array_new ();
  for (gsize i = 0; i < n; i++) {
    named->names[i] = g_strdup (hl_value_key (object, i));
    g_hash_table_insert (named->entries, named->names[i], g_new0 (Entry, 1));
  }
  for (gsize i = 0; i < n; i++) {
    Entry *entry = g_hash_table_lookup (named->entries, named->names[i]);
    if (entry->state == STATE_UNKNOWN)
      evaluate (named, named->names[i], entry);
  }
  g_ptr_array_unref (g_steal_pointer (&named->chain));
  named->object = NULL;
  return named;
}

HlNamed *hl_named_ref (HlNamed *named) {
  if (named != NULL)
    g_atomic_ref_count_inc (&named->ref_count);
  return named;
}

void hl_named_unref (HlNamed *named) {
  if (named == NULL || !g_atomic_ref_count_dec (&named->ref_count))
    return;
  g_hash_table_unref (named->entries);
  g_strfreev (named->names);
  g_free (named);
}

/* ---- the numbers of a document ---- */

/* Returns a text whose formula has a value becomes a number kept as typed, and the other way round. */
static HlValue *updated_value (HlNamed *named, const HlValue *value, HlQuantity quantity) {
  const char *typed = hl_value_typed (value), *text = hl_value_text (value);
  gboolean is_any = quantity == HL_N_QUANTITIES;
  HlFormulaValue any = {0};
  int n;
  double number;

  if (is_any ? !hl_formula_evaluate (text, look_up, named, &any, NULL, NULL)
             : !hl_formula_read (text, quantity, hl_quantity_units (quantity, &n), look_up, named, &number,
                                 NULL))
    return typed != NULL ? hl_value_new_string (text) : NULL;
  number = is_any ? any.value : number;
  double before = hl_value_number (value);
  return typed != NULL && memcmp (&before, &number, sizeof number) == 0 ? NULL
                                                                        : hl_value_new_typed (text, number);
}

typedef struct {
  HlNamed *named;
  gboolean found;
} Renewal;

static HlValue *renew (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  Renewal *renewal = data;

  (void)place;
  renewal->found = TRUE;
  return updated_value (renewal->named, value, quantity);
}

/* Returns the parameters themselves. */
static HlValue *with_parameters (HlNamed *named, HlValue *root) {
  const HlValue *object = hl_value_member (root, "parameters");
  HlValue *changed = hl_value_ref (object);

  for (int i = 0; named->names[i] != NULL; i++) {
    const Entry *entry = g_hash_table_lookup (named->entries, named->names[i]);
    const HlValue *stated = hl_value_member (object, named->names[i]);
    const char *typed = hl_value_typed (stated), *text = hl_value_text (stated);
    if (text == NULL || (entry->state == STATE_BAD && typed == NULL) ||
        (typed != NULL && entry->value.value == hl_value_number (stated)))
      continue;
    HlValue *with =
        hl_value_with_member (changed, named->names[i],
                              entry->state == STATE_GOOD ? hl_value_new_typed (text, entry->value.value)
                                                         : hl_value_new_string (text));
    hl_value_unref (changed);
    changed = with;
  }
  HlValue *with = hl_value_with_member (root, "parameters", changed);
  hl_value_unref (root);
  return with;
}

HlValue *hl_named_renew (HlNamed *named, const HlDocument *document, gboolean *has_texts) {
  Renewal renewal = {.named = named};
  HlValue *root = hl_document_map_texts (document, renew, &renewal);

  *has_texts = renewal.found;
  return named != NULL ? with_parameters (named, root) : root;
}

int hl_document_n_parameters (const HlDocument *document) {
  const HlNamed *named = hl_document_named (document);
  return named != NULL ? (int)g_strv_length (named->names) : 0;
}

const char *hl_document_parameter_name (const HlDocument *document, int index) {
  return index >= 0 && index < hl_document_n_parameters (document)
             ? hl_document_named (document)->names[index]
             : NULL;
}

const HlValue *hl_document_parameter (const HlDocument *document, const char *name) {
  return hl_value_member (hl_value_member (hl_document_root (document), "parameters"), name);
}

gboolean hl_document_parameter_value (const HlDocument *document, const char *name, HlFormulaValue *value,
                                      GError **error) {
  return look_up (hl_document_named (document), name, value, error);
}

gboolean hl_document_lookup (gpointer document, const char *name, HlFormulaValue *value, GError **error) {
  return hl_document_parameter_value (document, name, value, error);
}

HlQuantity hl_document_parameter_quantity (const HlDocument *document, const char *name) {
  HlQuantity quantity = HL_QUANTITY_NONE;
  HlFormulaValue value;

  if (hl_document_parameter_value (document, name, &value, NULL) && !value.is_open)
    hl_dimension_quantity (value.dimension, &quantity);
  return quantity;
}

gboolean hl_document_read_number (const HlDocument *document, const char *text, HlQuantity quantity,
                                  const HlUnit *assumed, double *si, GError **error) {
  return hl_formula_read (text, quantity, assumed, look_up, hl_document_named (document), si, error);
}

/* Returns the form in which a formula is stored: with the unit of the field where it needs one, or NULL if no
 * form evaluates to the same value. */
static char *kept_text (HlNamed *named, const char *text, HlQuantity quantity, const HlUnit *assumed,
                        double si) {
  int n;
  const HlUnit *base = hl_quantity_units (quantity, &n);
  g_autofree char *with_unit = g_strdup_printf ("(%s) %s", text, assumed->name);
  const char *const texts[] = {text, with_unit};
  double read;

  for (gsize k = 0; k < G_N_ELEMENTS (texts); k++)
    if (hl_formula_read (texts[k], quantity, base, look_up, named, &read, NULL) &&
        fabs (read - si) <= SAME_NUMBER * fabs (si))
      return g_strdup (texts[k]);
  return NULL;
}

gboolean hl_document_read_typed (const HlDocument *document, const char *typed, HlQuantity quantity,
                                 const HlUnit *assumed, double *si, char **kept, GError **error) {
  HlNamed *named = document != NULL ? hl_document_named (document) : NULL;
  g_autofree char *text = hl_formula_from_typed (typed);
  g_autoptr (GError) plainly = NULL;

  if (kept != NULL)
    *kept = NULL;
  if (hl_unit_parse_typed (typed, quantity, assumed, si, NULL, &plainly))
    return TRUE;
  g_strstrip (text);
  if (!hl_formula_read (text, quantity, assumed, look_up, named, si, error))
    return FALSE;
  if (kept != NULL)
    *kept = kept_text (named, text, quantity, assumed, *si);
  return TRUE;
}
