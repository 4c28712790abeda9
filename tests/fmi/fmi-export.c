/* SPDX-License-Identifier: MIT */
/* fmi-export MODEL FOLDER TOKEN: the sources of the FMU of a model and a list of its variables, for
 * the harness, which is to need neither zip nor XML. With a table that has every state, input,
 * probe and number. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/hl-error.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-document.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linear-model.h"
#include "core/fmu/hl-fmu.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"

typedef struct {
  HlFmuTable table;
  GArray *items;
  const HlSystem *sys;
} Maker;

static HlFmuVariable *add (Maker *maker, guint32 base, HlFmuRole role, guint32 index, const char *path) {
  HlFmuVariable v = {.reference = base + index,
                     .role = role,
                     .index = index,
                     .name = g_strdup (path),
                     .path = g_strdup (path)};

  g_array_append_val (maker->items, v);
  return &g_array_index (maker->items, HlFmuVariable, maker->items->len - 1);
}

static void add_local (const char *path, const HlObservable *of, void *data) {
  Maker *maker = data;

  if (hl_observable_needs_energy (*of))
    return;
  add (maker, 600000, HL_FMU_LOCAL, (guint32)maker->table.n_locals++, path);
}

/* Adds the numbers of components, loads and bodies that may change. */
static void add_parameters (Maker *maker) {
  const HlSystem *sys = maker->sys;
  HlParameter found;

  for (int k = 0; k < sys->n_components; k++) {
    const HlKind *kind = &sys->components[k].klass->kind;
    for (int field = 0; field < kind->n_fields; field++) {
      g_autofree char *path =
          g_strdup_printf ("%s.%s", sys->topology->names[HL_ENTITY_COMPONENT][k], kind->fields[field].name);
      if (kind->fields[field].type == HL_FIELD_NUMBER && hl_system_find_parameter (sys, path, &found))
        add (maker, 400000, HL_FMU_PARAMETER, (guint32)maker->table.n_parameters++, path)->tunable = TRUE;
    }
  }
  for (int k = 0; k < sys->mech.n_bodies; k++) {
    g_autofree char *path = g_strdup_printf ("%s.mass", sys->topology->names[HL_ENTITY_BODY][k]);
    if (hl_system_find_parameter (sys, path, &found))
      add (maker, 400000, HL_FMU_PARAMETER, (guint32)maker->table.n_parameters++, path);
  }
}

/* Writes the linearization of the program for the inputs and outputs of the table. */
static void write_linear (const char *folder, const HlSystem *sys, HlWork *work, const HlPoint *start) {
  g_autofree char *path = g_build_filename (folder, "linear.txt", NULL);
  FILE *out = fopen (path, "w");
  g_autofree HlObservable *outputs = g_new0 (HlObservable, sys->n_probes + 1);
  HlFault fault;

  for (int k = 0; k < sys->n_probes; k++)
    outputs[k] = sys->probes[k].of;
  HlLinearModel *model = hl_linear_model_new (sys, work, start, outputs, sys->n_probes, &fault);
  if (model == NULL)
    return;
  fprintf (out, "%d %d\n", model->n, model->n_outputs);
  for (int k = 0; k < model->n * model->n; k++)
    fprintf (out, "%.17g\n", model->A[k]);
  for (int k = 0; k < model->n * model->n_outputs; k++)
    fprintf (out, "%.17g\n", model->C[k]);
  for (int k = 0; k < model->n_signals; k++)
    if (sys->signals[sys->topology->input_signal[k]].kind == HL_SIGNAL_CONSTANT &&
        sys->topology->input_order[k] == 0) {
      for (int i = 0; i < model->n; i++)
        fprintf (out, "%.17g\n", model->B[i + k * model->n]);
      for (int i = 0; i < model->n_outputs; i++)
        fprintf (out, "%.17g\n", model->D[i + k * model->n_outputs]);
    }
  fclose (out);
  hl_linear_model_free (model);
}

/* Measures the program itself as measure () of fmi-importer-run.c measures the FMU. */
static void measure (const HlSystem *sys, const HlPoint *start, long n_calls) {
  int n = hl_fmu_n_states (sys, start);
  HlWork *work = hl_work_new (sys);
  g_autofree double *x = g_new0 (double, n + 1), *moved = g_new0 (double, n + 1),
                    *dx = g_new0 (double, n + 1);
  HlFault fault;

  hl_work_enter_segment (sys, work, 0.0);
  hl_partition_choose (sys, work, start->x, HL_PARTITION_PREFERRED, NULL, 0, &fault);
  hl_state_pack (sys, work, start, x);
  clock_t begin = clock ();
  for (long call = 0; call < n_calls; call++) {
    for (int k = 0; k < n; k++)
      moved[k] = x[k] * (1.0 + 1e-6 * (double)(call % 7));
    hl_dynamics_eval (sys, 0.0, moved, dx, work, &fault);
  }
  printf ("program %.3f us\n", 1e6 * (double)(clock () - begin) / CLOCKS_PER_SEC / (double)n_calls);
  hl_work_free (work);
}

