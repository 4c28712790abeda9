/* SPDX-License-Identifier: MIT */
/* Numbers by path. Numbers by path: reading falls back on the schema's default, writing inserts
 * what was there only by default. */
#include "core/document/hl-path.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-named.h"
#include "core/document/hl-numbered-state.h"
#include "core/document/hl-path-list.h"
#include "core/system/hl-block.h"

#include <math.h>
#include <string.h>

/* Where a number stands inside its element. */
typedef struct {
  char *where;     /* dotted: "friction.Fc", "pose.2", "signal.of.0.amplitude"; owned */
  char *vector;    /* the array that must exist before `where` can be set: "velocity"; owned, NULL for
                   plain numbers */
  int vector_size; /* of that array */
  double fallback; /* of a vector's entry */
  const HlDocument *document; /* to look up what a controller measures; NULL: not needed */
} HlPathPlace;

/* Frees what it owns. */
static void place_clear (HlPathPlace *place) {
  g_free (place->where);
  g_free (place->vector);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPathPlace, place_clear)

static gboolean place_resolve_in (const HlDocument *document, const char *path, gboolean asks,
                                  HlPathInfo *info, HlPathPlace *place, const HlValue **element);

/* A path is resolved to a place: which element, which field, and where inside the element's JSON
 * the number stands. */

/* Entries of pose and velocity stand directly below the element: link2.angle. */
static const struct {
  const char *name;
  const char *field;
  int entry;
  HlQuantity quantity;
} state_names[] = {
    {"x", "pose", 0, HL_QUANTITY_LENGTH},     {"y", "pose", 1, HL_QUANTITY_LENGTH},
    {"angle", "pose", 2, HL_QUANTITY_ANGLE},  {"vx", "velocity", 0, HL_QUANTITY_SPEED},
    {"vy", "velocity", 1, HL_QUANTITY_SPEED}, {"omega", "velocity", 2, HL_QUANTITY_ANGULAR_SPEED},
};

static int axis_entry (const char *name) {
  return strcmp (name, "x") == 0 ? 0 : strcmp (name, "y") == 0 ? 1 : -1;
}

static void set_vector_place (HlPathPlace *place, const char *field, int size, int entry, double fallback) {
  place->vector = g_strdup (field);
  place->vector_size = size;
  place->where = g_strdup_printf ("%s.%d", field, entry);
  place->fallback = fallback;
}

static gboolean find_state (const HlKind *kind, const char *name, HlPathInfo *info, HlPathPlace *place) {
  for (gsize i = 0; i < G_N_ELEMENTS (state_names); i++) {
    const HlField *field = hl_kind_find_field (kind, state_names[i].field);
    if (strcmp (state_names[i].name, name) != 0 || field == NULL)
      continue;
    info->type = HL_PATH_NUMBER;
    info->field = field;
    info->quantity = state_names[i].quantity;
    set_vector_place (place, state_names[i].field, 3, state_names[i].entry, 0);
    return TRUE;
  }
  return FALSE;
}

/* A target has the unit of what is measured. */
static HlQuantity measured_quantity (const HlDocument *document, const HlValue *signal,
                                     HlQuantity otherwise) {
  const char *path = hl_value_string (hl_value_member (signal, "of"));
  const HlValue *element;
  HlPathInfo info;
  g_auto (HlPathPlace) place = {0};

  if (document == NULL || path == NULL || !place_resolve_in (document, path, FALSE, &info, &place, &element))
    return otherwise;
  return info.quantity;
}

/* A signal inside another one, or a constant term. */
static gboolean found_signal (const HlField *field, char *where, HlPathInfo *info, HlPathPlace *place) {
  info->type = HL_PATH_SIGNAL;
  info->field = field;
  place->where = where;
  place->fallback = NAN;
  return TRUE;
}

/* A number inside a signal: "amplitude", "y.3", "of.0.offset", "kp", "target.amplitude"; a state of a
 * block, "derivative". `at` is the dotted place of the signal in its element. */
