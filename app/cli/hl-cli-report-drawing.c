/* SPDX-License-Identifier: MIT */
/* The circuit and the linkage of a report, in the state that the run starts from. */
#include "app/cli/hl-cli-report.h"
#include "core/run/hl-snapshot.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"

#define MODULE_MM 4.0          /* of a circuit, at which its labels are readable */
#define CIRCUIT_MARGIN_MM 30.0 /* for labels at the edge */
#define CIRCUIT_LEAST_MM 80.0
#define CIRCUIT_MOST_MM 420.0
#define LINKAGE_MARGIN_MM 30.0
#define LINKAGE_LEAST_MM 60.0 /* of the height */
#define LINKAGE_MOST_MM 160.0

static void visit_cb (const char *path, const char *unit, void *data) {
  HlColumnInfo info = {.id = g_strdup (path), .unit = unit};

  g_array_append_val ((GArray *)data, info);
}

/* Everything a run knows, at the start: a run of one row. NULL without a start state. */
static HlResults *results_at_start (const HlReport *report) {
  HlSystem *sys = report->cli->system;
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HlColumnInfo));
  HlResults *results = NULL;

  if (report->lin == NULL)
    return NULL;
  hl_observable_visit (sys, visit_cb, columns);
  g_autofree HlObservable *outputs = g_new0 (HlObservable, columns->len + 1);
  g_autofree double *values = g_new0 (double, columns->len + 1);
  for (guint k = 0; k < columns->len; k++)
    hl_observable_find (sys, g_array_index (columns, HlColumnInfo, k).id, &outputs[k]);
  HlWork *work = hl_work_new (sys);
  if (hl_snapshot_eval (sys, work, report->start, outputs, (int)columns->len, values, NULL) == HL_OK) {
    results = hl_results_new ((const HlColumnInfo *)(void *)columns->data, (int)columns->len);
    hl_results_append (results, 0, values);
  }
  hl_work_free (work);
  for (guint k = 0; k < columns->len; k++)
    g_free ((char *)g_array_index (columns, HlColumnInfo, k).id);
  return results;
}

static gboolean write_linkage (HlReport *report, const HlInstant *instant, GError **error) {
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  HlMechanismPicture picture = *hl_linkage_scene_update (scene, report->cli->document, instant, NULL);

  HlRect box = hl_mechanism_box (&picture);
  double shape = box.width > 0 ? box.height / box.width : 1;
  double height = HL_REPORT_WIDTH_MM * shape + LINKAGE_MARGIN_MM;

  picture.show_grid = FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("linkage"));
  return hl_report_save_figure (report, "linkage", hl_figure_paint_mechanism, &picture, HL_REPORT_WIDTH_MM,
                                CLAMP (height, LINKAGE_LEAST_MM, LINKAGE_MOST_MM), error);
}

static gboolean write_circuit (HlReport *report, const HlInstant *instant, GError **error) {
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlCircuitPicture picture =
      *hl_circuit_scene_update (scene, report->cli->document, instant, NULL, report->units);

  HlRect box = hl_circuit_box (&picture);
  double width = box.width * MODULE_MM + CIRCUIT_MARGIN_MM;
  double height = box.height * MODULE_MM + CIRCUIT_MARGIN_MM;
  double share = MIN (1, CIRCUIT_MOST_MM / MAX (width, height));

  picture.show_grid = FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("circuit"));
  return hl_report_save_figure (report, "circuit", hl_figure_paint_circuit, &picture,
                                MAX (share * width, CIRCUIT_LEAST_MM), MAX (share * height, CIRCUIT_LEAST_MM),
                                error);
}

gboolean hl_report_write_drawings (HlReport *report, GError **error) {
  const HlDocument *document = report->cli->document;
  g_autoptr (HlResults) results = results_at_start (report);
  HlInstant instant = {results, 0};

  return (hl_document_n_elements (document, HL_SECTION_BODIES) == 0 ||
          write_linkage (report, &instant, error)) &&
         (hl_document_n_elements (document, HL_SECTION_COMPONENTS) == 0 ||
          write_circuit (report, &instant, error));
}
