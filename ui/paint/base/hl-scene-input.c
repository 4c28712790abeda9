/* SPDX-License-Identifier: MIT */
#include "ui/paint/base/hl-scene-input.h"

#include "core/hydro/hl-fluid.h"
#include "core/run/hl-run-warnings.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/paint/base/hl-plot-axis.h"

#include <math.h>

double hl_instant_value (const HlInstant *instant, const HlDocument *document, const char *path) {
  double value = NAN;

  if (instant->results != NULL && hl_results_n_rows (instant->results) > 0) {
    int column = hl_results_find_column (instant->results, path);
    if (column >= 0)
      value = hl_results_value_at (instant->results, column, instant->t);
    if (isfinite (value))
      return value;
  }
  return hl_document_get_number (document, path, &value, NULL, NULL) ? value : NAN;
}

double hl_instant_recorded (const HlInstant *instant, const char *id, const char *name) {
  int column = -1;

  if (instant->results == NULL || hl_results_n_rows (instant->results) == 0)
    return NAN;
  if (instant->cursor != NULL)
    column = hl_column_cursor_find (instant->cursor, instant->results, id, name);
  else {
    g_autofree char *path = g_strconcat (id, ".", name, NULL);
    column = hl_results_find_column (instant->results, path);
  }
  return column >= 0 ? hl_results_value_at (instant->results, column, instant->t) : NAN;
}

double hl_instant_value_of (const HlInstant *instant, const HlDocument *document, const char *id,
                            const char *name) {
  double value = hl_instant_recorded (instant, id, name);

  if (isfinite (value))
    return value;
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  return hl_document_get_number (document, path, &value, NULL, NULL) ? value : NAN;
}

gboolean hl_marks_is_selected (const HlMarks *marks, const char *id) {
  return marks != NULL && marks->selected != NULL && g_strv_contains (marks->selected, id);
}

gboolean hl_marks_is_hovered (const HlMarks *marks, const char *id) {
  return marks != NULL && g_strcmp0 (marks->hovered, id) == 0;
}

gboolean hl_marks_is_problem (const HlMarks *marks, const char *id) {
  if (marks == NULL || marks->findings == NULL)
    return FALSE;
  for (int index = 0; index < hl_findings_n (marks->findings); index++) {
    const HlFinding *finding = hl_findings_get (marks->findings, index);
    if (finding->severity != HL_SEVERITY_INFO && g_strcmp0 (finding->id, id) == 0)
      return TRUE;
  }
  return FALSE;
}

const HlUnit *hl_units_get (HlUnits units, HlQuantity quantity) {
  return units != NULL && units[quantity] != NULL ? units[quantity] : hl_quantity_default_unit (quantity);
}

char *hl_units_format (HlUnits units, HlQuantity quantity, double si, int digits) {
  const HlUnit *unit = hl_units_get (units, quantity);
  char text[48];

  if (!isfinite (si))
    return g_strdup ("–");
  hl_axis_format (hl_unit_from_si (unit, si), digits, text, sizeof text);
  if (quantity == HL_QUANTITY_NONE)
    return g_strdup (text);
  return g_strdup_printf ("%s %s", text, unit->symbol);
}

gboolean hl_scene_pressure_marks (const HlDocument *document, double *vapour, double *limit) {
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (document, HL_SECTION_SIMULATION, "model"));
  gboolean has_pockets = oil != NULL && oil->fills_lines;
  HlFluid fluid = {.vapour_pressure =
                       hl_document_object_number (document, HL_SECTION_FLUID, "vapour_pressure"),
                   .ambient_pressure = NAN};

  *vapour = has_pockets ? hl_fluid_onset (&fluid) : fluid.vapour_pressure - HL_CAVITATION_MARGIN;
  *limit =
      has_pockets ? hl_document_object_number (document, HL_SECTION_SIMULATION, "pressure_limit") : INFINITY;
  return has_pockets;
}
