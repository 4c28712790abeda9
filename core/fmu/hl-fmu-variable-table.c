/* SPDX-License-Identifier: MIT */
/* The variables of an FMU in the order of their references: time, states, their derivatives, inputs,
 * outputs, parameters, locals, event indicators. A path is one variable: what is a state is not a local
 * too. */
#include "core/fmu/hl-fmu.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"

typedef struct {
  const HlDocument *document;
  const HlSystem *sys;
  const HlWork *work;
  GArray *list;      /* HlFmuVariable */
  GHashTable *names; /* of variables to the paths that they came from */
  GHashTable *paths; /* that are variables already */
  gsize count[HL_FMU_CALCULATED + 1];
  GError *error;
} Builder;

static void clear_variable (gpointer data) {
  HlFmuVariable *v = data;

  g_free (v->name);
  g_free (v->path);
  g_free (v->description);
}

/* Adds a variable, whose strings become the table's. */
static HlFmuVariable *add_variable (Builder *b, HlFmuRole role, char *name, const char *path,
                                    const char *description) {
  const char *other = g_hash_table_lookup (b->names, name);
  HlFmuVariable v = {.reference = b->list->len,
                     .role = role,
                     .index = (guint32)b->count[role]++,
                     .name = name,
                     .path = g_strdup (path),
                     .description = g_strdup (description),
                     .start = NAN,
                     .nominal = 1.0,
                     .minimum = -INFINITY,
                     .least = -INFINITY,
                     .most = INFINITY,
                     .maximum = INFINITY};

  if (other != NULL && b->error == NULL)
    g_set_error (&b->error, HL_ERROR, HL_ERROR_FAILED,
                 _ ("%s and %s would both be the variable ‘%s’ of the FMU; rename one of them"), other,
                 path != NULL && role != HL_FMU_OUTPUT ? path : name, name);
  g_array_append_val (b->list, v);
  HlFmuVariable *added = &g_array_index (b->list, HlFmuVariable, b->list->len - 1);
  const char *from = path != NULL && role != HL_FMU_OUTPUT ? added->path : added->name;
  g_hash_table_replace (b->names, added->name, (gpointer)from);
  /* an output shows a number that may be a state or a local as well */
  if (role != HL_FMU_OUTPUT)
    g_hash_table_add (b->paths, (gpointer)from);
  return added;
}

/* Sets unit and display unit of a quantity; of `si` if it is not in the table of quantities. */
static void set_units (HlFmuVariable *v, HlQuantity quantity, const char *si) {
  v->unit = hl_fmu_unit_name (si);
  v->display_unit = v->unit != NULL ? hl_fmu_display_unit (quantity) : NULL;
  v->quantity = v->unit != NULL ? hl_fmu_quantity_name (quantity) : NULL;
}

/* Returns the description of a path as the window shows it: "Cylinder boom: Coulomb force F_c". */
static char *describe_path (const Builder *b, const char *path, HlQuantity *quantity) {
  HlPathInfo info;

  if (!hl_path_find (b->document, path, &info, NULL))
    return NULL;
  *quantity = info.quantity;
  const char *label = info.field != NULL    ? info.field->label
                      : info.output != NULL ? info.output->label
                                            : NULL;
  if (label == NULL)
    return NULL;
  return info.kind != NULL && info.kind->label != NULL && info.id != NULL
             ? g_strdup_printf ("%s %s: %s", info.kind->label, info.id, label)
             : g_strdup (label);
}

static HlFmuVariable *add_path (Builder *b, HlFmuRole role, const char *path, const char *si) {
  HlQuantity quantity = hl_quantity_of_si (si);
  g_autofree char *said = describe_path (b, path, &quantity);
  HlFmuVariable *v = add_variable (b, role, hl_fmu_name_of_path (path), path, said);

  if (strcmp (si, "1") == 0) /* a signal: of what it is one */
    si = hl_quantity_si (quantity);
  /* a path may have another quantity of the same unit: a modulus in MPa, a pressure in bar */
  if (strcmp (hl_quantity_si (quantity), si) != 0)
    quantity = hl_quantity_of_si (si);
  set_units (v, quantity, si);
  return v;
}

/* ---- states ---- */

