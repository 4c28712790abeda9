/* SPDX-License-Identifier: MIT */
/* A body and a line in words. The body is evaluated as a mechanism of one body; the compliance of a line, of its oil,
 * hoses, air and vapour, comes from the functions that the lumped model sums. */
#include "core/help/hl-help-element-laws.h"

#include <math.h>

#include "core/base/hl-status-codes.h"
#include "core/document/hl-document.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-fluid.h"
#include "core/schema/hl-element-schema.h"
#include "core/mech/hl-mechanism-tables.h"

/* ---- body ---- */

enum { MASS, INERTIA, X_C, Y_C, PSI, V_X, V_Y, OMEGA, G_X, G_Y };
enum {
  GIVES_FX,
  GIVES_FY,
  GIVES_MOMENT,
  GIVES_INERTIA, /* about the origin of its frame */
  GIVES_ENERGY
};

static void body_look (const HlHelpSight *sight, double x[]) {
  static const char *const names[] = {[PSI] = "angle", [V_X] = "vx", [V_Y] = "vy", [OMEGA] = "omega"};
  const HlValue *com = hl_value_member (sight->element, "com");
  double gravity[2];

  for (int k = PSI; k <= OMEGA; k++)
    x[k] = sight->id != NULL ? hl_sight_read (sight, sight->id, names[k]) : 0.0;
  x[X_C] = com != NULL ? hl_value_number (hl_value_item (com, 0)) : 0.0;
  x[Y_C] = com != NULL ? hl_value_number (hl_value_item (com, 1)) : 0.0;
  hl_document_gravity (sight->document, gravity);
  x[G_X] = gravity[0];
  x[G_Y] = gravity[1];
}

static double body_law (const double x[], int gives, double d[]) {
  HlBody body = {.mass = x[MASS], .inertia = x[INERTIA], .com = {x[X_C], x[Y_C]}};
  HlMechanism mech = {.n_bodies = 1, .bodies = &body, .gravity = {x[G_X], x[G_Y]}};
  HlFrame frames[] = {hl_help_frame (0.0, 0.0, 0.0), hl_help_frame (0.0, 0.0, x[PSI])};
  const double turn[3] = {0.0, 0.0, 1.0}, v[3] = {x[V_X], x[V_Y], x[OMEGA]};
  double q[3], column[3], by_angle[3] = {0.0}, momentum[3];

  hl_mechanism_set_velocities (&mech, v, frames);
  hl_body_mass_times (&body, &frames[1], turn, column);
  hl_body_mass_times (&body, &frames[1], v, momentum);
  if (gives == GIVES_INERTIA)
    return column[2];
  if (gives == GIVES_ENERGY) {
    for (int k = 0; k < 3; k++)
      d[V_X + k] = momentum[k];
    return hl_mechanism_kinetic_energy (&mech, frames);
  }
  hl_mechanism_forces (&mech, frames, NULL, q, NULL);
  hl_body_force_tangent (&body, mech.gravity, &frames[1], turn, (const double[3]){0.0}, by_angle);
  d[PSI] = by_angle[gives];
  return q[gives];
}

static void body_range (const double x[], int curve, double *low, double *high) {
  if (curve == 0)
    return;
  *high = fmax (*high, 1.2 * fabs (x[OMEGA]));
  *low = -*high;
}

/* ---- line ---- */

enum {
  PRESSURE,
  HOSE, /* volume */
  BULK,
  WALL,   /* modulus; infinite: rigid */
  BESIDE, /* volume of chambers and pipes at it */
  SOFT,   /* compliance of these and of accumulators */
  AIR,    /* fraction */
  ONSET,
  REFERENCE,
  INFLOW,
  AIR_PRESSURE,
  AIR_EXPONENT
};
enum { GIVES_AIR, GIVES_VAPOUR, GIVES_COMPLIANCE, GIVES_RATE };

