/* SPDX-License-Identifier: MIT */
/* hydrolink quasistatic: the set-valued force-velocity map of a cylinder, motor or vane actuator, or
 * the same with its virtual element, as CSV. */
#include "app/cli/hl-cli-private.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"

#include <math.h>
#include <string.h>

/* One actuator of --with: its velocity, or its load line. */
typedef struct {
  int component;
  double number[2]; /* v, or beta and fbar */
} With;

/* The checked arguments of the command line. */
typedef struct {
  int component;
  GArray *list;     /* velocities, or fbar in the other form */
  gboolean virtual; /* --beta and --fbar */
  double beta;
  double at_time;
  HlForceMapOpenings by_hand;
  GArray *with; /* With */
} Request;

static void request_clear (Request *request) {
  g_clear_pointer (&request->list, g_array_unref);
  g_clear_pointer (&request->with, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static gboolean find_actuator (const HlCli *cli, const char *option, const char *id, int *component,
                               GError **error) {
  return hl_cli_find_component (cli, option, id, TRUE, component, error);
}

/* Reads --with: "ACT=V" or "ACT=BETA,FBAR". */
static gboolean read_with (const HlCli *cli, Request *request, const char *text, GError **error) {
  const char *equals = strchr (text, '=');
  guint wanted = request->virtual ? 2 : 1;

  if (equals != NULL) {
    g_autofree char *id = g_strndup (text, (gsize)(equals - text));
    g_auto (GStrv) parts = g_strsplit (equals + 1, ",", -1);
    With with;
    if (!find_actuator (cli, "with", id, &with.component, error))
      return FALSE;
    gboolean good = g_strv_length (parts) == wanted;
    for (guint k = 0; good && k < wanted; k++)
      if (!hl_cli_parse_number (parts[k], "--with", &with.number[k], error))
        return FALSE;
    if (good && (!request->virtual || with.number[0] > 0.0)) {
      g_array_append_val (request->with, with);
      return TRUE;
    }
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--with ‘%s’: write %s", text,
               request->virtual ? "ACT=BETA,FBAR with BETA > 0" : "ACT=V");
  return FALSE;
}

/* Reads an opening set by hand; NAN when the option is absent. */
static gboolean read_opening (const HlCli *cli, const char *option, double least, double *opening,
                              GError **error) {
  *opening = NAN;
  if (!hl_cli_number (cli, option, opening, error))
    return FALSE;
  if (isnan (*opening) || (*opening >= least && *opening <= 1.0))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: an opening must be between %g and 1", option, least);
  return FALSE;
}

static gboolean read_request (const HlCli *cli, Request *request, GError **error) {
  const char *velocity = hl_cli_text (cli, "velocity"), *fbar = hl_cli_text (cli, "fbar");
  const char *const *with = hl_cli_texts (cli, "with");

  request->virtual = velocity == NULL;
  if ((velocity != NULL) == (hl_cli_has (cli, "beta") && fbar != NULL) ||
      hl_cli_has (cli, "beta") != (fbar != NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "quasistatic needs either --velocity LIST or both --beta B and --fbar LIST");
    return FALSE;
  }
  /* actuators with a stroke are linear, the others rotary */
  g_autofree char *stroke =
      g_strdup_printf ("%s.s", hl_cli_text (cli, "actuator") != NULL ? hl_cli_text (cli, "actuator") : "");
  gboolean turns = hl_cli_quantity_of (cli->document, stroke) != HL_QUANTITY_LENGTH;
  request->list = request->virtual
                      ? hl_cli_parse_list (fbar, "--fbar", turns ? HL_QUANTITY_TORQUE : HL_QUANTITY_FORCE,
                                           error)
                      : hl_cli_parse_list (velocity, "--velocity",
                                           turns ? HL_QUANTITY_ANGULAR_SPEED : HL_QUANTITY_SPEED, error);
  if (request->list == NULL || !hl_cli_positive (cli, "beta", &request->beta, error) ||
      !hl_cli_number (cli, "at-time", &request->at_time, error) ||
      !read_opening (cli, "command", -1.0, &request->by_hand.command, error) ||
      !read_opening (cli, "bleed", 0.0, &request->by_hand.bleed, error) ||
      !read_opening (cli, "regeneration", 0.0, &request->by_hand.regeneration, error) ||
      !find_actuator (cli, "actuator", hl_cli_text (cli, "actuator"), &request->component, error))
    return FALSE;
  request->with = g_array_new (FALSE, FALSE, sizeof (With));
  for (int k = 0; with[k] != NULL; k++)
    if (!read_with (cli, request, with[k], error))
      return FALSE;
  return TRUE;
}

/* Returns the argument of --with for a member of the map; NULL = none. */
static const With *find_with (const Request *request, int component) {
  for (guint k = 0; k < request->with->len; k++)
    if (g_array_index (request->with, With, k).component == component)
      return &g_array_index (request->with, With, k);
  return NULL;
}

/* Checks that each --with names a different actuator on the same pump. */
static gboolean check_members (const HlCli *cli, const Request *request, const HlForceMap *map,
                               GError **error) {
  int n = hl_force_map_n_members (map);

  for (guint k = 0; k < request->with->len; k++) {
    gboolean found = FALSE;
    int component = g_array_index (request->with, With, k).component;
    for (int member = 1; member < n; member++)
      found = found || hl_force_map_component (map, member) == component;
    if (found)
      continue;
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--with ‘%s’: name another actuator on the same pump",
                 hl_document_element_id (cli->document, HL_SECTION_COMPONENTS, component));
    return FALSE;
  }
  for (int member = 1; member < n && request->virtual; member++) {
    int component = hl_force_map_component (map, member);
    if (find_with (request, component) != NULL)
      continue;
    const char *id = hl_document_element_id (cli->document, HL_SECTION_COMPONENTS, component);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "‘%s’ is on the same pump: add --with %s=BETA,FBAR", id,
                 id);
    return FALSE;
  }
  return TRUE;
}

