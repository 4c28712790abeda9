/* SPDX-License-Identifier: MIT */
/* Edits of whole elements, of points of bodies and the ground, and of single numbers. Edits of nets are in
 * hl-edit-circuit.c, of signals in hl-edit-signal.c, copies in hl-edit-paste.c. */
#include "core/edit/hl-edit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-quantity-path.h"

#include <math.h>
#include <string.h>

/* Edits of one number made outside the drawing: reset to the default, use in a parameter set, plot. */

/* --- the default --- */

static gboolean find_field (const HlDocument *document, const char *path, HlPathInfo *info, GError **error) {
  if (!hl_path_find (document, path, info, error))
    return FALSE;
  if (info->type != HL_PATH_OUTPUT && info->field != NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no default"), path);
  return FALSE;
}

gboolean hl_edit_default_number (const HlDocument *document, const char *path, double *value) {
  HlPathInfo info;

  if (!find_field (document, path, &info, NULL))
    return FALSE;
  switch (info.field->type) {
  case HL_FIELD_NUMBER:
  case HL_FIELD_SIGNAL:
    *value = info.field->need == HL_NEED_DEFAULT  ? info.field->fallback
             : info.field->need == HL_NEED_ABSENT ? NAN
                                                  : info.field->start;
    return info.field->need == HL_NEED_ABSENT || hl_field_accepts (info.field, *value);
  case HL_FIELD_VELOCITY:
    *value = 0.0;
    return TRUE;
  case HL_FIELD_VEC2:
    *value = strcmp (path, "gravity.y") == 0 ? -9.81 : 0.0;
    return info.field->need == HL_NEED_ABSENT;
  default:
    return FALSE; /* a place has no usual value */
  }
}

/* Seals of piston and rod take about 2.5 N for each millimetre of the bore, twice that to break away, and 2 N more at
 * 0.5 m/s. */
static const struct {
  const char *field;
  double per_bore;
} seals[] = {{"friction.Fc", 2500}, {"friction.Fs", 5000}, {"friction.sigma2", 4000}};

/* Returns the document with numbers for a friction law without any, those of seals of the bore. Takes the
 * document. */
static HlDocument *with_seal_friction (HlDocument *document, const char *id, const HlKind *kind,
                                       const HlValue *element) {
  double bore = hl_value_number (hl_value_member (element, "piston_diameter"));

  for (gsize k = 0; k < G_N_ELEMENTS (seals); k++)
    if (hl_value_at (element, seals[k].field) != NULL)
      return document;
  for (gsize k = 0; bore > 0.0 && k < G_N_ELEMENTS (seals); k++) {
    const HlField *field = hl_kind_find_field (kind, seals[k].field);
    if (field == NULL || !hl_field_matters (kind, field, element))
      continue;
    HlDocument *next =
        hl_edit_set (document, id, field->name, hl_value_new_number (seals[k].per_bore * bore), NULL);
    if (next == NULL)
      return document;
    hl_document_unref (document);
    document = next;
  }
  return document;
}

HlDocument *hl_edit_complete (const HlDocument *document, const char *id, GError **error) {
  HlSection section;
  const HlValue *element = hl_document_find (document, id, &section, NULL);
  const HlKind *kind = element != NULL ? hl_schema_kind_of (section, element) : NULL;
  HlDocument *complete = hl_document_ref (document);

  for (int i = 0; kind != NULL && i < kind->n_fields && complete != NULL; i++) {
    const HlField *field = &kind->fields[i];
    if (field->type != HL_FIELD_NUMBER || field->need != HL_NEED_REQUIRED || field->group != NULL ||
        !hl_field_accepts (field, field->start) || hl_value_at (element, field->name) != NULL ||
        !hl_field_matters (kind, field, element))
      continue;
    HlDocument *next = hl_edit_set (complete, id, field->name, hl_value_new_number (field->start), error);
    hl_document_unref (complete);
    complete = next;
  }
  return kind != NULL && complete != NULL ? with_seal_friction (complete, id, kind, element) : complete;
}

HlDocument *hl_edit_reset_number (const HlDocument *document, const char *path, GError **error) {
  HlPathInfo info;
  double value;

  if (!find_field (document, path, &info, error))
    return NULL;
  if (!hl_edit_default_number (document, path, &value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no default"), path);
    return NULL;
  }
  gboolean is_single = info.field->type == HL_FIELD_NUMBER || info.field->type == HL_FIELD_SIGNAL;
  if (is_single && (info.field->need == HL_NEED_DEFAULT || info.field->need == HL_NEED_ABSENT) &&
      info.kind != NULL && info.id != NULL && strcmp (info.name, info.field->name) == 0)
    return hl_edit_set (document, info.id, info.field->name, NULL, error);
  return hl_document_with_number (document, path, value, error);
}

/* --- parameter sets --- */

HlDocument *hl_edit_put_in_set (const HlDocument *document, const char *name, const char *path, double value,
                                GError **error) {
  static const char *const keys[] = {"name", "values"};
  int set = hl_document_find_set (document, name);
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, error))
    return NULL;
  if (info.type == HL_PATH_OUTPUT || !isfinite (value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot be set"), path);
    return NULL;
  }
  const HlValue *element = set >= 0 ? hl_document_element (document, HL_SECTION_PARAMETER_SETS, set) : NULL;
  HlValue *values =
      hl_value_with_member (hl_value_member (element, "values"), path, hl_value_new_number (value));
  if (set >= 0)
    return hl_edit_with_element (document, HL_SECTION_PARAMETER_SETS, set,
                                 hl_value_with_member (element, "values", values));
  HlValue *members[] = {hl_value_new_string (name), values};
  return hl_edit_insert_entry (document, HL_SECTION_PARAMETER_SETS, hl_document_n_sets (document),
                               hl_value_new_object_take (keys, members, 2), error);
}

/* --- plots --- */

/* Returns the probe that records a path as it is; -1 = none. */
static int probe_of (const HlDocument *document, const char *path) {
  for (int index = 0; index < hl_document_n_probes (document); index++) {
    HlProbe probe;
    if (hl_document_probe (document, index, &probe) && !probe.relative && strcmp (probe.of, path) == 0)
      return index;
  }
  return -1;
}

/* Returns an id for a probe: "link2_angle" for "link2.angle", with a number if that id is used. */
static char *probe_id (const HlDocument *document, const char *path) {
  g_autofree char *id =
      g_strcanon (g_strdup (path), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", '_');

  return hl_edit_id_is_free (document, id, NULL) ? g_steal_pointer (&id) : hl_edit_fresh_id (document, id);
}

static HlQuantity quantity_of (const HlDocument *document, const char *probe) {
  const char *path = hl_value_string (hl_value_member (hl_document_find (document, probe, NULL, NULL), "of"));
  HlPathInfo info;

  return path != NULL && hl_path_find (document, path, &info, NULL) ? info.quantity : HL_N_QUANTITIES;
}

/* Returns a stated plot whose first trace has the probe's quantity; the number of plots when there is none,
 * -1 when some plot shows the probe already. */
static int plot_for (const HlDocument *document, const char *probe) {
  int n = hl_document_n_elements (document, HL_SECTION_PLOTS), fitting = n;

  for (int plot = n; plot-- > 0;) {
    const HlValue *traces =
        hl_value_member (hl_document_element (document, HL_SECTION_PLOTS, plot), "traces");
    for (gsize i = 0; i < hl_value_length (traces); i++)
      if (g_strcmp0 (hl_value_string (hl_value_item (traces, i)), probe) == 0)
        return -1;
    const char *first = hl_value_string (hl_value_item (traces, 0));
    if (first != NULL && quantity_of (document, first) == quantity_of (document, probe))
      fitting = plot;
  }
  return fitting;
}

HlDocument *hl_edit_plot_path (const HlDocument *document, const char *path, char **id, GError **error) {
  static const char *const keys[] = {"id", "of", "label"};
  int index = probe_of (document, path);
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autofree char *probe = NULL;
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, error))
    return NULL;
  if (index >= 0)
    probe = g_strdup (hl_document_element_id (document, HL_SECTION_PROBES, index));
  else {
    probe = probe_id (document, path);
    HlValue *members[] = {hl_value_new_string (probe), hl_value_new_string (path),
                          hl_value_new_string (path)};
    HlDocument *with = hl_edit_add (document, HL_SECTION_PROBES, NULL,
                                    hl_value_new_object_take (keys, members, 3), NULL, error);
    if (with == NULL)
      return NULL;
    hl_document_unref (next);
    next = with;
  }
  int plot = plot_for (next, probe), n = hl_document_n_elements (next, HL_SECTION_PLOTS);
  if (n > 0 && plot >= 0) { /* without stated plots every probe is shown */
    const HlValue *old = plot < n ? hl_document_element (next, HL_SECTION_PLOTS, plot) : NULL;
    const HlValue *traces = hl_value_member (old, "traces");
    HlValue *longer = hl_value_with_inserted (traces, hl_value_length (traces), hl_value_new_string (probe));
    HlValue *entry = hl_value_with_member (old, "traces", longer);
    HlDocument *with = plot < n ? hl_edit_replace_entry (next, HL_SECTION_PLOTS, plot, entry, error)
                                : hl_edit_insert_entry (next, HL_SECTION_PLOTS, n, entry, error);
    if (with == NULL)
      return NULL;
    hl_document_unref (next);
    next = with;
  }
  if (id != NULL)
    *id = g_steal_pointer (&probe);
  return g_steal_pointer (&next);
}