/* Returns the start value of a state in the file: body and column, or its own path. */
static char *state_path (const Builder *b, int state) {
  static const char *const positions[] = {"x", "y", "angle"}, *const velocities[] = {"vx", "vy", "omega"};
  const HlWork *work = b->work;
  const HlTopology *top = b->sys->topology;

  if (state >= hl_off_u (work))
    return g_strdup (hl_state_path (b->sys, state - hl_off_u (work)));
  if (state >= hl_off_p (work))
    return g_strdup_printf ("%s.pressure",
                            top->names[HL_ENTITY_LINE][top->line_of_pressure[state - hl_off_p (work)]]);
  gboolean moves = state >= hl_off_v (work) && state < hl_off_ad (work);
  int column = state >= hl_off_ad (work) ? work->ad_column[state - hl_off_ad (work)]
               : moves                   ? work->ai_column[state - hl_off_v (work)]
                                         : work->ai_column[state];
  return g_strdup_printf ("%s.%s", top->names[HL_ENTITY_BODY][column / 3],
                          (moves ? velocities : positions)[column % 3]);
}

/* Returns a neutral name for a state that depends on the partition, which may change during a run. */
static char *state_name (const Builder *b, int state, const char *path) {
  const HlWork *work = b->work;

  if (state < hl_off_v (work))
    return g_strdup_printf ("position[%d]", state + 1);
  if (state < hl_off_ad (work))
    return g_strdup_printf ("velocity[%d]", state - hl_off_v (work) + 1);
  if (state < hl_off_p (work))
    return g_strdup_printf ("admissible[%d]", state - hl_off_ad (work) + 1);
  return hl_fmu_name_of_path (path);
}

static const char *state_unit (const Builder *b, int state, const char *path) {
  HlObservable of;

  if (state >= hl_off_u (b->work))
    return hl_state_unit (b->sys, state - hl_off_u (b->work));
  return hl_observable_find (b->sys, path, &of) ? hl_observable_unit (of) : "1";
}

/* Returns the unit of a rate, "Pa/s" for "Pa", "rad/s2" for "rad/s"; a name in the unit table. */
static const char *rate_unit (const char *si) {
  g_autofree char *per = NULL;

  if (strcmp (si, "1") == 0)
    return "1/s";
  if (strcmp (si, "m") == 0 || strcmp (si, "rad") == 0)
    per = g_strdup_printf ("%s/s", si);
  else if (strcmp (si, "m/s") == 0 || strcmp (si, "rad/s") == 0)
    per = g_strdup_printf ("%s2", si);
  else if (strcmp (si, "m3/s") == 0)
    per = g_strdup ("m3/s2");
  else
    per = strchr (si, '/') != NULL ? g_strdup_printf ("(%s)/s", si) : g_strdup_printf ("%s/s", si);
  return g_intern_string (per);
}

static void add_states (Builder *b, const double y[], const double nominals[]) {
  int n = hl_work_n_states (b->work);

  for (int k = 0; k < n; k++) {
    g_autofree char *path = state_path (b, k);
    gboolean moves = k < hl_off_p (b->work);
    g_autofree char *text = moves ? g_strdup_printf (_ ("at the start %s"), path) : NULL;
    const char *si = state_unit (b, k, path);
    HlQuantity quantity = hl_quantity_of_si (si);
    g_autofree char *said = moves ? NULL : describe_path (b, path, &quantity);
    HlFmuVariable *v =
        add_variable (b, HL_FMU_STATE, state_name (b, k, path), moves ? NULL : path, moves ? text : said);
    set_units (v, quantity, si);
    v->start = y[k];
    v->nominal = nominals[k];
  }
  for (int k = 0; k < n; k++) {
    const HlFmuVariable *state = &g_array_index (b->list, HlFmuVariable, 1 + k);
    g_autofree char *path = state_path (b, k);
    g_autofree char *name = g_strdup (state->name);
    g_autofree char *text = g_strdup_printf (_ ("rate of %s"), name);
    HlFmuVariable *v = add_variable (b, HL_FMU_DERIVATIVE, g_strdup_printf ("der(%s)", name), NULL, text);
    v->unit = hl_fmu_unit_name (rate_unit (state_unit (b, k, path)));
  }
}

/* ---- inputs and parameters ---- */

