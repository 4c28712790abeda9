/* SPDX-License-Identifier: MIT */
/* Numbers are drawn around what the fields say of a new element, within their ranges; ports go to any
 * line. The linkage is a carriage on a rail and a rocker on a pin, both on springs. */
#include "tests/random/hl-random-model-all-classes.h"

#include <math.h>
#include <string.h>

#include "core/hydro/hl-component.h"

#define MOST_LINES 8

typedef struct {
  HlDraw draw;
  int n_lines;
  json_t *ports[MOST_LINES];
  bool is_given[MOST_LINES]; /* by a source or a tank */
} Classes;

/* Returns a typical value of a quantity whose field states none. */
static double typical (HlQuantity quantity) {
  switch ((int)quantity) {
  case HL_QUANTITY_PRESSURE:
    return 4e6;
  case HL_QUANTITY_PRESSURE_DIFFERENCE:
    return 1e6;
  case HL_QUANTITY_LENGTH:
    return 0.01;
  case HL_QUANTITY_AREA:
    return 1e-5;
  case HL_QUANTITY_VOLUME:
    return 1e-4;
  case HL_QUANTITY_TIME:
    return 0.01;
  case HL_QUANTITY_ANGULAR_SPEED:
  case HL_QUANTITY_SHAFT_SPEED:
  case HL_QUANTITY_ANGULAR_FREQUENCY:
    return 150.0;
  case HL_QUANTITY_SPEED:
    return 0.02;
  case HL_QUANTITY_FORCE:
    return 200.0;
  case HL_QUANTITY_TORQUE:
    return 4.0;
  case HL_QUANTITY_STIFFNESS:
    return 1e5;
  case HL_QUANTITY_DAMPING:
    return 200.0;
  case HL_QUANTITY_TORSION_DAMPING:
    return 0.05;
  case HL_QUANTITY_MODULUS:
    return 1e10;
  case HL_QUANTITY_FLOW:
    return 1e-4;
  case HL_QUANTITY_RESISTANCE:
    return 1e10;
  case HL_QUANTITY_LEAKAGE:
    return 1e-12;
  case HL_QUANTITY_VALVE_FLOW:
    return 3e-8;
  case HL_QUANTITY_RATE:
    return 10.0;
  case HL_QUANTITY_INVERSE_SPEED:
    return 80.0;
  case HL_QUANTITY_DISPLACEMENT:
    return 3e-6;
  default:
    return 0.5;
  }
}

static bool is_open_above (double value) {
  return isfinite (value) && value != 0.0;
}

static double draw_number (HlDraw *draw, const HlField *field) {
  double about = is_open_above (field->start)      ? field->start
                 : is_open_above (field->fallback) ? field->fallback
                                                   : typical (field->quantity);
  double value = about * hl_draw_log (draw, 0.3, 3.0);

  if (strcmp (field->name, "segments") == 0)
    return 1 + hl_draw_pick (draw, 5);
  if (field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE)
    return hl_draw_uniform (draw, field->min, field->max);
  if (field->min_bound != HL_BOUND_NONE)
    value = fmax (value, field->min);
  return value;
}

/* Sets a member, "friction.Fc", of an inner object. */
static void put (json_t *element, const char *name, json_t *value) {
  const char *dot = strchr (name, '.');

  if (dot == NULL) {
    json_object_set_new (element, name, value);
    return;
  }
  g_autofree char *first = g_strndup (name, (gsize)(dot - name));
  json_t *inner = json_object_get (element, first);
  if (inner == NULL) {
    inner = json_object ();
    json_object_set_new (element, first, inner);
  }
  json_object_set_new (inner, dot + 1, value);
}

static const char *stated_choice (const json_t *element, const HlKind *kind, const char *name) {
  g_auto (GStrv) path = g_strsplit (name, ".", 2);
  json_t *value = json_object_get (element, path[0]);

  if (path[1] != NULL)
    value = json_object_get (value, path[1]);
  if (json_string_value (value) != NULL)
    return json_string_value (value);
  for (int k = 0; k < kind->n_fields; k++)
    if (strcmp (kind->fields[k].name, name) == 0)
      return kind->fields[k].choices; /* begins with the default */
  return "";
}