static gboolean find_in_signal (const HlValue *signal, const char *at, const char *name, HlPathInfo *info,
                                HlPathPlace *place) {
  const HlKind *kind = hl_value_is_object (signal) ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;
  const HlField *field = hl_kind_find_field (kind, name);
  const HlBlockClass *block = kind != NULL ? hl_block_class (kind->name) : NULL;

  if (field != NULL && field->type == HL_FIELD_NUMBER) {
    info->type = HL_PATH_NUMBER;
    info->quantity = field->quantity != HL_QUANTITY_NONE ? field->quantity
                     : block != NULL                     ? HL_QUANTITY_NONE
                                                         : info->quantity;
    info->field = field;
    place->where = g_strdup_printf ("%s.%s", at, name);
    place->fallback = field->fallback;
    return TRUE;
  }
  for (int word = 0; block != NULL && field == NULL && word < block->n_words; word++)
    if (strcmp (block->words[word], name) == 0) {
      info->type = HL_PATH_OUTPUT;
      info->field = NULL;
      info->quantity = HL_QUANTITY_NONE;
      return TRUE;
    }
  const char *dot = strchr (name, '.');
  g_autofree char *first = g_strndup (name, strcspn (name, "."));
  field = hl_kind_find_field (kind, first);
  if (field != NULL && field->type == HL_FIELD_SIGNAL) {
    const HlValue *inner = hl_value_member (signal, first);
    g_autofree char *inner_at = g_strdup_printf ("%s.%s", at, first);
    if (inner == NULL)
      return FALSE;
    if (block != NULL && block->measures)
      info->quantity = measured_quantity (place->document, signal, HL_QUANTITY_NONE);
    else if (block != NULL)
      info->quantity = HL_QUANTITY_NONE;
    return dot == NULL ? found_signal (field, g_steal_pointer (&inner_at), info, place)
                       : find_in_signal (inner, inner_at, dot + 1, info, place);
  }
  if (dot == NULL)
    return FALSE;
  if (field != NULL && field->type == HL_FIELD_NUMBERS && hl_value_is_number (hl_value_at (signal, name))) {
    info->type = HL_PATH_NUMBER;
    info->quantity = field->quantity != HL_QUANTITY_NONE ? field->quantity
                     : strcmp (first, "weights") == 0    ? HL_QUANTITY_NONE
                                                         : info->quantity;
    place->where = g_strdup_printf ("%s.%s", at, name);
    return TRUE;
  }
  const char *second_dot = strchr (dot + 1, '.');
  if (field == NULL || field->type != HL_FIELD_SIGNALS)
    return FALSE;
  if (second_dot == NULL && hl_value_is_number (hl_value_at (signal, name))) {
    info->type = HL_PATH_NUMBER; /* a constant term */
    info->field = hl_kind_find_field (hl_schema_find_kind (HL_SECTION_SIGNAL, "constant"), "value");
    place->where = g_strdup_printf ("%s.%s", at, name);
    return TRUE;
  }
  if (second_dot == NULL)
    return hl_value_is_object (hl_value_at (signal, name)) &&
           found_signal (hl_kind_find_field (hl_schema_find_kind (HL_SECTION_SIGNAL, "constant"), "value"),
                         g_strdup_printf ("%s.%s", at, name), info, place);
  g_autofree char *member = g_strndup (name, (gsize)(second_dot - name));
  g_autofree char *member_at = g_strdup_printf ("%s.%s", at, member);
  return find_in_signal (hl_value_at (signal, member), member_at, second_dot + 1, info, place);
}

/* "points.C.x", "com.x", "signal.amplitude": a number inside a field that is more than one number.
 */
static gboolean find_inside_field (const HlKind *kind, const HlValue *element, const char *name,
                                   HlPathInfo *info, HlPathPlace *place) {
  const char *dot = strchr (name, '.');
  const char *last = strrchr (name, '.');

  if (dot == NULL)
    return FALSE;
  g_autofree char *first = g_strndup (name, (gsize)(dot - name));
  const HlField *field = hl_kind_find_field (kind, first);
  if (field == NULL)
    return FALSE;
  info->field = field;
  info->quantity = field->quantity;
  if (field->type == HL_FIELD_SIGNAL)
    return find_in_signal (hl_value_member (element, first), first, dot + 1, info, place);
  int entry = axis_entry (last + 1);
  info->type = HL_PATH_NUMBER;
  if (entry >= 0 && field->type == HL_FIELD_VEC2 && last == dot) {
    gboolean is_gravity = strcmp (first, "gravity") == 0;
    set_vector_place (place, first, 2, entry, is_gravity && entry == 1 ? -9.81 : 0);
    return TRUE;
  }
  g_autofree char *point = g_strndup (name, (gsize)(last - name));
  if (entry >= 0 && field->type == HL_FIELD_POINTS && last > dot && hl_value_at (element, point) != NULL) {
    set_vector_place (place, point, 2, entry, 0);
    return TRUE;
  }
  return FALSE;
}

