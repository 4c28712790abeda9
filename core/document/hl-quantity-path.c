/* SPDX-License-Identifier: MIT */
/* Numbers by path, the list of all paths, paths similar to a mistyped one, and parameter sets. Reading falls
 * back on the default of the schema; writing inserts members that had only their default. */
#include "core/document/hl-quantity-path.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-similar-names.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-signal-block.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

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
  return g_strdup_printf (
      _ ("%s; only the equilibrium of the lumped model, from which a run may start, depends on it"), text);
}

static void numbered_states_each (const char *kind, const HlValue *element,
                                  void (*each) (const char *name, HlQuantity quantity, void *data),
                                  void *data);

/* Walks the schema over the elements of a document to write down every path, for completion and for
 * "perhaps you meant". */

static void add_path (GPtrArray *paths, const char *id, const char *name) {
  /* by concatenation, which is faster than a format: a file with thousands of unknown paths makes as many lists */
  g_ptr_array_add (paths, g_strconcat (id, ".", name, NULL));
}

static void add_points (GPtrArray *paths, const char *id, const HlValue *points, gboolean is_body,
                        gboolean settable_only) {
  static const char *const entries[] = {"x", "y"};

  for (gsize i = 0; hl_value_is_object (points) && i < hl_value_length (points); i++)
    for (gsize entry = 0; entry < G_N_ELEMENTS (entries); entry++) {
      const char *point = hl_value_key (points, i);
      g_ptr_array_add (paths, g_strconcat (id, ".points.", point, ".", entries[entry], NULL));
      if (!is_body || !settable_only)
        g_ptr_array_add (paths, g_strconcat (id, ".", point, ".", entries[entry], NULL));
    }
}

/* Returns whether a list of terms has a block. Of terms that depend on time only, the sum has the name. */
static gboolean block_below (const HlValue *terms) {
  for (gsize term = 0; hl_value_is_array (terms) && term < hl_value_length (terms); term++)
    if (hl_block_class (hl_value_string (hl_value_member (hl_value_item (terms, term), "kind"))) != NULL)
      return TRUE;
  return FALSE;
}

/* Adds the signal itself, and the numbers and states in it. */
static void add_signal (GPtrArray *paths, const char *path, const HlValue *signal, gboolean settable_only) {
  const HlKind *kind = hl_value_is_object (signal) ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;
  const HlBlockClass *block = kind != NULL ? hl_block_class (kind->name) : NULL;

  g_ptr_array_add (paths, g_strdup (path));
  for (int k = 0; kind != NULL && k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    const HlValue *inner = hl_value_member (signal, field->name);
    g_autofree char *at = g_strdup_printf ("%s.%s", path, field->name);
    if (field->type == HL_FIELD_NUMBER)
      g_ptr_array_add (paths, g_steal_pointer (&at));
    else if (field->type == HL_FIELD_SIGNAL && inner != NULL)
      add_signal (paths, at, inner, settable_only);
    else if (field->type == HL_FIELD_SIGNALS && block_below (inner))
      for (gsize term = 0; term < hl_value_length (inner); term++) {
        g_autofree char *of_term = g_strdup_printf ("%s.%d", at, (int)term);
        add_signal (paths, of_term, hl_value_item (inner, term), settable_only);
      }
  }
  for (int word = 0; block != NULL && !settable_only && word < block->n_words; word++)
    if (hl_kind_find_field (kind, block->words[word]) == NULL)
      g_ptr_array_add (paths, g_strdup_printf ("%s.%s", path, block->words[word]));
}

static void add_field (GPtrArray *paths, const char *id, const HlField *field, const HlValue *element,
                       gboolean settable_only) {
  static const char *const pose[] = {"x", "y", "angle", NULL};
  static const char *const velocity[] = {"vx", "vy", "omega", NULL};
  const char *const *names = field->type == HL_FIELD_POSE ? pose : velocity;

  switch (field->type) {
  case HL_FIELD_NUMBER:
    add_path (paths, id, field->name);
    break;
  case HL_FIELD_SIGNAL: {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, field->name);
    add_signal (paths, path, hl_value_member (element, field->name), settable_only);
  } break;
  case HL_FIELD_VEC2:
    g_ptr_array_add (paths, g_strconcat (id, ".", field->name, ".x", NULL));
    g_ptr_array_add (paths, g_strconcat (id, ".", field->name, ".y", NULL));
    break;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    for (int i = 0; names[i] != NULL; i++)
      add_path (paths, id, names[i]);
    break;
  case HL_FIELD_POINTS:
    add_points (paths, id, hl_value_member (element, "points"), strcmp (id, "ground") != 0, settable_only);
    break;
  default:
    break;
  }
}