/* Returns whether equilibrium.hold accepts a path, so that its value is kept while the rest of the machine is
 * balanced. */

gboolean hl_edit_can_hold (const HlDocument *document, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.type != HL_PATH_NUMBER)
    return FALSE;
  switch (info.section) {
  case HL_SECTION_BODIES:
    return strcmp (info.name, "x") == 0 || strcmp (info.name, "y") == 0 || strcmp (info.name, "angle") == 0;
  case HL_SECTION_LINES:
    return strcmp (info.name, "pressure") == 0;
  case HL_SECTION_COMPONENTS:
    return strcmp (info.name, "spool") == 0;
  default:
    return FALSE;
  }
}

static int held_index (const HlDocument *document, const char *path) {
  for (int i = 0; i < hl_document_n_held (document); i++)
    if (g_strcmp0 (hl_document_held (document, i), path) == 0)
      return i;
  return -1;
}

gboolean hl_document_is_held (const HlDocument *document, const char *path) {
  return held_index (document, path) >= 0;
}

HlDocument *hl_edit_toggle_hold (const HlDocument *document, const char *path, GError **error) {
  int held = held_index (document, path);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  if (held < 0 && !hl_edit_can_hold (document, path)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is not a coordinate, a pressure or a spool, so it cannot be held"), path);
    return NULL;
  }
  for (int i = 0; i < hl_document_n_held (document); i++)
    if (i != held)
      g_ptr_array_add (paths, hl_value_new_string (hl_document_held (document, i)));
  if (held < 0)
    g_ptr_array_add (paths, hl_value_new_string (path));
  return hl_edit_set (document, "equilibrium", "hold",
                      hl_value_new_array_take ((HlValue **)paths->pdata, (int)paths->len), error);
}

