/* SPDX-License-Identifier: MIT */
/* Springs and loads of a linkage, each where it acts. */
#include "ui/paint/linkage/hl-scene-linkage-private.h"

#include "core/mech/hl-load.h"

#include <math.h>
#include <string.h>

static void
add_spring (const HlSceneUpdate *up, const HlValue *element, const char *id)
{
  HlMechSpring entry = {.id = id, .label = id};
  int body;

  if (!hl_scene_find_point (up, element, "a", &body, &entry.a) ||
      !hl_scene_find_point (up, element, "b", &body, &entry.b))
    return;
  entry.damper = hl_value_number (hl_value_member (element, "damping")) > 0;
  entry.selected = hl_marks_is_selected (up->marks, id);
  entry.hovered = hl_marks_is_hovered (up->marks, id);
  entry.is_problem = hl_marks_is_problem (up->marks, id);
  g_array_append_val (up->scene->springs, entry);
}

static gboolean
place_torsion_spring (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry)
{
  entry->kind = HL_MECH_TORSION_SPRING;
  entry->value = 1;
  return hl_scene_place_in_pin (up, element, &entry->at, &entry->angle);
}

static gboolean
place_torque (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry)
{
  const char *text = hl_value_string (hl_value_member (element, "body"));
  int body = -1;

  if (text == NULL || !hl_document_resolve_body (up->document, text, &body, NULL) || body < 0)
    return FALSE;
  entry->kind = HL_MECH_TORQUE;
  entry->at = g_array_index (up->scene->bodies, HlMechBody, body).com;
  return TRUE;
}

static gboolean
place_force (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry)
{
  const HlValue *direction = hl_value_member (element, "direction");
  int body = -1;

  if (!hl_scene_find_point (up, element, "point", &body, &entry->at))
    return FALSE;
  entry->kind = HL_MECH_FORCE;
  entry->angle = atan2 (hl_value_number (hl_value_item (direction, 1)),
                        hl_value_number (hl_value_item (direction, 0)));
  if (g_strcmp0 (hl_value_string (hl_value_member (element, "frame")), "body") == 0)
    entry->angle += hl_scene_angle_of (up, body);
  return TRUE;
}

static gboolean
place_tyre (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry)
{
  int body = -1;

  if (!hl_scene_find_point (up, element, "point", &body, &entry->at))
    return FALSE;
  entry->kind = HL_MECH_TYRE;
  entry->angle = hl_scene_angle_of (up, body) + hl_value_number (hl_value_member (element, "axis"));
  entry->value = 1;
  return TRUE;
}

/* Where and how each load is drawn; `value` is its length where it has no signal. */
static const struct
{
  const char *kind;
  gboolean (*place) (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry);
} load_marks[] = {
    {"torque", place_torque},
    {"force", place_force},
    {"torsion-spring", place_torsion_spring},
    {"tyre", place_tyre},
};

static void
add_load (const HlSceneUpdate *up, const HlValue *element, const char *id, const char *name)
{
  HlMechLoad entry = {.id = id, .label = id};
  gsize k = 0;

  while (k < G_N_ELEMENTS (load_marks) && strcmp (load_marks[k].kind, name) != 0)
    k++;
  if (k == G_N_ELEMENTS (load_marks) || !load_marks[k].place (up, element, &entry) ||
      !isfinite (entry.angle))
    return;
  double value = hl_scene_value_of (up, id, "signal");
  entry.value = isfinite (value) ? value : entry.value;
  entry.selected = hl_marks_is_selected (up->marks, id);
  entry.hovered = hl_marks_is_hovered (up->marks, id);
  entry.is_problem = hl_marks_is_problem (up->marks, id);
  g_array_append_val (up->scene->loads, entry);
}

void
hl_scene_add_loads (const HlSceneUpdate *up)
{
  for (int load = 0; load < hl_document_n_elements (up->document, HL_SECTION_LOADS); load++) {
    const HlValue *element = hl_document_element (up->document, HL_SECTION_LOADS, load);
    const char *id = hl_document_element_id (up->document, HL_SECTION_LOADS, load);
    const char *name = hl_document_element_kind_name (up->document, HL_SECTION_LOADS, load);
    const HlLoadClass *klass = hl_load_class (name);
    if (klass != NULL && hl_load_joins_points (klass))
      add_spring (up, element, id);
    else if (name != NULL)
      add_load (up, element, id, name);
  }
}
