/* SPDX-License-Identifier: MIT */
/* The lines of the outline: sections, elements, and the state of each beside its name. */
#include "ui/edit/outline/hl-outline-rows.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-document.h"
#include "core/document/hl-quantity-path.h"

#include <math.h>
#include <string.h>

#define DIGITS 4
#define MOST_NAMED 6 /* names in one status: more are counted */

static char *number_text (const HlUnit *const *units, HlQuantity quantity, double si) {
  return hl_unit_format_full (units[quantity], si, DIGITS);
}

/* Returns "a, b, c, …": names in a row, the rest counted. */
static char *join_names (const GPtrArray *names) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < names->len && i < MOST_NAMED; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *)names->pdata[i]);
  if (names->len > MOST_NAMED)
    g_string_append_printf (text, _ (" and %d more"), (int)names->len - MOST_NAMED);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void add_strings (GPtrArray *names, const HlValue *array) {
  for (gsize i = 0; i < hl_value_length (array); i++) {
    const char *name = hl_value_string (hl_value_item (array, i));
    if (name != NULL)
      g_ptr_array_add (names, (gpointer)name);
  }
}

/* --- references between elements --- */

static void add_user (GHashTable *users, const char *ref, const char *id) {
  GPtrArray *ids = ref != NULL ? g_hash_table_lookup (users, ref) : NULL;

  if (ref == NULL)
    return;
  if (ids == NULL)
    g_hash_table_insert (users, (gpointer)ref, ids = g_ptr_array_new ());
  g_ptr_array_add (ids, (gpointer)id);
}

static void add_uses (GHashTable *users, const HlKind *kind, const HlValue *element, const char *id) {
  for (int i = 0; kind != NULL && i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *value = field->type == HL_FIELD_POINT || field->type == HL_FIELD_PORTS
                               ? hl_value_at (element, field->name)
                               : NULL;
    if (field->type == HL_FIELD_POINT)
      add_user (users, hl_value_string (value), id);
    for (gsize p = 0; field->type == HL_FIELD_PORTS && p < hl_value_length (value); p++)
      add_user (users, hl_value_string (hl_value_item (value, p)), id);
  }
}

/* Returns a table from "link2.C", "dcv.A" to the ids (GPtrArray of borrowed texts) of the joints, loads,
 * cylinders and lines that name it. Owned by the caller; it borrows from the document. */
static GHashTable *users_new (const HlDocument *document) {
  static const HlSection sections[] = {HL_SECTION_JOINTS, HL_SECTION_LOADS, HL_SECTION_COMPONENTS,
                                       HL_SECTION_LINES};
  GHashTable *users =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);

  for (guint s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int i = 0; i < hl_document_n_elements (document, sections[s]); i++)
      add_uses (users, hl_document_element_kind (document, sections[s], i),
                hl_document_element (document, sections[s], i),
                hl_document_element_id (document, sections[s], i));
  return users;
}

/* --- circuit --- */

/* Returns the line on a port, or that it is closed. */
static char *status_port (GHashTable *users, const char *component, const char *port) {
  g_autofree char *name = g_strdup_printf ("%s.%s", component, port);
  const GPtrArray *lines = g_hash_table_lookup (users, name);

  return g_strdup (lines != NULL ? lines->pdata[0] : _ ("closed"));
}

static void append_ports (GString *text, GHashTable *users, const HlKind *kind, const HlValue *element,
                          const char *id) {
  for (int port = 0; port < kind->n_ports; port++) {
    if (!hl_kind_has_port (kind, element, port))
      continue;
    g_autofree char *line = status_port (users, id, kind->ports[port]);
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", kind->ports[port], line);
  }
}

static char *line_status (const HlValue *line, const HlUnit *const *units) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  double volume = hl_value_number (hl_value_member (line, "volume"));

  add_strings (names, hl_value_member (line, "ports"));
  g_autofree char *ports = join_names (names);
  if (!(volume > 0))
    return g_steal_pointer (&ports);
  g_autofree char *size = number_text (units, HL_QUANTITY_VOLUME, volume);
  return g_strdup_printf ("%s · %s", ports, size);
}

/* --- linkage --- */