static gboolean drives_a_joint (const HlTopology *top, int signal) {
  for (int k = 0; k < top->n_inputs; k++)
    if (top->input_signal[k] == signal && top->input_order[k] > 0)
      return TRUE;
  return FALSE;
}

static void bound (const Builder *b, HlFmuVariable *v) {
  HlPathInfo info;

  if (hl_path_find (b->document, v->path, &info, NULL))
    hl_path_narrow (&info, &v->minimum, &v->maximum);
  /* an open end at 0 is the smallest number that every importer reads */
  if (v->minimum > 0.0)
    v->minimum = fmax (v->minimum, DBL_MIN);
}

static void add_inputs (Builder *b) {
  const HlTopology *top = b->sys->topology;

  for (int k = 0; k < top->n_inputs; k++) {
    const HlSignal *signal = &b->sys->signals[top->input_signal[k]];
    HlPathInfo info;
    /* a driven joint needs two rates of its signal, which no input has */
    if (top->input_order[k] != 0 || signal->kind != HL_SIGNAL_CONSTANT ||
        drives_a_joint (top, top->input_signal[k]) ||
        !hl_path_find (b->document, top->input_names[k], &info, NULL))
      continue;
    HlFmuVariable *v = add_path (b, HL_FMU_INPUT, top->input_names[k], hl_quantity_si (info.quantity));
    bound (b, v);
    v->start = signal->value;
  }
}

/* Returns whether the number only says where a run starts: states have a start of their own. */
static gboolean is_start (const HlPathInfo *info) {
  return info->field->type == HL_FIELD_POSE || info->field->type == HL_FIELD_VELOCITY ||
         (info->section == HL_SECTION_LINES && strcmp (info->name, "pressure") == 0);
}

/* Returns whether a parameter may be set at any time, as forces and flows; geometry is set before the
 * initialization: lengths and areas of moving parts, centres of mass, and volumes. */
static gboolean is_tunable (const Builder *b, const HlPathInfo *info) {
  gboolean is_size = info->quantity == HL_QUANTITY_LENGTH || info->quantity == HL_QUANTITY_AREA;

  /* the hybrid oil makes a network of its own of all that has oil in it, once */
  if (hl_fmu_form (b->sys) == &hl_sim_form_hybrid &&
      (info->section == HL_SECTION_COMPONENTS || info->section == HL_SECTION_LINES ||
       info->section == HL_SECTION_FLUID))
    return FALSE;
  if (info->quantity == HL_QUANTITY_VOLUME || info->field->type == HL_FIELD_VEC2)
    return FALSE;
  if (info->section == HL_SECTION_COMPONENTS && is_size)
    return b->sys->components[info->index].cylinder < 0;
  return TRUE;
}

/* Narrows the range of a variable to that of its slider, unless a parameter set of the file exceeds it. */
static void narrow_to_slider (const Builder *b, HlFmuVariable *v) {
  for (int k = 0; k < hl_document_n_sliders (b->document); k++) {
    HlSlider slider;
    if (hl_document_slider (b->document, k, &slider) && strcmp (slider.path, v->path) == 0 &&
        slider.from <= v->start && v->start <= slider.to) {
      double low = slider.from, high = slider.to;
      for (int set = 0; set < hl_document_n_sets (b->document); set++) {
        g_autoptr (HlDocument) there =
            hl_document_apply_set (b->document, hl_document_set_name (b->document, set), NULL);
        double value;
        if (there != NULL && hl_document_get_number (there, v->path, &value, NULL, NULL)) {
          low = fmin (low, value);
          high = fmax (high, value);
        }
      }
      v->minimum = fmax (v->minimum, low);
      v->maximum = fmin (v->maximum, high);
    }
  }
}

/* Returns whether the system keeps its lines, flows and states with another value; the parameter of a
 * copy. */
static gboolean keeps_shape (const Builder *b, HlParameter parameter, double value) {
  HlSystem *copy = hl_system_copy (b->sys);
  HlFault fault = {.time = NAN, .entity = -1};

  hl_system_set_parameter (copy, parameter, value);
  gboolean keeps = hl_system_check_shape (copy, &fault) == HL_OK;
  hl_system_unref (copy);
  return keeps;
}