typedef struct {
  GPtrArray *paths;
  const char *id;
} NumberedStates;

static void add_numbered (const char *name, HlQuantity quantity, void *data) {
  NumberedStates *states = data;

  (void)quantity;
  add_path (states->paths, states->id, name);
}

static void add_element (GPtrArray *paths, const char *id, const HlKind *kind, const HlValue *element,
                         gboolean settable_only) {
  if (kind == NULL || *id == '\0')
    return;
  for (int field = 0; field < kind->n_fields; field++)
    add_field (paths, id, &kind->fields[field], element, settable_only);
  for (int output = 0; output < kind->n_outputs && !settable_only; output++)
    if (hl_kind_find_field (kind, kind->outputs[output].name) == NULL)
      add_path (paths, id, kind->outputs[output].name);
  for (int port = 0; port < kind->n_ports && !settable_only; port++) {
    char name[64];
    g_snprintf (name, sizeof name, HL_PORT_PRESSURE "%s", kind->ports[port]);
    add_path (paths, id, name);
  }
  if (kind->section == HL_SECTION_COMPONENTS && !settable_only) {
    NumberedStates states = {paths, id};
    numbered_states_each (kind->name, element, add_numbered, &states);
  }
}

char **hl_document_list_paths (const HlDocument *document, gboolean settable_only) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_GROUND, HL_SECTION_SIMULATION,
                                      HL_SECTION_ENERGY};
  GPtrArray *paths = g_ptr_array_new ();

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++)
      add_element (paths, hl_document_element_id (document, section, i),
                   hl_document_element_kind (document, section, i),
                   hl_document_element (document, section, i), settable_only);
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    add_element (paths, hl_section_noun (objects[i]), hl_schema_find_kind (objects[i], NULL),
                 hl_document_object (document, objects[i]), settable_only);
  add_path (paths, "gravity", "x");
  add_path (paths, "gravity", "y");
  for (int i = 0; i < hl_document_n_parameters (document); i++)
    g_ptr_array_add (paths, g_strdup (hl_document_parameter_name (document, i)));
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (paths, FALSE);
}

/* Returns whether the path would be one if its first part were the id of one element only. */
static gboolean is_shared (const HlDocument *document, const char *path) {
  const char *dot = strchr (path, '.');
  g_autofree char *head = g_strndup (path, dot != NULL ? (gsize)(dot - path) : 0);
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);
  int n = 0;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++)
      n += g_strcmp0 (hl_document_element_id (document, section, i), head) == 0;
  return n > 1 && g_strv_contains ((const char *const *)paths, path);
}

/* Returns up to three paths (or ids) similar to `path`: "‘cyl.friction.Fc’ or ‘cyl.friction.Fs’"; NULL if
 * none is similar. Owned by the caller. */
static char *near_misses (const HlDocument *document, const char *path) {
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);

  return hl_near_names ((const char *const *)paths, path);
}

/* Returns the similar paths of one element; NULL: none. Owned by the caller. */
static char *near_properties (const HlDocument *document, const char *path, const HlPathInfo *info) {
  const char *dot = strchr (path, '.');
  g_auto (GStrv) all = hl_document_list_paths (document, FALSE);
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  gsize head = (gsize)(dot - path) + 1;

  for (int k = 0; all[k] != NULL; k++)
    if (strncmp (all[k], path, head) == 0)
      g_ptr_array_add (own, all[k]);
  g_ptr_array_add (own, NULL);
  const char *const *names = (const char *const *)own->pdata;
  return hl_near_names_by_meaning (names, head, info->kind, dot + 1);
}

static gboolean has_numbered (const HlComponentClass *klass) {
  for (int word = 0; klass != NULL && word < HL_MOST_WORDS; word++)
    if (klass->states[word].is_numbered)
      return TRUE;
  return FALSE;
}

