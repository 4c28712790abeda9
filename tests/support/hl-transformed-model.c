/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-transformed-model.h"

#include <math.h>
#include <string.h>

#include "core/schema/hl-element-schema.h"

static const char *const lists[] = {"bodies", "joints", "loads", "components", "lines"};

static double number (const json_t *list, size_t k) {
  return json_number_value (json_array_get (list, k));
}

static void put (json_t *list, size_t k, double value) {
  json_array_set_new (list, k, json_real (value));
}

static const char *text (const json_t *object, const char *key) {
  const char *value = json_string_value (json_object_get (object, key));
  return value != NULL ? value : "";
}

/* ---- moving ---- */

/* Transforms a vector of the ground frame; a position is shifted too. */
static void move_pair (json_t *pair, const HlRedrawMove *m, bool place) {
  double x = number (pair, 0), y = number (pair, 1) * (m->mirrored ? -1.0 : 1.0);

  put (pair, 0, cos (m->angle) * x - sin (m->angle) * y + (place ? m->x : 0.0));
  put (pair, 1, sin (m->angle) * x + cos (m->angle) * y + (place ? m->y : 0.0));
}

static void mirror_pair (json_t *pair) {
  if (json_is_array (pair))
    put (pair, 1, -number (pair, 1));
}

static void replace_number (json_t *object, const char *key, double factor, double plus) {
  json_t *value = json_object_get (object, key);

  if (json_is_number (value))
    json_object_set_new (object, key, json_real (json_number_value (value) * factor + plus));
}

/* Multiplies what a signal gives. */
static void scale_signal (json_t *owner, const char *key, double factor) {
  json_t *signal = json_object_get (owner, key), *item;
  static const char *const parts[] = {"amplitude", "offset", "value"};
  size_t k;

  replace_number (owner, key, factor, 0.0);
  for (size_t p = 0; p < G_N_ELEMENTS (parts); p++)
    replace_number (signal, parts[p], factor, 0.0);
  json_array_foreach (json_object_get (signal, "y"), k, item)
      put (json_object_get (signal, "y"), k, json_number_value (item) * factor);
  json_array_foreach (json_object_get (signal, "of"), k, item) {
    json_t *wrapped = json_pack ("{s:O}", "term", item);
    scale_signal (wrapped, "term", factor);
    json_array_set (json_object_get (signal, "of"), k, json_object_get (wrapped, "term"));
    json_decref (wrapped);
  }
}

static bool is_ground (const char *point_or_body) {
  return strcmp (point_or_body, "ground") == 0 || g_str_has_prefix (point_or_body, "ground.");
}

/* Directions and angles of a joint or load: those of a body's frame turn along with the body, an
 * angle of b minus a changes when one of the two is the ground. */
static void move_element (json_t *item, const HlRedrawMove *m) {
  double sign = m->mirrored ? -1.0 : 1.0, turn = m->angle;
  bool from_ground = is_ground (text (item, "a")), to_ground = is_ground (text (item, "b"));
  double difference = from_ground && !to_ground ? turn : to_ground && !from_ground ? -turn : 0.0;

  replace_number (item, "axis", sign, from_ground ? turn : 0.0);
  replace_number (item, "angle", sign, difference);
  if (strcmp (text (item, "kind"), "torsion-spring") == 0) {
    if (json_object_get (item, "free_angle") == NULL)
      json_object_set_new (item, "free_angle", json_real (0.0));
    replace_number (item, "free_angle", sign, difference);
  } else if (strcmp (text (item, "kind"), "torque") == 0)
    scale_signal (item, "signal", sign);
  else if (strcmp (text (item, "kind"), "force") == 0) {
    json_t *direction = json_object_get (item, "direction");
    if (strcmp (text (item, "frame"), "body") != 0)
      move_pair (direction, m, false);
    else if (m->mirrored)
      mirror_pair (direction);
  }
}

