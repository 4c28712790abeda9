/* SPDX-License-Identifier: MIT */
/* Applies the corrections of findings: each is one edit without further input. */
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "core/hydro/hl-component.h"

#include <math.h>
#include <string.h>

/* Parameters of the relief valve that a fix adds to a line without outlet. */
#define RELIEF_PRESSURE 2.0e7 /* [Pa] */
#define RELIEF_AREA 1.0e-4    /* m2: 800 L/min at 20 MPa, so that it holds whatever pump there is */
#define BELOW_LIMIT 0.8       /* of simulation.pressure_limit */

#define PLUGGED_VOLUME 50e-6 /* m3: of the line between a port and its plug */

/* Takes the last `port` off a line: at two times the same it is the surplus one. */
static HlDocument *remove_port_from_line (const HlDocument *document, const char *line, const char *port,
                                          GError **error) {
  HlSection section;
  int index;
  const HlValue *element = hl_document_find (document, line, &section, &index);
  const HlValue *ports = hl_value_member (element, "ports");

  for (gsize i = section == HL_SECTION_LINES ? hl_value_length (ports) : 0; i-- > 0;)
    if (g_strcmp0 (hl_value_string (hl_value_item (ports, i)), port) == 0)
      return hl_edit_with_element (document, section, index,
                                   hl_value_with_member (element, "ports", hl_value_without_item (ports, i)));
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not on the line ‘%s’"), port, line);
  return NULL;
}

static HlDocument *drop_entry (const HlDocument *document, const char *target, const char *path,
                               GError **error) {
  const HlValue *root = hl_document_root (document);
  g_autofree char *dotted = g_strdelimit (g_strdup (target), "[", '.');
  g_autoptr (HlValue) list = NULL;

  g_strdelimit (dotted, "]", '\0');
  const HlValue *owner = hl_value_at (root, dotted);
  const HlValue *values = hl_value_member (owner, "values");
  if (values != NULL) {
    g_autofree char *where = g_strconcat (dotted, ".values", NULL);
    return hl_document_new (hl_value_with_at (root, where, hl_value_without_member (values, path)));
  }
  if (!hl_value_is_array (owner)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no ‘%s’"), target);
    return NULL;
  }
  list = hl_value_ref (owner);
  for (gsize i = hl_value_length (owner); i-- > 0;) {
    const HlValue *entry = hl_value_item (owner, i);
    const char *text = hl_value_is_object (entry) ? hl_value_string (hl_value_member (entry, "path"))
                                                  : hl_value_string (entry);
    if (g_strcmp0 (text, path) != 0)
      continue;
    HlValue *shorter = hl_value_without_item (list, i);
    hl_value_unref (list);
    list = shorter;
  }
  return hl_document_new (hl_value_with_at (root, dotted, g_steal_pointer (&list)));
}

/* Returns whether each list on the way to a place has the entry that it names: the document may be another
 * one than that of the finding. */
static gboolean place_is_there (const HlValue *root, const char *where) {
  g_auto (GStrv) parts = g_strsplit (where, ".", -1);
  const HlValue *at = root;

  for (int i = 0; parts[i] != NULL; i++) {
    if (hl_value_is_array (at) &&
        (!g_ascii_isdigit (*parts[i]) || g_ascii_strtoull (parts[i], NULL, 10) >= hl_value_length (at)))
      return FALSE;
    at = hl_value_at (at, parts[i]);
  }
  return TRUE;
}

static HlDocument *change_at (const HlDocument *document, const HlFix *fix, GError **error) {
  const HlValue *root = hl_document_root (document);

  if (!place_is_there (root, fix->path)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no ‘%s’"), fix->path);
    return NULL;
  }
  return hl_document_new (fix->json != NULL ? hl_value_with_at (root, fix->path, hl_value_ref (fix->json))
                                            : hl_value_without_at (root, fix->path));
}

static HlDocument *add_line (const HlDocument *document, const char *port, double volume, GError **error) {
  static const char *const keys[] = {"ports", "volume"};
  HlValue *name = hl_value_new_string (port);
  HlValue *members[] = {hl_value_new_array_take (&name, 1), hl_value_new_number (volume)};

  return hl_edit_add (document, HL_SECTION_LINES, NULL, hl_value_new_object_take (keys, members, 2), NULL,
                      error);
}

static bool is_relief_class (const HlComponentClass *klass) {
  return klass->relieves;
}

static bool is_tank (const HlComponentClass *klass) {
  return klass->is_tank;
}

static bool closes (const HlComponentClass *klass) {
  return klass->closes;
}

/* Returns the first class of which something is true. */
static const HlComponentClass *class_that (bool (*is) (const HlComponentClass *)) {
  for (int k = 0; k < hl_n_components; k++)
    if (is (hl_components[k]))
      return hl_components[k];
  g_assert_not_reached ();
}

/* Returns a plug beside a port. The oil between them is a line with a pressure of its own. */
static HlDocument *add_plug (const HlDocument *document, const char *port, GError **error) {
  const HlComponentClass *klass = class_that (closes);
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) with =
      hl_edit_add (document, HL_SECTION_COMPONENTS, klass->kind.name, NULL, &id, error);
  if (with == NULL)
    return NULL;
  g_autofree char *end = g_strconcat (id, ".", klass->kind.ports[0], NULL);
  g_autoptr (HlDocument) joined = hl_edit_connect (with, port, end, error);
  if (joined == NULL)
    return NULL;
  g_autofree char *line =
      g_strdup (hl_document_element_id (joined, HL_SECTION_LINES, hl_document_line_of_port (joined, port)));
  g_autofree char *volume = g_strconcat (line, ".volume", NULL);
  return hl_document_with_number (joined, volume, PLUGGED_VOLUME, error);
}

