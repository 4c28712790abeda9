/* SPDX-License-Identifier: MIT */
/* Recognition of the quasistatic pattern. One element more at every place of every example: it must
 * be refused, by its own name, or add exactly what the pattern says. The other oracle is
 * equivalence: the same machine drawn with a directional valve, with valves in series and in
 * parallel, or in another order, must have the same actuators. */
#include "core/document/hl-edit.h"
#include "core/io/hl-json.h"
#include "core/system/hl-quasi-machine.h"
#include "tests/support/hl-model.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define MOST_CYLINDERS 2

static const char *const examples[] = {"metering-arm.hydrolink", "regeneration-arm-ua05.hydrolink",
                                       "two-arms-2.hydrolink"};

static HlDocument *
load (const char *name)
{
  g_autofree char *path = hl_test_example_path (name);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  return doc;
}

/* Replaces *doc. */
static void
become (HlDocument **doc, HlDocument *next, GError *error)
{
  g_assert_no_error (error);
  g_assert_nonnull (next);
  hl_document_unref (*doc);
  *doc = next;
}

static void
set_number (HlDocument **doc, const char *path, double value)
{
  g_autoptr (GError) error = NULL;
  HlDocument *next = hl_document_with_number (*doc, path, value, &error);
  become (doc, next, error);
}

static void
connect_ports (HlDocument **doc, const char *a, const char *b)
{
  g_autoptr (GError) error = NULL;
  HlDocument *next = hl_edit_connect (*doc, a, b, &error);
  become (doc, next, error);
}

/* Adds a component with properties from JSON-like pairs of name and number; NULL ends them. */
static char *
add_component (HlDocument **doc, const char *kind, HlValue *members)
{
  g_autoptr (GError) error = NULL;
  char *id = NULL;
  HlDocument *next = hl_edit_add (*doc, HL_SECTION_COMPONENTS, kind, members, &id, &error);
  become (doc, next, error);
  return id;
}

static HlValue *
numbers (const char *first, ...)
{
  HlValue *object = hl_value_new_object ();
  va_list args;

  va_start (args, first);
  for (const char *name = first; name != NULL; name = va_arg (args, const char *)) {
    HlValue *next =
        hl_value_with_member (object, name, hl_value_new_number (va_arg (args, double)));
    hl_value_unref (object);
    object = next;
  }
  va_end (args);
  return object;
}

static HlValue *
with_truth (HlValue *object, const char *name)
{
  HlValue *next = hl_value_with_member (object, name, hl_value_new_boolean (TRUE));
  hl_value_unref (object);
  return next;
}

/* The model is told to be lumped, so that the compile step lets every drawing pass. */
static HlSystem *
compile (const HlDocument *doc)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *lumped =
      hl_edit_set (doc, "simulation", "model", hl_value_new_string ("lumped"), &error);
  g_assert_no_error (error);
  HlDocument *reduced =
      hl_edit_set (lumped, "simulation", "formulation", hl_value_new_string ("reduced"), &error);
  g_assert_no_error (error);
  HlSystem *sys = hl_compile (reduced, findings);
  hl_document_unref (lumped);
  hl_document_unref (reduced);
  return sys;
}

/* Parts of the model at t = 0 with all signals at their values there. */
typedef struct
{
  HlStatus status; /* of the recognition */
  HlMisfit misfit;
  char *culprit;
  int n;
  HlActuator actuators[MOST_CYLINDERS]; /* by cylinder */
  HlPump pumps[MOST_CYLINDERS];
} Parts;