static double line_law (const double x[], int gives, double d[]) {
  double by_air, by_vapour;
  double air = hl_gas_compliance (x[AIR], x[AIR_PRESSURE], x[AIR_EXPONENT], x[PRESSURE], &by_air);
  double vapour = hl_pocket_compliance (x[REFERENCE], x[ONSET], x[PRESSURE], &by_vapour);
  double compliance =
      x[HOSE] * (1.0 / x[BULK] + 1.0 / x[WALL]) + x[SOFT] + (x[HOSE] + x[BESIDE]) * air + vapour;
  double slope = (x[HOSE] + x[BESIDE]) * by_air + by_vapour;

  switch (gives) {
  case GIVES_AIR:
    d[PRESSURE] = by_air;
    return air;
  case GIVES_VAPOUR:
    d[PRESSURE] = by_vapour;
    return vapour;
  case GIVES_COMPLIANCE:
    d[PRESSURE] = slope;
    return compliance;
  default:
    d[PRESSURE] = -x[INFLOW] / (compliance * compliance) * slope;
    d[INFLOW] = 1.0 / compliance;
    return x[INFLOW] / compliance;
  }
}

/* Adds a chamber of a cylinder at its present length; a chamber behind a cushion has a pressure of its own. */
static void add_chamber (const HlHelpSight *sight, const HlComponent *c, const char *id, int port,
                         double x[]) {
  const HlCylinder *cyl = c->self;
  double s = hl_sight_read (sight, id, hl_cylinder_terms (c->klass->is_rotary)->place_output);
  double area = port == 0 ? cyl->area_a : cyl->area_b;
  double length = port == 0 ? hl_cylinder_length_a (cyl, s) : hl_cylinder_length_b (cyl, s);
  double volume = area * fmax (length, 0.0);

  if (cyl->no_chambers || port > 1 || cyl->cushion_state[port] >= 0 || !isfinite (volume))
    return;
  x[BESIDE] += volume;
  x[SOFT] += volume * (1.0 / x[BULK] + (cyl->wall_modulus > 0.0 ? 1.0 / cyl->wall_modulus : 0.0));
  x[REFERENCE] += area * cyl->stroke;
}

static void add_component (const HlHelpSight *sight, int component, int port, const HlFluid *oil,
                           double x[]) {
  const HlValue *element = hl_document_element (sight->document, HL_SECTION_COMPONENTS, component);
  const HlComponentClass *klass =
      hl_component_class (hl_document_element_kind_name (sight->document, HL_SECTION_COMPONENTS, component));
  double volume = 0.0, compliance = 0.0;
  HlStored now, empty;

  if (klass == NULL)
    return;
  g_autofree void *self = g_malloc0 (klass->size + 1);
  HlComponent c = {.klass = klass, .self = self, .cylinder = -1};
  for (int k = 0; k < HL_MOST_PORTS; k++)
    c.node[k] = c.line[k] = k;
  for (int k = 0; k < HL_MOST_COMMANDS; k++)
    c.signal[k] = -1;
  hl_component_read (&c, element);
  hl_component_derive (&c, oil);
  hl_component_count (&c);
  if (klass->is_cylinder)
    add_chamber (sight, &c, hl_document_element_id (sight->document, HL_SECTION_COMPONENTS, component), port,
                 x);
  if (klass->hose != NULL)
    klass->hose (&c, port, &volume, &compliance);
  x[BESIDE] += volume;
  x[REFERENCE] += volume;
  x[SOFT] += compliance;
  if (klass->store == NULL || port != 0)
    return;
  klass->store (&c, x[PRESSURE], HL_PIECE_BY_STATE, &now);
  klass->store (&c, 0.0, HL_PIECE_BY_STATE, &empty);
  x[SOFT] += now.compliance;
  x[REFERENCE] += empty.gas_volume;
}