/* Verbs on the points of a body or of the ground. */

/* Returns the body or ground by id; -2 and an error when there is none. */
static int find_body (const HlDocument *document, const char *id, GError **error) {
  int body;
  return hl_document_resolve_body (document, id, &body, error) ? body : -2;
}

static const HlValue *points_of (const HlDocument *document, int body) {
  const HlValue *owner = body < 0 ? hl_document_object (document, HL_SECTION_GROUND)
                                  : hl_document_element (document, HL_SECTION_BODIES, body);
  return hl_value_member (owner, "points");
}

static HlDocument *with_points (const HlDocument *document, int body, HlValue *points) {
  if (body >= 0)
    return hl_edit_with_element (
        document, HL_SECTION_BODIES, body,
        hl_value_with_member (hl_document_element (document, HL_SECTION_BODIES, body), "points", points));
  const HlValue *ground = hl_document_object (document, HL_SECTION_GROUND);
  return hl_document_new (hl_value_with_member (hl_document_root (document), "ground",
                                                hl_value_with_member (ground, "points", points)));
}

HlDocument *hl_edit_set_point (const HlDocument *document, const char *id, const char *point,
                               const double xy[2], GError **error) {
  int body = find_body (document, id, error);

  if (body < -1)
    return NULL;
  if (!hl_id_is_well_formed (point) || !isfinite (xy[0]) || !isfinite (xy[1])) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ at (%s, %s) cannot be a point"),
                 point != NULL ? point : "", hl_shown (xy[0], 6).text, hl_shown (xy[1], 6).text);
    return NULL;
  }
  return with_points (document, body,
                      hl_value_with_member (points_of (document, body), point, hl_value_new_numbers (xy, 2)));
}