/* Calls `each` with the name (without the id) and the quantity of all of them, in their order. */
static void numbered_states_each (const char *kind, const HlValue *element,
                                  void (*each) (const char *name, HlQuantity quantity, void *data),
                                  void *data) {
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

static void compare_name (const char *name, HlQuantity quantity, void *data) {
  Search *search = data;

  if (strcmp (name, search->name) != 0)
    return;
  *search->quantity = quantity;
  search->found = TRUE;
}

/* Returns whether there is one of this name, and its quantity. */
static gboolean numbered_state_find (const char *kind, const HlValue *element, const char *name,
                                     HlQuantity *quantity) {
  Search search = {.name = name, .quantity = quantity};

  if (strchr (name, '_') != NULL)
    numbered_states_each (kind, element, compare_name, &search);
  return search.found;
}

/* Place of a number inside its element. */
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

/* Returns the quantity of a target: that of the measured quantity. */
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

/* Finds a signal inside another one, or a constant term. */
static gboolean found_signal (const HlField *field, char *where, HlPathInfo *info, HlPathPlace *place) {
  info->type = HL_PATH_SIGNAL;
  info->field = field;
  place->where = where;
  place->fallback = NAN;
  return TRUE;
}

/* Finds a number inside a signal: "amplitude", "y.3", "of.0.offset", "kp", "target.amplitude"; a state of a
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

/* Finds a number inside a structured field: "points.C.x", "com.x", "signal.amplitude".
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

/* Finds "pA", the pressure at port A of a component. */
static gboolean find_port (const HlKind *kind, const char *name, HlPathInfo *info) {
  for (int port = 0; kind != NULL && port < kind->n_ports; port++)
    if (g_str_has_prefix (name, HL_PORT_PRESSURE) &&
        strcmp (name + strlen (HL_PORT_PRESSURE), kind->ports[port]) == 0) {
      info->type = HL_PATH_OUTPUT;
      info->quantity = HL_QUANTITY_PRESSURE;
      info->port = kind->ports[port];
      return TRUE;
    }
  return FALSE;
}

/* Finds "C.x" of a body (an output: the position of the point) or of the ground (a number of the file). */
static gboolean find_point (const HlValue *element, const char *name, HlPathInfo *info, HlPathPlace *place) {
  static const char *const rates[] = {"vx", "vy", "ax", "ay", NULL};
  const char *dot = strchr (name, '.');

  if (dot == NULL || (info->section != HL_SECTION_BODIES && info->section != HL_SECTION_GROUND))
    return FALSE;
  g_autofree char *first = g_strndup (name, (gsize)(dot - name));
  int entry = axis_entry (dot + 1);
  gboolean is_rate = g_strv_contains (rates, dot + 1);
  if (hl_value_member (hl_value_member (element, "points"), first) == NULL || (entry < 0 && !is_rate))
    return FALSE;
  info->field = NULL;
  info->quantity = !is_rate        ? HL_QUANTITY_LENGTH
                   : dot[1] == 'a' ? HL_QUANTITY_ACCELERATION
                                   : HL_QUANTITY_SPEED;
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
  if (find_point (element, name, info, place) || find_port (kind, name, info))
    return TRUE;
  if (info->section == HL_SECTION_COMPONENTS && kind != NULL &&
      numbered_state_find (kind->name, element, name, &info->quantity)) {
    info->type = HL_PATH_OUTPUT;
    return TRUE;
  }
  /* An element of an unknown kind: its plain numbers have paths. */
  if (kind == NULL && hl_value_is_number (hl_value_at (element, name))) {
    info->type = HL_PATH_NUMBER;
    place->where = g_strdup (name);
    place->fallback = NAN;
    return TRUE;
  }
  return FALSE;
}

/* Finds the element or object before the first dot; moves *name on to the name to be found in it. */
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

/* Finds a parameter by a name without a dot. */
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

/* Resolves a path; *element is the element that `where` begins in. With `measures`, the path that a controller measures
 * is resolved too, since its target has the same unit. That resolution does not repeat itself, or a controller that
 * measures its own target would never end. */
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

/* Resolves likewise, with an error that names similar paths. */
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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is not a path; write ELEMENT.PROPERTY, such as boom.mass"),
                 path != NULL ? path : "");
    return FALSE;
  }
  g_autofree char *head = g_strndup (path, (gsize)(dot - path));
  if (place_resolve_in (document, path, TRUE, info, place, element))
    return TRUE;
  if (error == NULL) /* no suggestion is requested, for which every path is searched */
    return FALSE;
  if (is_shared (document, path)) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("‘%s’ is the id of more than one element, so ‘%s’ is ambiguous; rename one of these elements"),
        head, path);
    return FALSE;
  }
  gboolean is_element = *element == NULL && info->id == NULL;
  g_autofree char *near = is_element ? NULL : near_properties (document, path, info);
  if (near == NULL)
    near = near_misses (document, path);
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

