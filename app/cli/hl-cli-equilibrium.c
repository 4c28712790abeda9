/* SPDX-License-Identifier: MIT */
/* hydrolink equilibrium: the rest position of the machine, its pressures and the forces in its joints. */
#include "app/cli/hl-cli-private.h"
#include "core/linear/hl-friction-rest-band.h"
#include "core/run/hl-state-snapshot.h"

#include <math.h>

#define DIGITS 10 /* of a number in the text */

/* Names and values of one part of the answer. */
typedef struct {
  GPtrArray *names, *paths; /* owned texts */
  GArray *values;
  GArray *outputs; /* HlObservable */
} Readings;

static Readings readings_new (void) {
  return (Readings){.names = g_ptr_array_new_with_free_func (g_free),
                    .paths = g_ptr_array_new_with_free_func (g_free),
                    .values = g_array_new (FALSE, FALSE, sizeof (double)),
                    .outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable))};
}

static void readings_clear (Readings *readings) {
  g_ptr_array_unref (readings->names);
  g_ptr_array_unref (readings->paths);
  g_array_unref (readings->values);
  g_array_unref (readings->outputs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Readings, readings_clear)

static void add_reading (Readings *readings, const HlSystem *sys, char *path, const char *name) {
  HlObservable output;
  double unknown = NAN;

  if (hl_observable_find (sys, path, &output)) {
    g_array_append_val (readings->outputs, output);
    g_array_append_val (readings->values, unknown);
    g_ptr_array_add (readings->names, g_strdup (name != NULL ? name : path));
    g_ptr_array_add (readings->paths, path);
  } else
    g_free (path);
}

static gboolean readings_take (Readings *readings, const HydrolinkState *state, char **why) {
  for (guint k = 0; k < readings->paths->len; k++)
    if (!hydrolink_state_get (state, g_ptr_array_index (readings->paths, k),
                              &g_array_index (readings->values, double, k), why))
      return FALSE;
  return TRUE;
}

/* Writes values under a key, and lines under a title; unit NULL: that of each. */
static void put_readings (HlAnswer *answer, const char *key, const char *title, const char *unit,
                          const Readings *readings) {
  GString *page = hl_answer_page (answer);

  hl_answer_open_object (answer, key);
  if (readings->names->len > 0)
    g_string_append_printf (page, "%s\n", title);
  for (guint k = 0; k < readings->names->len; k++) {
    const char *name = g_ptr_array_index (readings->names, k);
    HlObservable output = g_array_index (readings->outputs, HlObservable, k);
    double value = g_array_index (readings->values, double, k);
    g_autofree char *text = hl_cli_pretty (value, DIGITS);
    hl_answer_number (answer, name, value);
    g_string_append (page, "  ");
    hl_cli_append_cell (page, name, 24, TRUE);
    hl_cli_append_cell (page, text, 20, FALSE);
    g_string_append_printf (page, " %s\n", unit != NULL ? unit : hl_observable_unit (output));
  }
  hl_answer_close (answer);
}

/* Appends the range of rest positions around the equilibrium that dry seal friction permits. */
static void put_band (HlAnswer *answer, const char *key, const char *title, const Readings *readings,
                      const HlRestBand *band) {
  GString *page = hl_answer_page (answer);

  hl_answer_open_object (answer, key);
  g_string_append_printf (page, "%s\n", title);
  for (guint k = 0; k < readings->names->len; k++) {
    const char *name = g_ptr_array_index (readings->names, k);
    HlObservable output = g_array_index (readings->outputs, HlObservable, k);
    g_autofree char *text =
        isfinite (band->half[k]) ? hl_cli_pretty (band->half[k], DIGITS) : g_strdup ("anywhere");
    hl_answer_number (answer, name, band->half[k]);
    g_string_append (page, "  ± ");
    hl_cli_append_cell (page, name, 22, TRUE);
    hl_cli_append_cell (page, text, 20, FALSE);
    g_string_append_printf (page, " %s\n", hl_observable_unit (output));
  }
  hl_answer_close (answer);
}

/* The requested values of the point. */
typedef struct {
  Readings coordinates, pressures;
  HlRestBand *bodies, *lines; /* NULL: not requested */
} Answer;

static void put_joints (HlAnswer *answer, const HlSystem *sys, const HydrolinkState *state) {
  GString *page = hl_answer_page (answer);

  hl_answer_open_object (answer, "multipliers");
  if (hl_system_n_joints (sys) > 0)
    g_string_append (page, "Joint forces on b's body: fx [N], fy [N], moment [N m]\n");
  for (int joint = 0; joint < hl_system_n_joints (sys); joint++) {
    const char *id = hl_system_entity_id (sys, HL_ENTITY_JOINT, joint);
    double values[HL_JOINT_MOST_MULTIPLIERS];
    int n = hl_api_state_multipliers (state, joint, values);
    hl_answer_open_list (answer, id);
    g_string_append (page, "  ");
    hl_cli_append_cell (page, id, 24, TRUE);
    for (int k = 0; k < n; k++) {
      g_autofree char *value = hl_cli_pretty (values[k], DIGITS);
      hl_answer_number (answer, NULL, values[k]);
      hl_cli_append_cell (page, value, 20, FALSE);
    }
    hl_answer_close (answer);
    g_string_append_c (page, '\n');
  }
  hl_answer_close (answer);
}

static gboolean write_answer (const HlCli *cli, const Answer *found, const HydrolinkState *state,
                              GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  double unbalanced = hl_api_state_residual (state);
  g_autofree char *residual = hl_cli_pretty (unbalanced, 3);

  put_readings (answer, "coordinates", "Coordinates", NULL, &found->coordinates);
  put_readings (answer, "pressures", "Pressures", "Pa", &found->pressures);
  if (found->bodies != NULL) {
    put_band (answer, "rest_coordinates", "Friction permits rest with coordinates off by",
              &found->coordinates, found->bodies);
    put_band (answer, "rest_pressures", "and with pressures off by", &found->pressures, found->lines);
    hl_answer_number (answer, "friction", found->bodies->force);
  }
  put_joints (answer, cli->system, state);
  hl_answer_number (answer, "residual", unbalanced);
  g_string_append_printf (hl_answer_page (answer), "Residual %s\n", residual);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

static void answer_collect (const HlCli *cli, Answer *answer) {
  static const char *const parts[] = {"x", "y", "angle"};
  int n_lines = hl_document_n_elements (cli->document, HL_SECTION_LINES);

  answer->coordinates = readings_new ();
  answer->pressures = readings_new ();
  for (int k = 0; k < 3 * hl_system_n_bodies (cli->system); k++)
    add_reading (
        &answer->coordinates, cli->system,
        g_strconcat (hl_system_entity_id (cli->system, HL_ENTITY_BODY, k / 3), ".", parts[k % 3], NULL),
        NULL);
  for (int k = 0; k < n_lines; k++) {
    const char *id = hl_document_element_id (cli->document, HL_SECTION_LINES, k);
    add_reading (&answer->pressures, cli->system, g_strconcat (id, ".pressure", NULL), id);
  }
}

static HlRestBand *band_of (const HlCli *cli, const Readings *readings, const HlPoint *point,
                            HlFault *fault) {
  return hl_rest_band_new (cli->system, point, (const HlObservable *)(void *)readings->outputs->data,
                           (int)readings->outputs->len, fault);
}

static gboolean find_bands (const HlCli *cli, Answer *answer, const HlPoint *point, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_has (cli, "rest-band"))
    return TRUE;
  answer->bodies = band_of (cli, &answer->coordinates, point, &fault);
  answer->lines = answer->bodies != NULL ? band_of (cli, &answer->pressures, point, &fault) : NULL;
  if (answer->lines == NULL)
    hl_cli_set_fault (error, cli->system, &fault);
  return answer->lines != NULL;
}

static gboolean answer_for (const HlCli *cli, Answer *answer, const HydrolinkState *state, GError **error) {
  char *why = NULL;
  int n_said = 0;

  if (!readings_take (&answer->pressures, state, &why) || !readings_take (&answer->coordinates, state, &why))
    return hl_api_raise (why, error);
  if (!find_bands (cli, answer, hl_api_state_point (state), error))
    return FALSE;
  hl_cli_say_notes (cli, hl_api_state_notes (state), &n_said);
  return write_answer (cli, answer, state, error);
}

static gboolean run (HlCli *cli, GError **error) {
  Answer answer = {0};
  char *why = NULL;

  if (!hl_cli_compile (cli, error))
    return FALSE;
  HydrolinkState *state = hydrolink_state (cli->model, HYDROLINK_AT_EQUILIBRIUM, 0.0, &why);
  if (state == NULL)
    return hl_api_raise (why, error);
  answer_collect (cli, &answer);
  gboolean done = answer_for (cli, &answer, state, error);
  readings_clear (&answer.coordinates);
  readings_clear (&answer.pressures);
  hl_rest_band_free (answer.bodies);
  hl_rest_band_free (answer.lines);
  hydrolink_state_free (state);
  return done;
}

static const HlCliOption options[] = {
    {"rest-band", NULL, "also print the band of rest positions due to dry seal friction", FALSE},
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_equilibrium = {
    .name = "equilibrium",
    .usage = "FILE [--rest-band] [--json]",
    .summary = "find the equilibrium: coordinates, pressures, joint forces",
    .text = "Finds the equilibrium. The values named in equilibrium.hold of the model are fixed; the\n"
            "other values are computed. Multipliers are the joint forces on b's body in ground axes.\n"
            "Exit status 1 if there is no equilibrium; the message names the element.",
    .examples = {"hydrolink equilibrium four-bar.hydrolink",
                 "hydrolink equilibrium crane-counterbalance.hydrolink --json"},
    .options = options,
    .run = run,
};
