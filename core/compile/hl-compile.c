/* SPDX-License-Identifier: MIT */
/* Document to system. The structure is checked first (hl-check); what compiles is then verified by
 * computation: assembly, degrees of freedom, strokes, volumes. */
#include "core/compile/hl-compile.h"

#include <math.h>
#include <string.h>

#include "core/compile/hl-compile-private.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/document/hl-path.h"
#include "core/system/hl-oil-model.h"

#define MOST_ROWS 1.0e7 /* of a run; more are refused or thinned */

char *hl_compile_own_string (HlCompiler *c, const char *text) {
  int n = text != NULL ? (int)strlen (text) : 0;
  return text != NULL ? memcpy (hl_arena_take (&c->topology->arena, n + 1, 1), text, (size_t)n) : NULL;
}

void *hl_compile_own_array (HlArena *arena, GArray *array) {
  guint size = g_array_get_element_size (array);
  void *own = hl_arena_take (arena, (int)array->len, size);

  if (array->len > 0)
    memcpy (own, array->data, (gsize)array->len * size);
  g_array_unref (array);
  return own;
}

double hl_compile_number (HlCompiler *c, HlSection section, int index, const char *field) {
  const HlKind *kind = hl_document_element_kind (c->doc, section, index);

  if (kind == NULL || hl_kind_find_field (kind, field) == NULL)
    return NAN;
  return hl_kind_number (kind, hl_document_element (c->doc, section, index), field, NULL);
}

const char *hl_compile_text (HlCompiler *c, HlSection section, int index, const char *field) {
  const HlKind *kind = hl_document_element_kind (c->doc, section, index);
  return kind != NULL ? hl_kind_text (kind, hl_document_element (c->doc, section, index), field) : NULL;
}

void hl_compile_point (HlCompiler *c, HlSection section, int index, const char *field, int *body,
                       double place[2]) {
  const HlValue *element = hl_document_element (c->doc, section, index);
  const char *text = hl_value_string (hl_value_member (element, field));

  *body = -1;
  place[0] = place[1] = 0.0;
  if (text != NULL)
    hl_document_resolve_point (c->doc, text, body, place, NULL);
}

static void compile_names (HlCompiler *c) {
  static const HlSection sections[] = {
      [HL_ENTITY_BODY] = HL_SECTION_BODIES, [HL_ENTITY_JOINT] = HL_SECTION_JOINTS,
      [HL_ENTITY_LOAD] = HL_SECTION_LOADS,  [HL_ENTITY_COMPONENT] = HL_SECTION_COMPONENTS,
      [HL_ENTITY_LINE] = HL_SECTION_LINES,
  };

  for (HlEntityKind kind = HL_ENTITY_BODY; kind <= HL_ENTITY_LINE; kind++) {
    int n = hl_document_n_elements (c->doc, sections[kind]);
    c->topology->n_names[kind] = n;
    c->topology->names[kind] = hl_arena_take (&c->topology->arena, n, sizeof (char *));
    for (int k = 0; k < n; k++)
      c->topology->names[kind][k] =
          hl_compile_own_string (c, hl_document_element_id (c->doc, sections[kind], k));
  }
}

/* Global column that "ID.x", "ID.y" or "ID.angle" names; -1 = none. */
static int coordinate_of (HlCompiler *c, const char *path) {
  static const char *const parts[] = {"x", "y", "angle"};
  const char *dot = strchr (path, '.');

  if (dot == NULL)
    return -1;
  for (int body = 0; body < c->topology->n_names[HL_ENTITY_BODY]; body++) {
    const char *id = c->topology->names[HL_ENTITY_BODY][body];
    if (strlen (id) != (size_t)(dot - path) || strncmp (id, path, strlen (id)) != 0)
      continue;
    for (int k = 0; k < 3; k++)
      if (strcmp (dot + 1, parts[k]) == 0)
        return 3 * body + k;
  }
  return -1;
}

