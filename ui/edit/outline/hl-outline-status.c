/* SPDX-License-Identifier: MIT */
#include "ui/edit/outline/hl-outline-status.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

#define DIGITS 4
#define MOST_NAMED 6 /* names in one status: more are counted */

static char *
number_text (const HlUnit *const *units, HlQuantity quantity, double si)
{
  return hl_unit_format_full (units[quantity], si, DIGITS);
}

/* "a, b, c, …": names in a row, the rest counted. */
static char *
join (const GPtrArray *names)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < names->len && i < MOST_NAMED; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *)names->pdata[i]);
  if (names->len > MOST_NAMED)
    g_string_append_printf (text, _ (" and %d more"), (int)names->len - MOST_NAMED);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_strings (GPtrArray *names, const HlValue *array)
{
  for (gsize i = 0; i < hl_value_length (array); i++) {
    const char *name = hl_value_string (hl_value_item (array, i));
    if (name != NULL)
      g_ptr_array_add (names, (gpointer)name);
  }
}

/* --- who names what --- */

static void
add_user (GHashTable *users, const char *ref, const char *id)
{
  GPtrArray *ids = ref != NULL ? g_hash_table_lookup (users, ref) : NULL;

  if (ref == NULL)
    return;
  if (ids == NULL)
    g_hash_table_insert (users, (gpointer)ref, ids = g_ptr_array_new ());
  g_ptr_array_add (ids, (gpointer)id);
}

static void
add_uses (GHashTable *users, const HlKind *kind, const HlValue *element, const char *id)
{
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

GHashTable *
hl_outline_users_new (const HlDocument *document)
{
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

char *
hl_outline_status_port (GHashTable *users, const char *component, const char *port)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", component, port);
  const GPtrArray *lines = g_hash_table_lookup (users, name);

  return g_strdup (lines != NULL ? lines->pdata[0] : _ ("closed"));
}

static void
append_ports (
    GString *text, GHashTable *users, const HlKind *kind, const HlValue *element, const char *id)
{
  for (int port = 0; port < kind->n_ports; port++) {
    if (!hl_kind_has_port (kind, element, port))
      continue;
    g_autofree char *line = hl_outline_status_port (users, id, kind->ports[port]);
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", kind->ports[port], line);
  }
}

static char *
line_status (const HlValue *line, const HlUnit *const *units)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  double volume = hl_value_number (hl_value_member (line, "volume"));

  add_strings (names, hl_value_member (line, "ports"));
  g_autofree char *ports = join (names);
  if (!(volume > 0))
    return g_steal_pointer (&ports);
  g_autofree char *size = number_text (units, HL_QUANTITY_VOLUME, volume);
  return g_strdup_printf ("%s · %s", ports, size);
}

/* --- linkage --- */

char *
hl_outline_status_points (const HlDocument *document, int body)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int point = 0; point < hl_document_n_points (document, body); point++)
    g_ptr_array_add (names, (gpointer)hl_document_point_name (document, body, point));
  return join (names);
}

static char *
body_status (const HlDocument *document, int body, const HlUnit *const *units)
{
  const HlValue *element = hl_document_element (document, HL_SECTION_BODIES, body);
  g_autofree char *points = hl_outline_status_points (document, body);
  gboolean has_mass = FALSE;
  double mass =
      hl_kind_number (hl_schema_find_kind (HL_SECTION_BODIES, NULL), element, "mass", &has_mass);

  if (!has_mass)
    return g_steal_pointer (&points);
  g_autofree char *weight = number_text (units, HL_QUANTITY_MASS, mass);
  return *points != '\0' ? g_strdup_printf ("%s · %s", points, weight) : g_steal_pointer (&weight);
}

char *
hl_outline_status_point (const HlDocument *document,
                         GHashTable *users,
                         int body,
                         int point,
                         const char *owner,
                         const HlUnit *const *units)
{
  g_autofree char *ref =
      g_strdup_printf ("%s.%s", owner, hl_document_point_name (document, body, point));
  const GPtrArray *named_by = g_hash_table_lookup (users, ref);
  g_autofree char *names = named_by != NULL ? join (named_by) : g_strdup ("");
  double xy[2];

  if (!hl_document_point_xy (document, body, point, xy))
    return g_steal_pointer (&names);
  g_autofree char *x = hl_unit_format (units[HL_QUANTITY_LENGTH], xy[0], DIGITS);
  g_autofree char *y = number_text (units, HL_QUANTITY_LENGTH, xy[1]);
  return g_strdup_printf ("(%s; %s)%s%s", x, y, *names != '\0' ? " · " : "", names);
}