static Parts
parts_of (const HlSystem *sys, double t)
{
  Parts parts = {0};
  HlCircuit circuit;
  HlQuasiMachine machine;

  parts.status = hl_recognize (sys, &circuit, &parts.misfit);
  if (parts.status != HL_OK) {
    parts.culprit =
        g_strdup (hl_system_entity_id (sys, HL_ENTITY_COMPONENT, parts.misfit.component));
    return parts;
  }
  hl_circuit_clear (&circuit);
  g_assert_cmpint (hl_quasi_machine_init (&machine, sys, NULL), ==, HL_OK);
  HlWork *work = hl_work_new (sys);
  hl_signal_enter (sys->signals, sys->n_signals, t, work->segments);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  hl_quasi_machine_open (&machine, sys, work, NULL);
  parts.n = machine.n;
  for (int k = 0; k < machine.n; k++) {
    int slot = machine.slot_of_cylinder[k];
    parts.actuators[k] = machine.actuators[slot];
    parts.pumps[k] = machine.parties[machine.party_of_slot[slot]].limits;
  }
  hl_work_free (work);
  hl_quasi_machine_clear (&machine);
  return parts;
}

static void
parts_clear (Parts *parts)
{
  g_free (parts->culprit);
}

/* ---- one more element ---- */

/* What a line is in the pattern, by its name in the examples: P, C, H, R or T, and the arm. */
typedef struct
{
  char place;
  int arm; /* -1 for P and T */
} Place;

static Place
place_of (const char *line)
{
  bool is_common = line[0] == 'P' || line[0] == 'T';
  int arm = strlen (line) > 1 && !is_common ? line[1] - '1' : 0;

  return (Place){line[0], is_common ? -1 : arm};
}

/* The number that an additional way changes, and by how much. */
typedef enum
{
  REFUSED,
  NOTHING,
  BLEED,
  HEAD_IN,
  HEAD_OUT,
  ROD_IN,
  ROD_OUT,
  REGENERATION,
  HEAD_LIMIT,
  ROD_LIMIT,
  PUMP_LIMIT,
  NO_PUMP
} Effect;

/* A way that passes oil both ways between a and b. */
static Effect
effect_of_orifice (Place a, Place b)
{
  if (a.place > b.place || (a.place == b.place && a.arm > b.arm))
    return effect_of_orifice (b, a);
  if (a.place == 'P' && b.place == 'T')
    return BLEED;
  if (a.place == 'H' && b.place == 'T')
    return HEAD_OUT;
  if (a.place == 'R' && b.place == 'T')
    return ROD_OUT;
  if (a.place == 'C' && b.place == 'H' && a.arm == b.arm)
    return HEAD_IN;
  if (a.place == 'C' && b.place == 'R' && a.arm == b.arm)
    return ROD_IN;
  return REFUSED;
}

/* A way from a to b only. */
static Effect
effect_of_one_way (Place a, Place b)
{
  if (a.place == 'T' && strchr ("PHR", b.place) != NULL)
    return NOTHING; /* no line falls below the tank */
  if (a.place == 'P' && b.place == 'C')
    return NOTHING; /* the check valve beside it has no resistance */
  if (a.place == 'P' && b.place == 'T')
    return BLEED;
  if (b.place == 'H' && (a.place == 'P' || (a.place == 'C' && a.arm == b.arm)))
    return HEAD_IN;
  if (b.place == 'R' && (a.place == 'P' || (a.place == 'C' && a.arm == b.arm)))
    return ROD_IN;
  if (a.place == 'H' && b.place == 'T')
    return HEAD_OUT;
  if (a.place == 'R' && b.place == 'T')
    return ROD_OUT;
  if (a.place == 'R' && b.place == 'H' && a.arm == b.arm)
    return REGENERATION;
  return REFUSED;
}

/* A check valve: without resistance it may only be a suction valve, or beside one of its like. */
static Effect
effect_of_check (Place a, Place b)
{
  if (a.place == 'T' && strchr ("PHR", b.place) != NULL)
    return NOTHING;
  return a.place == 'P' && b.place == 'C' ? NOTHING : REFUSED;
}

static Effect
effect_of_limit (Place a, Place b)
{
  if (a.place == 'T' && strchr ("PHR", b.place) != NULL)
    return NOTHING;
  if (b.place != 'T')
    return REFUSED;
  return a.place == 'P'   ? PUMP_LIMIT
         : a.place == 'H' ? HEAD_LIMIT
         : a.place == 'R' ? ROD_LIMIT
                          : REFUSED;
}