/* "C.x" of a body (an output: where the point is) or of the ground (a number of the file). */
static gboolean find_point (const HlValue *element, const char *name, HlPathInfo *info, HlPathPlace *place) {
  static const char *const rates[] = {"vx", "vy", NULL};
  const char *dot = strchr (name, '.');

  if (dot == NULL || (info->section != HL_SECTION_BODIES && info->section != HL_SECTION_GROUND))
    return FALSE;
  g_autofree char *first = g_strndup (name, (gsize)(dot - name));
  int entry = axis_entry (dot + 1);
  gboolean is_rate = g_strv_contains (rates, dot + 1);
  if (hl_value_member (hl_value_member (element, "points"), first) == NULL || (entry < 0 && !is_rate))
    return FALSE;
  info->field = NULL;
  info->quantity = is_rate ? HL_QUANTITY_SPEED : HL_QUANTITY_LENGTH;
  info->type = HL_PATH_OUTPUT;
  if (info->section == HL_SECTION_BODIES)
    return TRUE;
  if (is_rate)
    return FALSE;
  g_autofree char *point = g_strdup_printf ("points.%s", first);
  info->type = HL_PATH_NUMBER;
  info->field = hl_kind_find_field (info->kind, "points");
  set_vector_place (place, point, 2, entry, 0);
  return TRUE;
}

static gboolean find_in_element (const HlValue *element, const char *name, HlPathInfo *info,
                                 HlPathPlace *place) {
  const HlKind *kind = info->kind;
  const HlField *field = hl_kind_find_field (kind, name);

  if (find_state (kind, name, info, place))
    return TRUE;
  if (field != NULL && (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL)) {
    info->type = field->type == HL_FIELD_SIGNAL ? HL_PATH_SIGNAL : HL_PATH_NUMBER;
    info->field = field;
    info->quantity = field->quantity;
    place->where = g_strdup (name);
    place->fallback = field->fallback;
    return TRUE;
  }
  if (find_inside_field (kind, element, name, info, place))
    return TRUE;
  info->field = NULL;
  info->output = hl_kind_find_output (kind, name);
  if (info->output != NULL) {
    info->type = HL_PATH_OUTPUT;
    info->quantity = info->output->quantity;
    return TRUE;
  }
  if (find_point (element, name, info, place))
    return TRUE;
  if (info->section == HL_SECTION_COMPONENTS && kind != NULL &&
      hl_numbered_state_find (kind->name, element, name, &info->quantity)) {
    info->type = HL_PATH_OUTPUT;
    return TRUE;
  }
  /* An element of a kind that this program does not know: its plain numbers can be reached. */
  if (kind == NULL && hl_value_is_number (hl_value_at (element, name))) {
    info->type = HL_PATH_NUMBER;
    place->where = g_strdup (name);
    place->fallback = NAN;
    return TRUE;
  }
  return FALSE;
}

/* The element or object before the first dot; moves *name on to what is looked up in it. */
static gboolean find_owner (const HlDocument *document, const char *head, HlPathInfo *info,
                            const HlValue **element) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_SIMULATION, HL_SECTION_GROUND,
                                      HL_SECTION_ENERGY};

  *element = hl_document_find (document, head, &info->section, &info->index);
  if (*element != NULL) {
    info->id = hl_document_element_id (document, info->section, info->index);
    info->kind = hl_schema_kind_of (info->section, *element);
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    if (strcmp (hl_section_noun (objects[i]), head) == 0) {
      info->section = objects[i];
      info->id = hl_section_noun (objects[i]);
      info->kind = hl_schema_find_kind (objects[i], NULL);
      *element = hl_document_object (document, objects[i]);
      return TRUE;
    }
  if (strcmp (head, "gravity") == 0) {
    info->section = HL_SECTION_MODEL;
    info->id = "gravity";
    info->kind = hl_schema_find_kind (HL_SECTION_MODEL, NULL);
    *element = hl_document_root (document);
    return TRUE;
  }
  return FALSE;
}