int main (int argc, char **argv) {
  g_autoptr (GError) error = NULL;
  if (argc < 4)
    return 2;
  HlDocument *document = hl_document_load (argv[1], &error);
  if (document == NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 2;
  }
  HlFindings *findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);
  if (sys == NULL)
    return 2;
  HlWork *work = hl_work_new (sys);
  HlPoint *start = hl_point_new (sys);
  HlFault fault;
  if (hl_start_point (sys, work, (HlStart)sys->start, NULL, start, NULL, &fault) != HL_OK) {
    fprintf (stderr, "no start\n");
    return 1;
  }
  Maker maker = {.items = g_array_new (FALSE, TRUE, sizeof (HlFmuVariable)), .sys = sys};
  HlFmuTable *table = &maker.table;
  table->n_states = (gsize)hl_fmu_n_states (sys, start);
  table->n_indicators = (gsize)hl_fmu_n_indicators (sys);
  add (&maker, 0, HL_FMU_TIME, 0, "time");
  for (guint32 k = 0; k < table->n_states; k++) {
    g_autofree char *name = g_strdup_printf ("state[%u]", k + 1);
    g_autofree char *rate = g_strdup_printf ("der(state[%u])", k + 1);
    add (&maker, 100000, HL_FMU_STATE, k, name);
    add (&maker, 200000, HL_FMU_DERIVATIVE, k, rate);
  }
  for (int k = 0; k < hl_system_n_inputs (sys); k++) {
    const HlSignal *signal = &sys->signals[sys->topology->input_signal[k]];
    bool driven = k + 1 < hl_system_n_inputs (sys) && sys->topology->input_order[k + 1] != 0;
    if (sys->topology->input_order[k] == 0 && signal->kind == HL_SIGNAL_CONSTANT && !driven)
      add (&maker, 300000, HL_FMU_INPUT, (guint32)table->n_inputs++, hl_system_input_name (sys, k));
  }
  add_parameters (&maker);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_PROBES); k++) {
    HlObservable of;
    const char *path =
        hl_value_text (hl_value_at (hl_document_element (document, HL_SECTION_PROBES, k), "of"));
    if (path == NULL || !hl_observable_find (sys, path, &of) || hl_observable_needs_energy (of))
      continue;
    HlFmuVariable *v = add (&maker, 500000, HL_FMU_OUTPUT, (guint32)k, path);
    v->name = g_strdup (hl_document_element_id (document, HL_SECTION_PROBES, k));
    table->n_outputs++;
  }
  hl_observable_visit_outputs (sys, add_local, &maker);
  for (guint32 k = 0; k < table->n_indicators; k++) {
    g_autofree char *name = hl_fmu_indicator_name (sys, (int)k);
    add (&maker, 700000, HL_FMU_INDICATOR, k, name);
  }
  table->items = (HlFmuVariable *)(void *)maker.items->data;
  table->n = maker.items->len;
  GHashTable *files = NULL;
  HlFmuInterface interface = {.identifier = "model", .token = argv[3]};
  if (!hl_fmu_sources (table, sys, start, &interface, &files, &error)) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  GHashTableIter iter;
  gpointer name, bytes;
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &bytes)) {
    g_autofree char *path = g_build_filename (argv[2], name, NULL);
    gsize size;
    const char *data = g_bytes_get_data (bytes, &size);
    if (!g_file_set_contents (path, data, (gssize)size, &error)) {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  }
  g_autofree char *list = g_build_filename (argv[2], "variables.txt", NULL);
  FILE *out = fopen (list, "w");
  for (gsize k = 0; k < table->n; k++)
    fprintf (out, "%u %d %u %s\n", table->items[k].reference, (int)table->items[k].role,
             table->items[k].index, table->items[k].name);
  fclose (out);
  write_linear (argv[2], sys, work, start);
  if (argc > 4 && strcmp (argv[4], "time") == 0)
    measure (sys, start, argc > 5 ? atol (argv[5]) : 200000);
  return 0;
}
