/* SPDX-License-Identifier: MIT */
/* The model file as tables. Defaults and rules are those of the description of the format. */
#include "tests/random/hl-oracle-formulation.h"

#include <math.h>
#include <string.h>

static json_t *array_of (json_t *root, const char *key) {
  return json_object_get (root, key);
}

static double number (json_t *object, const char *key, double absent) {
  json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : absent;
}

static double item (json_t *array, size_t k) {
  return json_number_value (json_array_get (array, k));
}

static const char *text (json_t *object, const char *key) {
  return json_string_value (json_object_get (object, key));
}

static int find_body (const HlOracle *o, const char *id) {
  for (int k = 0; k < o->n_bodies; k++)
    if (strcmp (o->bodies[k].id, id) == 0)
      return k;
  return -1;
}

/* "BODY.POINT" */
static HlOraclePoint find_point (const HlOracle *o, const char *name) {
  g_auto (GStrv) parts = g_strsplit (name, ".", 2);
  int body = find_body (o, parts[0]);
  json_t *owner = body >= 0 ? json_array_get (array_of (o->root, "bodies"), (size_t)body)
                            : json_object_get (o->root, "ground");
  json_t *at = json_object_get (json_object_get (owner, "points"), parts[1]);

  return (HlOraclePoint){body, {item (at, 0), item (at, 1)}};
}

static void read_bodies (HlOracle *o) {
  json_t *list = array_of (o->root, "bodies");

  o->n_bodies = (int)json_array_size (list);
  o->bodies = g_new0 (HlOracleBody, o->n_bodies + 1);
  o->n = 3 * o->n_bodies;
  for (int k = 0; k < o->n_bodies; k++) {
    json_t *json = json_array_get (list, (size_t)k), *com = json_object_get (json, "com");
    HlOracleBody *body = &o->bodies[k];
    *body = (HlOracleBody){.id = text (json, "id"),
                           .mass = number (json, "mass", NAN),
                           .inertia = number (json, "inertia", NAN)};
    for (size_t c = 0; c < 2 && com != NULL; c++)
      body->com[c] = item (com, c);
    for (size_t c = 0; c < 3; c++)
      body->pose[c] = item (json_object_get (json, "pose"), c);
  }
}

static void read_joints (HlOracle *o) {
  static const char *const names[] = {"revolute", "prismatic", "slot", "weld", "distance", "knife-edge"};
  static const int n_rows[] = {2, 2, 1, 3, 1, 1};
  json_t *list = array_of (o->root, "joints");

  o->n_joints = (int)json_array_size (list);
  o->joints = g_new0 (HlOracleJoint, o->n_joints + 1);
  o->is_velocity_row = g_new0 (bool, 3 * o->n_joints + 1);
  for (int k = 0; k < o->n_joints; k++) {
    json_t *json = json_array_get (list, (size_t)k);
    HlOracleJoint *joint = &o->joints[k];
    int kind = 0;
    while (strcmp (names[kind], text (json, "kind")) != 0)
      kind++;
    joint->id = text (json, "id");
    joint->kind = (HlOracleJointKind)kind;
    joint->axis = number (json, "axis", 0.0);
    joint->length = number (json, "length", NAN);
    joint->first_row = o->n_rows;
    joint->n_rows = n_rows[kind];
    if (kind == HL_ORACLE_KNIFE_EDGE) {
      joint->a = find_point (o, text (json, "point"));
      o->is_velocity_row[o->n_rows] = true;
    } else {
      joint->a = find_point (o, text (json, "a"));
      joint->b = find_point (o, text (json, "b"));
      double given = (joint->b.body >= 0 ? o->bodies[joint->b.body].pose[2] : 0.0) -
                     (joint->a.body >= 0 ? o->bodies[joint->a.body].pose[2] : 0.0);
      joint->angle = number (json, "angle", given);
    }
    o->n_rows += n_rows[kind];
  }
}

static void read_loads (HlOracle *o) {
  json_t *list = array_of (o->root, "loads");

  o->n_loads = (int)json_array_size (list);
  o->loads = g_new0 (HlOracleLoad, o->n_loads + 1);
  for (int k = 0; k < o->n_loads; k++) {
    json_t *json = json_array_get (list, (size_t)k);
    HlOracleLoad *load = &o->loads[k];
    *load = (HlOracleLoad){.id = text (json, "id"), .kind = text (json, "kind"), .json = json};
    if (strcmp (load->kind, "torque") == 0)
      load->a.body = find_body (o, text (json, "body"));
    else if (strcmp (load->kind, "torsion-spring") == 0) {
      load->a.body = find_body (o, text (json, "a"));
      load->b.body = find_body (o, text (json, "b"));
    } else if (strcmp (load->kind, "spring") == 0) {
      load->a = find_point (o, text (json, "a"));
      load->b = find_point (o, text (json, "b"));
    } else
      load->a = find_point (o, text (json, "point"));
  }
}