/* Returns the names of a body's points, -1: of the ground. */
static char *status_points (const HlDocument *document, int body) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int point = 0; point < hl_document_n_points (document, body); point++)
    g_ptr_array_add (names, (gpointer)hl_document_point_name (document, body, point));
  return join_names (names);
}

static char *body_status (const HlDocument *document, int body, const HlUnit *const *units) {
  const HlValue *element = hl_document_element (document, HL_SECTION_BODIES, body);
  g_autofree char *points = status_points (document, body);
  gboolean has_mass = FALSE;
  double mass = hl_kind_number (hl_schema_find_kind (HL_SECTION_BODIES, NULL), element, "mass", &has_mass);

  if (!has_mass)
    return g_steal_pointer (&points);
  g_autofree char *weight = number_text (units, HL_QUANTITY_MASS, mass);
  return *points != '\0' ? g_strdup_printf ("%s · %s", points, weight) : g_steal_pointer (&weight);
}

/* Returns the position of a point in its body, and the elements attached to it. */
static char *status_point (const HlDocument *document, GHashTable *users, int body, int point,
                           const char *owner, const HlUnit *const *units) {
  g_autofree char *ref = g_strdup_printf ("%s.%s", owner, hl_document_point_name (document, body, point));
  const GPtrArray *named_by = g_hash_table_lookup (users, ref);
  g_autofree char *names = named_by != NULL ? join_names (named_by) : g_strdup ("");
  double xy[2];

  if (!hl_document_point_xy (document, body, point, xy))
    return g_steal_pointer (&names);
  g_autofree char *x = hl_unit_format (units[HL_QUANTITY_LENGTH], xy[0], DIGITS);
  g_autofree char *y = number_text (units, HL_QUANTITY_LENGTH, xy[1]);
  return g_strdup_printf ("(%s; %s)%s%s", x, y, *names != '\0' ? " · " : "", names);
}

/* Appends points and bodies that an element names, in the order of its kind's fields. */
static void append_places (GString *text, const HlKind *kind, const HlValue *element) {
  int n = 0;

  for (int field = 0; field < kind->n_fields; field++) {
    if (kind->fields[field].type != HL_FIELD_POINT && kind->fields[field].type != HL_FIELD_BODY)
      continue;
    const char *place = hl_value_string (hl_value_at (element, kind->fields[field].name));
    if (place != NULL)
      g_string_append_printf (text, "%s%s", n++ > 0 ? " – " : text->len > 0 ? " · " : "", place);
  }
}

/* --- what is recorded and shown --- */

static char *probe_status (const HlDocument *document, int index) {
  HlProbe probe;

  if (!hl_document_probe (document, index, &probe))
    return NULL;
  return strcmp (probe.label, probe.id) != 0 ? g_strdup_printf ("%s · %s", probe.of, probe.label)
                                             : g_strdup (probe.of);
}

static const HlValue *entry_of (const HlDocument *document, HlSection section, int index) {
  return hl_document_element (document, section, index);
}

/* Returns the entries of lists without ids. */
static char *status_entry_name (const HlDocument *document, HlSection section, int index) {
  const HlValue *entry = entry_of (document, section, index);
  const char *name = hl_value_string (hl_value_member (entry, section == HL_SECTION_SLIDERS ? "path"
                                                              : section == HL_SECTION_PLOTS ? "title"
                                                                                            : "name"));

  if (name != NULL)
    return g_strdup (name);
  return g_strdup_printf ("%s %d", _ (hl_schema_find_kind (section, NULL)->label), index + 1);
}

/* Returns the element that a slider moves; NULL for the others. */
static char *status_entry_owner (const HlDocument *document, HlSection section, int index) {
  const char *path = hl_value_string (hl_value_member (entry_of (document, section, index), "path"));
  const char *dot = path != NULL && section == HL_SECTION_SLIDERS ? strchr (path, '.') : NULL;

  if (dot == NULL)
    return NULL;
  g_autofree char *id = g_strndup (path, (gsize)(dot - path));
  return hl_document_find (document, id, NULL, NULL) != NULL ? g_steal_pointer (&id) : NULL;
}