void hl_redraw_move (json_t *root, const HlRedrawMove *m) {
  const char *id;
  json_t *point, *item;
  size_t k;

  if (json_object_get (root, "gravity") == NULL)
    json_object_set_new (root, "gravity", json_pack ("[f, f]", 0.0, -9.81));
  move_pair (json_object_get (root, "gravity"), m, false);
  json_object_foreach (json_object_get (json_object_get (root, "ground"), "points"), id, point)
      move_pair (point, m, true);
  json_array_foreach (json_object_get (root, "bodies"), k, item) {
    json_t *pose = json_object_get (item, "pose"), *velocity = json_object_get (item, "velocity");
    double sign = m->mirrored ? -1.0 : 1.0;

    move_pair (pose, m, true);
    put (pose, 2, sign * number (pose, 2) + m->angle);
    if (velocity) {
      move_pair (velocity, m, false);
      put (velocity, 2, sign * number (velocity, 2));
    }
    if (m->mirrored) {
      json_object_foreach (json_object_get (item, "points"), id, point) mirror_pair (point);
      mirror_pair (json_object_get (item, "com"));
    }
  }
  json_array_foreach (json_object_get (root, "joints"), k, item) move_element (item, m);
  json_array_foreach (json_object_get (root, "loads"), k, item) move_element (item, m);
}

/* ---- order and names ---- */

void hl_redraw_reverse (json_t *root) {
  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++) {
    json_t *list = json_object_get (root, lists[l]), *backwards = json_array ();
    for (size_t k = json_array_size (list); k > 0; k--)
      json_array_append (backwards, json_array_get (list, k - 1));
    if (list)
      json_object_set_new (root, lists[l], backwards);
    else
      json_decref (backwards);
  }
}

/* Returns the new name of an element or of a path that begins with it; NULL when it begins with none. */
static char *renamed (const char *path, GHashTable *ids) {
  const char *dot = strchr (path, '.');
  g_autofree char *first = dot ? g_strndup (path, (gsize)(dot - path)) : g_strdup (path);
  const char *name = g_hash_table_lookup (ids, first);

  return name ? g_strconcat (name, dot, NULL) : NULL;
}

static void rename_strings (json_t *at, GHashTable *ids) {
  static const char *const words[] = {"kind", "name", "description", "label", "model", "signal"};
  const char *key;
  json_t *item;
  size_t k;
  void *next;

  json_object_foreach_safe (at, next, key, item) {
    bool word = false;
    for (size_t w = 0; w < G_N_ELEMENTS (words); w++)
      word = word || strcmp (key, words[w]) == 0;
    g_autofree char *name = json_is_string (item) && !word ? renamed (json_string_value (item), ids) : NULL;
    if (name)
      json_string_set (item, name);
    rename_strings (item, ids);
  }
  json_array_foreach (at, k, item) {
    g_autofree char *name = json_is_string (item) ? renamed (json_string_value (item), ids) : NULL;
    if (name)
      json_string_set (item, name);
    rename_strings (item, ids);
  }
}

GHashTable *hl_redraw_rename (json_t *root) {
  static const char *const shown[] = {"plots", "sliders", "layout", "parameter_sets", "studies"};
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  int n = 0;

  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++) {
    size_t k;
    json_t *item;
    json_array_foreach (json_object_get (root, lists[l]), k, item)
        g_hash_table_insert (ids, g_strdup (text (item, "id")), g_strdup_printf ("z%03d", 999 - n++));
  }
  for (size_t k = 0; k < G_N_ELEMENTS (shown); k++)
    json_object_del (root, shown[k]);
  rename_strings (root, ids);
  return ids;
}

/* ---- units ---- */

/* Powers of length and mass in each quantity; time stays the second. */
static const struct {
  double length, mass;
} dimensions[HL_N_QUANTITIES] = {
    [HL_QUANTITY_LENGTH] = {1, 0},
    [HL_QUANTITY_AREA] = {2, 0},
    [HL_QUANTITY_VOLUME] = {3, 0},
    [HL_QUANTITY_SPEED] = {1, 0},
    [HL_QUANTITY_ACCELERATION] = {1, 0},
    [HL_QUANTITY_MASS] = {0, 1},
    [HL_QUANTITY_INERTIA] = {2, 1},
    [HL_QUANTITY_DENSITY] = {-3, 1},
    [HL_QUANTITY_LINE_DENSITY] = {-1, 1},
    [HL_QUANTITY_INVERSE_SPEED] = {-1, 0},
    [HL_QUANTITY_DISPLACEMENT] = {3, 0},
    [HL_QUANTITY_COMPLIANCE] = {4, -1},
    [HL_QUANTITY_FORCE] = {1, 1},
    [HL_QUANTITY_TORQUE] = {2, 1},
    [HL_QUANTITY_STIFFNESS] = {0, 1},
    [HL_QUANTITY_DAMPING] = {0, 1},
    [HL_QUANTITY_TORSION_STIFFNESS] = {2, 1},
    [HL_QUANTITY_TORSION_DAMPING] = {2, 1},
    [HL_QUANTITY_TYRE_STIFFNESS] = {1, 1},
    [HL_QUANTITY_PRESSURE] = {-1, 1},
    [HL_QUANTITY_PRESSURE_DIFFERENCE] = {-1, 1},
    [HL_QUANTITY_MODULUS] = {-1, 1},
    [HL_QUANTITY_FLOW] = {3, 0},
    [HL_QUANTITY_VISCOSITY] = {-1, 1},
    [HL_QUANTITY_RESISTANCE] = {-4, 1},
    [HL_QUANTITY_LEAKAGE] = {4, -1},
    [HL_QUANTITY_VALVE_FLOW] = {3.5, -0.5},
    [HL_QUANTITY_POWER] = {2, 1},
    [HL_QUANTITY_ENERGY] = {2, 1},
};