static bool matters (const json_t *element, const HlKind *kind, const HlField *field) {
  if (field->when == NULL)
    return true;
  g_auto (GStrv) sides = g_strsplit (field->when, "=", 2);
  g_auto (GStrv) wanted = g_strsplit (sides[1], "|", -1);
  g_auto (GStrv) given = g_strsplit (stated_choice (element, kind, sides[0]), "|", 2);
  return g_strv_contains ((const char *const *)wanted, given[0]);
}

static void draw_choices (HlDraw *draw, const HlKind *kind, json_t *element) {
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    if (field->type == HL_FIELD_BOOLEAN && hl_draw_chance (draw, 0.5))
      put (element, field->name, json_true ());
    if (field->type != HL_FIELD_CHOICE || !hl_draw_chance (draw, 0.6))
      continue;
    g_auto (GStrv) names = g_strsplit (field->choices, "|", -1);
    put (element, field->name, json_string (names[hl_draw_pick (draw, (int)g_strv_length (names))]));
  }
}

static json_t *draw_command (HlDraw *draw, const HlField *field) {
  bool is_part = field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE;
  double about = is_open_above (field->start)      ? field->start
                 : is_open_above (field->fallback) ? field->fallback
                                                   : typical (field->quantity);

  return is_part ? hl_draw_signal (draw, field->min, field->max)
                 : hl_draw_signal (draw, 0.3 * about, 1.5 * about);
}

/* Returns whether a field is wanted; a cushion has all of its fields or none. */
static bool is_wanted (HlDraw *draw, const HlField *field, const bool cushion[2], int alternative) {
  if (g_str_has_prefix (field->name, "cushion_")) {
    const char *part = strchr (field->name, '.') + 1;
    bool makes_it = strcmp (part, "length") == 0 || strcmp (part, "area") == 0 ||
                    strcmp (part, "end_area") == 0 || strcmp (part, "dead_volume") == 0;
    return cushion[field->name[8] - 'A'] && (makes_it || hl_draw_chance (draw, 0.4));
  }
  if (field->need == HL_NEED_GROUP)
    return field->alternative == alternative;
  return field->need == HL_NEED_REQUIRED || hl_draw_chance (draw, 0.35);
}

static void draw_fields (HlDraw *draw, const HlKind *kind, json_t *element) {
  bool cushion[2] = {hl_draw_chance (draw, 0.2), hl_draw_chance (draw, 0.2)};
  int alternative = hl_draw_pick (draw, 2);

  draw_choices (draw, kind, element);
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    if (!matters (element, kind, field) || !is_wanted (draw, field, cushion, alternative))
      continue;
    if (field->type == HL_FIELD_NUMBER)
      put (element, field->name, json_real (draw_number (draw, field)));
    else if (field->type == HL_FIELD_SIGNAL)
      put (element, field->name, draw_command (draw, field));
  }
}

/* Places an actuator between the ground and a moving body, with stroke to both sides. */
static void place_actuator (HlDraw *draw, const HlComponentClass *klass, json_t *element) {
  if (klass->is_rotary) {
    put (element, "a", json_string ("ground"));
    put (element, "b", json_string ("rocker"));
    if (!klass->no_chambers) {
      put (element, "angle_min", json_real (-1.2));
      put (element, "angle_max", json_real (hl_draw_uniform (draw, 0.8, 1.6)));
    }
    return;
  }
  put (element, "base", json_string ("ground.O"));
  put (element, "rod", json_string ("carriage.P"));
  put (element, "c1", json_real (0.6));
  put (element, "c2", json_real (0.1));
  put (element, "stroke", json_real (hl_draw_uniform (draw, 0.6, 0.9)));
}

static double stated (const json_t *element, const char *name) {
  return json_number_value (json_object_get (element, name));
}

static void put_part (json_t *element, const char *name, const char *of, double part) {
  if (json_object_get (element, of) != NULL)
    put (element, name, json_real (part * stated (element, of)));
}