/* ---- rows ---- */

/* The table on its way out. */
typedef struct {
  HlAnswer *answer;
  HlAnswerFormat format;
  HlCliRows *rows;
  gboolean is_begun; /* a row follows the head */
} Table;

typedef struct {
  const char *title, *unit; /* unit NULL: no number */
} Title;

static void begin_table (Table *table, const Title titles[], int n) {
  for (int k = 0; k < n; k++)
    hl_answer_row_column (table->answer, titles[k].title, titles[k].unit);
  hl_answer_hide_units (table->answer);
  hl_answer_append_head (table->answer, table->format, hl_cli_rows_line (table->rows));
}

static gboolean end_row (Table *table, const HlAnswerCell cells[]) {
  hl_answer_append_row (table->answer, table->format, hl_cli_rows_line (table->rows), cells,
                        !table->is_begun);
  table->is_begun = TRUE;
  return hl_cli_rows_end_line (table->rows);
}

static const HlAnswerCell unknown = {NAN, NULL};

/* Writes the state of a network, which has neither named pieces nor open valves; undetermined values are NAN
 * already. */
static gboolean put_network_state (Table *table, const HlQuasiGamma *gamma) {
  const HlAnswerCell cells[] = {{gamma->v, NULL},
                                {gamma->f_lo, NULL},
                                {gamma->f_hi, NULL},
                                unknown,
                                unknown,
                                unknown,
                                unknown,
                                unknown,
                                unknown,
                                {gamma->P, NULL},
                                {gamma->Ph, NULL},
                                {gamma->Pr, NULL},
                                unknown};

  return end_row (table, cells);
}

static gboolean put_turning_state (Table *table, const HlQuasiGamma *gamma) {
  const HlAnswerCell cells[] = {{gamma->v, NULL}, {gamma->f_lo, NULL}, {gamma->f_hi, NULL},
                                {gamma->P, NULL}, {gamma->Ph, NULL},   {gamma->Pr, NULL}};

  return end_row (table, cells);
}

static HlAnswerCell valve_cell (gboolean is_open) {
  return (HlAnswerCell){NAN, is_open ? "o" : "x"};
}

/* Writes the state. At rest the pump's relief valve may be open or closed, and the pressures of two closed
 * chambers are undetermined except for the difference of their forces: those cells stay empty. */
static gboolean put_state (Table *table, const HlForceMap *map, const HlQuasiGamma *gamma) {
  if (hl_force_map_terms (map, 0)->is_rotary)
    return put_turning_state (table, gamma);
  if (hl_force_map_is_network (map))
    return put_network_state (table, gamma);
  const HlActuator *actuator = hl_force_map_actuator (map, 0);
  HlOpening opening = hl_actuator_opening (actuator);
  gboolean rests = gamma->v == 0.0;
  gboolean knows_chambers = !rests || (opening == HL_OPENING_EXTEND && actuator->tr > 0.0) ||
                            (opening == HL_OPENING_RETRACT && actuator->th > 0.0);
  double tank = hl_force_map_tank (map);
  const HlAnswerCell cells[] = {{gamma->v, NULL},
                                {gamma->f_lo, NULL},
                                {gamma->f_hi, NULL},
                                rests ? unknown : (HlAnswerCell){NAN, hl_segment_name (gamma->segment)},
                                valve_cell (gamma->valves.head_relief),
                                valve_cell (gamma->valves.head_suction),
                                rests ? unknown : valve_cell (gamma->valves.pump_relief),
                                valve_cell (gamma->valves.rod_suction),
                                valve_cell (gamma->valves.rod_relief),
                                {tank + gamma->P, NULL},
                                {knows_chambers ? tank + gamma->Ph : NAN, NULL},
                                {knows_chambers ? tank + gamma->Pr : NAN, NULL},
                                {gamma->va, NULL}};

  return end_row (table, cells);
}