static char *status_entry (const HlDocument *document, HlSection section, int index,
                           const HlUnit *const *units) {
  const HlValue *entry = entry_of (document, section, index);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  HlPathInfo path;
  HlSlider slider;

  if (section == HL_SECTION_PLOTS) {
    add_strings (names, hl_value_member (entry, "traces"));
    return join_names (names);
  }
  if (section == HL_SECTION_PARAMETER_SETS) {
    int n = (int)hl_value_length (hl_value_member (entry, "values"));
    return g_strdup_printf (ngettext ("%d number", "%d numbers", (gulong)n), n);
  }
  if (!hl_document_slider (document, index, &slider) || !hl_path_find (document, slider.path, &path, NULL))
    return NULL;
  g_autofree char *from = number_text (units, path.quantity, slider.from);
  g_autofree char *to = number_text (units, path.quantity, slider.to);
  return g_strdup_printf (_ ("%s to %s"), from, to);
}

/* --- signals and objects --- */

/* Returns "table, 4 points", "constant 0". */
static char *status_signal (const HlValue *element, const HlField *field, const HlUnit *const *units) {
  const HlValue *signal = hl_value_at (element, field->name);
  const HlKind *kind = signal != NULL ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;

  if (signal == NULL || hl_value_is_number (signal) ||
      (kind != NULL && strcmp (kind->name, "constant") == 0)) {
    double value = signal == NULL                ? field->fallback
                   : hl_value_is_number (signal) ? hl_value_number (signal)
                                                 : hl_kind_number (kind, signal, "value", NULL);
    g_autofree char *number = isfinite (value) ? number_text (units, field->quantity, value) : g_strdup ("?");
    return g_strdup_printf (_ ("constant %s"), number);
  }
  if (kind == NULL)
    return g_strdup ("?");
  if (strcmp (kind->name, "table") == 0) {
    int n = (int)hl_value_length (hl_value_member (signal, "t"));
    return g_strdup_printf (ngettext ("table, %d point", "table, %d points", (gulong)n), n);
  }
  if (strcmp (kind->name, "sine") == 0) {
    g_autofree char *frequency =
        number_text (units, HL_QUANTITY_FREQUENCY, hl_kind_number (kind, signal, "frequency_hz", NULL));
    return g_strdup_printf (_ ("sine, %s"), frequency);
  }
  return g_utf8_strdown (_ (kind->label), -1);
}

/* Returns the model, the oil, the simulation. */
static char *status_object (const HlDocument *document, HlSection section, const HlUnit *const *units) {
  if (section == HL_SECTION_MODEL)
    return g_strdup (hl_document_shown_text (hl_document_name (document)));
  if (section == HL_SECTION_SIMULATION) {
    g_autofree char *end =
        number_text (units, HL_QUANTITY_TIME, hl_document_object_number (document, section, "t_end"));
    return g_strdup_printf ("%s, %s", hl_schema_word (hl_document_object_text (document, section, "model")),
                            end);
  }
  return number_text (units, HL_QUANTITY_MODULUS,
                      hl_document_object_number (document, section, "bulk_modulus"));
}