static void line_look (const HlHelpSight *sight, double x[]) {
  const HlValue *ports = hl_value_member (sight->element, "ports");
  HlFluid oil = hl_fluid_read (sight->document);
  double unused[HL_MOST_VALUES];

  if (sight->id != NULL)
    x[PRESSURE] = hl_sight_read (sight, sight->id, "pressure");
  x[BULK] = oil.bulk_modulus;
  x[AIR] = oil.air_fraction;
  x[ONSET] = hl_fluid_onset (&oil);
  x[WALL] = x[WALL] > 0.0 ? x[WALL] : INFINITY;
  x[BESIDE] = x[SOFT] = 0.0;
  x[REFERENCE] = x[HOSE];
  x[INFLOW] = NAN;
  for (gsize k = 0; k < hl_value_length (ports); k++) {
    int component, port;
    if (hl_document_resolve_port (sight->document, hl_value_string (hl_value_item (ports, k)), &component,
                                  &port, NULL))
      add_component (sight, component, port, &oil, x);
  }
  /* compliance of components joined to it by joints that are one line with it */
  double whole = sight->id != NULL ? hl_sight_own (sight, "compliance", NAN) : NAN;
  if (whole > 0.0)
    x[SOFT] += whole - line_law (x, GIVES_COMPLIANCE, unused);
}

/* ---- words ---- */

/* clang-format off */
#define GIVES(what) {HL_GIVES_VALUE, GIVES_##what}

static const HlLetter body_letters[] = {
  HL_LET_FIELD ("m", MASS, "mass"),
  HL_LET_FIELD ("J", INERTIA, "inertia"),
  HL_LET_VALUE ("x_c", X_C, LENGTH, HL_TEXT ("Centre of mass in the body's frame, x")),
  HL_LET_VALUE ("y_c", Y_C, LENGTH, HL_TEXT ("Centre of mass in the body's frame, y")),
  HL_LET_VALUE ("psi", PSI, ANGLE, HL_TEXT ("Angle of the body")),
  HL_LET_VALUE ("v_x", V_X, SPEED, HL_TEXT ("Speed of its origin, x")),
  HL_LET_VALUE ("v_y", V_Y, SPEED, HL_TEXT ("Speed of its origin, y")),
  HL_LET_VALUE ("omega", OMEGA, ANGULAR_SPEED, HL_TEXT ("Angular speed of the body")),
  HL_LET_VALUE ("g_x", G_X, ACCELERATION, HL_TEXT ("Gravity, x")),
  HL_LET_VALUE ("g_y", G_Y, ACCELERATION, HL_TEXT ("Gravity, y")),
};
static const HlFormulaText body_formulas[] = {
  {"a_x = x_c cos(psi) - y_c sin(psi)"},
  {"a_y = x_c sin(psi) + y_c cos(psi)"},
  {"Q_x = m (g_x + a_x omega^2)", GIVES (FX)},
  {"Q_y = m (g_y + a_y omega^2)", GIVES (FY)},
  {"Q_psi = m (a_x g_y - a_y g_x)", GIVES (MOMENT)},
  {"J_0 = J + m (x_c^2 + y_c^2)", GIVES (INERTIA)},
  {"E = m / 2 ((v_x - a_y omega)^2 + (v_y + a_x omega)^2) + J / 2 omega^2", GIVES (ENERGY)},
};
static const HlCurve body_curves[] = {
  {HL_TEXT ("Moment of its weight over the angle"), HL_LET_VALUE ("psi", PSI, ANGLE, NULL), "Q_psi", HL_QUANTITY_TORQUE, GIVES (MOMENT), .low = -3.14159265, .high = 3.14159265},
  {HL_TEXT ("Kinetic energy over angular speed"), HL_LET_VALUE ("omega", OMEGA, ANGULAR_SPEED, NULL), "E", HL_QUANTITY_ENERGY, GIVES (ENERGY), .low = -5.0, .high = 5.0},
};