/* Points and bodies that an element names, in the order of its kind's fields. */
static void
append_places (GString *text, const HlKind *kind, const HlValue *element)
{
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

static char *
probe_status (const HlDocument *document, int index)
{
  HlProbe probe;

  if (!hl_document_probe (document, index, &probe))
    return NULL;
  return strcmp (probe.label, probe.id) != 0 ? g_strdup_printf ("%s · %s", probe.of, probe.label)
                                             : g_strdup (probe.of);
}

static const HlValue *
entry_of (const HlDocument *document, HlSection section, int index)
{
  return hl_document_element (document, section, index);
}

char *
hl_outline_status_entry_name (const HlDocument *document, HlSection section, int index)
{
  const HlValue *entry = entry_of (document, section, index);
  const char *name =
      hl_value_string (hl_value_member (entry, section == HL_SECTION_SLIDERS ? "path"
                                               : section == HL_SECTION_PLOTS ? "title"
                                                                             : "name"));

  if (name != NULL)
    return g_strdup (name);
  return g_strdup_printf ("%s %d", _ (hl_schema_find_kind (section, NULL)->label), index + 1);
}

char *
hl_outline_status_entry_owner (const HlDocument *document, HlSection section, int index)
{
  const char *path =
      hl_value_string (hl_value_member (entry_of (document, section, index), "path"));
  const char *dot = path != NULL && section == HL_SECTION_SLIDERS ? strchr (path, '.') : NULL;

  if (dot == NULL)
    return NULL;
  g_autofree char *id = g_strndup (path, (gsize)(dot - path));
  return hl_document_find (document, id, NULL, NULL) != NULL ? g_steal_pointer (&id) : NULL;
}

char *
hl_outline_status_entry (const HlDocument *document,
                         HlSection section,
                         int index,
                         const HlUnit *const *units)
{
  const HlValue *entry = entry_of (document, section, index);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  HlPathInfo path;
  HlSlider slider;

  if (section == HL_SECTION_PLOTS) {
    add_strings (names, hl_value_member (entry, "traces"));
    return join (names);
  }
  if (section == HL_SECTION_PARAMETER_SETS) {
    int n = (int)hl_value_length (hl_value_member (entry, "values"));
    return g_strdup_printf (ngettext ("%d number", "%d numbers", (gulong)n), n);
  }
  if (!hl_document_slider (document, index, &slider) ||
      !hl_path_find (document, slider.path, &path, NULL))
    return NULL;
  g_autofree char *from = number_text (units, path.quantity, slider.from);
  g_autofree char *to = number_text (units, path.quantity, slider.to);
  return g_strdup_printf (_ ("%s to %s"), from, to);
}

/* --- signals and objects --- */

char *
hl_outline_status_signal (const HlValue *element, const HlField *field, const HlUnit *const *units)
{
  const HlValue *signal = hl_value_at (element, field->name);
  const HlKind *kind = signal != NULL ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;

  if (signal == NULL || hl_value_is_number (signal) ||
      (kind != NULL && strcmp (kind->name, "constant") == 0)) {
    double value = signal == NULL                ? field->fallback
                   : hl_value_is_number (signal) ? hl_value_number (signal)
                                                 : hl_kind_number (kind, signal, "value", NULL);
    g_autofree char *number =
        isfinite (value) ? number_text (units, field->quantity, value) : g_strdup ("?");
    return g_strdup_printf (_ ("constant %s"), number);
  }
  if (kind == NULL)
    return g_strdup ("?");
  if (strcmp (kind->name, "table") == 0) {
    int n = (int)hl_value_length (hl_value_member (signal, "t"));
    return g_strdup_printf (ngettext ("table, %d point", "table, %d points", (gulong)n), n);
  }
  if (strcmp (kind->name, "sine") == 0) {
    g_autofree char *frequency = number_text (units, HL_QUANTITY_FREQUENCY,
                                              hl_kind_number (kind, signal, "frequency_hz", NULL));
    return g_strdup_printf (_ ("sine, %s"), frequency);
  }
  return g_utf8_strdown (_ (kind->label), -1);
}

char *
hl_outline_status_object (const HlDocument *document, HlSection section, const HlUnit *const *units)
{
  if (section == HL_SECTION_MODEL)
    return g_strdup (hl_document_name (document));
  if (section == HL_SECTION_SIMULATION) {
    g_autofree char *end = number_text (units, HL_QUANTITY_TIME,
                                        hl_document_object_number (document, section, "t_end"));
    return g_strdup_printf (
        "%s, %s", hl_schema_word (hl_document_object_text (document, section, "model")), end);
  }
  return number_text (units, HL_QUANTITY_MODULUS,
                      hl_document_object_number (document, section, "bulk_modulus"));
}

char *
hl_outline_status (const HlDocument *document,
                   GHashTable *users,
                   HlSection section,
                   int index,
                   const HlUnit *const *units)
{
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
