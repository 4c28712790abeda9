/* SPDX-License-Identifier: MIT */
/* Recognition of the quasistatic pattern: one element more at every place of every example must be
 * refused, by its own name, or add exactly what the pattern says. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "tests/support/hl-recognition-model.h"
#include "tests/support/hl-test.h"

static const char *const examples[] = {"metering-arm.hydrolink", "regeneration-arm-ua05.hydrolink",
                                       "two-arms-2.hydrolink"};

static HlValue *with_truth (HlValue *object, const char *name) {
  HlValue *next = hl_value_with_member (object, name, hl_value_new_boolean (TRUE));
  hl_value_unref (object);
  return next;
}

/* Role of a line in the pattern, by its name in the examples: P, C, H, R or T, and the arm. */
typedef struct {
  char place;
  int arm; /* -1 for P and T */
} Place;

static Place place_of (const char *line) {
  bool is_common = line[0] == 'P' || line[0] == 'T';
  int arm = strlen (line) > 1 && !is_common ? line[1] - '1' : 0;

  return (Place){line[0], is_common ? -1 : arm};
}

/* The number that an additional way changes, and by how much. */
typedef enum {
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
static Effect effect_of_orifice (Place a, Place b) {
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
static Effect effect_of_one_way (Place a, Place b) {
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
static Effect effect_of_check (Place a, Place b) {
  if (a.place == 'T' && strchr ("PHR", b.place) != NULL)
    return NOTHING;
  return a.place == 'P' && b.place == 'C' ? NOTHING : REFUSED;
}

static Effect effect_of_limit (Place a, Place b) {
  if (a.place == 'T' && strchr ("PHR", b.place) != NULL)
    return NOTHING;
  if (b.place != 'T')
    return REFUSED;
  return a.place == 'P' ? PUMP_LIMIT : a.place == 'H' ? HEAD_LIMIT : a.place == 'R' ? ROD_LIMIT : REFUSED;
}

/* A pipe makes the two lines one. */
static Effect effect_of_pipe (Place a, Place b) {
  bool pump_to_tank = (a.place == 'P' && b.place == 'T') || (a.place == 'T' && b.place == 'P');
  return pump_to_tank ? NO_PUMP : REFUSED;
}

#define EXTRA_CONDUCTANCE 1.0e-6 /* m^3/s/sqrt Pa: area below */
#define EXTRA_LIMIT 1.0e6        /* below all others */

/* HlTestParts with the effect of one more way at an arm. */
static HlTestParts expected_parts (const HlTestParts *before, Effect effect, int arm) {
  HlTestParts after = *before;
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

typedef struct {
  const char *kind;
  const char *second; /* its second port */
  Effect (*effect) (Place a, Place b);
} TwoPort;

static HlValue *properties_of (const TwoPort *extra, const HlDocument *doc) {
  double density = hl_document_object_number (doc, HL_SECTION_FLUID, "density");
  double area = EXTRA_CONDUCTANCE / (0.5 * sqrt (2.0 / density));

  if (strcmp (extra->kind, "pipe") == 0)
    return hl_test_parts_numbers ("length", 2.0, "diameter", 0.01, NULL);
  if (strcmp (extra->kind, "throttle") == 0)
    return hl_test_parts_numbers ("Cd", 0.5, "area", area, NULL);
  if (strcmp (extra->kind, "metering-valve") == 0)
    return with_truth (hl_test_parts_numbers ("Cd", 0.5, "area", area, "opening", 1.0, NULL), "one_way");
  if (strcmp (extra->kind, "relief-valve") == 0)
    return hl_test_parts_numbers ("pressure", EXTRA_LIMIT, "area", 1e-4, "Cd", 0.6, NULL);
  if (extra->effect == effect_of_limit)
    return hl_test_parts_numbers ("cracking_pressure", EXTRA_LIMIT, "area", 1e-4, "Cd", 0.6, NULL);
  return hl_test_parts_numbers ("area", 1e-4, "Cd", 0.6, NULL);
}

static const TwoPort two_ports[] = {
    {"throttle", "B", effect_of_orifice},   {"metering-valve", "B", effect_of_one_way},
    {"check-valve", "B", effect_of_check},  {"check-valve", "B", effect_of_limit},
    {"relief-valve", "T", effect_of_limit}, {"pipe", "B", effect_of_pipe},
};

/* Adds the element between two lines and judges what becomes of it. */
static void try_two_port (const HlDocument *doc, const HlTestParts *before, const TwoPort *extra, int a,
                          int b) {
  const char *line_a = hl_document_element_id (doc, HL_SECTION_LINES, a);
  const char *line_b = hl_document_element_id (doc, HL_SECTION_LINES, b);
  Place place_a = place_of (line_a), place_b = place_of (line_b);
  HlDocument *changed = hl_document_ref (doc);
  g_autofree char *id = hl_test_parts_add (&changed, extra->kind, properties_of (extra, doc));
  g_autofree char *port_a = g_strconcat (id, ".A", NULL);
  g_autofree char *port_b = g_strconcat (id, ".", extra->second, NULL);

  hl_test_parts_connect (&changed, port_a, line_a);
  hl_test_parts_connect (&changed, port_b, line_b);
  HlSystem *sys = hl_test_parts_compile (changed);
  g_assert_nonnull (sys);
  HlTestParts after = hl_test_parts_find (sys, 0.0);
  Effect effect = extra->effect (place_a, place_b);
  bool ends_on_tank =
      (place_a.place == 'C' && place_b.place == 'T') || (place_a.place == 'T' && place_b.place == 'C');
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
    HlTestParts wanted = expected_parts (before, effect, arm);
    if (after.status != HL_OK)
      g_error ("%s from %s to %s was refused: %s %s", extra->kind, line_a, line_b, after.culprit,
               hl_misfit_text (after.misfit.kind));
    if (!hl_test_parts_near (&after, &wanted))
      g_error ("%s from %s to %s: wrong parts", extra->kind, line_a, line_b);
  }
  hl_test_parts_clear (&after);
  hl_system_unref (sys);
  hl_document_unref (changed);
}

static void test_two_ports (void) {
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = hl_test_example (examples[e]);
    HlSystem *sys = hl_test_parts_compile (doc);
    HlTestParts before = hl_test_parts_find (sys, 0.0);
    int n = hl_document_n_elements (doc, HL_SECTION_LINES);

    g_assert_cmpint (before.status, ==, HL_OK);
    for (gsize k = 0; k < G_N_ELEMENTS (two_ports); k++)
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
          if (a != b)
            try_two_port (doc, &before, &two_ports[k], a, b);
    hl_test_parts_clear (&before);
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* Elements of one port: an additional pump, tank, pressure source or accumulator. */
static void try_one_port (const HlDocument *doc, const HlTestParts *before, const char *kind,
                          const char *port, HlValue *members, int line) {
  const char *line_id = hl_document_element_id (doc, HL_SECTION_LINES, line);
  bool on_tank = line_id[0] == 'T';
  HlDocument *changed = hl_document_ref (doc);
  g_autofree char *id = hl_test_parts_add (&changed, kind, members);
  g_autofree char *port_id = g_strconcat (id, ".", port, NULL);

  hl_test_parts_connect (&changed, port_id, line_id);
  HlSystem *sys = hl_test_parts_compile (changed);
  if (sys == NULL) {
    /* two given pressures on one line: the check of the drawing says so */
    g_assert_true (on_tank);
    hl_document_unref (changed);
    return;
  }
  HlTestParts after = hl_test_parts_find (sys, 0.0);
  if (on_tank) {
    g_assert_cmpint (after.status, ==, HL_OK);
    g_assert_true (hl_test_parts_near (&after, before));
  } else if (strcmp (kind, "tank") == 0 && (line_id[0] == 'P' || (line_id[0] == 'C' && before->n == 1))) {
    /* the pump feeds the tank, and nothing else; behind the check valve that is no part of the
     * pattern when another cylinder hangs on the pump */
    HlTestParts wanted = expected_parts (before, NO_PUMP, -1);
    g_assert_cmpint (after.status, ==, HL_OK);
    g_assert_true (hl_test_parts_near (&after, &wanted));
  } else {
    if (after.status == HL_OK || g_strcmp0 (after.culprit, id) != 0)
      g_error ("%s on %s: %s", kind, line_id, after.culprit);
  }
  hl_test_parts_clear (&after);
  hl_system_unref (sys);
  hl_document_unref (changed);
}

static void test_one_ports (void) {
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = hl_test_example (examples[e]);
    HlSystem *sys = hl_test_parts_compile (doc);
    HlTestParts before = hl_test_parts_find (sys, 0.0);

    for (int line = 0; line < hl_document_n_elements (doc, HL_SECTION_LINES); line++) {
      try_one_port (doc, &before, "flow-source", "P", hl_test_parts_numbers ("flow", 1e-3, NULL), line);
      try_one_port (doc, &before, "tank", "T", hl_test_parts_numbers ("pressure", 1e5, NULL), line);
      try_one_port (doc, &before, "pressure-source", "P", hl_test_parts_numbers ("pressure", 1e6, NULL),
                    line);
      try_one_port (doc, &before, "accumulator", "A",
                    hl_test_parts_numbers ("volume", 1e-3, "precharge", 1e6, NULL), line);
    }
    hl_test_parts_clear (&before);
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* A second cylinder on lines of the first one is always one too many. */
static void test_cylinders (void) {
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = hl_test_example (examples[e]);
    int n = hl_document_n_elements (doc, HL_SECTION_LINES);

    for (int a = 0; a < n; a++)
      for (int b = 0; b <= n; b++) {
        HlDocument *changed = hl_document_ref (doc);
        HlValue *members =
            hl_test_parts_numbers ("piston_area", 0.02, "rod_side_area", 0.01, "stroke", 3.0, NULL);
        const char *base = e == 2 ? "ground.base1" : "ground.base";
        const char *rod = e == 2 ? "arm1.rod" : "arm.rod";
        HlValue *with_base = hl_value_with_member (members, "base", hl_value_new_string (base));
        HlValue *with_both = hl_value_with_member (with_base, "rod", hl_value_new_string (rod));
        hl_value_unref (members);
        hl_value_unref (with_base);
        g_autofree char *id = hl_test_parts_add (&changed, "cylinder", with_both);
        g_autofree char *port_a = g_strconcat (id, ".A", NULL);
        g_autofree char *port_b = g_strconcat (id, ".B", NULL);
        hl_test_parts_connect (&changed, port_a, hl_document_element_id (doc, HL_SECTION_LINES, a));
        if (b < n)
          hl_test_parts_connect (&changed, port_b, hl_document_element_id (doc, HL_SECTION_LINES, b));
        HlSystem *sys = hl_test_parts_compile (changed);
        g_assert_nonnull (sys);
        HlTestParts after = hl_test_parts_find (sys, 0.0);
        g_assert_cmpint (after.status, !=, HL_OK);
        g_assert_cmpstr (after.culprit, ==, id);
        hl_test_parts_clear (&after);
        hl_system_unref (sys);
        hl_document_unref (changed);
      }
    hl_document_unref (doc);
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit-recognition/extra/two-ports", test_two_ports);
  g_test_add_func ("/circuit-recognition/extra/one-port", test_one_ports);
  g_test_add_func ("/circuit-recognition/extra/cylinder", test_cylinders);
  return g_test_run ();
}
