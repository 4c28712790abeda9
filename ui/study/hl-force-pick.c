/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-force-pick.h"

#include "core/base/hl-i18n.h"
#include "core/hydro/hl-component.h"

struct HlForcePick {
  GtkDropDown *cylinder, *over;
  GArray *cylinders; /* component index of every entry of `cylinder` */
  GArray *overs;     /* HlForcePicked, of every entry of `over` */
  gboolean is_filling;
};

HlForcePick *hl_force_pick_new (GtkDropDown *cylinder, GtkDropDown *over) {
  HlForcePick *pick = g_new0 (HlForcePick, 1);

  pick->cylinder = cylinder;
  pick->over = over;
  pick->cylinders = g_array_new (FALSE, FALSE, sizeof (int));
  pick->overs = g_array_new (FALSE, FALSE, sizeof (HlForcePicked));
  pick->is_filling = TRUE; /* until there is something to ask about */
  return pick;
}

void hl_force_pick_free (HlForcePick *pick) {
  g_array_unref (pick->cylinders);
  g_array_unref (pick->overs);
  g_free (pick);
}

/* --- what is chosen --- */

int hl_force_pick_component (const HlForcePick *pick) {
  guint entry = gtk_drop_down_get_selected (pick->cylinder);
  return entry < pick->cylinders->len ? g_array_index (pick->cylinders, int, entry) : -1;
}

HlForcePicked hl_force_pick_over (const HlForcePick *pick) {
  guint entry = gtk_drop_down_get_selected (pick->over);
  return entry < pick->overs->len ? g_array_index (pick->overs, HlForcePicked, entry) : (HlForcePicked){0};
}

const char *hl_force_pick_over_label (const HlForcePick *pick) {
  if (hl_force_pick_over (pick).over == HL_FORCE_OVER_NOTHING)
    return NULL;
  GtkStringObject *item = gtk_drop_down_get_selected_item (pick->over);
  return item != NULL ? gtk_string_object_get_string (item) : NULL;
}

int hl_force_pick_n_overs (const HlForcePick *pick) {
  return (int)pick->overs->len;
}

gboolean hl_force_pick_is_filling (const HlForcePick *pick) {
  return pick->is_filling;
}

/* --- filling --- */

static const char *id_of (const HlDocument *document, int component) {
  return hl_document_element_id (document, HL_SECTION_COMPONENTS, component);
}

static void add_over (HlForcePick *pick, GtkStringList *names, const char *name, HlForceOver over,
                      int member) {
  HlForcePicked entry = {over, member};

  gtk_string_list_append (names, name);
  g_array_append_val (pick->overs, entry);
}

void hl_force_pick_fill_overs (HlForcePick *pick, const HlWorkingPoint *at, const HlForceFamily *family) {
  HlForcePicked before = hl_force_pick_over (pick);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  pick->is_filling = TRUE;
  g_array_set_size (pick->overs, 0);
  add_over (pick, names, _ ("no family"), HL_FORCE_OVER_NOTHING, 0);
  if (family != NULL && family->has_command)
    add_over (pick, names, _ ("command"), HL_FORCE_OVER_COMMAND, 0);
  if (family != NULL && family->has_bleed)
    add_over (pick, names, _ ("bleed opening"), HL_FORCE_OVER_BLEED, 0);
  if (family != NULL && family->has_regeneration)
    add_over (pick, names, _ ("regeneration opening"), HL_FORCE_OVER_REGENERATION, 0);
  for (int member = 1; family != NULL && member < family->n_members; member++) {
    const char *id = hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, family->components[member]);
    g_autofree char *name = g_strdup_printf (_ ("speed of %s"), id);
    add_over (pick, names, name, HL_FORCE_OVER_OTHER_SPEED, member);
  }
  gtk_drop_down_set_model (pick->over, G_LIST_MODEL (names));
  for (guint k = 0; k < pick->overs->len; k++) {
    const HlForcePicked *entry = &g_array_index (pick->overs, HlForcePicked, k);
    if (entry->over == before.over && entry->member == before.member)
      gtk_drop_down_set_selected (pick->over, k);
  }
  pick->is_filling = FALSE;
}

void hl_force_pick_fill_cylinders (HlForcePick *pick, const HlDocument *document, const char *selected) {
  int before = hl_force_pick_component (pick);
  guint entry = 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  pick->is_filling = TRUE;
  g_array_set_size (pick->cylinders, 0);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlComponentClass *klass =
        hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, k));
    if (klass == NULL || !klass->is_cylinder)
      continue;
    if (g_strcmp0 (id_of (document, k), selected) == 0 ||
        (k == before && g_strcmp0 (id_of (document, before), selected) != 0 && entry == 0))
      entry = pick->cylinders->len;
    gtk_string_list_append (names, id_of (document, k));
    g_array_append_val (pick->cylinders, k);
  }
  gtk_drop_down_set_model (pick->cylinder, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (pick->cylinder, entry);
  pick->is_filling = FALSE;
}

void hl_force_pick_select (HlForcePick *pick, const HlDocument *document, const char *id) {
  for (guint k = 0; k < pick->cylinders->len; k++)
    if (g_strcmp0 (id_of (document, g_array_index (pick->cylinders, int, k)), id) == 0)
      gtk_drop_down_set_selected (pick->cylinder, k);
}
