/* SPDX-License-Identifier: MIT */
/* What is measured on a body rather than stated: typed here, it changes points and poses with the
 * joints closed. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-number-field.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/bench/hl-editing.h"

#include <math.h>

static gboolean
measure (const HlDocument *document, const char *id, double *length, double *angle)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  int body;

  return hl_document_resolve_body (document, id, &body, NULL) && body >= 0 &&
         hl_linkage_measure (plan, body, length, angle);
}

static double
get_length (const HlDocument *document, const char *id, gpointer unused)
{
  double length, angle;
  return measure (document, id, &length, &angle) ? length : NAN;
}

static double
get_angle (const HlDocument *document, const char *id, gpointer unused)
{
  double length, angle;
  return measure (document, id, &length, &angle) ? angle : NAN;
}

static double
get_density (const HlDocument *document, const char *id, gpointer unused)
{
  return hl_linkage_follows_density (document, id) ? hl_linkage_density (document, id) : NAN;
}

static const struct
{
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

gboolean
hl_inspector_has_body_rows (const HlDocument *document, const char *const *ids)
{
  double length, angle;

  for (int i = 0; ids[i] != NULL; i++)
    if (!measure (document, ids[i], &length, &angle))
      return FALSE;
  return ids[0] != NULL;
}

void
hl_inspector_add_body_rows (HlInspectorRows *rows, gboolean of_mass)
{
  if (!hl_inspector_has_body_rows (hl_editing_document (hl_workbench_editing (rows->workbench)),
                                   rows->ids))
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
