/* SPDX-License-Identifier: MIT */
/* hydrolink equilibrium: where the machine rests, its pressures and the forces in its joints. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-snapshot.h"

#include <math.h>

#define DIGITS 10 /* of a number in the text */

/* Names and values of one part of the answer. */
typedef struct
{
  GPtrArray *names; /* owned texts */
  GArray *values;
  GArray *outputs; /* HlObservable */
} Readings;

static Readings
readings_new (void)
{
  return (Readings){.names = g_ptr_array_new_with_free_func (g_free),
                    .values = g_array_new (FALSE, FALSE, sizeof (double)),
                    .outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable))};
}

static void
readings_clear (Readings *readings)
{
  g_ptr_array_unref (readings->names);
  g_array_unref (readings->values);
  g_array_unref (readings->outputs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Readings, readings_clear)

static void
add_reading (Readings *readings, const HlSystem *sys, char *path, const char *name)
{
  HlObservable output;
  double unknown = NAN;

  if (hl_observable_find (sys, path, &output)) {
    g_array_append_val (readings->outputs, output);
    g_array_append_val (readings->values, unknown);
    g_ptr_array_add (readings->names, g_strdup (name != NULL ? name : path));
  }
  g_free (path);
}

static HlStatus
readings_eval (
    Readings *readings, const HlSystem *sys, HlWork *work, const HlPoint *point, HlFault *fault)
{
  return hl_snapshot_eval (sys, work, point, (const HlObservable *)(void *)readings->outputs->data,
                           (int)readings->outputs->len, (double *)(void *)readings->values->data,
                           fault);
}

static void
put_readings (HlJsonOut *json, const char *key, const Readings *readings)
{
  hl_json_out_open (json, key, '{');
  for (guint k = 0; k < readings->names->len; k++)
    hl_json_out_number (json, g_ptr_array_index (readings->names, k),
                        g_array_index (readings->values, double, k));
  hl_json_out_close (json, '}');
}

static void
append_readings (GString *text, const char *title, const char *unit, const Readings *readings)
{
  if (readings->names->len == 0)
    return;
  g_string_append_printf (text, "%s\n", title);
  for (guint k = 0; k < readings->names->len; k++) {
    const char *name = g_ptr_array_index (readings->names, k);
    HlObservable output = g_array_index (readings->outputs, HlObservable, k);
    g_autofree char *value = hl_cli_pretty (g_array_index (readings->values, double, k), DIGITS);
    g_string_append (text, "  ");
    hl_cli_append_cell (text, name, 24, TRUE);
    hl_cli_append_cell (text, value, 20, FALSE);
    g_string_append_printf (text, " %s\n", unit != NULL ? unit : hl_observable_unit (output));
  }
}

/* What is asked of the point, evaluated. */
typedef struct
{
  Readings coordinates, pressures;
  HlWork *work;
  double residual;
} Answer;

static char *
answer_as_json (const HlSystem *sys, const Answer *answer)
{
  g_autoptr (HlJsonOut) json = hl_json_out_new ();

  hl_json_out_open (json, NULL, '{');
  put_readings (json, "coordinates", &answer->coordinates);
  put_readings (json, "pressures", &answer->pressures);
  hl_json_out_open (json, "multipliers", '{');
  for (int joint = 0; joint < hl_system_n_joints (sys); joint++) {
    double values[HL_JOINT_MOST_MULTIPLIERS];
    int n = hl_snapshot_multipliers (sys, answer->work, joint, values);
    hl_json_out_numbers (json, hl_system_entity_id (sys, HL_ENTITY_JOINT, joint), values, n, 1);
  }
  hl_json_out_close (json, '}');
  hl_json_out_number (json, "residual", answer->residual);
  hl_json_out_close (json, '}');
  return g_strdup (json->text->str);
}

static char *
answer_as_text (const HlSystem *sys, const Answer *answer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *residual = hl_cli_pretty (answer->residual, 3);

  append_readings (text, "Coordinates", NULL, &answer->coordinates);
  append_readings (text, "Pressures", "Pa", &answer->pressures);
  if (hl_system_n_joints (sys) > 0)
    g_string_append (text, "Joint forces on b's body: fx [N], fy [N], moment [N m]\n");
  for (int joint = 0; joint < hl_system_n_joints (sys); joint++) {
    double values[HL_JOINT_MOST_MULTIPLIERS];
    int n = hl_snapshot_multipliers (sys, answer->work, joint, values);
    g_string_append (text, "  ");
    hl_cli_append_cell (text, hl_system_entity_id (sys, HL_ENTITY_JOINT, joint), 24, TRUE);
    for (int k = 0; k < n; k++) {
      g_autofree char *value = hl_cli_pretty (values[k], DIGITS);
      hl_cli_append_cell (text, value, 20, FALSE);
    }
    g_string_append_c (text, '\n');
  }
  g_string_append_printf (text, "Residual %s\n", residual);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
answer_collect (const HlCli *cli, Answer *answer)
{
  static const char *const parts[] = {"x", "y", "angle"};
  int n_lines = hl_document_n_elements (cli->document, HL_SECTION_LINES);

  answer->coordinates = readings_new ();
  answer->pressures = readings_new ();
  for (int k = 0; k < 3 * hl_system_n_bodies (cli->system); k++)
    add_reading (&answer->coordinates, cli->system,
                 g_strconcat (hl_system_entity_id (cli->system, HL_ENTITY_BODY, k / 3), ".",
                              parts[k % 3], NULL),
                 NULL);
  for (int k = 0; k < n_lines; k++) {
    const char *id = hl_document_element_id (cli->document, HL_SECTION_LINES, k);
    add_reading (&answer->pressures, cli->system, g_strconcat (id, ".pressure", NULL), id);
  }
}

static gboolean
run (HlCli *cli, GError **error)
{
  Answer answer = {0};
  HlEquilibriumInfo info;
  HlFault fault = {.time = NAN, .entity = -1};
  g_autofree char *text = NULL;

  if (!hl_cli_compile (cli, error))
    return FALSE;
  HlPoint *point = hl_point_new (cli->system);
  answer.work = hl_work_new (cli->system);
  answer_collect (cli, &answer);
  HlStatus status =
      hl_start_point (cli->system, answer.work, HL_START_EQUILIBRIUM, NULL, point, &info, &fault);
  if (status == HL_OK)
    status = readings_eval (&answer.pressures, cli->system, answer.work, point, &fault);
  if (status == HL_OK)
    status = readings_eval (&answer.coordinates, cli->system, answer.work, point, &fault);
  if (status == HL_OK) {
    answer.residual = info.residual;
    text = hl_cli_has (cli, "json") ? answer_as_json (cli->system, &answer)
                                    : answer_as_text (cli->system, &answer);
  } else
    hl_cli_set_fault (error, cli->system, &fault);
  readings_clear (&answer.coordinates);
  readings_clear (&answer.pressures);
  hl_point_free (point);
  hl_work_free (answer.work);
  return text != NULL && hl_cli_write (stdout, text, error);
}

static const HlCliOption options[] = {
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_equilibrium = {
    .name = "equilibrium",
    .usage = "FILE [--json]",
    .summary = "find the state of rest: coordinates, pressures, joint forces",
    .text =
        "Finds the state of rest. What the model's equilibrium.hold names keeps its stated "
        "value;\nthe rest is balanced. Multipliers are the joints' forces on b's body in ground "
        "axes.\nExit status 1 when there is no balance; the message names the element.",
    .options = options,
    .run = run,
};