/* Returns an element of a section with ids: "P: Pline, T: Tline", "link2.C – link3.C". */
static char *outline_status (const HlDocument *document, GHashTable *users, HlSection section, int index,
                             const HlUnit *const *units) {
  const HlValue *element = hl_document_element (document, section, index);
  const HlKind *kind = hl_document_element_kind (document, section, index);

  if (kind == NULL)
    return NULL;
  if (section == HL_SECTION_LINES)
    return line_status (element, units);
  if (section == HL_SECTION_BODIES)
    return body_status (document, index, units);
  if (section == HL_SECTION_PROBES)
    return probe_status (document, index);
  g_autoptr (GString) text = g_string_new (NULL);
  append_ports (text, users, kind, element, hl_document_element_id (document, section, index));
  append_places (text, kind, element);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

struct _HlOutlineList {
  const HlDocument *document;
  const HlFindings *findings;
  const HlUnit *const *units;
  GHashTable *users; /* see users_new */
  GArray *rows;      /* HlOutlineRow */
  GStringChunk *texts;
  GHashTable *by_key; /* key -> row + 1 */
  int group;
};

/* --- rows --- */

/* Sets the problem of a row: the first error of its element, else the first warning. */
static void find_problem (const HlOutlineList *list, HlOutlineRow *row) {
  for (int i = 0; list->findings != NULL && i < hl_findings_n (list->findings); i++) {
    const HlFinding *finding = hl_findings_get (list->findings, i);
    if (finding->severity == HL_SEVERITY_INFO || g_strcmp0 (finding->id, row->id) != 0 ||
        (row->problem != NULL && finding->severity >= row->severity))
      continue;
    row->problem = g_string_chunk_insert (list->texts, finding->message);
    row->severity = finding->severity;
  }
}

/* Takes the status; texts of the row are copied. */
static void add_row (HlOutlineList *list, HlOutlineRow row, char *status) {
  g_autofree char *taken = status;
  const char **texts[] = {&row.key, &row.id, &row.name, &row.ref, &row.kind};

  if (row.type == HL_OUTLINE_ELEMENT)
    find_problem (list, &row);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != NULL)
      *texts[i] = g_string_chunk_insert_const (list->texts, *texts[i]);
  row.status = g_string_chunk_insert_const (list->texts, taken != NULL ? taken : "");
  row.group = list->group;
  g_array_append_val (list->rows, row);
  g_hash_table_insert (list->by_key, (gpointer)row.key, GINT_TO_POINTER (list->rows->len));
}

static void add_group (HlOutlineList *list, HlSection section, const char *name, int n) {
  g_autofree char *key = g_strdup_printf ("group:%d", section);
  HlOutlineRow row = {.type = HL_OUTLINE_GROUP,
                      .section = section,
                      .index = -1,
                      .has_parts = TRUE,
                      .key = key,
                      .name = name,
                      .kind = ""};

  list->group = (int)list->rows->len;
  add_row (list, row, n >= 0 ? g_strdup_printf ("%d", n) : NULL);
}

static void add_part (HlOutlineList *list, HlOutlineType type, const HlOutlineRow *owner, const char *name,
                      const char *kind, char *status) {
  g_autofree char *ref = g_strdup_printf ("%s.%s", owner->id, name);
  HlOutlineRow row = {.type = type,
                      .level = 2,
                      .section = owner->section,
                      .index = owner->index,
                      .key = ref,
                      .id = owner->id,
                      .name = name,
                      .ref = ref,
                      .kind = kind};

  add_row (list, row, status);
}

static void add_ports (HlOutlineList *list, const HlOutlineRow *owner, const HlKind *kind,
                       const HlValue *element) {
  for (int port = 0; kind != NULL && port < kind->n_ports; port++)
    if (hl_kind_has_port (kind, element, port))
      add_part (list, HL_OUTLINE_PORT, owner, kind->ports[port], _ ("Port"),
                status_port (list->users, owner->id, kind->ports[port]));
}

static void add_points (HlOutlineList *list, const HlOutlineRow *owner, int body) {
  for (int point = 0; point < hl_document_n_points (list->document, body); point++)
    add_part (list, HL_OUTLINE_POINT, owner, hl_document_point_name (list->document, body, point),
              _ ("Point"), status_point (list->document, list->users, body, point, owner->id, list->units));
}

static void add_ground (HlOutlineList *list) {
  int n = hl_document_n_points (list->document, -1);
  HlOutlineRow row = {.type = HL_OUTLINE_ELEMENT,
                      .level = 1,
                      .section = HL_SECTION_GROUND,
                      .index = -1,
                      .has_parts = n > 0,
                      .key = "id:ground",
                      .id = "ground",
                      .name = _ ("Ground"),
                      .kind = ""};

  add_row (list, row, status_points (list->document, -1));
  add_points (list, &row, -1);
}

/* Returns a key; an id may be missing or occur twice in an invalid file: every element has its row. */
static char *key_of (const HlOutlineList *list, const char *id, HlSection section, int index) {
  char *key = g_strconcat ("id:", id, NULL);

  if (*id != '\0' && !g_hash_table_contains (list->by_key, key))
    return key;
  g_free (key);
  return g_strdup_printf ("nameless:%d:%d", section, index);
}