/* Corrects numbers that the checks would always reject with the same message, in most cases. */
static void mend (HlDraw *draw, json_t *element) {
  static const char *const central[] = {"PT", "CD"}, *const cushions[] = {"cushion_A", "cushion_B"};

  if (hl_draw_chance (draw, 0.05))
    return;
  put_part (element, "rod_diameter", "piston_diameter", 0.6);
  put_part (element, "rod_side_area", "piston_area", 0.6);
  if (json_object_get (element, "time_constant") != NULL) {
    json_object_del (element, "natural_frequency");
    if (strcmp (json_string_value (json_object_get (element, "kind")), "relief-valve") == 0)
      put (element, "opening_range", json_real (hl_draw_log (draw, 3e5, 3e6)));
  }
  for (int k = 0; k < 2; k++) {
    json_t *edge = json_object_get (element, central[k]);
    json_t *cushion = json_object_get (element, cushions[k]);
    if (json_object_get (edge, "overlap") != NULL)
      put (edge, "overlap", json_real (hl_draw_uniform (draw, -1.0, -0.05)));
    if (cushion != NULL)
      put_part (cushion, "end_area", "area", 0.05);
  }
  if (g_strcmp0 (json_string_value (json_object_get (element, "friction")), "churchill") == 0)
    put (element, "inertia", json_true ());
  json_t *friction = json_object_get (element, "friction");
  if (json_is_object (friction)) {
    put (friction, "Fc", json_real (hl_draw_log (draw, 50.0, 500.0)));
    put_part (friction, "Fs", "Fc", hl_draw_uniform (draw, 1.0, 2.0));
  }
  put_part (element, "full_pressure", "precharge", hl_draw_uniform (draw, 1.5, 4.0));
}

/* Returns a line, mostly one without a given pressure. */
static int some_line (Classes *c, const HlComponentClass *klass) {
  int line = hl_draw_pick (&c->draw, c->n_lines);

  if (klass->given_pressure == NULL)
    return line;
  for (int k = 0; k < c->n_lines && c->is_given[line]; k++)
    line = (line + 1) % c->n_lines;
  if (c->is_given[line] && hl_draw_chance (&c->draw, 0.97))
    return -1;
  c->is_given[line] = true;
  return line;
}

static void add_component (Classes *c, const HlComponentClass *klass) {
  HlDraw *draw = &c->draw;
  const HlKind *kind = &klass->kind;
  char id[24];

  hl_draw_id (draw, kind->id_stem, id);
  json_t *element = json_pack ("{s:s, s:s}", "id", id, "kind", kind->name);
  draw_fields (draw, kind, element);
  if (klass->is_cylinder)
    place_actuator (draw, klass, element);
  mend (draw, element);
  json_array_append_new (draw->components, element);
  for (int port = 0; port < kind->n_ports; port++) {
    int line = hl_draw_chance (draw, 0.9) ? some_line (c, klass) : -1;
    if (line >= 0)
      json_array_append_new (c->ports[line], json_sprintf ("%s.%s", id, kind->ports[port]));
  }
}

static const HlComponentClass *some_class (HlDraw *draw) {
  return hl_components[hl_draw_pick (draw, hl_n_components)];
}

static void add_lines (Classes *c) {
  HlDraw *draw = &c->draw;

  for (int line = 0; line < c->n_lines; line++) {
    json_t *element = json_pack ("{s:o, s:o, s:f}", "id", json_sprintf ("L%d", line), "ports", c->ports[line],
                                 "pressure", hl_draw_log (draw, 1e5, 2e7));
    if (hl_draw_chance (draw, 0.99))
      json_object_set_new (element, "volume", json_real (hl_draw_log (draw, 2e-5, 2e-3)));
    if (hl_draw_chance (draw, 0.2))
      json_object_set_new (element, "wall_modulus", json_real (hl_draw_log (draw, 1e9, 1e11)));
    if (json_array_size (c->ports[line]) > 0)
      json_array_append_new (draw->lines, element);
    else
      json_decref (element);
  }
}