/* Returns whether no equation of the FMU reads the number of this element, or it only warns. */
static gboolean is_idle (const Builder *b, const HlPathInfo *info) {
  const HlValue *element = info->section < HL_N_ELEMENT_SECTIONS
                               ? hl_document_element (b->document, info->section, info->index)
                               : hl_document_object (b->document, info->section);

  return info->field->only_warns || hl_field_is_idle (info->field, hl_oil_models[b->sys->model]->bit) ||
         (info->kind != NULL && element != NULL && !hl_field_matters (info->kind, info->field, element));
}

static void add_parameter (Builder *b, const char *path) {
  HlParameter parameter;
  HlPathInfo info;

  if (g_hash_table_contains (b->paths, path) || !hl_system_find_parameter (b->sys, path, &parameter) ||
      !hl_path_find (b->document, path, &info, NULL) || info.type != HL_PATH_NUMBER || info.field == NULL ||
      is_start (&info) || is_idle (b, &info))
    return;
  double value = hl_system_get_parameter (b->sys, parameter);
  /* a 0 that stands for something that is not there: with a number the system would have more states */
  if (!isfinite (value) || (value == 0.0 && !keeps_shape (b, parameter, 1.0)))
    return;
  HlFmuVariable *v = add_path (b, HL_FMU_PARAMETER, path, hl_quantity_si (info.quantity));
  v->start = value;
  v->tunable = is_tunable (b, &info);
  bound (b, v);
  if (v->minimum == 0.0 && value > 0.0 && !keeps_shape (b, parameter, 0.0))
    v->minimum = DBL_MIN;
  if (value >= v->minimum && value <= v->maximum)
    v->least = v->minimum, v->most = v->maximum;
  narrow_to_slider (b, v);
  if (value < v->minimum || value > v->maximum)
    v->minimum = -INFINITY, v->maximum = INFINITY;
  v->nominal = value != 0.0 ? fabs (value) : 1.0;
}

static void add_parameters (Builder *b) {
  static const char *const of_sine[] = {"amplitude", "frequency_hz", "phase", "offset"};
  g_auto (GStrv) paths = hl_document_list_paths (b->document, TRUE);

  for (int k = 0; paths[k] != NULL; k++)
    add_parameter (b, paths[k]);
  /* those of a sum, which the list does not name */
  for (int k = 0; k < b->sys->n_signals; k++)
    for (gsize j = 0; b->sys->signals[k].kind == HL_SIGNAL_SINE && j < G_N_ELEMENTS (of_sine); j++) {
      g_autofree char *path = g_strdup_printf ("%s.%s", b->sys->topology->signal_paths[k], of_sine[j]);
      add_parameter (b, path);
    }
}

/* Areas of cylinders whose diameters the file states. */
static void add_calculated (Builder *b) {
  static const char *const names[] = {"piston_area", "rod_side_area"};

  for (int k = 0; k < b->sys->n_components; k++)
    for (gsize j = 0; j < G_N_ELEMENTS (names); j++) {
      const char *id = hl_system_entity_id (b->sys, HL_ENTITY_COMPONENT, k);
      g_autofree char *of = g_strdup_printf ("%s.piston_diameter", id);
      g_autofree char *path = g_strdup_printf ("%s.%s", id, names[j]);
      HlParameter parameter;
      if (b->sys->components[k].cylinder >= 0 && g_hash_table_contains (b->paths, of) &&
          !g_hash_table_contains (b->paths, path) && hl_system_find_derived (b->sys, path, &parameter))
        add_path (b, HL_FMU_CALCULATED, path, hl_quantity_si (HL_QUANTITY_AREA));
    }
}

/* ---- outputs and locals ---- */