static void add_element (HlOutlineList *list, HlSection section, int index) {
  const HlDocument *document = list->document;
  const char *id = hl_document_element_id (document, section, index);
  const HlKind *kind = hl_document_element_kind (document, section, index);
  const char *unknown = hl_document_element_kind_name (document, section, index);
  g_autofree char *key = key_of (list, id, section, index);
  gboolean is_body = section == HL_SECTION_BODIES;
  HlOutlineRow row = {.type = HL_OUTLINE_ELEMENT,
                      .level = 1,
                      .section = section,
                      .index = index,
                      .key = key,
                      .id = *id != '\0' ? id : NULL,
                      .name = *id != '\0' ? id : "?",
                      .kind = kind != NULL      ? _ (kind->label)
                              : unknown != NULL ? unknown
                                                : "?"};

  row.has_parts = row.id != NULL && ((kind != NULL && kind->n_ports > 0) ||
                                     (is_body && hl_document_n_points (document, index) > 0));
  add_row (list, row, outline_status (document, list->users, section, index, list->units));
  if (row.has_parts && is_body)
    add_points (list, &row, index);
  else if (row.has_parts)
    add_ports (list, &row, kind, hl_document_element (document, section, index));
}

/* --- groups --- */

static void add_section (HlOutlineList *list, HlSection section, const char *name) {
  int n = hl_document_n_elements (list->document, section);
  gboolean has_ground =
      section == HL_SECTION_BODIES && hl_document_object (list->document, HL_SECTION_GROUND) != NULL;

  if (n == 0 && !has_ground)
    return;
  add_group (list, section, name, n);
  if (has_ground)
    add_ground (list);
  for (int index = 0; index < n; index++)
    add_element (list, section, index);
}

static void add_signals_of (HlOutlineList *list, HlSection section, int index) {
  const HlKind *kind = hl_document_element_kind (list->document, section, index);
  const char *id = hl_document_element_id (list->document, section, index);

  for (int field = 0; kind != NULL && *id != '\0' && field < kind->n_fields; field++) {
    if (kind->fields[field].type != HL_FIELD_SIGNAL)
      continue;
    g_autofree char *path = g_strdup_printf ("%s.%s", id, kind->fields[field].name);
    HlOutlineRow row = {.type = HL_OUTLINE_SIGNAL,
                        .level = 1,
                        .section = section,
                        .index = index,
                        .key = path,
                        .id = id,
                        .name = path,
                        .ref = path,
                        .kind = _ (kind->fields[field].label)};
    if (list->group < 0)
      add_group (list, HL_SECTION_SIGNAL, _ ("Signals"), -1);
    row.group = list->group;
    add_row (list, row,
             status_signal (hl_document_element (list->document, section, index), &kind->fields[field],
                            list->units));
  }
}

static void add_signals (HlOutlineList *list) {
  list->group = -1;
  for (HlSection section = HL_SECTION_BODIES; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int index = 0; index < hl_document_n_elements (list->document, section); index++)
      add_signals_of (list, section, index);
}

static void add_entries (HlOutlineList *list, HlSection section, const char *name) {
  int n = hl_document_n_elements (list->document, section);

  if (n == 0)
    return;
  add_group (list, section, name, n);
  for (int index = 0; index < n; index++) {
    g_autofree char *key = g_strdup_printf ("%s:%d", hl_section_key (section), index);
    g_autofree char *label = status_entry_name (list->document, section, index);
    g_autofree char *id = status_entry_owner (list->document, section, index);
    HlOutlineRow row = {.type = HL_OUTLINE_ENTRY,
                        .level = 1,
                        .section = section,
                        .index = index,
                        .key = key,
                        .id = id,
                        .name = label,
                        .kind = _ (hl_schema_find_kind (section, NULL)->label)};
    add_row (list, row, status_entry (list->document, section, index, list->units));
  }
}

static void add_objects (HlOutlineList *list) {
  static const struct {
    HlSection section;
    const char *id, *key, *name;
  } objects[] = {
      {HL_SECTION_MODEL, NULL, "object:model", N_ ("Model")},
      {HL_SECTION_FLUID, "fluid", "object:fluid", N_ ("Oil")},
      {HL_SECTION_SIMULATION, "simulation", "object:simulation", N_ ("Simulation")},
  };

  add_group (list, HL_SECTION_MODEL, _ ("Model"), -1);
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    add_row (list,
             (HlOutlineRow){.type = HL_OUTLINE_OBJECT,
                            .level = 1,
                            .section = objects[i].section,
                            .index = -1,
                            .key = objects[i].key,
                            .id = objects[i].id,
                            .name = _ (objects[i].name),
                            .kind = ""},
             status_object (list->document, objects[i].section, list->units));
}