/* A pipe makes the two lines one. */
static Effect
effect_of_pipe (Place a, Place b)
{
  bool pump_to_tank = (a.place == 'P' && b.place == 'T') || (a.place == 'T' && b.place == 'P');
  return pump_to_tank ? NO_PUMP : REFUSED;
}

#define EXTRA_CONDUCTANCE 1.0e-6 /* m^3/s/sqrt Pa: area below */
#define EXTRA_LIMIT 1.0e6        /* below all others */

/* Parts with the effect of one more way at an arm. */
static Parts
expected_parts (const Parts *before, Effect effect, int arm)
{
  Parts after = *before;
  double k = EXTRA_CONDUCTANCE;

  for (int j = 0; j < after.n; j++) {
    HlActuator *actuator = &after.actuators[j];
    double head = k / pow (actuator->Ah, 1.5), rod = k / pow (actuator->Ar, 1.5);
    if (effect == BLEED)
      after.pumps[j].Ub += k;
    if (effect == PUMP_LIMIT)
      after.pumps[j].PM = EXTRA_LIMIT;
    if (effect == NO_PUMP)
      after.pumps[j] = (HlPump){.PM = 1.0};
    if (j != arm)
      continue;
    actuator->ph += effect == HEAD_IN ? head : 0.0;
    actuator->th += effect == HEAD_OUT ? head : 0.0;
    actuator->pr += effect == ROD_IN ? rod : 0.0;
    actuator->tr += effect == ROD_OUT ? rod : 0.0;
    actuator->ua += effect == REGENERATION ? rod : 0.0;
    actuator->PhM = effect == HEAD_LIMIT ? EXTRA_LIMIT : actuator->PhM;
    actuator->PrM = effect == ROD_LIMIT ? EXTRA_LIMIT : actuator->PrM;
  }
  return after;
}

static bool
is_near (double a, double b)
{
  return a == b || fabs (a - b) <= 1e-13 * (fabs (a) + fabs (b));
}

static bool
are_near (const Parts *a, const Parts *b)
{
  bool same = a->n == b->n;

  for (int k = 0; k < a->n && same; k++) {
    const HlActuator *x = &a->actuators[k], *y = &b->actuators[k];
    same = is_near (x->Ah, y->Ah) && is_near (x->Ar, y->Ar) && is_near (x->PhM, y->PhM) &&
           is_near (x->PrM, y->PrM) && is_near (x->ph, y->ph) && is_near (x->th, y->th) &&
           is_near (x->pr, y->pr) && is_near (x->tr, y->tr) && is_near (x->ua, y->ua) &&
           is_near (a->pumps[k].Q, b->pumps[k].Q) && is_near (a->pumps[k].Ub, b->pumps[k].Ub) &&
           is_near (a->pumps[k].PM, b->pumps[k].PM);
  }
  return same;
}

typedef struct
{
  const char *kind;
  const char *second; /* its second port */
  Effect (*effect) (Place a, Place b);
} TwoPort;

static HlValue *
properties_of (const TwoPort *extra, const HlDocument *doc)
{
  double density = hl_document_object_number (doc, HL_SECTION_FLUID, "density");
  double area = EXTRA_CONDUCTANCE / (0.5 * sqrt (2.0 / density));

  if (strcmp (extra->kind, "pipe") == 0)
    return numbers ("length", 2.0, "diameter", 0.01, NULL);
  if (strcmp (extra->kind, "throttle") == 0)
    return numbers ("Cd", 0.5, "area", area, NULL);
  if (strcmp (extra->kind, "metering-valve") == 0)
    return with_truth (numbers ("Cd", 0.5, "area", area, "opening", 1.0, NULL), "one_way");
  if (strcmp (extra->kind, "relief-valve") == 0)
    return numbers ("pressure", EXTRA_LIMIT, "area", 1e-4, "Cd", 0.6, NULL);
  if (extra->effect == effect_of_limit)
    return numbers ("cracking_pressure", EXTRA_LIMIT, "area", 1e-4, "Cd", 0.6, NULL);
  return numbers ("area", 1e-4, "Cd", 0.6, NULL);
}