static int pressure_of (HlCompiler *c, const char *path) {
  for (int line = 0; line < c->sys->n_lines; line++) {
    g_autofree char *name = g_strconcat (c->topology->names[HL_ENTITY_LINE][line], ".pressure", NULL);
    if (strcmp (name, path) == 0)
      return c->sys->nodes[c->sys->lines[line].node].state;
  }
  return -1;
}

static int component_state_of (HlCompiler *c, const char *path) {
  for (int k = 0; k < c->topology->n_states_u; k++)
    if (strcmp (hl_state_path (c->sys, k), path) == 0)
      return k;
  return -1;
}

/* What equilibrium.hold and the probes name. */
static void compile_wishes (HlCompiler *c) {
  HlTopology *top = c->topology;
  int n_held = hl_document_n_held (c->doc), n_probes = hl_document_n_probes (c->doc);

  top->hold_coordinates = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->hold_pressures = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->hold_states = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->prefer = hl_arena_take (&top->arena, n_held + n_probes, sizeof (int));
  for (int k = 0; k < n_held; k++) {
    const char *path = hl_document_held (c->doc, k);
    int coordinate = coordinate_of (c, path), pressure = pressure_of (c, path),
        state = component_state_of (c, path);

    if (coordinate >= 0) {
      top->hold_coordinates[top->n_hold_coordinates++] = coordinate;
      top->prefer[top->n_prefer++] = coordinate;
    } else if (pressure >= 0)
      top->hold_pressures[top->n_hold_pressures++] = pressure;
    else if (state >= 0)
      top->hold_states[top->n_hold_states++] = state;
  }
  for (int k = 0; k < n_probes; k++) {
    HlProbe probe;
    if (!hl_document_probe (c->doc, k, &probe))
      continue;
    int coordinate = coordinate_of (c, probe.of);
    if (coordinate >= 0)
      top->prefer[top->n_prefer++] = coordinate;
  }
}

static void compile_probes (HlCompiler *c) {
  HlSystem *sys = c->sys;

  sys->n_probes = hl_document_n_probes (c->doc);
  sys->probes = hl_arena_take (&sys->arena, sys->n_probes, sizeof (HlSystemProbe));
  for (int k = 0; k < sys->n_probes; k++) {
    HlProbe probe;
    double number;
    sys->probes[k].of.kind = -1;
    if (!hl_document_probe (c->doc, k, &probe))
      continue;
    sys->probes[k].relative = probe.relative;
    if (hl_observable_find (sys, probe.of, &sys->probes[k].of))
      continue;
    /* a number of the model is a column that stays at it */
    gboolean is_number = hl_document_get_number (c->doc, probe.of, &number, NULL, NULL);
    HlFinding *finding = hl_findings_add (
        c->findings, is_number ? HL_SEVERITY_INFO : HL_SEVERITY_WARNING, probe.id, probe.id,
        _ ("name one of the outputs of an element"),
        is_number ? _ ("probe ‘%s’ shows ‘%s’, which a run does not change: its column stays at "
                       "that number")
                  : _ ("probe ‘%s’ asks for ‘%s’, which a run does not know: its column stays empty"),
        probe.id, probe.of);
    hl_finding_set_fix (finding, HL_FIX_REMOVE, _ ("Remove the probe"), probe.id, NULL, 0);
  }
}

static int choice (const char *text, const char *const names[]) {
  for (int k = 0; names[k] != NULL; k++)
    if (g_strcmp0 (text, names[k]) == 0)
      return k;
  return 0;
}

static void compile_simulation (HlCompiler *c) {
  static const char *const integrators[] = {"bdf", "radau", NULL};
  static const char *const starts[] = {"equilibrium", "as-given", NULL};
  HlSystem *sys = c->sys;
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "model"));

  sys->t_end = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "t_end");
  sys->every = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "every");
  sys->rtol = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "rtol");
  sys->step = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "step");
  sys->pressure_limit = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "pressure_limit");
  sys->max_steps = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "max_steps");
  sys->model = (int)(oil != NULL ? oil : hl_oil_models[0])->kind;
  sys->formulation =
      choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "formulation"), hl_formulation_words);
  sys->start = choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "start"), starts);
  sys->integrator =
      choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "integrator"), integrators);
  sys->beta = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "beta");
  sys->gamma = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "gamma");
  if (sys->t_end / sys->every > MOST_ROWS * (1.0 + 1.0e-9))
    hl_findings_add (c->findings, HL_SEVERITY_WARNING, "simulation", "simulation.every",
                     _ ("give it a larger value, or the run a shorter end time"),
                     _ ("a row every %s s until %s s would be %s rows; no more than %.0f are "
                        "kept"),
                     hl_shown (sys->every, 6).text, hl_shown (sys->t_end, 6).text,
                     hl_shown (floor (sys->t_end / sys->every) + 1.0, 4).text, MOST_ROWS);
}

