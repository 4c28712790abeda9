/* SPDX-License-Identifier: MIT */
/* What is measured on a body rather than stated: typed here, it changes points and poses with the
 * joints closed. Of a mass that was typed: what moment of inertia a bar of it has. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "core/edit/hl-edit.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-number-field.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>

static gboolean measure (const HlDocument *document, const char *id, double *length, double *angle) {
  int body;

  if (!hl_document_resolve_body (document, id, &body, NULL) || body < 0)
    return FALSE;
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new_of_body (document, body);
  return hl_linkage_measure (plan, body, length, angle);
}

static double get_length (const HlDocument *document, const char *id, gpointer unused) {
  double length, angle;
  return measure (document, id, &length, &angle) ? length : NAN;
}

static double get_angle (const HlDocument *document, const char *id, gpointer unused) {
  double length, angle;
  return measure (document, id, &length, &angle) ? angle : NAN;
}

static double get_density (const HlDocument *document, const char *id, gpointer unused) {
  return hl_linkage_follows_density (document, id) ? hl_linkage_density (document, id) : NAN;
}

static const struct {
  const char *label, *help;
  HlQuantity quantity;
  HlNumberSource source;
} measures[] = {
    {N_ ("Length"),
     N_ ("Distance of the first two points; the linkage is closed again"),
     HL_QUANTITY_LENGTH,
     {get_length, hl_linkage_set_length}},
    {N_ ("Direction"),
     N_ ("Of the line through the first two points; the linkage follows within its joints"),
     HL_QUANTITY_ANGLE,
     {get_angle, hl_linkage_set_angle}},
    {N_ ("Mass per length"),
     N_ ("Mass and moment of inertia follow from it as for slender rods, until they are typed"),
     HL_QUANTITY_LINE_DENSITY,
     {get_density, hl_linkage_set_density}},
};

gboolean hl_inspector_has_body_rows (const HlDocument *document, const char *const *ids) {
  double length, angle;

  for (int i = 0; ids[i] != NULL; i++)
    if (!measure (document, ids[i], &length, &angle))
      return FALSE;
  return ids[0] != NULL;
}

void hl_inspector_add_body_rows (HlInspectorRows *rows, gboolean of_mass) {
  if (!hl_inspector_has_body_rows (hl_editing_document (hl_workbench_editing (rows->workbench)), rows->ids))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++) {
    if ((measures[i].quantity == HL_QUANTITY_LINE_DENSITY) != of_mass)
      continue;
    GtkWidget *field = hl_number_field_new (rows->workbench, rows->ids, measures[i].quantity,
                                            _ (measures[i].label), _ (measures[i].help));
    hl_number_field_set_placeholder (HL_NUMBER_FIELD (field), _ ("typed"));
    hl_number_field_set_source (HL_NUMBER_FIELD (field), &measures[i].source, NULL);
    g_ptr_array_add (rows->fields, field);
    hl_inspector_add_row (rows, _ (measures[i].label), _ (measures[i].help), field, NULL);
  }
}

/* --- the bar's own moment of inertia --- */

#define OFF 1e-6 /* relative: less is the same moment of inertia */

typedef struct {
  HlWorkbench *workbench;
  char *id;
  GtkWidget *box, *label; /* borrowed */
} Own;

static void free_own (gpointer data, GClosure *closure) {
  Own *own = data;

  g_free (own->id);
  g_free (own);
}

/* Told only where the stated one is another. */
static void show_own (HlWorkbench *workbench, Own *own) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  g_autofree char *path = g_strconcat (own->id, ".inertia", NULL);
  double inertia = hl_linkage_rod_inertia (document, own->id), stated = NAN;

  hl_document_get_number (document, path, &stated, NULL, NULL);
  gboolean differs = isfinite (inertia) && fabs (stated - inertia) > OFF * inertia;
  gtk_widget_set_visible (own->box, differs);
  if (!differs)
    return;
  g_autofree char *value = hl_units_format (hl_workbench_units (workbench), HL_QUANTITY_INERTIA, inertia, 4);
  g_autofree char *text = g_strdup_printf (_ ("A bar of this mass has %s"), value);
  gtk_label_set_text (GTK_LABEL (own->label), text);
}

static void take_own_cb (GtkButton *button, Own *own) {
  HlEditing *editing = hl_workbench_editing (own->workbench);
  const HlDocument *document = hl_editing_document (editing);
  double inertia = hl_linkage_rod_inertia (document, own->id);
  HlDocument *next = isfinite (inertia)
                         ? hl_edit_set (document, own->id, "inertia", hl_value_new_number (inertia), NULL)
                         : NULL;

  if (next != NULL) {
    g_autofree char *step = g_strdup_printf (_ ("Moment of inertia of %s"), own->id);
    hl_editing_commit (editing, next, step, NULL);
  }
}

void hl_inspector_add_inertia_note (HlInspectorRows *rows) {
  Own *own = g_new0 (Own, 1);
  GtkWidget *button = gtk_button_new_with_label (_ ("Take it"));

  own->workbench = rows->workbench;
  own->id = g_strdup (rows->ids[0]);
  own->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  own->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (own->label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (own->label), 0);
  gtk_widget_set_hexpand (own->label, TRUE);
  gtk_widget_add_css_class (own->label, "caption");
  gtk_widget_add_css_class (own->box, "own-inertia");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "mend");
  hl_tooltip_set (button,
                  _ ("The moment of inertia stays as it is when a mass is typed; this makes it that of "
                     "slender rods of that mass"));
  gtk_box_append (GTK_BOX (own->box), own->label);
  gtk_box_append (GTK_BOX (own->box), button);
  g_signal_connect_data (button, "clicked", G_CALLBACK (take_own_cb), own, free_own, 0);
  g_object_set_data (G_OBJECT (own->box), "own", own);
  gtk_grid_attach (rows->grid, own->box, 0, rows->row++, 3, 1);
  show_own (rows->workbench, own);
}

void hl_inspector_refresh_notes (GtkGrid *grid) {
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (grid)); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    Own *own = g_object_get_data (G_OBJECT (child), "own");
    if (own != NULL)
      show_own (own->workbench, own);
  }
}
