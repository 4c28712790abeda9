/* SPDX-License-Identifier: MIT */
/* What a run knows of an element, at the time cursor: its outputs, and the numbers of the file that
 * go on from where they begin. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/inspector/hl-inspector-menu.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/paint/circuit/hl-shape.h"
#include "ui/widget/hl-element-text.h"

#include <math.h>
#include <string.h>

#define FLOW "flow_" /* what outputs of ports begin with */
#define PATH_KEY "hl-path"
#define DIGITS 4

/* A kind with several forms has flows of ports that the element may be without. */
static gboolean has_port_of (const HlInspectorRows *rows, const HlOutput *output) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  HlSection section;
  int index;

  if (!g_str_has_prefix (output->name, FLOW) ||
      hl_document_find (document, rows->ids[0], &section, &index) == NULL || section != HL_SECTION_COMPONENTS)
    return TRUE;
  const char *port = output->name + strlen (FLOW);
  const HlKind *kind = hl_document_element_kind (document, section, index);
  HlShapeKind shape = hl_shape_kind_of (document, index);
  gboolean is_of_kind = FALSE, is_drawn = FALSE;
  for (int k = 0; k < kind->n_ports; k++)
    is_of_kind |= strcmp (kind->ports[k], port) == 0;
  for (int k = 0; k < hl_shape_n_ports (shape); k++)
    is_drawn |= !hl_shape_port (shape, k)->is_absent && strcmp (hl_shape_port (shape, k)->name, port) == 0;
  return is_drawn || !is_of_kind;
}

static void add_output (HlInspectorRows *rows, const char *name) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  char *path = g_strconcat (rows->ids[0], ".", name, NULL);
  g_autofree char *words = hl_element_number_words (document, path);
  GtkWidget *value = hl_inspector_read_only ("–");
  GtkWidget *menu = hl_inspector_output_menu_new (rows->workbench, path, words);

  g_object_set_data_full (G_OBJECT (value), PATH_KEY, path, g_free);
  g_ptr_array_add (rows->outputs, value);
  hl_inspector_add_row (rows, words, path, value, menu);
}

/* What a run records of an element beside its outputs: numbers of the file that go on from there. */
static const char *const *states_of (const HlKind *kind) {
  static const char *const of_body[] = {"x", "y", "angle", "vx", "vy", "omega", NULL};
  static const char *const of_line[] = {"pressure", NULL};
  static const char *const of_spool[] = {"spool", NULL};
  static const char *const none[] = {NULL};

  if (kind->section == HL_SECTION_BODIES)
    return of_body;
  if (kind->section == HL_SECTION_LINES)
    return of_line;
  for (int i = 0; i < kind->n_fields; i++)
    if (strcmp (kind->fields[i].name, of_spool[0]) == 0)
      return of_spool;
  return none;
}

void hl_inspector_add_outputs (HlInspectorRows *rows, const HlKind *kind) {
  const char *const *states = states_of (kind);
  gboolean has_signal = FALSE;

  for (int i = 0; i < kind->n_fields; i++)
    has_signal |= kind->fields[i].type == HL_FIELD_SIGNAL;
  if (kind->n_outputs == 0 && states[0] == NULL && !has_signal)
    return;
  hl_inspector_add_heading (rows, _ ("In the run"));
  for (int i = 0; states[i] != NULL; i++)
    add_output (rows, states[i]);
  for (int i = 0; i < kind->n_fields; i++)
    if (kind->fields[i].type == HL_FIELD_SIGNAL)
      add_output (rows, kind->fields[i].name);
  for (int i = 0; i < kind->n_outputs; i++)
    if (has_port_of (rows, &kind->outputs[i]))
      add_output (rows, kind->outputs[i].name);
}

void hl_inspector_refresh_outputs (HlWorkbench *workbench, GPtrArray *outputs) {
  HlRuns *runs = hl_workbench_runs (workbench);
  HlRun *run = hl_runs_shown (runs);
  HlInstant instant = {run != NULL ? run->results : NULL, hl_runs_time (runs)};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));

  for (guint i = 0; i < outputs->len; i++) {
    const char *path = g_object_get_data (G_OBJECT (outputs->pdata[i]), PATH_KEY);
    double value = hl_instant_value (&instant, document, path);
    HlPathInfo info;
    g_autofree char *text =
        isfinite (value) && hl_path_find (document, path, &info, NULL)
            ? hl_units_format (hl_workbench_units (workbench), info.quantity, value, DIGITS)
            : g_strdup ("–");
    if (strcmp (gtk_label_get_text (GTK_LABEL (outputs->pdata[i])), text) != 0)
      gtk_label_set_text (GTK_LABEL (outputs->pdata[i]), text);
  }
}
