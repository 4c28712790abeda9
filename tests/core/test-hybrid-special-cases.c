/* SPDX-License-Identifier: MIT */
/* Special cases of the incompressible network: invalid tables, modes of linkages with dependent coordinates, and the
 * named element when a run exceeds its steps. */
#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/hybrid/hl-hybrid-network.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* A pipe from a junction to a tank, a piston at the junction, and a way without inertia. */
typedef struct {
  bool is_fixed[2];
  HlHybridLine line;
  HlHybridCylinder cylinder;
  HlHybridChamber chamber;
  HlHybridEdge edge;
  HlHybridTables tables;
} Small;

static void small_fill (Small *small) {
  *small = (Small){.is_fixed = {false, true},
                   .line = {.kind = HL_HYBRID_VALVE,
                            .from_node = 0,
                            .to_node = 1,
                            .inertia = 1e7,
                            .loss_linear = 1e6,
                            .loss_quadratic = 1e10,
                            .valve_loss = 1e10,
                            .min_opening = 1e-3,
                            .crack_pressure = 0.0},
                   .cylinder = {.stroke_min = 0.0, .stroke_max = 1.0},
                   .chamber = {.cylinder = 0, .node = 0, .area = 1e-3},
                   .edge = {.from_node = -1, .to_node = 0}};
  small->tables = (HlHybridTables){.n_nodes = 2,
                                   .n_lines = 1,
                                   .n_cylinders = 1,
                                   .n_chambers = 1,
                                   .n_mech = 1,
                                   .n_edges = 1,
                                   .node_is_fixed = small->is_fixed,
                                   .lines = &small->line,
                                   .cylinders = &small->cylinder,
                                   .chambers = &small->chamber,
                                   .edges = &small->edge};
}

/* Each flaw alone is refused and its table named; without one there is a network. */
static void test_flaws (void) {
  enum { N_FLAWS = 26 };
  int n = 0;

  for (int flaw = 0; flaw <= N_FLAWS; flaw++) {
    Small s;
    HlFault fault = {.entity = -1, .time = NAN};
    HlEntityKind kind = HL_ENTITY_LINE;
    int entity = 0;

    small_fill (&s);
    switch (flaw) {
    case 0:
      break;
    case 1:
      s.line.from_node = -1;
      break;
    case 2:
      s.line.from_node = 2;
      break;
    case 3:
      s.line.to_node = -1;
      break;
    case 4:
      s.line.to_node = 2;
      break;
    case 5:
      s.line.inertia = 0.0;
      break;
    case 6:
      s.line.inertia = NAN;
      break;
    case 7:
      s.line.inertia = INFINITY;
      break;
    case 8:
      s.line.loss_linear = -1.0;
      break;
    case 9:
      s.line.loss_linear = NAN;
      break;
    case 10:
      s.line.loss_quadratic = -1.0;
      break;
    case 11:
      s.line.loss_quadratic = INFINITY;
      break;
    case 12:
      s.line.valve_loss = -1.0;
      break;
    case 13:
      s.line.valve_loss = NAN;
      break;
    case 14:
      s.line.min_opening = 0.0;
      break;
    case 15:
      s.line.crack_pressure = NAN;
      break;
    case 16:
      s.cylinder.stroke_max = 0.0;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 17:
      s.cylinder.stroke_min = NAN;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 18:
      s.chamber.cylinder = -1;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 19:
      s.chamber.cylinder = 1;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 20:
      s.chamber.node = -1;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 21:
      s.chamber.node = 2;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 22:
      s.chamber.area = NAN;
      kind = HL_ENTITY_COMPONENT;
      break;
    case 23:
      s.edge.from_node = 2;
      kind = HL_ENTITY_NONE;
      entity = -1;
      break;
    case 24:
      s.edge.to_node = 2;
      kind = HL_ENTITY_NONE;
      entity = -1;
      break;
    case 25:
      s.line.valve_loss = 0.0;
      s.line.min_opening = 0.0;
      break; /* none: no valve */
    case N_FLAWS:
      s.tables.n_edges = 1 << 20;
      kind = HL_ENTITY_NONE;
      entity = -1;
      break;
    default:
      break;
    }
    HlHybridNetwork *net = hl_hybrid_network_new (&s.tables, &fault);
    if ((net != NULL) != (flaw == 0 || flaw == 25))
      g_error ("flaw %d", flaw);
    if (net == NULL) {
      g_assert_cmpint (fault.status, ==, HL_BAD_MODEL);
      g_assert_cmpint (fault.entity_kind, ==, kind);
      g_assert_cmpint (fault.entity, ==, entity);
      n++;
    }
    hl_hybrid_network_free (net);
  }
  g_assert_cmpint (n, ==, N_FLAWS - 1);
  hl_hybrid_inputs_free (NULL);
}

/* W^T alpha = 0: whatever the independent speeds are, every constraint of the mode holds. With the
 * pistons at stops and paths shut that the caller names, and as the run begins. */