static const TwoPort two_ports[] = {
    {"throttle", "B", effect_of_orifice},   {"metering-valve", "B", effect_of_one_way},
    {"check-valve", "B", effect_of_check},  {"check-valve", "B", effect_of_limit},
    {"relief-valve", "T", effect_of_limit}, {"pipe", "B", effect_of_pipe},
};

/* Adds the element between two lines and judges what becomes of it. */
static void
try_two_port (const HlDocument *doc, const Parts *before, const TwoPort *extra, int a, int b)
{
  const char *line_a = hl_document_element_id (doc, HL_SECTION_LINES, a);
  const char *line_b = hl_document_element_id (doc, HL_SECTION_LINES, b);
  Place place_a = place_of (line_a), place_b = place_of (line_b);
  HlDocument *changed = hl_document_ref (doc);
  g_autofree char *id = add_component (&changed, extra->kind, properties_of (extra, doc));
  g_autofree char *port_a = g_strconcat (id, ".A", NULL);
  g_autofree char *port_b = g_strconcat (id, ".", extra->second, NULL);

  connect_ports (&changed, port_a, line_a);
  connect_ports (&changed, port_b, line_b);
  HlSystem *sys = compile (changed);
  g_assert_nonnull (sys);
  Parts after = parts_of (sys, 0.0);
  Effect effect = extra->effect (place_a, place_b);
  bool ends_on_tank = (place_a.place == 'C' && place_b.place == 'T') ||
                      (place_a.place == 'T' && place_b.place == 'C');
  if (extra->effect == effect_of_pipe && ends_on_tank && before->n == 1)
    effect = NO_PUMP; /* with other cylinders on the pump it is no part of the pattern */
  int arm = place_a.arm >= 0 ? place_a.arm : place_b.arm;
  if (effect == REFUSED) {
    if (after.status == HL_OK)
      g_error ("%s from %s to %s was taken", extra->kind, line_a, line_b);
    if (g_strcmp0 (after.culprit, id) != 0)
      g_error ("%s from %s to %s: %s was blamed (%s)", extra->kind, line_a, line_b, after.culprit,
               hl_misfit_text (after.misfit.kind));
  } else {
    Parts wanted = expected_parts (before, effect, arm);
    if (after.status != HL_OK)
      g_error ("%s from %s to %s was refused: %s %s", extra->kind, line_a, line_b, after.culprit,
               hl_misfit_text (after.misfit.kind));
    if (!are_near (&after, &wanted))
      g_error ("%s from %s to %s: wrong parts", extra->kind, line_a, line_b);
  }
  parts_clear (&after);
  hl_system_unref (sys);
  hl_document_unref (changed);
}