static int line_of (const HlOracle *o, const char *id, const char *port) {
  json_t *lines = array_of (o->root, "lines");
  g_autofree char *name = g_strconcat (id, ".", port, NULL);

  for (size_t k = 0; k < json_array_size (lines); k++) {
    json_t *ports = json_object_get (json_array_get (lines, k), "ports");
    for (size_t i = 0; i < json_array_size (ports); i++)
      if (strcmp (json_string_value (json_array_get (ports, i)), name) == 0)
        return (int)k;
  }
  return -1;
}

/* Linear resistance of a pipe; laminar flow in a round one when the file does not say. */
static double pipe_resistance (const HlOracle *o, json_t *json) {
  double d = number (json, "diameter", 2.0 * sqrt (number (json, "area", 0.0) / M_PI));

  return number (json, "resistance",
                 128.0 * o->viscosity * number (json, "length", NAN) / (M_PI * pow (d, 4.0)));
}

/* Ports in the order of HlOracleComponent.net. */
static const char *const *ports_of (const char *kind) {
  static const char *const of_valve[] = {"P", "T", "A", "B", NULL};
  static const char *const of_source[] = {"P", NULL}, *const of_tank[] = {"T", NULL};
  static const char *const of_relief[] = {"A", "T", NULL}, *const of_two[] = {"A", "B", NULL};

  if (strcmp (kind, "directional-valve") == 0)
    return of_valve;
  if (strcmp (kind, "pressure-source") == 0 || strcmp (kind, "flow-source") == 0)
    return of_source;
  if (strcmp (kind, "tank") == 0)
    return of_tank;
  return strcmp (kind, "relief-valve") == 0 ? of_relief : of_two;
}

/* Lines joined by a pipe without resistance and inertia are one net, named by the first of them. */
static void read_nets (HlOracle *o, int net_of_line[]) {
  json_t *lines = array_of (o->root, "lines"), *components = array_of (o->root, "components");
  int n = (int)json_array_size (lines);

  for (int k = 0; k < n; k++)
    net_of_line[k] = k;
  for (size_t k = 0; k < json_array_size (components); k++) {
    json_t *json = json_array_get (components, k);
    if (strcmp (text (json, "kind"), "pipe") != 0 || pipe_resistance (o, json) != 0.0 ||
        json_is_true (json_object_get (json, "inertia")))
      continue;
    int a = line_of (o, text (json, "id"), "A"), b = line_of (o, text (json, "id"), "B");
    if (a < 0 || b < 0)
      continue;
    int low = MIN (net_of_line[a], net_of_line[b]), high = MAX (net_of_line[a], net_of_line[b]);
    for (int i = 0; i < n; i++)
      if (net_of_line[i] == high)
        net_of_line[i] = low;
  }
  o->nets = g_new0 (HlOracleNet, n + 1);
  g_autofree int *place = g_new (int, n + 1);
  for (int k = 0; k < n; k++) {
    json_t *json = json_array_get (lines, (size_t)k);
    if (net_of_line[k] == k) {
      place[k] = o->n_nets;
      o->nets[o->n_nets++] = (HlOracleNet){.id = text (json, "id"), .given = NAN};
    }
    net_of_line[k] = place[net_of_line[k]];
    HlOracleNet *net = &o->nets[net_of_line[k]];
    double volume = number (json, "volume", 0.0), wall = number (json, "wall_modulus", INFINITY);
    net->volume += volume;
    net->hose += volume * (1.0 / o->bulk + 1.0 / wall);
  }
}