/* --- the list --- */

HlOutlineList *hl_outline_list_new (const HlDocument *document, const HlFindings *findings,
                                    const HlUnit *const *units) {
  HlOutlineList *list = g_new0 (HlOutlineList, 1);

  list->document = document;
  list->findings = findings;
  list->units = units;
  list->users = users_new (document);
  list->rows = g_array_new (FALSE, TRUE, sizeof (HlOutlineRow));
  list->texts = g_string_chunk_new (4096);
  list->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  add_section (list, HL_SECTION_COMPONENTS, _ ("Components"));
  add_section (list, HL_SECTION_LINES, _ ("Lines"));
  add_section (list, HL_SECTION_BODIES, _ ("Bodies"));
  add_section (list, HL_SECTION_JOINTS, _ ("Joints"));
  add_section (list, HL_SECTION_LOADS, _ ("Loads"));
  add_signals (list);
  add_section (list, HL_SECTION_PROBES, _ ("Probes"));
  add_entries (list, HL_SECTION_PLOTS, _ ("Plots"));
  add_entries (list, HL_SECTION_SLIDERS, _ ("Sliders"));
  add_entries (list, HL_SECTION_PARAMETER_SETS, _ ("Parameter sets"));
  add_objects (list);
  g_clear_pointer (&list->users, g_hash_table_unref);
  list->document = NULL; /* a list outlives its document */
  list->findings = NULL;
  return list;
}

void hl_outline_list_free (HlOutlineList *list) {
  if (list == NULL)
    return;
  g_array_unref (list->rows);
  g_string_chunk_free (list->texts);
  g_hash_table_unref (list->by_key);
  g_free (list);
}

int hl_outline_list_n (const HlOutlineList *list) {
  return (int)list->rows->len;
}

const HlOutlineRow *hl_outline_list_row (const HlOutlineList *list, int row) {
  return &g_array_index (list->rows, HlOutlineRow, row);
}

int hl_outline_list_find (const HlOutlineList *list, const char *key) {
  return key != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (list->by_key, key)) - 1 : -1;
}

int hl_outline_list_find_id (const HlOutlineList *list, const char *id) {
  if (id == NULL)
    return -1;
  g_autofree char *key = g_strconcat ("id:", id, NULL);
  return hl_outline_list_find (list, key);
}

/* --- words --- */

static gboolean text_has_word (const char *text, const char *low_word) {
  g_autofree char *low = g_utf8_casefold (text, -1);
  return strstr (low, low_word) != NULL;
}

gboolean hl_outline_list_matches (const HlOutlineList *list, int row, const char *text) {
  const HlOutlineRow *at = hl_outline_list_row (list, row);
  const HlOutlineRow *heading = hl_outline_list_row (list, at->group);
  g_autofree char *low = g_utf8_casefold (text, -1);
  g_auto (GStrv) words = g_strsplit_set (low, " \t", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && !text_has_word (at->name, words[i]) && !text_has_word (at->kind, words[i]) &&
        !text_has_word (at->status, words[i]) && !text_has_word (heading->name, words[i]) &&
        (at->ref == NULL || !text_has_word (at->ref, words[i])))
      return FALSE;
  return TRUE;
}

char *hl_outline_row_sentence (const HlOutlineRow *row) {
  GString *text = g_string_new (NULL);

  if (*row->kind != '\0')
    g_string_append_printf (text, "%s ", row->kind);
  g_string_append (text, row->ref != NULL ? row->ref : row->name);
  if (*row->status != '\0')
    g_string_append_printf (text, ", %s", row->status);
  if (row->problem != NULL)
    g_string_append_printf (text, ". %s: %s",
                            row->severity == HL_SEVERITY_ERROR ? _ ("Problem") : _ ("Warning"), row->problem);
  return g_string_free (text, FALSE);
}
