/* SPDX-License-Identifier: MIT */
/* hydrolink quasistatic: the set-valued force-velocity map of a cylinder, or the cylinder with its
 * virtual element, as CSV. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-force-map.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

/* One cylinder of --with: its velocity, or its load line. */
typedef struct
{
  int component;
  double number[2]; /* v, or beta and fbar */
} With;

/* What the line asks for, checked. */
typedef struct
{
  int component;
  GArray *list;     /* velocities, or fbar in the other form */
  gboolean virtual; /* --beta and --fbar */
  double beta;
  double at_time;
  HlForceMapOpenings by_hand;
  GArray *with; /* With */
} Request;

static void
request_clear (Request *request)
{
  g_clear_pointer (&request->list, g_array_unref);
  g_clear_pointer (&request->with, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static gboolean
find_cylinder (const HlCli *cli, const char *option, const char *id, int *component, GError **error)
{
  HlSection section;

  if (hl_document_find (cli->document, id, &section, component) != NULL &&
      section == HL_SECTION_COMPONENTS &&
      g_strcmp0 (hl_document_element_kind_name (cli->document, section, *component), "cylinder") ==
          0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: there is no cylinder ‘%s’", option, id);
  return FALSE;
}

/* "CYL=V", or "CYL=BETA,FBAR". */
static gboolean
read_with (const HlCli *cli, Request *request, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  guint wanted = request->virtual ? 2 : 1;

  if (equals != NULL) {
    g_autofree char *id = g_strndup (text, (gsize)(equals - text));
    g_auto (GStrv) parts = g_strsplit (equals + 1, ",", -1);
    With with;
    if (!find_cylinder (cli, "with", id, &with.component, error))
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
               request->virtual ? "CYL=BETA,FBAR with BETA > 0" : "CYL=V");
  return FALSE;
}

/* An opening set by hand; NAN when the line does not give it. */
static gboolean
read_opening (const HlCli *cli, const char *option, double least, double *opening, GError **error)
{
  *opening = NAN;
  if (!hl_cli_number (cli, option, opening, error))
    return FALSE;
  if (isnan (*opening) || (*opening >= least && *opening <= 1.0))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: an opening lies between %g and 1", option,
               least);
  return FALSE;
}

static gboolean
read_request (const HlCli *cli, Request *request, GError **error)
{
  const char *velocity = hl_cli_text (cli, "velocity"), *fbar = hl_cli_text (cli, "fbar");
  const char *const *with = hl_cli_texts (cli, "with");

  request->virtual = velocity == NULL;
  if ((velocity != NULL) == (hl_cli_has (cli, "beta") && fbar != NULL) ||
      hl_cli_has (cli, "beta") != (fbar != NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "quasistatic needs either --velocity LIST or both --beta B and --fbar LIST");
    return FALSE;
  }
  request->list = request->virtual ? hl_cli_parse_list (fbar, "--fbar", error)
                                   : hl_cli_parse_list (velocity, "--velocity", error);
  if (request->list == NULL || !hl_cli_positive (cli, "beta", &request->beta, error) ||
      !hl_cli_number (cli, "at-time", &request->at_time, error) ||
      !read_opening (cli, "command", -1.0, &request->by_hand.command, error) ||
      !read_opening (cli, "bleed", 0.0, &request->by_hand.bleed, error) ||
      !read_opening (cli, "regeneration", 0.0, &request->by_hand.regeneration, error) ||
      !find_cylinder (cli, "actuator", hl_cli_text (cli, "actuator"), &request->component, error))
    return FALSE;
  request->with = g_array_new (FALSE, FALSE, sizeof (With));
  for (int k = 0; with[k] != NULL; k++)
    if (!read_with (cli, request, with[k], error))
      return FALSE;
  return TRUE;
}

/* What --with says about a member of the map; NULL = nothing. */
static const With *
find_with (const Request *request, int component)
{
  for (guint k = 0; k < request->with->len; k++)
    if (g_array_index (request->with, With, k).component == component)
      return &g_array_index (request->with, With, k);
  return NULL;
}

/* Every --with must name another cylinder on the same pump. */
static gboolean
check_members (const HlCli *cli, const Request *request, const HlForceMap *map, GError **error)
{
  int n = hl_force_map_n_members (map);

  for (guint k = 0; k < request->with->len; k++) {
    gboolean found = FALSE;
    int component = g_array_index (request->with, With, k).component;
    for (int member = 1; member < n; member++)
      found = found || hl_force_map_component (map, member) == component;
    if (found)
      continue;
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--with ‘%s’: name another cylinder on the same pump",
                 hl_document_element_id (cli->document, HL_SECTION_COMPONENTS, component));
    return FALSE;
  }
  for (int member = 1; member < n && request->virtual; member++) {
    int component = hl_force_map_component (map, member);
    if (find_with (request, component) != NULL)
      continue;
    const char *id = hl_document_element_id (cli->document, HL_SECTION_COMPONENTS, component);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "‘%s’ is on the same pump: add --with %s=BETA,FBAR", id, id);
    return FALSE;
  }
  return TRUE;
}

/* ---- rows ---- */

static const char *
valve_letter (gboolean is_open)
{
  return is_open ? "o" : "x";
}

/* At rest the pump's relief valve may be open or shut, and the pressures of two shut chambers are
 * not determined, only the difference of their forces: those cells stay empty. */