/* A name without a dot is that of a parameter. */
static gboolean find_parameter (const HlDocument *document, const char *name, HlPathInfo *info,
                                HlPathPlace *place, const HlValue **element) {
  if (hl_document_parameter (document, name) == NULL)
    return FALSE;
  info->section = HL_SECTION_MODEL;
  info->id = "parameters";
  info->kind = hl_schema_find_kind (HL_SECTION_MODEL, NULL);
  info->quantity = hl_document_parameter_quantity (document, name);
  info->name = name;
  place->where = g_strconcat ("parameters.", name, NULL);
  place->fallback = NAN;
  *element = hl_document_root (document);
  return TRUE;
}

/* Resolves a path; *element is the element that `where` begins in. With `asks`, the path that a
 * controller measures is resolved too, since its target has the same unit. That resolution does not
 * repeat itself, or a controller that measures its own target would never end. */
static gboolean place_resolve_in (const HlDocument *document, const char *path, gboolean asks,
                                  HlPathInfo *info, HlPathPlace *place, const HlValue **element) {
  const char *dot = strchr (path, '.');

  *info = (HlPathInfo){0};
  *place = (HlPathPlace){.document = asks ? document : NULL};
  *element = NULL;
  if (dot == NULL)
    return find_parameter (document, path, info, place, element);
  g_autofree char *head = g_strndup (path, (gsize)(dot - path));
  info->name = dot + 1;
  /* gravity is a field of the model itself */
  return find_owner (document, head, info, element) &&
         find_in_element (*element, info->section == HL_SECTION_MODEL ? path : dot + 1, info, place);
}

/* The same, and an error that names what is near. */
static gboolean place_resolve (const HlDocument *document, const char *path, HlPathInfo *info,
                               HlPathPlace *place, const HlValue **element, GError **error) {
  const char *dot = path != NULL ? strchr (path, '.') : NULL;

  if (path != NULL && dot == NULL && place_resolve_in (document, path, TRUE, info, place, element))
    return TRUE;
  if (dot == NULL) {
    *info = (HlPathInfo){0};
    if (path != NULL && hl_document_n_parameters (document) > 0) {
      HlFormulaValue value; /* there is none: says which there are */
      return hl_document_parameter_value (document, path, &value, error);
    }
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is no path: a path is ELEMENT.PROPERTY"),
                 path != NULL ? path : "");
    return FALSE;
  }
  g_autofree char *head = g_strndup (path, (gsize)(dot - path));
  if (place_resolve_in (document, path, TRUE, info, place, element))
    return TRUE;
  if (error == NULL) /* no suggestion is wanted, for which every path is searched */
    return FALSE;
  if (hl_path_is_shared (document, path)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is the id of more than one element, so ‘%s’ may be a property of either; "
                    "rename one of them"),
                 head, path);
    return FALSE;
  }
  g_autofree char *near = hl_path_near_misses (document, path);
  gboolean is_element = *element == NULL && info->id == NULL;
  const char *given = info->id == NULL ? head : path;
  if (near != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 is_element ? _ ("there is no element ‘%s’; perhaps %s")
                            : _ ("there is no property ‘%s’; perhaps %s"),
                 given, near);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 is_element ? _ ("there is no element ‘%s’") : _ ("there is no property ‘%s’"), given);
  return FALSE;
}

gboolean hl_path_find (const HlDocument *document, const char *path, HlPathInfo *info, GError **error) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;

  return place_resolve (document, path, info, &place, &element, error);
}

static double read_number (const HlPathInfo *info, const HlPathPlace *place, const HlValue *element) {
  double stated = hl_value_number (hl_value_at (element, place->where));

  if (!isnan (stated) || place->vector != NULL)
    return isnan (stated) ? place->fallback : stated;
  if (info->field != NULL && strcmp (info->field->name, place->where) == 0)
    return hl_kind_number (info->kind, element, place->where, NULL);
  return place->fallback;
}

/* A constant signal: a number, a lever, or nothing where the schema has a default. */
static double read_signal (const HlPathInfo *info, const HlPathPlace *place, const HlValue *element) {
  const HlValue *signal = hl_value_at (element, place->where);

  if (signal == NULL)
    return info->field->fallback;
  if (g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "lever") == 0)
    return hl_kind_number (hl_schema_kind_of (HL_SECTION_SIGNAL, signal), signal, "value", NULL);
  return hl_value_number (signal);
}