static const HlLetter line_letters[] = {
  HL_LET_VALUE ("p", PRESSURE, PRESSURE, HL_TEXT ("Pressure of the line")),
  HL_LET_FIELD ("V_h", HOSE, "volume"),
  HL_LET_VALUE ("B", BULK, MODULUS, HL_TEXT ("Bulk modulus of the oil")),
  HL_LET_FIELD ("B_w", WALL, "wall_modulus"),
  HL_LET_VALUE ("V_c", BESIDE, VOLUME, HL_TEXT ("Oil in the chambers and pipes of the line")),
  HL_LET_VALUE ("C_c", SOFT, COMPLIANCE, HL_TEXT ("Compliance of the chambers, pipes and accumulators")),
  HL_LET_VALUE ("phi", AIR, NONE, HL_TEXT ("Air fraction of the oil")),
  HL_LET_VALUE ("p_0", AIR_PRESSURE, PRESSURE, HL_TEXT ("Pressure at which the air fraction is stated")),
  HL_LET_VALUE ("n", AIR_EXPONENT, NONE, HL_TEXT ("Exponent of the air")),
  HL_LET_VALUE ("p_c", ONSET, PRESSURE, HL_TEXT ("Pressure below which there is vapour")),
  HL_LET_VALUE ("V_r", REFERENCE, VOLUME, HL_TEXT ("Volume of the whole line, with the full chambers")),
  HL_LET_VALUE ("q", INFLOW, FLOW, HL_TEXT ("Sum of the inflows minus the growth of the chambers")),
};
static const HlFormulaText line_formulas[] = {
  {"a = phi / (n p) (p_0 / p)^(1 / n)", GIVES (AIR)},
  {"c = cases(V_r / p_c ((p_c - p) / p)^2, p < p_c, 0)", GIVES (VAPOUR)},
  {"C = V_h (1 / B + 1 / B_w) + C_c + (V_h + V_c) a + c", GIVES (COMPLIANCE)},
  {"p' = q / C", GIVES (RATE)},
};
static const HlCurve line_curves[] = {
  {HL_TEXT ("Compliance over pressure"), HL_LET_VALUE ("p", PRESSURE, PRESSURE, NULL), "C", HL_QUANTITY_COMPLIANCE, GIVES (COMPLIANCE), .low = 5e4, .high = 5e6},
};

const HlElementHelp hl_body_helps[] = {
  { HL_SECTION_BODIES, NULL,
    {HL_HELP_TABLES (body_letters, body_formulas, body_curves), .sources = "theory/elements.md (16), (17)"},
    .usual = {[MASS] = 10.0, [INERTIA] = 1.0, [X_C] = 0.5, [PSI] = 0.5, [OMEGA] = 1.0, [G_Y] = -9.81},
    .results = {HL_QUANTITY_FORCE, HL_QUANTITY_FORCE, HL_QUANTITY_TORQUE, HL_QUANTITY_INERTIA, HL_QUANTITY_ENERGY},
    .look = body_look, .law = body_law, .range = body_range,
    .states = "x [m], y [m], angle [rad], vx [m/s], vy [m/s], omega [rad/s]" },
  { HL_SECTION_LINES, NULL,
    {HL_HELP_TABLES (line_letters, line_formulas, line_curves), .sources = "theory/fluid.md (1)-(11)"},
    .usual = {[PRESSURE] = 1e6, [HOSE] = 5e-4, [BULK] = 1.5e9, [WALL] = 2e9, [AIR] = 0.005, [ONSET] = HL_LEAST_ONSET,
              [REFERENCE] = 5e-4, [INFLOW] = 1e-5, [AIR_PRESSURE] = HL_AIR_PRESSURE, [AIR_EXPONENT] = HL_AIR_EXPONENT},
    .results = {HL_QUANTITY_NONE, HL_QUANTITY_COMPLIANCE, HL_QUANTITY_COMPLIANCE, HL_QUANTITY_NONE},
    .look = line_look, .law = line_law, .states = "pressure [Pa]" },
  { 0 },
};
/* clang-format on */