char *hl_edit_fresh_point (const HlDocument *document, const char *id, const char *stem) {
  int body = find_body (document, id, NULL);
  g_autofree char *name = g_strdup (stem);

  for (int number = 1; body >= -1 && hl_value_member (points_of (document, body), name) != NULL; number++) {
    g_free (name);
    name = g_strdup_printf ("%s%d", stem, number);
  }
  return g_steal_pointer (&name);
}

static gboolean has_point (const HlDocument *document, int body, const char *id, const char *point,
                           GError **error) {
  if (body >= -1 && hl_value_member (points_of (document, body), point) != NULL)
    return TRUE;
  if (body >= -1)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no point ‘%s’"), id, point);
  return FALSE;
}

HlDocument *hl_edit_rename_point (const HlDocument *document, const char *id, const char *point,
                                  const char *new_name, GError **error) {
  int body = find_body (document, id, error);
  HlReferenceChange change = {.body = id, .point = point, .new_point = new_name};

  if (!has_point (document, body, id, point, error))
    return NULL;
  if (strcmp (point, new_name) == 0)
    return hl_document_ref (document);
  if (!hl_id_is_well_formed (new_name) || hl_value_member (points_of (document, body), new_name) != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ cannot be the name of a point of ‘%s’, or is already used"), new_name, id);
    return NULL;
  }
  g_autoptr (HlDocument) followed =
      hl_document_new (hl_reference_apply (&change, hl_document_root (document)));
  return with_points (followed, body,
                      hl_value_with_key_renamed (points_of (followed, body), point, new_name));
}

static HlDocument *remove_fallen (const HlDocument *document, HlReferenceChange *change);

HlDocument *hl_edit_remove_point (const HlDocument *document, const char *id, const char *point,
                                  GError **error) {
  g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  HlReferenceChange change = {.ids = gone, .body = id, .point = point};
  int body = find_body (document, id, error);

  if (!has_point (document, body, id, point, error))
    return NULL;
  g_autoptr (HlDocument) rest = remove_fallen (document, &change);
  return with_points (rest, body, hl_value_without_member (points_of (rest, body), point));
}

/* Returns the root with another list for a section (taken). */
static HlValue *with_list (const HlValue *root, HlSection section, HlValue *list) {
  return hl_value_with_member (root, hl_section_key (section), list);
}

HlDocument *hl_edit_with_element (const HlDocument *document, HlSection section, int index,
                                  HlValue *element) {
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));

  return hl_document_new (with_list (root, section, hl_value_with_item (list, (gsize)index, element)));
}

static const HlValue *find_element (const HlDocument *document, const char *id, HlSection *section,
                                    int *index, GError **error) {
  const HlValue *element = hl_document_find (document, id, section, index);

  if (element == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no element ‘%s’"), id != NULL ? id : "");
  return element;
}

gboolean hl_edit_id_is_free (const HlDocument *document, const char *id, GError **error) {
  if (!hl_id_is_well_formed (id))
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("‘%s’ cannot be an id; start with a letter or _ and continue with letters, digits, _ or -"),
        id != NULL ? id : "");
  else if (hl_id_is_reserved (id))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the id ‘%s’ is reserved; choose another id"), id);
  else if (hl_document_find (document, id, NULL, NULL) != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the id ‘%s’ is already used; choose another id"), id);
  else
    return TRUE;
  return FALSE;
}

char *hl_edit_fresh_id (const HlDocument *document, const char *stem) {
  for (int number = 1;; number++) {
    g_autofree char *id = g_strdup_printf ("%s%d", stem, number);
    if (hl_document_find (document, id, NULL, NULL) == NULL)
      return g_steal_pointer (&id);
  }
}

static void put_member (HlValue **object, const char *name, HlValue *value) {
  HlValue *next = hl_value_with_at (*object, name, value);

  hl_value_unref (*object);
  *object = next;
}

/* Sets starting values of required fields that are absent. References are left to the caller.
 */
static void put_starting_values (HlValue **element, const HlKind *kind) {
  static const double zeros[3] = {0, 0, 0};
  static const double downward[2] = {0, -1};

  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    gboolean given = hl_value_at (*element, field->name) != NULL || !hl_field_matters (kind, field, *element);
    if (field->need == HL_NEED_GROUP)
      given |= field->alternative != 0 || !isnan (hl_kind_number (kind, *element, field->name, NULL));
    else
      given |= field->need != HL_NEED_REQUIRED;
    if (given)
      continue;
    if (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL)
      put_member (element, field->name, hl_value_new_number (field->start));
    else if (field->type == HL_FIELD_POSE)
      put_member (element, field->name, hl_value_new_numbers (zeros, 3));
    else if (field->type == HL_FIELD_VEC2)
      put_member (element, field->name, hl_value_new_numbers (downward, 2));
    else if (field->type == HL_FIELD_PORTS)
      put_member (element, field->name, hl_value_new_array ());
  }
}