gboolean hl_document_get_number (const HlDocument *document, const char *path, double *value,
                                 const char **unit, GError **error) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  if (!place_resolve (document, path, &info, &place, &element, error))
    return FALSE;
  if (info.type == HL_PATH_OUTPUT) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is computed by a run; the file does not state it"),
                 path);
    return FALSE;
  }
  *value = info.type == HL_PATH_SIGNAL ? read_signal (&info, &place, element)
                                       : read_number (&info, &place, element);
  if (unit != NULL)
    *unit = hl_quantity_si (info.quantity);
  if (!isnan (*value))
    return TRUE;
  if (info.type == HL_PATH_SIGNAL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ changes with time, it is no single number"), path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not stated and has no default"), path);
  return FALSE;
}

/* Setting a member of the other alternative of a group (an area where the file has a diameter)
 * converts the whole group. */
static HlValue *with_alternative (const HlPathInfo *info, const HlValue *element) {
  HlValue *changed = hl_value_ref (element);

  if (hl_value_member (element, info->field->name) != NULL)
    return changed;
  for (int i = 0; i < info->kind->n_fields; i++) {
    const HlField *field = &info->kind->fields[i];
    if (g_strcmp0 (field->group, info->field->group) != 0)
      continue;
    double number = hl_kind_number (info->kind, element, field->name, NULL);
    HlValue *next = field->alternative == info->field->alternative && !isnan (number)
                        ? hl_value_with_member (changed, field->name, hl_value_new_number (number))
                        : hl_value_without_member (changed, field->name);
    hl_value_unref (changed);
    changed = next;
  }
  return changed;
}

/* The element with its number (taken) set; vectors and inner objects that are missing are made. */
static HlValue *element_with_number (const HlPathInfo *info, const HlPathPlace *place, const HlValue *element,
                                     HlValue *number) {
  g_autoptr (HlValue) ready = NULL;

  if (info->field != NULL && info->field->need == HL_NEED_GROUP)
    ready = with_alternative (info, element);
  else
    ready = hl_value_ref (element);
  if (place->vector != NULL &&
      hl_value_length (hl_value_at (ready, place->vector)) != (gsize)place->vector_size) {
    double entries[3] = {0, 0, 0};
    if (info->section == HL_SECTION_MODEL)
      entries[1] = -9.81;
    HlValue *made =
        hl_value_with_at (ready, place->vector, hl_value_new_numbers (entries, (gsize)place->vector_size));
    hl_value_unref (ready);
    ready = made;
  }
  return hl_value_with_at (ready, place->where, number);
}

/* Whether the number, of the text that was typed or NULL, may stand there. */
static gboolean accepts (const HlPathInfo *info, const char *path, double value, const char *typed,
                         GError **error) {
  if (!isfinite (value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ must be a finite number"), path);
    return FALSE;
  }
  if (info->field == NULL || hl_field_accepts (info->field, value))
    return TRUE;
  g_autofree char *range = NULL, *text = NULL;
  hl_field_number_texts (info->field, value, typed, &text, &range);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot be %s: it must be %s"), path, text, range);
  return FALSE;
}

/* A parameter that had a unit keeps one: that of before where the number comes through it unchanged,
 * else the SI unit. */
static HlValue *parameter_number (const HlPathInfo *info, const char *typed, double value) {
  const char *unit = typed + strspn (typed, "0123456789.eE+-");
  const char *const units[] = {unit + strspn (unit, " "), hl_quantity_si (info->quantity)};

  for (gsize k = 0; k < G_N_ELEMENTS (units); k++) {
    const HlUnit *found = hl_unit_find (info->quantity, units[k]);
    if (found == NULL || found->offset != 0)
      continue;
    for (int digits = 6; digits <= 17; digits++) {
      g_autofree char *number = hl_unit_format_plain (found, value, digits);
      g_autofree char *text = g_strdup_printf ("%s %s", number, found->name);
      HlFormulaValue read;
      if (hl_formula_evaluate (text, NULL, NULL, &read, NULL, NULL) && read.value == value)
        return hl_value_new_typed (text, value);
    }
  }
  return hl_value_new_number (value);
}

/* Document with a number (taken) at a resolved path. */
static HlDocument *with_value (const HlDocument *document, const HlPathInfo *info, const HlPathPlace *place,
                               const HlValue *element, HlValue *number) {
  const HlValue *root = hl_document_root (document);
  gboolean is_typed = hl_value_typed (number) != NULL;
  HlValue *changed = element_with_number (info, place, element, number);

  if (info->section != HL_SECTION_MODEL) {
    const char *key = hl_section_key (info->section);
    if (info->section < HL_N_ELEMENT_SECTIONS)
      changed = hl_value_with_item (hl_value_member (root, key), (gsize)info->index, changed);
    changed = hl_value_with_member (root, key, changed);
  }
  return is_typed || strcmp (info->id, "parameters") == 0 ? hl_document_new_renewed (document, changed)
                                                          : hl_document_new_same_ids (document, changed);
}

/* The path where a number may be set; FALSE and why not. */
static gboolean resolve_settable (const HlDocument *document, const char *path, HlPathInfo *info,
                                  HlPathPlace *place, const HlValue **element, GError **error) {
  if (!place_resolve (document, path, info, place, element, error))
    return FALSE;
  if (info->type == HL_PATH_OUTPUT)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is computed by a run and cannot be set"), path);
  return info->type != HL_PATH_OUTPUT;
}

gboolean hl_document_accepts (const HlDocument *document, const char *path, double value, const char *typed,
                              GError **error) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  return resolve_settable (document, path, &info, &place, &element, error) &&
         accepts (&info, path, value, typed, error);
}