static void
append_state (GString *out, const HlForceMap *map, const HlQuasiGamma *gamma)
{
  const HlActuator *actuator = hl_force_map_actuator (map, 0);
  HlOpening opening = hl_actuator_opening (actuator);
  gboolean rests = gamma->v == 0.0;
  gboolean knows_chambers = !rests || (opening == HL_OPENING_EXTEND && actuator->tr > 0.0) ||
                            (opening == HL_OPENING_RETRACT && actuator->th > 0.0);
  double tank = hl_force_map_tank (map);

  hl_table_append_numbers (out, (double[]){gamma->v, gamma->f_lo, gamma->f_hi}, 3);
  g_string_truncate (out, out->len - 1);
  g_string_append_printf (
      out, ",%s,%s,%s,%s,%s,%s,", rests ? "" : hl_segment_name (gamma->segment),
      valve_letter (gamma->valves.head_relief), valve_letter (gamma->valves.head_suction),
      rests ? "" : valve_letter (gamma->valves.pump_relief),
      valve_letter (gamma->valves.rod_suction), valve_letter (gamma->valves.rod_relief));
  hl_table_append_numbers (out,
                           (double[]){tank + gamma->P, knows_chambers ? tank + gamma->Ph : NAN,
                                      knows_chambers ? tank + gamma->Pr : NAN, gamma->va},
                           4);
}

static gboolean
print_map (const HlCli *cli, const Request *request, HlForceMap *map, GString *out, GError **error)
{
  int n = hl_force_map_n_members (map);
  g_autofree double *v = g_new0 (double, n);
  g_autofree HlQuasiGamma *gamma = g_new0 (HlQuasiGamma, n);

  g_string_append (out, "velocity,force_low,force_high,segment,head_relief,head_suction,"
                        "pump_relief,rod_suction,rod_relief,pump_pressure,head_pressure,"
                        "rod_pressure,regeneration_velocity\n");
  for (int member = 1; member < n; member++) {
    const With *with = find_with (request, hl_force_map_component (map, member));
    v[member] = with != NULL ? with->number[0] : 0.0;
  }
  for (guint k = 0; k < request->list->len; k++) {
    HlFault fault = {.time = NAN, .entity = -1};
    v[0] = g_array_index (request->list, double, k) + 0.0; /* no -0 */
    if (hl_force_map_at (map, v, gamma, &fault) != HL_OK) {
      hl_cli_set_fault (error, cli->system, &fault);
      return FALSE;
    }
    append_state (out, map, gamma);
  }
  return TRUE;
}

static gboolean
print_loads (
    const HlCli *cli, const Request *request, HlForceMap *map, GString *out, GError **error)
{
  int n = hl_force_map_n_members (map);
  g_autofree double *beta = g_new0 (double, n), *fbar = g_new0 (double, n);
  g_autofree HlQuasiLambda *lambda = g_new0 (HlQuasiLambda, n);

  g_string_append (out, "beta,fbar,velocity,force,regeneration_velocity,pump_pressure\n");
  beta[0] = request->beta;
  for (int member = 1; member < n; member++) {
    const With *with = find_with (request, hl_force_map_component (map, member));
    beta[member] = with->number[0];
    fbar[member] = with->number[1];
  }
  for (guint k = 0; k < request->list->len; k++) {
    HlFault fault = {.time = NAN, .entity = -1};
    double P;
    fbar[0] = g_array_index (request->list, double, k);
    if (hl_force_map_meet (map, beta, fbar, lambda, &P, &fault) != HL_OK) {
      hl_cli_set_fault (error, cli->system, &fault);
      return FALSE;
    }
    hl_table_append_numbers (
        out,
        (double[]){beta[0], fbar[0], lambda->v, lambda->f, lambda->va, hl_force_map_tank (map) + P},
        6);
  }
  return TRUE;
}

static gboolean
run (HlCli *cli, GError **error)
{
  g_auto (Request) request = {0};
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_require (cli, "actuator", error) || !hl_cli_compile (cli, error) ||
      !read_request (cli, &request, error))
    return FALSE;
  HlForceMap *map =
      hl_force_map_new (cli->system, request.component, request.at_time, &request.by_hand, &fault);
  if (map == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean done = check_members (cli, &request, map, error) &&
                  (request.virtual ? print_loads (cli, &request, map, out, error)
                                   : print_map (cli, &request, map, out, error));
  hl_force_map_free (map);
  return done && hl_cli_write (stdout, out->str, error);
}

static const HlCliOption options[] = {
    {"actuator", "CYL", "the cylinder", FALSE},
    {"velocity", "LIST", "velocities at which the map is printed [m/s]", FALSE},
    {"beta", "B", "with the virtual element: its slope [N s/m] ...", FALSE},
    {"fbar", "LIST", "... and its forces [N]", FALSE},
    {"with", "CYL=V",
     "velocity of another cylinder, else it stands still; with\n"
     "                            --beta: CYL=BETA,FBAR, needed for all on the "
     "pump",
     TRUE},
    {"at-time", "T", "time of the valve openings (0) [s]", FALSE},
    {"command", "U",
     "open the main valves by hand instead: U > 0 extends\n"
     "                            (ph and tr by U), U < 0 retracts, -1 to 1",
     FALSE},
    {"bleed", "U", "the same for the bleed valve, 0 to 1", FALSE},
    {"regeneration", "U", "the same for the regeneration valve, 0 to 1", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_quasistatic = {
    .name = "quasistatic",
    .usage = "FILE --actuator CYL --velocity LIST [--with CYL=V]... [--at-time T]",
    .summary = "force-velocity map of a cylinder in the quasistatic oil model",
    .text = "Prints the force of a cylinder over its velocity as CSV, low and high where it is\n"
            "set-valued, with the segment of the map, the states of the valves and the "
            "pressures.\nWith --beta and --fbar instead of --velocity: velocity and force of the "
            "cylinder with\nits virtual element.",
    .options = options,
    .run = run,
};