#define RATED_DROP 35e5 /* [Pa] over one edge of a valve, at which catalogues state its flow */

/* Returns the flow of the largest pump or flow source in the file [m3/s]; 0: there is none. */
static double pumped_flow (const HlDocument *document) {
  double most = 0.0;

  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, k);
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, k);
    const HlField *shaft = kind != NULL ? hl_kind_find_field (kind, "speed") : NULL;
    double flow = hl_value_number (hl_value_member (element, "flow"));
    double displacement = hl_value_number (hl_value_member (element, "displacement"));
    double speed = hl_value_number (hl_value_member (element, "speed"));
    gboolean is_turned = shaft != NULL && shaft->type == HL_FIELD_SIGNAL;
    most = fmax (most, isfinite (flow) ? flow : 0.0);
    most = fmax (most, is_turned && isfinite (displacement * speed) ? displacement * speed : 0.0);
  }
  return most;
}

/* Sets the size of a new valve to pass the pump's flow; without a pump its default size. Given numbers stay. */
static void put_valve_size (HlValue **element, const HlKind *kind, const HlDocument *document) {
  double flow = pumped_flow (document);

  for (int i = 0; flow > 0.0 && i < kind->n_fields; i++)
    if (kind->fields[i].quantity == HL_QUANTITY_VALVE_FLOW && kind->fields[i].need == HL_NEED_REQUIRED &&
        hl_value_member (*element, kind->fields[i].name) == NULL)
      put_member (element, kind->fields[i].name, hl_value_new_number (flow / sqrt (RATED_DROP)));
}

HlDocument *hl_edit_add (const HlDocument *document, HlSection section, const char *kind_name,
                         HlValue *members, char **id, GError **error) {
  g_autoptr (HlValue) given = members;
  const HlKind *kind = hl_schema_find_kind (section, kind_name);
  const char *given_id = hl_value_string (hl_value_member (given, "id"));

  if (section < 0 || section >= HL_N_ELEMENT_SECTIONS || kind == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no kind ‘%s’"),
                 kind_name != NULL ? kind_name : "");
    return NULL;
  }
  if (given_id != NULL && !hl_edit_id_is_free (document, given_id, error))
    return NULL;
  g_autofree char *new_id =
      given_id != NULL ? g_strdup (given_id) : hl_edit_fresh_id (document, kind->id_stem);
  g_autoptr (HlValue) element = hl_value_with_member (NULL, "id", hl_value_new_string (new_id));
  if (kind->name != NULL)
    put_member (&element, "kind", hl_value_new_string (kind->name));
  for (gsize i = 0; hl_value_is_object (given) && i < hl_value_length (given); i++)
    if (strcmp (hl_value_key (given, i), "id") != 0 && strcmp (hl_value_key (given, i), "kind") != 0) {
      HlValue *next = hl_value_with_member (element, hl_value_key (given, i),
                                            hl_value_ref (hl_value_member_at (given, i)));
      hl_value_unref (element);
      element = next;
    }
  put_valve_size (&element, kind, document);
  put_starting_values (&element, kind);
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));
  HlValue *longer = hl_value_with_inserted (list, hl_value_length (list), g_steal_pointer (&element));
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return hl_document_new (with_list (root, section, longer));
}

/* Adds to the change what falls with it: joints and loads on a body, lines of which no port is
 * left, probes. Sections are in the order in which one can fall with another. */
static void collect_fallen (const HlDocument *document, HlReferenceChange *change) {
  for (HlSection section = HL_SECTION_JOINTS; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++) {
      const HlValue *element = hl_document_element (document, section, i);
      const char *id = hl_document_element_id (document, section, i);
      gboolean falls = hl_reference_element_falls (change, section, element);
      const HlValue *ports = hl_value_member (element, "ports");
      gsize n_left = 0;
      for (gsize p = 0; section == HL_SECTION_LINES && p < hl_value_length (ports); p++) {
        const char *port = hl_value_string (hl_value_item (ports, p));
        g_autofree char *changed = NULL;
        n_left +=
            port == NULL || hl_reference_fate (change, HL_FIELD_PORTS, port, &changed) != HL_REFERENCE_FALLS;
      }
      falls |= section == HL_SECTION_LINES && hl_value_length (ports) > 0 && n_left == 0;
      if (falls && *id != '\0' && !g_hash_table_contains (change->ids, id))
        g_hash_table_insert (change->ids, g_strdup (id), NULL);
    }
}