static void read_circuit (HlOracle *o) {
  json_t *list = array_of (o->root, "components");
  g_autofree int *net_of_line = g_new (int, json_array_size (array_of (o->root, "lines")) + 1);

  read_nets (o, net_of_line);
  o->n_components = (int)json_array_size (list);
  o->components = g_new0 (HlOracleComponent, o->n_components + 1);
  for (int k = 0; k < o->n_components; k++) {
    json_t *json = json_array_get (list, (size_t)k);
    HlOracleComponent *c = &o->components[k];
    *c = (HlOracleComponent){.id = text (json, "id"), .kind = text (json, "kind"), .json = json, .state = -1};
    const char *const *ports = ports_of (c->kind);
    for (int i = 0; i < 4; i++) {
      int line = *ports != NULL ? line_of (o, c->id, *ports) : -1;
      c->net[i] = line >= 0 ? net_of_line[line] : -1;
      ports += *ports != NULL;
    }
    if (strcmp (c->kind, "cylinder") == 0) {
      c->a = find_point (o, text (json, "base"));
      c->b = find_point (o, text (json, "rod"));
    }
    bool is_tank = strcmp (c->kind, "tank") == 0;
    if ((is_tank || strcmp (c->kind, "pressure-source") == 0) && c->net[0] >= 0)
      o->nets[c->net[0]].given = number (json, "pressure", is_tank ? 1e5 : NAN);
    if ((strcmp (c->kind, "directional-valve") == 0 && number (json, "time_constant", 0.0) > 0.0) ||
        (strcmp (c->kind, "pipe") == 0 && json_is_true (json_object_get (json, "inertia"))))
      c->state = o->n_u++;
  }
  for (int k = 0; k < o->n_nets; k++)
    o->nets[k].state = isnan (o->nets[k].given) ? o->n_p++ : -1;
}

HlOracle *hl_oracle_new (json_t *root) {
  HlOracle *o = g_new0 (HlOracle, 1);
  json_t *gravity = json_object_get (root, "gravity"), *fluid = json_object_get (root, "fluid");

  o->root = root;
  o->gravity[0] = gravity != NULL ? item (gravity, 0) : 0.0;
  o->gravity[1] = gravity != NULL ? item (gravity, 1) : -9.81;
  o->bulk = number (fluid, "bulk_modulus", 1.5e9);
  o->density = number (fluid, "density", 850.0);
  o->viscosity = number (fluid, "viscosity", 0.04);
  o->air = number (fluid, "air_fraction", 0.0);
  o->onset = fmax (number (fluid, "vapour_pressure", 0.0), 1000.0);
  read_bodies (o);
  read_joints (o);
  read_loads (o);
  read_circuit (o);
  return o;
}

void hl_oracle_free (HlOracle *o) {
  g_free (o->bodies);
  g_free (o->joints);
  g_free (o->is_velocity_row);
  g_free (o->loads);
  g_free (o->components);
  g_free (o->nets);
  g_free (o);
}

HlOracleState hl_oracle_state_new (const HlOracle *o) {
  return (HlOracleState){.x = g_new0 (HlZ, o->n + 1),
                         .v = g_new0 (HlZ, o->n + 1),
                         .p = g_new0 (HlZ, o->n_p + 1),
                         .u = g_new0 (HlZ, o->n_u + 1)};
}

void hl_oracle_state_copy (const HlOracle *o, HlOracleState *to, const HlOracleState *from) {
  to->t = from->t;
  to->segment = from->segment;
  to->beta = from->beta;
  to->gamma = from->gamma;
  memcpy (to->x, from->x, (size_t)o->n * sizeof (HlZ));
  memcpy (to->v, from->v, (size_t)o->n * sizeof (HlZ));
  memcpy (to->p, from->p, (size_t)o->n_p * sizeof (HlZ));
  memcpy (to->u, from->u, (size_t)o->n_u * sizeof (HlZ));
}

void hl_oracle_state_clear (HlOracleState *state) {
  g_free (state->x);
  g_free (state->v);
  g_free (state->p);
  g_free (state->u);
}

HlOracleRate hl_oracle_rate_new (const HlOracle *o) {
  int c = o->n_components + 1;

  return (HlOracleRate){.a = g_new0 (HlZ, o->n + 1),
                        .lambda = g_new0 (HlZ, o->n_rows + 1),
                        .p_dot = g_new0 (HlZ, o->n_p + 1),
                        .u_dot = g_new0 (HlZ, o->n_u + 1),
                        .net = g_new0 (HlZ, o->n_nets + 1),
                        .compliance = g_new0 (HlZ, o->n_nets + 1),
                        .flow = g_new0 (HlZ, 4 * c),
                        .length = g_new0 (HlZ, c),
                        .rate = g_new0 (HlZ, c),
                        .force = g_new0 (HlZ, c),
                        .friction = g_new0 (HlZ, c),
                        .stop = g_new0 (HlZ, c)};
}