static void
test_two_ports (void)
{
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = load (examples[e]);
    HlSystem *sys = compile (doc);
    Parts before = parts_of (sys, 0.0);
    int n = hl_document_n_elements (doc, HL_SECTION_LINES);

    g_assert_cmpint (before.status, ==, HL_OK);
    for (gsize k = 0; k < G_N_ELEMENTS (two_ports); k++)
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
          if (a != b)
            try_two_port (doc, &before, &two_ports[k], a, b);
    parts_clear (&before);
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* Elements of one port: an additional pump, tank, pressure source or accumulator. */
static void
try_one_port (const HlDocument *doc,
              const Parts *before,
              const char *kind,
              const char *port,
              HlValue *members,
              int line)
{
  const char *line_id = hl_document_element_id (doc, HL_SECTION_LINES, line);
  bool on_tank = line_id[0] == 'T';
  HlDocument *changed = hl_document_ref (doc);
  g_autofree char *id = add_component (&changed, kind, members);
  g_autofree char *port_id = g_strconcat (id, ".", port, NULL);

  connect_ports (&changed, port_id, line_id);
  HlSystem *sys = compile (changed);
  if (sys == NULL) {
    /* two given pressures on one line: the check of the drawing says so */
    g_assert_true (on_tank);
    hl_document_unref (changed);
    return;
  }
  Parts after = parts_of (sys, 0.0);
  if (on_tank) {
    g_assert_cmpint (after.status, ==, HL_OK);
    g_assert_true (are_near (&after, before));
  } else if (strcmp (kind, "tank") == 0 &&
             (line_id[0] == 'P' || (line_id[0] == 'C' && before->n == 1))) {
    /* the pump feeds the tank, and nothing else; behind the check valve that is no part of the
     * pattern when another cylinder hangs on the pump */
    Parts wanted = expected_parts (before, NO_PUMP, -1);
    g_assert_cmpint (after.status, ==, HL_OK);
    g_assert_true (are_near (&after, &wanted));
  } else {
    if (after.status == HL_OK || g_strcmp0 (after.culprit, id) != 0)
      g_error ("%s on %s: %s", kind, line_id, after.culprit);
  }
  parts_clear (&after);
  hl_system_unref (sys);
  hl_document_unref (changed);
}

static void
test_one_ports (void)
{
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = load (examples[e]);
    HlSystem *sys = compile (doc);
    Parts before = parts_of (sys, 0.0);

    for (int line = 0; line < hl_document_n_elements (doc, HL_SECTION_LINES); line++) {
      try_one_port (doc, &before, "flow-source", "P", numbers ("flow", 1e-3, NULL), line);
      try_one_port (doc, &before, "tank", "T", numbers ("pressure", 0.0, NULL), line);
      try_one_port (doc, &before, "pressure-source", "P", numbers ("pressure", 1e6, NULL), line);
      try_one_port (doc, &before, "accumulator", "A",
                    numbers ("volume", 1e-3, "precharge", 1e6, NULL), line);
    }
    parts_clear (&before);
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* A second cylinder on lines of the first one is always one too many. */
static void
test_cylinders (void)
{
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = load (examples[e]);
    int n = hl_document_n_elements (doc, HL_SECTION_LINES);

    for (int a = 0; a < n; a++)
      for (int b = 0; b <= n; b++) {
        HlDocument *changed = hl_document_ref (doc);
        HlValue *members =
            numbers ("piston_area", 0.02, "rod_side_area", 0.01, "stroke", 3.0, NULL);
        const char *base = e == 2 ? "ground.base1" : "ground.base";
        const char *rod = e == 2 ? "arm1.rod" : "arm.rod";
        HlValue *with_base = hl_value_with_member (members, "base", hl_value_new_string (base));
        HlValue *with_both = hl_value_with_member (with_base, "rod", hl_value_new_string (rod));
        hl_value_unref (members);
        hl_value_unref (with_base);
        g_autofree char *id = add_component (&changed, "cylinder", with_both);
        g_autofree char *port_a = g_strconcat (id, ".A", NULL);
        g_autofree char *port_b = g_strconcat (id, ".B", NULL);
        connect_ports (&changed, port_a, hl_document_element_id (doc, HL_SECTION_LINES, a));
        if (b < n)
          connect_ports (&changed, port_b, hl_document_element_id (doc, HL_SECTION_LINES, b));
        HlSystem *sys = compile (changed);
        g_assert_nonnull (sys);
        Parts after = parts_of (sys, 0.0);
        g_assert_cmpint (after.status, !=, HL_OK);
        g_assert_cmpstr (after.culprit, ==, id);
        parts_clear (&after);
        hl_system_unref (sys);
        hl_document_unref (changed);
      }
    hl_document_unref (doc);
  }
}

/* ---- order ---- */

static HlValue *
shuffled (const HlValue *array)
{
  HlValue *out = hl_value_ref (array);

  for (gsize k = hl_value_length (array); k > 1; k--) {
    gsize j = (gsize)g_test_rand_int_range (0, (gint32)k);
    HlValue *a = hl_value_ref (hl_value_item (out, k - 1)),
            *b = hl_value_ref (hl_value_item (out, j));
    HlValue *next = hl_value_with_item (out, k - 1, b);
    hl_value_unref (out);
    out = hl_value_with_item (next, j, a);
    hl_value_unref (next);
  }
  return out;
}

/* Components, lines and the ports of each line in another order. */
static HlDocument *
shuffled_document (const HlDocument *doc)
{
  const HlValue *root = hl_document_object (doc, HL_SECTION_MODEL);
  HlValue *components = shuffled (hl_value_member (root, "components"));
  HlValue *lines = shuffled (hl_value_member (root, "lines"));

  for (gsize k = 0; k < hl_value_length (lines); k++) {
    const HlValue *line = hl_value_item (lines, k);
    HlValue *changed =
        hl_value_with_member (line, "ports", shuffled (hl_value_member (line, "ports")));
    HlValue *next = hl_value_with_item (lines, k, changed);
    hl_value_unref (lines);
    lines = next;
  }
  HlValue *one = hl_value_with_member (root, "components", components);
  HlValue *both = hl_value_with_member (one, "lines", lines);
  hl_value_unref (one);
  return hl_document_new (both);
}

/* Parts by cylinder in the order of their names. */
static void
sort_parts (Parts *parts, const HlSystem *sys)
{
  const char *first = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, sys->cylinders[0].component);

  if (parts->n < 2 || strcmp (first, "cyl1") == 0)
    return;
  HlActuator actuator = parts->actuators[0];
  parts->actuators[0] = parts->actuators[1];
  parts->actuators[1] = actuator;
}