static HlCompiler compiler_new (const HlDocument *doc, HlFindings *findings) {
  HlCompiler c = {.doc = doc, .findings = findings};

  c.sys = hl_system_alloc ();
  c.topology = c.sys->topology;
  c.rows = g_array_new (FALSE, TRUE, sizeof (HlRow));
  c.joints = g_array_new (FALSE, TRUE, sizeof (HlJoint));
  c.loads = g_array_new (FALSE, TRUE, sizeof (HlLoad));
  c.signals = g_array_new (FALSE, TRUE, sizeof (HlSignal));
  c.inputs = g_array_new (FALSE, TRUE, sizeof (int));
  c.input_orders = g_array_new (FALSE, TRUE, sizeof (int));
  c.input_names = g_ptr_array_new ();
  c.signal_paths = g_ptr_array_new ();
  c.signal_loads = g_array_new (FALSE, FALSE, sizeof (int));
  c.load = -1;
  c.measured = g_ptr_array_new ();
  c.hands = g_array_new (FALSE, FALSE, sizeof (int));
  c.hand_names = g_ptr_array_new ();
  return c;
}

/* Takes the array; its strings are the topology's already. */
static char **own_names (HlCompiler *c, GPtrArray *names) {
  char **own = hl_arena_take (&c->topology->arena, (int)names->len, sizeof (char *));

  for (guint k = 0; k < names->len; k++)
    own[k] = g_ptr_array_index (names, k);
  g_ptr_array_unref (names);
  return own;
}

static void finish_signals (HlCompiler *c) {
  HlTopology *top = c->topology;
  HlArena *arena = &top->arena;

  c->sys->n_signals = (int)c->signals->len;
  c->sys->signals = hl_compile_own_array (&c->sys->arena, c->signals);
  top->signal_paths = own_names (c, c->signal_paths);
  c->signal_paths = NULL;
  top->load_owner = hl_compile_own_array (arena, c->signal_loads);
  top->n_inputs = (int)c->inputs->len;
  top->input_signal = hl_compile_own_array (arena, c->inputs);
  top->input_order = hl_compile_own_array (arena, c->input_orders);
  top->input_names = own_names (c, c->input_names);
  top->n_hands = (int)c->hands->len;
  top->hand_signal = hl_compile_own_array (arena, c->hands);
  top->hand_names = own_names (c, c->hand_names);
  hl_compile_measures (c);
  g_ptr_array_unref (c->measured);
}

HlSystem *hl_compile (const HlDocument *doc, HlFindings *findings) {
  hl_check_document (doc, findings);
  if (hl_findings_first_error (findings) != NULL)
    return NULL;

  HlCompiler c = compiler_new (doc, findings);
  compile_names (&c);
  hl_compile_linkage (&c);
  hl_compile_circuit (&c);
  finish_signals (&c);
  compile_wishes (&c);
  compile_simulation (&c);
  hl_system_derive (c.sys);
  hl_compile_soft_lines (&c);
  compile_probes (&c);
  if (hl_findings_first_error (findings) == NULL)
    hl_compile_verify (&c);
  if (hl_findings_first_error (findings) == NULL) {
    hl_compile_turbulent (&c);
    hl_compile_verify_oil (doc, c.sys, (HlModelKind)c.sys->model, findings);
  }
  if (hl_findings_first_barrier (findings, HL_BARS_ALL) != NULL) {
    hl_system_unref (c.sys);
    return NULL;
  }
  return c.sys;
}
