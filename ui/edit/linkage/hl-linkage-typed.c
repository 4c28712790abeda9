/* SPDX-License-Identifier: MIT */
/* What is typed about a linkage, and points taken away: masses follow, joints are closed again. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/edit/hl-edit.h"
#include "core/document/hl-path.h"
#include "ui/edit/linkage/hl-linkage-edit-private.h"

#include <math.h>
#include <string.h>

/* The joints closed, if they can be; else the document as it is, whose findings say why. */
static HlDocument *
closed_if_possible (const HlDocument *document)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree double *x = g_new (double, 3 * (gsize)plan->n_bodies + 1);

  return hl_linkage_plan_assemble (plan, x) ? hl_linkage_plan_with_poses (plan, x)
                                            : hl_document_ref (document);
}

HlDocument *
hl_linkage_set_number (const HlDocument *document, const char *path, double value, GError **error)
{
  g_autoptr (HlDocument) next = hl_document_with_number (document, path, value, error);
  HlPathInfo info;

  if (next == NULL || !hl_path_find (document, path, &info, NULL) || info.field == NULL ||
      info.field->type != HL_FIELD_POINTS)
    return g_steal_pointer (&next);
  if (strcmp (info.id, "ground") != 0)
    hl_linkage_take (&next, hl_linkage_refresh_mass (next, document, info.id));
  return closed_if_possible (next);
}

HlDocument *
hl_linkage_remove_point (const HlDocument *document,
                         const char *owner,
                         const char *name,
                         GError **error)
{
  g_autoptr (HlDocument) next = hl_edit_remove_point (document, owner, name, error);

  if (next == NULL || strcmp (owner, "ground") == 0)
    return g_steal_pointer (&next);
  return hl_linkage_refresh_mass (next, document, owner);
}

double
hl_linkage_density (const HlDocument *document, const char *body)
{
  double density =
      hl_value_number (hl_value_member (hl_document_layout (document, "linkage", body), "density"));
  return density > 0.0 && isfinite (density) ? density : HL_LINKAGE_DENSITY;
}