/* Returns a constant signal: a number, a lever, or nothing where the schema has a default. */
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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is computed by a run and is not in the file"),
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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ changes with time and is not a single number"),
                 path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not stated and has no default"), path);
  return FALSE;
}

/* Returns the element after a member of the other alternative of a group was set (an area where the file has
 * a diameter): the whole group is converted. */
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

/* Returns the element with its number (taken) set; vectors and inner objects that are missing are made. */
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

/* Returns whether the number, of the text that was typed or NULL, may stand there. */
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
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot be %s; allowed: %s"), path, text, range);
  return FALSE;
}

/* Returns a parameter that had a unit keeps one: that of before where the number comes through it unchanged,
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

/* Returns the document with a number (taken) at a resolved path. */
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

/* Resolves a path where a number may be set; FALSE with the reason. */
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

/* Returns the number of parameter sets of a document; the functions below find named numbers by path. */

int hl_document_n_sets (const HlDocument *document) {
  return hl_document_n_elements (document, HL_SECTION_PARAMETER_SETS);
}

const char *hl_document_set_name (const HlDocument *document, int set) {
  const char *name = hl_value_string (
      hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "name"));
  return name != NULL ? name : "";
}

int hl_document_find_set (const HlDocument *document, const char *name) {
  for (int set = 0; set < hl_document_n_sets (document); set++)
    if (g_strcmp0 (hl_document_set_name (document, set), name) == 0)
      return set;
  return -1;
}

/* Returns the names of the parameter sets, "‘Overdamped’, ‘Underdamped’". Owned by the caller. */
static char *names_of_sets (const HlDocument *document) {
  GString *names = g_string_new (NULL);

  for (int set = 0; set < hl_document_n_sets (document); set++) {
    g_string_append (names, set > 0 ? ", " : "");
    g_string_append_printf (names, _ ("‘%s’"), hl_document_set_name (document, set));
  }
  return g_string_free (names, FALSE);
}

HlDocument *hl_document_apply_set (const HlDocument *document, const char *name, GError **error) {
  int set = hl_document_find_set (document, name);

  if (set < 0) {
    g_autofree char *names = names_of_sets (document);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter set ‘%s’; the sets are %s"), name,
                 *names != '\0' ? names : _ ("none"));
    return NULL;
  }
  const HlValue *values =
      hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
  g_autoptr (HlDocument) changed = hl_document_ref (document);
  for (gsize i = 0; hl_value_is_object (values) && i < hl_value_length (values); i++) {
    const char *path = hl_value_key (values, i);
    const HlValue *value = hl_value_member_at (values, i);
    HlDocument *next = hl_value_typed (value) != NULL
                           ? hl_document_with_text (changed, path, hl_value_typed (value), error)
                           : hl_document_with_number (changed, path, hl_value_number (value), error);
    if (next == NULL) {
      g_prefix_error (error, _ ("parameter set ‘%s’: "), name);
      return NULL;
    }
    hl_document_unref (changed);
    changed = next;
  }
  return g_steal_pointer (&changed);
}

HlDocument *hl_document_with_set (const HlDocument *document, const char *name, const char *const *paths,
                                  GError **error) {
  g_autoptr (HlValue) values = hl_value_new_object ();
  const HlValue *root = hl_document_root (document);
  const HlValue *sets = hl_value_member (root, hl_section_key (HL_SECTION_PARAMETER_SETS));
  int set = hl_document_find_set (document, name);

  for (int i = 0; paths[i] != NULL; i++) {
    double number;
    if (!hl_document_get_number (document, paths[i], &number, NULL, error))
      return NULL;
    const char *typed = hl_document_typed (document, paths[i]);
    HlValue *more = hl_value_with_member (
        values, paths[i], typed != NULL ? hl_value_new_typed (typed, number) : hl_value_new_number (number));
    hl_value_unref (values);
    values = more;
  }
  g_autoptr (HlValue) old = set >= 0 ? hl_value_ref (hl_value_item (sets, (gsize)set)) : NULL;
  g_autoptr (HlValue) named = hl_value_with_member (old, "name", hl_value_new_string (name));
  HlValue *element = hl_value_with_member (named, "values", g_steal_pointer (&values));
  HlValue *list = set >= 0 ? hl_value_with_item (sets, (gsize)set, element)
                           : hl_value_with_inserted (sets, hl_value_length (sets), element);
  return hl_document_new (hl_value_with_member (root, hl_section_key (HL_SECTION_PARAMETER_SETS), list));
}