/* Removes what falls with a change, then changes what is left; for ids and for points. */
static HlDocument *remove_fallen (const HlDocument *document, HlReferenceChange *change) {
  const HlValue *root = hl_document_root (document);
  g_autoptr (HlValue) mapped = NULL;

  collect_fallen (document, change);
  mapped = hl_reference_apply (change, root);
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    const HlValue *list = hl_value_member (mapped, hl_section_key (section));
    g_autoptr (HlValue) left = hl_value_ref (list);
    for (gsize i = hl_value_length (list); hl_value_is_array (list) && i-- > 0;) {
      const char *id = hl_value_string (hl_value_member (hl_value_item (list, i), "id"));
      if (id == NULL || !g_hash_table_contains (change->ids, id))
        continue;
      HlValue *shorter = hl_value_without_item (left, i);
      hl_value_unref (left);
      left = shorter;
    }
    if (left == list)
      continue;
    HlValue *next = with_list (mapped, section, g_steal_pointer (&left));
    hl_value_unref (mapped);
    mapped = next;
  }
  return hl_document_new (g_steal_pointer (&mapped));
}

HlDocument *hl_edit_remove (const HlDocument *document, const char *const *ids, GError **error) {
  g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  HlReferenceChange change = {.ids = gone};

  for (int i = 0; ids[i] != NULL; i++) {
    if (find_element (document, ids[i], NULL, NULL, error) == NULL)
      return NULL;
    g_hash_table_insert (gone, g_strdup (ids[i]), NULL);
  }
  return remove_fallen (document, &change);
}

HlDocument *hl_edit_rename (const HlDocument *document, const char *id, const char *new_id, GError **error) {
  g_autoptr (GHashTable) renamed = g_hash_table_new (g_str_hash, g_str_equal);
  HlReferenceChange change = {.ids = renamed};
  HlSection section;
  int index;

  if (find_element (document, id, &section, &index, error) == NULL)
    return NULL;
  if (g_strcmp0 (id, new_id) == 0)
    return hl_document_ref (document);
  if (!hl_edit_id_is_free (document, new_id, error))
    return NULL;
  g_hash_table_insert (renamed, (gpointer)id, (gpointer)new_id);
  g_autoptr (HlValue) mapped = hl_reference_apply (&change, hl_document_root (document));
  const HlValue *list = hl_value_member (mapped, hl_section_key (section));
  HlValue *element =
      hl_value_with_member (hl_value_item (list, (gsize)index), "id", hl_value_new_string (new_id));
  return hl_document_new (with_list (mapped, section, hl_value_with_item (list, (gsize)index, element)));
}

/* Sets a field of "fluid" and the other single objects. */
static HlDocument *set_in_object (const HlDocument *document, HlSection section, const char *field,
                                  HlValue *value) {
  const HlValue *root = hl_document_root (document);
  const HlValue *object = hl_document_object (document, section);
  HlValue *changed;

  if (value != NULL)
    changed = hl_value_with_at (object, field, value);
  else
    changed = object != NULL ? hl_value_without_at (object, field) : hl_value_new_object ();
  if (section == HL_SECTION_MODEL)
    return hl_document_new (changed);
  return hl_document_new (with_list (root, section, changed));
}

/* Returns whether a value is a list of plain numbers: neither formulas nor numbers with units. */
static gboolean is_plain_list (const HlValue *value) {
  gboolean is_plain = hl_value_is_array (value);

  for (gsize i = 0; is_plain && i < hl_value_length (value); i++)
    is_plain =
        hl_value_is_number (hl_value_item (value, i)) && hl_value_typed (hl_value_item (value, i)) == NULL;
  return is_plain;
}

/* Returns the document with a pose of plain numbers in the place of another; takes the body. A drag sets many of
 * them in every frame, and neither ids nor formulas change. */