/* Ends the rows; FALSE when the user stopped the command. */
static gboolean end_rows (HlCliWait *wait, GError **error) {
  if (hl_cli_wait_end (wait))
    return TRUE;
  hl_cli_set_stopped (error, wait->done, wait->total, "rows");
  return FALSE;
}

/* Begins the map; a rotary actuator is always in a network, which has no segments, valves and regeneration to
 * list. */
static void begin_map (Table *table, const HlForceMap *map) {
  static const Title pushes[] = {{"velocity", "m/s"},
                                 {"force_low", "N"},
                                 {"force_high", "N"},
                                 {"segment", NULL},
                                 {"head_relief", NULL},
                                 {"head_suction", NULL},
                                 {"pump_relief", NULL},
                                 {"rod_suction", NULL},
                                 {"rod_relief", NULL},
                                 {"pump_pressure", "Pa"},
                                 {"head_pressure", "Pa"},
                                 {"rod_pressure", "Pa"},
                                 {"regeneration_velocity", "m/s"}};
  static const Title turns[] = {{"speed", "rad/s"},      {"torque_low", "N m"}, {"torque_high", "N m"},
                                {"pump_pressure", "Pa"}, {"A_pressure", "Pa"},  {"B_pressure", "Pa"}};

  if (hl_force_map_terms (map, 0)->is_rotary)
    begin_table (table, turns, G_N_ELEMENTS (turns));
  else
    begin_table (table, pushes, G_N_ELEMENTS (pushes));
}

static gboolean print_map (const HlCli *cli, const Request *request, HlForceMap *map, Table *table,
                           GError **error) {
  HlCliWait wait;
  int n = hl_force_map_n_members (map);
  g_autofree double *v = g_new0 (double, n);
  g_autofree HlQuasiGamma *gamma = g_new0 (HlQuasiGamma, n);

  begin_map (table, map);
  for (int member = 1; member < n; member++) {
    const With *with = find_with (request, hl_force_map_component (map, member));
    v[member] = with != NULL ? with->number[0] : 0.0;
  }
  hl_cli_wait_begin (&wait, request->list->len);
  for (guint k = 0; k < request->list->len && hl_cli_wait_at (k, &wait); k++) {
    HlFault fault = {.time = NAN, .entity = -1};
    v[0] = g_array_index (request->list, double, k) + 0.0; /* no -0 */
    if (hl_force_map_at (map, v, gamma, &fault) != HL_OK) {
      hl_cli_set_fault (error, cli->system, &fault);
      return FALSE;
    }
    if (!put_state (table, map, gamma))
      break;
  }
  return end_rows (&wait, error);
}

/* Begins the table of loads, with the columns of the map. */
static void begin_loads (Table *table, const HlForceMap *map) {
  static const Title pushes[] = {{"beta", "N s/m"},
                                 {"fbar", "N"},
                                 {"velocity", "m/s"},
                                 {"force", "N"},
                                 {"regeneration_velocity", "m/s"},
                                 {"pump_pressure", "Pa"}};
  static const Title turns[] = {
      {"beta", "N m s/rad"}, {"fbar", "N m"}, {"speed", "rad/s"}, {"torque", "N m"}, {"pump_pressure", "Pa"}};

  if (hl_force_map_terms (map, 0)->is_rotary)
    begin_table (table, turns, G_N_ELEMENTS (turns));
  else
    begin_table (table, pushes, G_N_ELEMENTS (pushes));
}