HlDocument *hl_document_with_number (const HlDocument *document, const char *path, double value,
                                     GError **error) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  if (!resolve_settable (document, path, &info, &place, &element, error) ||
      !accepts (&info, path, value, NULL, error))
    return NULL;
  const char *typed = hl_value_typed (hl_value_at (element, place.where));
  gboolean has_unit =
      typed != NULL && strcmp (info.id, "parameters") == 0 && info.quantity != HL_QUANTITY_NONE;
  return with_value (document, &info, &place, element,
                     has_unit ? parameter_number (&info, typed, value) : hl_value_new_number (value));
}

HlDocument *hl_document_with_text (const HlDocument *document, const char *path, const char *text,
                                   GError **error) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;
  double value;
  int n;

  if (!resolve_settable (document, path, &info, &place, &element, error))
    return NULL;
  const HlUnit *si = hl_quantity_units (info.quantity, &n);
  gboolean is_number = hl_unit_parse (text, info.quantity, si, &value, &si, NULL) &&
                       si == hl_quantity_units (info.quantity, &n);
  gboolean is_parameter = strcmp (info.id, "parameters") == 0;
  HlFormulaValue result = {0};
  if (is_parameter && !is_number) {
    if (!hl_formula_evaluate (text, hl_document_lookup, (gpointer)document, &result, NULL, error))
      return NULL;
    value = result.value;
  } else if (!is_number && !hl_document_read_number (document, text, info.quantity,
                                                     hl_quantity_units (info.quantity, &n), &value, error))
    return NULL;
  if (!accepts (&info, path, value, text, error))
    return NULL;
  gboolean is_pure = is_number && text[strspn (text, " 0123456789.eE+-")] == '\0';
  g_autoptr (HlDocument) changed =
      with_value (document, &info, &place, element,
                  is_pure ? hl_value_new_number (value) : hl_value_new_typed (text, value));
  /* now it may rest on itself */
  if (is_parameter && !hl_document_parameter_value (changed, info.name, &result, error))
    return NULL;
  return g_steal_pointer (&changed);
}

const char *hl_document_typed (const HlDocument *document, const char *path) {
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  return place_resolve_in (document, path, TRUE, &info, &place, &element) && place.where != NULL
             ? hl_value_typed (hl_value_at (element, place.where))
             : NULL;
}

void hl_path_narrow (const HlPathInfo *info, double *low, double *high) {
  const HlField *field = info->field;

  if (field == NULL || (field->type != HL_FIELD_NUMBER && field->type != HL_FIELD_SIGNAL))
    return;
  if (field->min_bound != HL_BOUND_NONE) {
    gboolean is_open = field->min_bound == HL_BOUND_OPEN;
    *low = fmax (*low, is_open ? nextafter (field->min, INFINITY) : field->min);
  }
  if (field->max_bound != HL_BOUND_NONE) {
    gboolean is_open = field->max_bound == HL_BOUND_OPEN;
    *high = fmin (*high, is_open ? nextafter (field->max, -INFINITY) : field->max);
  }
}
