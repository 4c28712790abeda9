/* SPDX-License-Identifier: MIT */
/* Columns are found by path once; the rows that follow cost one addition a column. */
#include "ui/hl-recording.h"

#include "core/document/hl-plot-panel.h"

#include <math.h>

typedef struct
{
  char *id;
  char *label;
  const char *unit; /* static, of hl_observable_unit */
  gboolean relative;
} Column;

struct _HlRecording
{
  gatomicrefcount ref_count;
  GArray *outputs; /* HlObservable */
  GArray *columns; /* Column, one an output */
  int n_traced;    /* outputs whose linear response is recorded as well */
};

static void
clear_column (gpointer data)
{
  Column *column = data;
  g_free (column->id);
  g_free (column->label);
}

static void
add_output (HlRecording *recording,
            const HlSystem *system,
            const char *id,
            const char *path,
            const char *label,
            gboolean relative)
{
  HlObservable output;

  if (!hl_observable_find (system, path, &output))
    return;
  Column column = {g_strdup (id), g_strdup (label), hl_observable_unit (output), relative};
  g_array_append_val (recording->outputs, output);
  g_array_append_val (recording->columns, column);
}

static void
add_paths (HlRecording *recording, const HlSystem *system, const char *id, const char *const *names)
{
  for (; *names != NULL; names++) {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, *names);
    add_output (recording, system, path, path, path, FALSE);
  }
}

/* What the plots show besides probes. */
static void
add_plotted (HlRecording *recording, const HlDocument *document, const HlSystem *system)
{
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_auto (GStrv) paths = hl_plot_panels_paths (panels, document);

  for (char **path = paths; *path != NULL; path++)
    add_output (recording, system, *path, *path, *path, FALSE);
}

HlRecording *
hl_recording_new (const HlDocument *document, const HlSystem *system)
{
  static const char *const pose[] = {"x", "y", "angle", NULL};
  static const char *const load_names[] = {"signal", "force", "torque", NULL};
  static const char *const line[] = {"pressure", NULL};
  static const char *const component[] = {"command", "spool",     "s",      "speed",  "force",
                                          "flow",    "opening",   "flow_P", "flow_T", "flow_A",
                                          "flow_B",  "rod_speed", NULL};
  HlRecording *recording = g_new0 (HlRecording, 1);

  g_atomic_ref_count_init (&recording->ref_count);
  recording->outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable));
  recording->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (recording->columns, clear_column);

  for (int probe = 0; probe < hl_document_n_probes (document); probe++) {
    HlProbe info;
    if (hl_document_probe (document, probe, &info))
      add_output (recording, system, info.id, info.of, info.label, info.relative);
  }
  add_plotted (recording, document, system);
  recording->n_traced = (int)recording->outputs->len;

  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++)
    add_paths (recording, system, hl_document_element_id (document, HL_SECTION_BODIES, body), pose);
  for (int net = 0; net < hl_document_n_elements (document, HL_SECTION_LINES); net++)
    add_paths (recording, system, hl_document_element_id (document, HL_SECTION_LINES, net), line);
  for (int load = 0; load < hl_document_n_elements (document, HL_SECTION_LOADS); load++)
    add_paths (recording, system, hl_document_element_id (document, HL_SECTION_LOADS, load),
               load_names);
  for (int part = 0; part < hl_document_n_elements (document, HL_SECTION_COMPONENTS); part++)
    add_paths (recording, system, hl_document_element_id (document, HL_SECTION_COMPONENTS, part),
               component);
  return recording;
}

HlRecording *
hl_recording_ref (HlRecording *recording)
{
  g_atomic_ref_count_inc (&recording->ref_count);
  return recording;
}

void
hl_recording_unref (HlRecording *recording)
{
  if (recording == NULL || !g_atomic_ref_count_dec (&recording->ref_count))
    return;
  g_array_unref (recording->outputs);
  g_array_unref (recording->columns);
  g_free (recording);
}

const HlObservable *
hl_recording_outputs (const HlRecording *recording, int *n)
{
  *n = (int)recording->outputs->len;
  return (const HlObservable *)(gpointer)recording->outputs->data;
}

int
hl_recording_n_traced (const HlRecording *recording)
{
  return recording->n_traced;
}

int
hl_recording_n_columns (const HlRecording *recording)
{
  return (int)recording->outputs->len + recording->n_traced;
}

HlResults *
hl_recording_new_results (const HlRecording *recording)
{
  int n_outputs = (int)recording->outputs->len;
  int n = hl_recording_n_columns (recording);
  g_autofree HlColumnInfo *infos = g_new0 (HlColumnInfo, MAX (n, 1));
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (int column = 0; column < n; column++) {
    gboolean linear = column >= n_outputs;
    const Column *of =
        &g_array_index (recording->columns, Column, linear ? column - n_outputs : column);
    infos[column] = (HlColumnInfo){of->id, of->label, of->unit};
    if (linear) {
      char *id = g_strconcat (of->id, ".linear", NULL);
      g_ptr_array_add (ids, id);
      infos[column].id = id;
    }
  }
  return hl_results_new (infos, n);
}

void
hl_recording_fill_row (const HlRecording *recording,
                       const double values[],
                       const double first[],
                       gboolean linear,
                       double out[])
{
  int n_outputs = (int)recording->outputs->len;

  for (int output = 0; output < n_outputs; output++) {
    gboolean relative = g_array_index (recording->columns, Column, output).relative;
    out[output] = values[output] - (relative ? first[output] : 0);
    if (output < recording->n_traced)
      out[n_outputs + output] =
          linear ? values[n_outputs + output] - (relative ? first[output] : 0) : NAN;
  }
}