void hl_oracle_rate_clear (HlOracleRate *rate) {
  g_free (rate->a);
  g_free (rate->lambda);
  g_free (rate->p_dot);
  g_free (rate->u_dot);
  g_free (rate->net);
  g_free (rate->compliance);
  g_free (rate->flow);
  g_free (rate->length);
  g_free (rate->rate);
  g_free (rate->force);
  g_free (rate->friction);
  g_free (rate->stop);
}

/* ---- signals ---- */

static double table_value (json_t *signal, double t, double segment) {
  json_t *times = json_object_get (signal, "t"), *values = json_object_get (signal, "y");
  size_t n = json_array_size (times), next = 0;

  while (next < n && item (times, next) <= segment)
    next++;
  if (next == 0)
    return item (values, 0);
  if (next == n || g_strcmp0 (text (signal, "between"), "hold") == 0)
    return item (values, next - 1);
  double from = item (times, next - 1), to = item (times, next);
  double part = (t - from) / (to - from);
  return (1.0 - part) * item (values, next - 1) + part * item (values, next);
}

/* The corner before or at `segment` tells on which piece of the motion t is. */
static double motion_value (json_t *signal, double t, double segment) {
  double from = number (signal, "from", NAN), change = number (signal, "to", NAN) - from;
  double start = number (signal, "start", 0.0), whole = number (signal, "duration", NAN);
  double soft = number (signal, "acceleration_time", 0.0), at = t - start, piece = segment - start;
  const char *law = text (signal, "law");
  bool is_speed = strcmp (law, "speed") == 0;

  if (piece < 0.0)
    return from;
  if (strcmp (law, "cycloid") == 0)
    return piece < whole ? from + change * (at / whole - sin (2.0 * M_PI * at / whole) / (2.0 * M_PI))
                         : from + change;
  double speed = change / (is_speed ? whole : whole - soft), left = whole - at;
  if (start + soft > segment)
    return from + 0.5 * speed * at * at / soft;
  if (is_speed || start + whole - soft > segment)
    return from + speed * (at - 0.5 * soft);
  return start + whole > segment ? from + change - 0.5 * speed * left * left / soft : from + change;
}

double hl_oracle_signal (json_t *signal, double absent, double t, double segment) {
  if (signal == NULL)
    return absent;
  if (json_is_number (signal))
    return json_number_value (signal);
  const char *kind = text (signal, "kind");
  if (strcmp (kind, "table") == 0)
    return table_value (signal, t, segment);
  if (strcmp (kind, "sine") == 0)
    return number (signal, "offset", 0.0) +
           number (signal, "amplitude", NAN) *
               sin (2.0 * M_PI * number (signal, "frequency_hz", NAN) * t + number (signal, "phase", 0.0));
  if (strcmp (kind, "motion") == 0)
    return motion_value (signal, t, segment);
  if (strcmp (kind, "sum") == 0) {
    json_t *terms = json_object_get (signal, "of");
    double sum = 0.0;
    for (size_t k = 0; k < json_array_size (terms); k++)
      sum += hl_oracle_signal (json_array_get (terms, k), 0.0, t, segment);
    return sum;
  }
  return number (signal, "value", 0.0);
}

static void gather_corners (json_t *value, double end, GArray *out) {
  const char *key;
  json_t *member;
  size_t k;

  if (json_is_array (value))
    json_array_foreach (value, k, member) gather_corners (member, end, out);
  if (!json_is_object (value))
    return;
  if (g_strcmp0 (text (value, "kind"), "table") == 0) {
    json_array_foreach (json_object_get (value, "t"), k, member) {
      double t = json_number_value (member);
      if (t > 0.0 && t < end)
        g_array_append_val (out, t);
    }
  }
  if (g_strcmp0 (text (value, "kind"), "motion") == 0) {
    double start = number (value, "start", 0.0), soft = number (value, "acceleration_time", 0.0);
    double whole = number (value, "duration", NAN);
    double corners[] = {start, start + soft, start + whole - soft, start + whole};
    for (k = 0; k < G_N_ELEMENTS (corners); k++)
      if (corners[k] > 0.0 && corners[k] < end)
        g_array_append_val (out, corners[k]);
  }
  json_object_foreach (value, key, member) gather_corners (member, end, out);
}

static int rising (const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

GArray *hl_oracle_corners (const HlOracle *o, double end) {
  GArray *out = g_array_new (FALSE, FALSE, sizeof (double));

  gather_corners (json_object_get (o->root, "loads"), end, out);
  gather_corners (json_object_get (o->root, "components"), end, out);
  g_array_sort (out, rising);
  return out;
}