typedef struct {
  double length, mass;
} Units;

static double factor_of (const Units *units, HlQuantity quantity) {
  return pow (units->length, dimensions[quantity].length) * pow (units->mass, dimensions[quantity].mass);
}

static void scale_numbers (json_t *list, size_t from, size_t to, double factor) {
  for (size_t k = from; k < to && k < json_array_size (list); k++)
    put (list, k, number (list, k) * factor);
}

static void scale_field (json_t *element, const HlField *field, const Units *units) {
  double factor = factor_of (units, field->quantity);
  g_auto (GStrv) parts = g_strsplit (field->name, ".", 2);
  bool is_inner = parts[1] != NULL;
  json_t *owner = is_inner ? json_object_get (element, parts[0]) : element, *value, *point;
  const char *key = is_inner ? parts[1] : parts[0], *name;

  if (owner == NULL)
    return; /* an inner object that is not there counts for nothing */
  value = json_object_get (owner, key);
  switch ((int)field->type) {
  case HL_FIELD_NUMBER:
    if (value != NULL)
      replace_number (owner, key, factor, 0.0);
    else if (field->need == HL_NEED_DEFAULT && field->fallback != 0.0)
      json_object_set_new (owner, key, json_real (field->fallback * factor));
    break;
  case HL_FIELD_SIGNAL:
    scale_signal (owner, key, factor);
    break;
  case HL_FIELD_VEC2:
    scale_numbers (value, 0, 2, factor);
    break;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    scale_numbers (value, 0, 2, units->length);
    break;
  case HL_FIELD_POINTS:
    json_object_foreach (value, name, point) scale_numbers (point, 0, 2, units->length);
    break;
  default:
    break;
  }
}

static void scale_object (json_t *object, HlSection section, const Units *units) {
  const HlKind *kind =
      hl_schema_find_kind (section, hl_section_has_kinds (section) ? text (object, "kind") : NULL);

  g_assert_nonnull (kind);
  for (int f = 0; f < kind->n_fields; f++)
    scale_field (object, &kind->fields[f], units);
}

static HlSection section_of (const char *key) {
  for (int section = 0; section < HL_N_SECTIONS; section++)
    if (g_strcmp0 (hl_section_key ((HlSection)section), key) == 0)
      return (HlSection)section;
  return HL_SECTION_NONE;
}

void hl_redraw_units (json_t *root, double length, double mass) {
  static const HlSection single[] = {HL_SECTION_FLUID, HL_SECTION_GROUND};
  Units units = {length, mass};

  if (json_object_get (root, "gravity") == NULL)
    json_object_set_new (root, "gravity", json_pack ("[f, f]", 0.0, -9.81));
  scale_object (root, HL_SECTION_MODEL, &units);
  for (size_t s = 0; s < G_N_ELEMENTS (single); s++) {
    const char *key = hl_section_key (single[s]);
    if (json_object_get (root, key) == NULL)
      json_object_set_new (root, key, json_object ());
    scale_object (json_object_get (root, key), single[s], &units);
  }
  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++) {
    HlSection section = section_of (lists[l]);
    json_t *item;
    size_t k;
    json_array_foreach (json_object_get (root, lists[l]), k, item) scale_object (item, section, &units);
  }
}