static gboolean print_loads (const HlCli *cli, const Request *request, HlForceMap *map, Table *table,
                             GError **error) {
  HlCliWait wait;
  int n = hl_force_map_n_members (map);
  g_autofree double *beta = g_new0 (double, n), *fbar = g_new0 (double, n);
  g_autofree HlQuasiLambda *lambda = g_new0 (HlQuasiLambda, n);

  begin_loads (table, map);
  beta[0] = request->beta;
  for (int member = 1; member < n; member++) {
    const With *with = find_with (request, hl_force_map_component (map, member));
    beta[member] = with->number[0];
    fbar[member] = with->number[1];
  }
  hl_cli_wait_begin (&wait, request->list->len);
  for (guint k = 0; k < request->list->len && hl_cli_wait_at (k, &wait); k++) {
    HlFault fault = {.time = NAN, .entity = -1};
    double P;
    fbar[0] = g_array_index (request->list, double, k);
    if (hl_force_map_meet (map, beta, fbar, lambda, &P, &fault) != HL_OK) {
      hl_cli_set_fault (error, cli->system, &fault);
      return FALSE;
    }
    HlAnswerCell cells[6];
    int n_cells = 0;
    cells[n_cells++] = (HlAnswerCell){beta[0], NULL};
    cells[n_cells++] = (HlAnswerCell){fbar[0], NULL};
    cells[n_cells++] = (HlAnswerCell){lambda->v, NULL};
    cells[n_cells++] = (HlAnswerCell){lambda->f, NULL};
    if (!hl_force_map_terms (map, 0)->is_rotary)
      cells[n_cells++] = (HlAnswerCell){lambda->va, NULL};
    cells[n_cells] = (HlAnswerCell){hl_force_map_tank (map) + P, NULL};
    if (!end_row (table, cells))
      break;
  }
  return end_rows (&wait, error);
}

static gboolean run (HlCli *cli, GError **error) {
  g_auto (Request) request = {0};
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_require (cli, "actuator", error) || !hl_cli_compile (cli, error) ||
      !hl_cli_check_oil (cli, HL_MODEL_QUASISTATIC, HL_BARS_OIL, error) ||
      !read_request (cli, &request, error))
    return FALSE;
  HlForceMap *map =
      hl_force_map_new (cli->system, request.component, request.at_time, &request.by_hand, &fault);
  if (map == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (HlCliRows) rows = hl_cli_rows_new (NULL, error);
  g_autoptr (GError) unwritten = NULL;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  Table table = {answer, hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_CSV, rows, FALSE};
  gboolean can = rows != NULL && check_members (cli, &request, map, error);
  gboolean done = can && (request.virtual ? print_loads (cli, &request, map, &table, error)
                                          : print_map (cli, &request, map, &table, error));
  if (can)
    hl_answer_append_foot (answer, table.format, hl_cli_rows_line (rows), done, NULL);
  hl_force_map_free (map);
  if (hl_cli_rows_finish (rows, &unwritten))
    return done;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&unwritten));
  return FALSE;
}

static const HlCliOption options[] = {
    {"actuator", "ACT", "a cylinder, motor or vane actuator", FALSE},
    {"velocity", "LIST", "velocities of the map [m/s, rad/s]", FALSE},
    {"beta", "B", "with the virtual element: slope [N s/m, N m s/rad] ...", FALSE},
    {"fbar", "LIST", "... and forces [N] or torques [N m]", FALSE},
    {"with", "ACT=V",
     "velocity of another actuator (default 0); with\n"
     "                            --beta: ACT=BETA,FBAR, needed for all on the pump",
     TRUE},
    {"at-time", "S", "time of the valve openings (default 0) [s]", FALSE},
    {"command", "U",
     "open the main valves by hand instead: U > 0 extends\n"
     "                            (ph and tr by U), U < 0 retracts, -1 to 1",
     FALSE},
    {"bleed", "U", "the same for the bleed valve, 0 to 1", FALSE},
    {"regeneration", "U", "the same for the regeneration valve, 0 to 1", FALSE},
    {"json", NULL, "one JSON object, rows written during the run, instead of CSV", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_quasistatic = {
    .name = "quasistatic",
    .usage = "FILE --actuator ACT --velocity LIST [--with ACT=V]... [--at-time S]",
    .summary = "force-velocity map of an actuator in the quasistatic oil model",
    .text = "Prints the force of a cylinder over its velocity as CSV (both ends of the interval where\n"
            "the force is set-valued), with the segment of the map, the states of the valves and the\n"
            "pressures; for a motor or a vane actuator the torque over its speed. With --beta and\n"
            "--fbar instead of --velocity: velocity and force of the actuator with its virtual element.",
    .has_own_oil = TRUE,
    .own_oil = HL_MODEL_QUASISTATIC,
    .examples = {"hydrolink quasistatic regeneration-arm-ua05.hydrolink --actuator cyl --velocity=-0.1:0.1:5",
                 "hydrolink quasistatic regeneration-arm-ua05.hydrolink --actuator cyl --velocity \"0,50 "
                 "mm/s\" --json"},
    .options = options,
    .run = run,
};