/* Draws a carriage on a rail and a rocker on a pin, with springs, dampers, friction and a drive by chance. */
static json_t *draw_linkage (HlDraw *draw) {
  json_t *linkage = json_pack (
      "{s:{s:{s:[f,f], s:[f,f], s:[f,f]}},"
      " s:[{s:s, s:{s:[f,f]}, s:f, s:f, s:[f,f,f]},"
      "    {s:s, s:{s:[f,f], s:[f,f]}, s:f, s:f, s:[f,f,f]}],"
      " s:[{s:s, s:s, s:s, s:s, s:f, s:f}, {s:s, s:s, s:s, s:s}],"
      " s:[{s:s, s:s, s:s, s:s, s:f, s:f, s:f}, {s:s, s:s, s:s, s:s, s:f, s:f, s:f}]}",
      "ground", "points", "O", 0.0, 0.0, "W", 3.0, 0.0, "Q", 0.0, 2.0, /**/
      "bodies", "id", "carriage", "points", "P", 0.0, 0.0, "mass", hl_draw_log (draw, 10.0, 500.0), "inertia",
      1.0, "pose", 1.0, 0.0, 0.0, /**/
      "id", "rocker", "points", "Q", 0.0, 0.0, "E", 0.5, 0.0, "mass", hl_draw_log (draw, 2.0, 50.0),
      "inertia", hl_draw_log (draw, 0.5, 10.0), "pose", 0.0, 2.0, 0.2, /**/
      "joints", "id", "rail", "kind", "prismatic", "a", "ground.O", "b", "carriage.P", "axis", 0.0, "angle",
      0.0, "id", "pin", "kind", "revolute", "a", "ground.Q", "b", "rocker.Q", /**/
      "loads", "id", "spring", "kind", "spring", "a", "ground.W", "b", "carriage.P", "stiffness",
      hl_draw_log (draw, 1e3, 1e5), "damping", hl_draw_log (draw, 10.0, 3e3), "free_length", 2.0, "id",
      "coil", "kind", "torsion-spring", "a", "ground", "b", "rocker", "stiffness",
      hl_draw_log (draw, 10.0, 1e3), "damping", hl_draw_log (draw, 0.5, 50.0), "free_angle", 0.0);
  json_t *joints = json_object_get (linkage, "joints");

  if (hl_draw_chance (draw, 0.4))
    json_object_set_new (json_array_get (joints, 0), "friction",
                         json_pack ("{s:f, s:f}", "force", hl_draw_log (draw, 5.0, 300.0), "viscous",
                                    hl_draw_log (draw, 1.0, 300.0)));
  if (hl_draw_chance (draw, 0.4))
    json_object_set_new (json_array_get (joints, 1), "friction",
                         json_pack ("{s:f, s:f}", "torque", hl_draw_log (draw, 0.5, 30.0), "speed",
                                    hl_draw_log (draw, 1e-3, 0.1)));
  if (hl_draw_chance (draw, 0.2))
    json_array_append_new (joints, json_pack ("{s:s, s:s, s:s, s:s, s:{s:s, s:f, s:f, s:f}}", "id", "drive",
                                              "kind", "drive-angle", "a", "ground", "b", "rocker", "signal",
                                              "kind", "sine", "amplitude", 0.1, "frequency_hz",
                                              hl_draw_log (draw, 0.5, 10.0), "offset", 0.2));
  return linkage;
}

json_t *hl_draw_classes (guint32 seed, guint32 index) {
  guint32 numbers[] = {seed, index, 0x636c6173};
  Classes c = {.draw = {.dice = g_rand_new_with_seed_array (numbers, G_N_ELEMENTS (numbers))}};
  HlDraw *draw = &c.draw;
  int n = 2 + hl_draw_pick (draw, 14);

  draw->root = draw_linkage (draw);
  draw->components = json_array ();
  draw->lines = json_array ();
  c.n_lines = 2 + hl_draw_pick (draw, MOST_LINES - 1);
  for (int line = 0; line < c.n_lines; line++)
    c.ports[line] = json_array ();
  for (int k = 0; k < n; k++)
    add_component (&c, some_class (draw));
  add_lines (&c);
  json_object_update_new (
      draw->root,
      json_pack ("{s:s, s:i, s:o, s:o, s:{s:f, s:f}, s:{s:f, s:f, s:f, s:s}}", "format", "hydrolink",
                 "version", 1, "components", draw->components, "lines", draw->lines, "fluid",
                 "vapour_pressure", hl_draw_chance (draw, 0.5) ? 0.0 : 4e3, "air_fraction",
                 hl_draw_chance (draw, 0.6) ? 0.0 : hl_draw_uniform (draw, 0.0, 0.01), "simulation", "t_end",
                 0.02, "every", 0.002, "rtol", 1e-9, "start", "as-given"));
  json_t *simulation = json_object_get (draw->root, "simulation");
  if (hl_draw_chance (draw, 0.3))
    put (simulation, "start", json_string ("equilibrium"));
  if (hl_draw_chance (draw, 0.2))
    put (simulation, "integrator", json_string ("radau"));
  if (hl_draw_chance (draw, 0.15))
    put (simulation, "model", json_string (hl_draw_chance (draw, 0.5) ? "hybrid" : "quasistatic"));
  g_rand_free (draw->dice);
  return draw->root;
}