static void
test_order (void)
{
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = load (examples[e]);
    HlSystem *sys = compile (doc);
    double times[] = {0.0, 1.5, 4.0};

    for (int round = 0; round < 20; round++) {
      HlDocument *other = shuffled_document (doc);
      HlSystem *other_sys = compile (other);
      double t = times[round % 3];
      Parts want = parts_of (sys, t), got = parts_of (other_sys, t);
      g_assert_cmpint (got.status, ==, HL_OK);
      sort_parts (&got, other_sys);
      g_assert_true (are_near (&got, &want));
      parts_clear (&want);
      parts_clear (&got);
      hl_system_unref (other_sys);
      hl_document_unref (other);
    }
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* The blame does not depend on the order either, as long as it is one element that is too many. */
static void
test_blame_order (void)
{
  HlDocument *doc = load ("metering-arm.hydrolink");
  g_autofree char *id = add_component (&doc, "throttle", numbers ("area", 1e-5, "Cd", 0.6, NULL));
  g_autofree char *port_a = g_strconcat (id, ".A", NULL), *port_b = g_strconcat (id, ".B", NULL);

  connect_ports (&doc, port_a, "C");
  connect_ports (&doc, port_b, "Tline");
  for (int round = 0; round < 20; round++) {
    HlDocument *other = shuffled_document (doc);
    HlSystem *sys = compile (other);
    Parts parts = parts_of (sys, 0.0);
    g_assert_cmpint (parts.misfit.kind, ==, HL_MISFIT_EXTRA);
    g_assert_cmpstr (parts.culprit, ==, id);
    g_assert_cmpstr (hl_system_entity_id (sys, HL_ENTITY_LINE, parts.misfit.line), ==, "C");
    parts_clear (&parts);
    hl_system_unref (sys);
    hl_document_unref (other);
  }
  hl_document_unref (doc);
}

/* ---- what is wrong with the whole ---- */

static void
assert_misfit (HlDocument *doc, HlMisfitKind kind, const char *culprit)
{
  HlSystem *sys = compile (doc);
  Parts parts = parts_of (sys, 0.0);

  g_assert_cmpint (parts.status, ==, HL_BAD_MODEL);
  g_assert_cmpstr (hl_misfit_text (parts.misfit.kind), ==, hl_misfit_text (kind));
  g_assert_cmpstr (parts.culprit, ==, culprit);
  parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

static HlDocument *
load_without (const char *name, const char *id)
{
  g_autoptr (GError) error = NULL;
  HlDocument *doc = load (name);
  const char *const ids[] = {id, NULL};
  HlDocument *next = hl_edit_remove (doc, ids, &error);

  become (&doc, next, error);
  return doc;
}

static HlDocument *
load_with (const char *name, const char *path, double value)
{
  HlDocument *doc = load (name);
  set_number (&doc, path, value);
  return doc;
}

static void
test_misfits (void)
{
  const char *arm = "metering-arm.hydrolink";

  assert_misfit (load_without (arm, "pump_relief"), HL_MISFIT_NO_PUMP_LIMIT, "pump");
  HlDocument *dry = load_without (arm, "tank");
  set_number (&dry, "Tline.volume", 1e-3);
  assert_misfit (dry, HL_MISFIT_NO_TANK, NULL);
  assert_misfit (load_with (arm, "cyl.leakage", 1e-13), HL_MISFIT_LEAKAGE, "cyl");

  /* a drawing cannot say this, a slider can */
  HlDocument *doc = load ("regeneration-arm-ua05.hydrolink");
  HlSystem *sys = compile (doc);
  sys->cylinders[0].area_b = 1.01 * sys->cylinders[0].area_a;
  Parts parts = parts_of (sys, 0.0);
  g_assert_cmpint (parts.misfit.kind, ==, HL_MISFIT_SMALL_HEAD);
  g_assert_cmpstr (parts.culprit, ==, "regen");
  parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

/* Missing valves are shut, missing relief valves never open, and the pump may bring its own. */
static void
test_missing (void)
{
  static const char *const missing[] = {"bleed", "ph",          "pr",         "th",
                                        "tr",    "head_relief", "rod_relief", "head_suction"};

  for (gsize k = 0; k < G_N_ELEMENTS (missing); k++) {
    HlDocument *doc = load ("metering-arm.hydrolink");
    HlDocument *less = load_without ("metering-arm.hydrolink", missing[k]);
    HlSystem *sys = compile (doc), *less_sys = compile (less);
    Parts want = parts_of (sys, 4.0), got = parts_of (less_sys, 4.0);

    g_assert_cmpint (got.status, ==, HL_OK);
    HlActuator *actuator = &want.actuators[0];
    double *shut[] = {&want.pumps[0].Ub, &actuator->ph, &actuator->pr, &actuator->th,
                      &actuator->tr};
    if (k < G_N_ELEMENTS (shut))
      *shut[k] = 0.0;
    actuator->PhM = strcmp (missing[k], "head_relief") == 0 ? INFINITY : actuator->PhM;
    actuator->PrM = strcmp (missing[k], "rod_relief") == 0 ? INFINITY : actuator->PrM;
    g_assert_true (are_near (&got, &want));
    parts_clear (&want);
    parts_clear (&got);
    hl_system_unref (sys);
    hl_system_unref (less_sys);
    hl_document_unref (doc);
    hl_document_unref (less);
  }
  HlDocument *doc = load_without ("metering-arm.hydrolink", "pump_relief");
  set_number (&doc, "pump.relief_pressure", 2.0e7);
  set_number (&doc, "tank.pressure", 1.0e5);
  HlSystem *sys = compile (doc);
  Parts parts = parts_of (sys, 0.0);
  g_assert_cmpint (parts.status, ==, HL_OK);
  hl_assert_near (parts.pumps[0].PM, 2.0e7 - 1.0e5, 1e-15, 0.0);
  parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recognize/extra/two-ports", test_two_ports);
  g_test_add_func ("/recognize/extra/one-port", test_one_ports);
  g_test_add_func ("/recognize/extra/cylinder", test_cylinders);
  g_test_add_func ("/recognize/order", test_order);
  g_test_add_func ("/recognize/order-of-blame", test_blame_order);
  g_test_add_func ("/recognize/misfits", test_misfits);
  g_test_add_func ("/recognize/missing", test_missing);
  return g_test_run ();
}