static void test_modes_of_linkages (void) {
  static const char *const names[] = {"four-bar.hydrolink",
                                      "excavator-arm.hydrolink",
                                      "scissor-lift.hydrolink",
                                      "hybrid-two-cylinders.hydrolink",
                                      "hybrid-regeneration.hydrolink",
                                      "regenerative-extension.hydrolink"};
  int n_products = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    HlTestModel model = hl_test_model_load (names[k]);
    for (int what = -1; what < 3 * model.sys->n_components; what++) {
      HlFault fault = {.entity = -1, .time = NAN};
      int closed = what / 3;
      HlHybridStop stop = {.component = closed, .upper = what % 2 == 0};
      /* shut, at a stop, neither (all of them are the same) */
      HlHybridChoice choice = {
          .closed = &closed, .n_closed = what % 3 == 0, .stops = &stop, .n_stops = what % 3 == 1};
      HlHybridModeReport *mode =
          hl_hybrid_mode_report_new (model.sys, NULL, what < 0 ? NULL : &choice, &fault);
      if (mode == NULL) {
        g_assert_cmpint (fault.status, !=, HL_OK);
        continue;
      }
      bool is_whole = strcmp (mode->status, "infeasible") != 0;
      for (int column = 0; is_whole && column < mode->n_constraints; column++)
        for (int free = 0; free < mode->n_free; free++) {
          double sum = 0.0, size = 0.0;
          for (int i = 0; i < mode->n_states; i++) {
            double part = mode->W[i + mode->n_states * column] * mode->alpha[i + mode->n_states * free];
            sum += part;
            size += fabs (part);
          }
          hl_assert_near (sum, 0.0, 0.0, 1e-10 * size);
          n_products++;
        }
      hl_hybrid_mode_report_free (mode);
    }
    hl_test_model_clear (&model);
  }
  g_test_message ("%d products", n_products);
  g_assert_cmpint (n_products, >, 100);
}

/* ---- reason of many steps ---- */

#define REST                                                                                                 \
  " {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"                                                        \
  " {'id': 'still', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6},"                          \
  " {'id': 'other', 'kind': 'tank', 'pressure': 1e5}"
#define REST_LINES "{'id': 'T', 'ports': ['tank.T', 'still.A']}, {'id': 'U', 'ports': ['other.T', 'still.B']}"
#define END                                                                                                  \
  " 'simulation': {'t_end': 100, 'every': 1, 'model': 'hybrid', 'start': 'as-given',"                        \
  "   'max_steps': 200}}"

/* Swings on a stiff spring beside a pipe in which nothing flows. */
static const char swinging[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'calm', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, "
    "0]},"
    "  {'id': 'bob', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [1.2, 0, 0]}],"
    " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'bob.P', 'axis': 0},"
    "  {'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'calm.P'}],"
    " 'loads': [{'id': 'k', 'kind': 'spring', 'a': 'ground.O', 'b': 'bob.P', 'stiffness': 1e6,"
    "   'free_length': 1}],"
    " 'components': [" REST "], 'lines': [" REST_LINES "]," END;

#define CALM                                                                                                 \
  "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"            \
  " 'bodies': [{'id': 'calm', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, "             \
  "0]}],"                                                                                                    \
  " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'calm.P'}],"

/* Oil that swings between two accumulators. */
static const char tube[] =
    CALM " 'components': [" REST ", {'id': 'left', 'kind': 'accumulator', 'volume': 1e-3,"
         "   'precharge': 1e6}, {'id': 'right', 'kind': 'accumulator', 'volume': 1e-3,"
         "   'precharge': 1e6}, {'id': 'tube', 'kind': 'pipe', 'length': 1, 'area': 1e-3,"
         "   'resistance': 1e6}],"
         " 'lines': [" REST_LINES ", {'id': 'A', 'ports': ['left.A', 'tube.A'], 'pressure': 3e6},"
         "  {'id': 'B', 'ports': ['tube.B', 'right.A'], 'pressure': 2e6}]," END;

/* A spool that follows a fast command, with tanks at both sides. */
static const char spool[] =
    CALM " 'components': [" REST ", {'id': 'valve', 'kind': 'directional-valve', 'form': '2/2',"
         "   'Cv': 1e-6, 'time_constant': 1e-3, 'command': {'kind': 'sine', 'amplitude': 0.5,"
         "   'offset': 0.5, 'frequency_hz': 1000}}, {'id': 'p2', 'kind': 'pipe', 'length': 1,"
         "   'area': 1e-3, 'resistance': 1e6}, {'id': 'third', 'kind': 'tank', 'pressure': 1e5},"
         "  {'id': 'fourth', 'kind': 'tank', 'pressure': 1e5}],"
         " 'lines': [" REST_LINES ", {'id': 'V', 'ports': ['third.T', 'valve.P']},"
         "  {'id': 'W', 'ports': ['valve.A', 'p2.A']}, {'id': 'X', 'ports': ['p2.B', 'fourth.T']}]," END;

static void test_who_needs_the_steps (void) {
  static const struct {
    const char *drawing, *names[4];
  } machines[] = {{swinging, {"bob"}}, {tube, {"tube", "A", "B"}}, {spool, {"valve"}}};

  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *text = g_strdelimit (g_strdup (machines[k].drawing), "'", '"');
    HlTestModel model = hl_test_model_from_text (text);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    HlFault fault = {.entity = -1, .time = NAN};
    bool is_named = false;

    g_assert_cmpint (hl_simulate (model.sys, &options, NULL, &fault), ==, HL_OUT_OF_STEPS);
    const char *id = hl_system_entity_id (model.sys, fault.entity_kind, fault.entity);
    for (int i = 0; i < 4 && machines[k].names[i] != NULL; i++)
      is_named = is_named || g_strcmp0 (id, machines[k].names[i]) == 0;
    g_test_message ("%s of kind %d", id, (int)fault.entity_kind);
    if (!is_named)
      g_error ("‘%s’ is named, not what moves (%s)", id, machines[k].names[0]);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-special-cases/flaws", test_flaws);
  g_test_add_func ("/hybrid-special-cases/modes-of-linkages", test_modes_of_linkages);
  g_test_add_func ("/hybrid-special-cases/who-needs-the-steps", test_who_needs_the_steps);
  return g_test_run ();
}