/* Returns a relief valve from a port of the line to a tank of its own. */
static HlDocument *add_relief_valve (const HlDocument *document, const char *line, GError **error) {
  static const char *const keys[] = {"pressure", "area"};
  double limit = hl_document_object_number (document, HL_SECTION_SIMULATION, "pressure_limit");
  /* it has to pass its oil before the limit is reached */
  double setting = fmin (RELIEF_PRESSURE, BELOW_LIMIT * limit);
  HlValue *members[] = {hl_value_new_number (setting), hl_value_new_number (RELIEF_AREA)};
  const HlValue *ports = hl_value_member (hl_document_find (document, line, NULL, NULL), "ports");
  const char *port = hl_value_string (hl_value_item (ports, 0));
  const HlComponentClass *relief = class_that (is_relief_class), *reservoir = class_that (is_tank);
  g_autofree char *valve = NULL, *tank = NULL;

  if (port == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no ‘%s’"), line);
    hl_value_unref (members[0]);
    hl_value_unref (members[1]);
    return NULL;
  }
  g_autoptr (HlDocument) with = hl_edit_add (document, HL_SECTION_COMPONENTS, relief->kind.name,
                                             hl_value_new_object_take (keys, members, 2), &valve, error);
  g_autoptr (HlDocument) both =
      with != NULL ? hl_edit_add (with, HL_SECTION_COMPONENTS, reservoir->kind.name, NULL, &tank, error)
                   : NULL;
  if (both == NULL)
    return NULL;
  g_autofree char *inlet = g_strconcat (valve, ".", relief->kind.ports[0], NULL);
  g_autofree char *outlet = g_strconcat (valve, ".", relief->kind.ports[1], NULL);
  g_autofree char *back = g_strconcat (tank, ".", reservoir->kind.ports[0], NULL);
  g_autoptr (HlDocument) fed = hl_edit_connect (both, port, inlet, error);
  return fed != NULL ? hl_edit_connect (fed, outlet, back, error) : NULL;
}

/* Returns a revolute joint between the ground and the first point of a body, where the body stands. */
static HlDocument *pin (const HlDocument *document, const char *id, GError **error) {
  static const char *const keys[] = {"a", "b"};
  double u[2] = {0, 0}, pose[3], at[2];
  g_autoptr (HlDocument) next = hl_document_ref (document);
  const HlValue *body = hl_document_find (document, id, NULL, NULL);
  const HlValue *points = hl_value_member (body, "points");
  g_autofree char *point = g_strdup (hl_value_key (points, 0));
  g_autofree char *pivot = hl_edit_fresh_point (document, "ground", "O");

  for (gsize k = 0; k < 3; k++)
    pose[k] = hl_value_number (hl_value_item (hl_value_member (body, "pose"), k));
  for (gsize k = 0; point != NULL && k < 2; k++)
    u[k] = hl_value_number (hl_value_item (hl_value_member_at (points, 0), k));
  at[0] = pose[0] + cos (pose[2]) * u[0] - sin (pose[2]) * u[1];
  at[1] = pose[1] + sin (pose[2]) * u[0] + cos (pose[2]) * u[1];
  if (point == NULL) {
    point = g_strdup ("A");
    hl_document_unref (next);
    next = hl_edit_set_point (document, id, point, u, error);
  }
  g_autoptr (HlDocument) with = next != NULL ? hl_edit_set_point (next, "ground", pivot, at, error) : NULL;
  if (with == NULL)
    return NULL;
  g_autofree char *a = g_strconcat ("ground.", pivot, NULL);
  g_autofree char *b = g_strconcat (id, ".", point, NULL);
  HlValue *members[] = {hl_value_new_string (a), hl_value_new_string (b)};
  return hl_edit_add (with, HL_SECTION_JOINTS, "revolute", hl_value_new_object_take (keys, members, 2), NULL,
                      error);
}

HlDocument *hl_edit_set_oil (const HlDocument *document, const char *model, GError **error) {
  g_autoptr (HlDocument) bare = hl_edit_set (document, "simulation", "formulation", NULL, error);

  return bare != NULL ? hl_edit_set (bare, "simulation", "model", hl_value_new_string (model), error) : NULL;
}

HlDocument *hl_edit_apply_fix (const HlDocument *document, const HlFix *fix, GError **error) {
  const char *const ids[] = {fix->path, NULL};

  switch (fix->type) {
  case HL_FIX_SET_NUMBER:
    return hl_document_with_number (document, fix->path, fix->value, error);
  case HL_FIX_REMOVE:
    return hl_edit_remove (document, ids, error);
  case HL_FIX_UNPLUG:
    return remove_port_from_line (document, fix->target, fix->path, error);
  case HL_FIX_DROP_ENTRY:
    return drop_entry (document, fix->target, fix->path, error);
  case HL_FIX_SET_AT:
  case HL_FIX_DROP_AT:
    return change_at (document, fix, error);
  case HL_FIX_ADD_LINE:
    return add_line (document, fix->path, fix->value, error);
  case HL_FIX_PLUG:
    return add_plug (document, fix->path, error);
  case HL_FIX_RELIEVE:
    return add_relief_valve (document, fix->path, error);
  case HL_FIX_PIN:
    return pin (document, fix->path, error);
  case HL_FIX_OIL:
    return hl_edit_set_oil (document, fix->target, error);
  default:
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("no fix is available for this problem"));
    return NULL;
  }
}