static void add_outputs (Builder *b) {
  for (int k = 0; k < hl_document_n_recorded (b->document); k++) {
    HlProbe probe;
    HlObservable of;
    HlQuantity quantity = HL_QUANTITY_NONE;
    if (!hl_document_recorded (b->document, k, &probe) || !hl_observable_find (b->sys, probe.of, &of))
      continue;
    if (hl_observable_needs_energy (of) && hl_document_n_probes (b->document) == 0)
      continue;
    if (hl_observable_needs_energy (of) && b->error == NULL)
      g_set_error (&b->error, HL_ERROR, HL_ERROR_FAILED,
                   _ ("%s: %s is an integral over a run, which an FMU cannot provide; delete this probe"),
                   probe.id, probe.of);
    g_autofree char *said = describe_path (b, probe.of, &quantity);
    g_autofree char *text =
        g_strdup_printf ("%s%s (%s)%s%s", probe.label, probe.relative ? _ (", since the start") : "",
                         probe.of, said != NULL ? ": " : "", said != NULL ? said : "");
    /* without probes the name is a path, which a state, a start value or a parameter has as well */
    g_autofree char *name = hl_document_n_probes (b->document) > 0 ? g_strdup (probe.id)
                                                                   : g_strconcat ("output.", probe.of, NULL);
    HlFmuVariable *v = add_variable (b, HL_FMU_OUTPUT, hl_fmu_name_of_path (name), probe.of, text);
    const char *si = hl_observable_unit (of);
    if (strcmp (si, "1") == 0)
      si = hl_quantity_si (quantity);
    set_units (v, strcmp (hl_quantity_si (quantity), si) == 0 ? quantity : hl_quantity_of_si (si), si);
  }
}

static void visit_local (const char *path, const HlObservable *of, void *data) {
  Builder *b = data;
  /* a pressure of a line under the name of a port would be the same variable once more */
  gboolean is_of_port =
      of->kind == OF_LINE && of->part == LINE_PRESSURE && !g_str_has_suffix (path, ".pressure");

  if (!is_of_port && !g_hash_table_contains (b->paths, path) && !hl_observable_needs_energy (*of))
    add_path (b, HL_FMU_LOCAL, path, of->unit);
}

static void add_indicators (Builder *b) {
  for (int k = 0; k < hl_fmu_n_indicators (b->sys); k++) {
    g_autofree char *path = hl_fmu_indicator_name (b->sys, k);
    add_variable (b, HL_FMU_INDICATOR, hl_fmu_name_of_path (path), path, _ ("event indicator"));
  }
}

HlFmuTable *hl_fmu_table_new (const HlDocument *document, const HlSystem *sys, const HlWork *work,
                              const HlPoint *start, GError **error) {
  Builder b = {.document = document,
               .sys = sys,
               .work = work,
               .list = g_array_new (FALSE, FALSE, sizeof (HlFmuVariable)),
               .names = g_hash_table_new (g_str_hash, g_str_equal),
               .paths = g_hash_table_new (g_str_hash, g_str_equal)};
  HlFmuTable *table = g_new0 (HlFmuTable, 1);
  int n_states = hl_fmu_n_states (sys, start);
  g_autofree double *y = g_new0 (double, n_states + 1);
  g_autofree double *nominals = g_new0 (double, n_states + 1);

  set_units (add_variable (&b, HL_FMU_TIME, g_strdup ("time"), "time", _ ("simulation time")),
             HL_QUANTITY_TIME, hl_quantity_si (HL_QUANTITY_TIME));
  if (hl_fmu_form (sys) == NULL && hl_fmu_start_states (sys, start, y, nominals, &b.error))
    add_states (&b, y, nominals);
  add_inputs (&b);
  add_outputs (&b);
  add_parameters (&b);
  add_calculated (&b);
  hl_observable_visit_outputs (sys, visit_local, &b);
  add_indicators (&b);
  table->n_states = b.count[HL_FMU_STATE];
  table->n_inputs = b.count[HL_FMU_INPUT];
  table->n_outputs = b.count[HL_FMU_OUTPUT];
  table->n_parameters = b.count[HL_FMU_PARAMETER];
  table->n_locals = b.count[HL_FMU_LOCAL];
  table->n_indicators = b.count[HL_FMU_INDICATOR];
  table->n = b.list->len;
  table->items = (HlFmuVariable *)(void *)g_array_free (b.list, FALSE);
  g_hash_table_unref (b.names);
  g_hash_table_unref (b.paths);
  if (b.error == NULL)
    return table;
  g_propagate_error (error, b.error);
  hl_fmu_table_free (table);
  return NULL;
}

void hl_fmu_table_free (HlFmuTable *table) {
  if (table == NULL)
    return;
  for (gsize k = 0; k < table->n; k++)
    clear_variable (&table->items[k]);
  g_free (table->items);
  g_free (table);
}