static HlDocument *with_pose (const HlDocument *document, int index, HlValue *body) {
  const HlValue *root = hl_document_root (document);
  const char *key = hl_section_key (HL_SECTION_BODIES);
  HlValue *bodies = hl_value_with_item (hl_value_member (root, key), (gsize)index, body);

  return hl_document_new_same_ids (document, hl_value_with_member (root, key, bodies));
}

HlDocument *hl_edit_set (const HlDocument *document, const char *id, const char *field, HlValue *value,
                         GError **error) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_SIMULATION, HL_SECTION_EQUILIBRIUM,
                                      HL_SECTION_GROUND, HL_SECTION_MODEL};
  g_autoptr (HlValue) given = value;
  HlSection section = HL_SECTION_NONE;
  int index = 0;
  const HlValue *element = hl_document_find (document, id, &section, &index);

  if (strcmp (field, "id") == 0 || strcmp (field, "kind") == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the %s of ‘%s’ cannot be set this way"), field, id);
    return NULL;
  }
  for (gsize i = 0; element == NULL && i < G_N_ELEMENTS (objects); i++)
    if (g_strcmp0 (id, hl_section_noun (objects[i])) == 0)
      return set_in_object (document, objects[i], field, g_steal_pointer (&given));
  if (find_element (document, id, &section, &index, error) == NULL)
    return NULL;
  const HlField *known = hl_kind_find_field (hl_schema_kind_of (section, element), field);
  /* A number is set by its path, which checks the range and replaces alternative sizes. */
  if (known != NULL && known->type == HL_FIELD_NUMBER && hl_value_is_number (given)) {
    g_autofree char *path = g_strconcat (id, ".", field, NULL);
    return hl_document_with_number (document, path, hl_value_number (given), error);
  }
  gboolean is_pose = section == HL_SECTION_BODIES && strcmp (field, "pose") == 0 && is_plain_list (given) &&
                     is_plain_list (hl_value_member (element, field));
  HlValue *changed = given != NULL ? hl_value_with_at (element, field, g_steal_pointer (&given))
                                   : hl_value_without_at (element, field);
  if (is_pose)
    return with_pose (document, index, changed);
  return hl_edit_with_element (document, section, index, changed);
}

static gboolean check_entry (const HlDocument *document, HlSection section, int index, int n,
                             GError **error) {
  if (section >= 0 && section < HL_SECTION_MODEL && index >= 0 && index < n)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no entry %d"), index);
  return FALSE;
}

HlDocument *hl_edit_insert_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                  GError **error) {
  const HlValue *root = hl_document_root (document);
  int n = hl_document_n_elements (document, section);

  if (!check_entry (document, section, index, n + 1, error)) {
    hl_value_unref (entry);
    return NULL;
  }
  HlValue *list =
      hl_value_with_inserted (hl_value_member (root, hl_section_key (section)), (gsize)index, entry);
  return hl_document_new (with_list (root, section, list));
}

HlDocument *hl_edit_replace_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                   GError **error) {
  if (check_entry (document, section, index, hl_document_n_elements (document, section), error))
    return hl_edit_with_element (document, section, index, entry);
  hl_value_unref (entry);
  return NULL;
}

HlDocument *hl_edit_remove_entry (const HlDocument *document, HlSection section, int index, GError **error) {
  const HlValue *root = hl_document_root (document);

  if (!check_entry (document, section, index, hl_document_n_elements (document, section), error))
    return NULL;
  HlValue *list = hl_value_without_item (hl_value_member (root, hl_section_key (section)), (gsize)index);
  return hl_document_new (with_list (root, section, list));
}

HlDocument *hl_edit_set_layout (const HlDocument *document, const char *view, const char *id, HlValue *place,
                                GError **error) {
  const HlValue *root = hl_document_root (document);
  const HlValue *layout = hl_value_member (root, "layout");
  const HlValue *places = hl_value_member (layout, view);
  HlValue *changed;

  if (id == NULL)
    changed = place != NULL ? place : hl_value_new_object ();
  else if (place != NULL)
    changed = hl_value_with_member (places, id, place);
  else
    changed = places != NULL ? hl_value_without_member (places, id) : hl_value_new_object ();
  /* the layout has no elements, and no number of it is read by a formula */
  return hl_document_new_same_ids (
      document, hl_value_with_member (root, "layout", hl_value_with_member (layout, view, changed)));
}

const HlValue *hl_document_layout (const HlDocument *document, const char *view, const char *id) {
  return hl_value_member (hl_value_member (hl_value_member (hl_document_root (document), "layout"), view),
                          id);
}
