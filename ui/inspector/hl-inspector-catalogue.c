/* SPDX-License-Identifier: MIT */
/* Openings in the inspector as catalogues tell them. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "core/edit/hl-rating.h"
#include "ui/bench/hl-editing.h"
#include "ui/inspector/hl-inspector-menu.h"
#include "ui/paint/base/hl-scene.h"

static double flow_of (const HlDocument *document, const char *path, gpointer data) {
  (void)data;
  return hl_rating_flow (document, path);
}

void hl_inspector_add_rating (HlInspectorRows *rows, const HlField *field) {
  static const HlNumberSource source = {flow_of, hl_rating_with_flow, hl_rating_parse};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  g_autofree char *path = g_strconcat (rows->ids[0], ".", field->name, NULL);
  const char *const paths[] = {path, NULL};

  if (rows->ids[1] != NULL || !hl_rating_has (document, path))
    return;
  g_autofree char *drop =
      hl_units_format (hl_workbench_units (rows->workbench), HL_QUANTITY_PRESSURE_DIFFERENCE,
                       hl_rating_drop (document, path), 4);
  /* the main opening needs no name; a by-pass or a cushion has that of its area */
  gboolean is_main = strchr (field->name, '.') == NULL && !g_str_has_prefix (field->name, "check_");
  g_autofree char *label = is_main ? g_strdup_printf (_ ("Flow at %s"), drop)
                                   : g_strdup_printf (_ ("%s: flow at %s"), _ (field->label), drop);
  GtkWidget *menu = hl_inspector_menu_new (rows->workbench, paths, field, field->quantity, label);
  hl_inspector_add_number (
      rows, &(HlInspectorNumber){field->name, label,
                                 _ ("What passes fully open, as catalogues tell it. Another drop "
                                    "may be typed: 40 L/min at 5 bar"),
                                 NULL, HL_QUANTITY_FLOW, NULL, &source, menu});
}
