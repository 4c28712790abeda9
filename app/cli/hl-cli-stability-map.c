/* SPDX-License-Identifier: MIT */
/* hydrolink stability-map: the largest real part over two parameters, and the boundary. */
#include "app/cli/hl-cli-private.h"
#include "core/linear/hl-stability-map.h"

#include <math.h>
#include <string.h>

#define MOST_CELLS 4000000

typedef struct {
  HlCliParameter parameter;
  GArray *values;
  char *name; /* as given, before the sign */
} Axis;

static void clear_axis (Axis *axis) {
  hl_cli_parameter_clear (&axis->parameter);
  g_clear_pointer (&axis->values, g_array_unref);
  g_clear_pointer (&axis->name, g_free);
}

static int compare_numbers (gconstpointer a, gconstpointer b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Parses "PATH=LIST"; several paths with commas before the sign get the same value. */
static gboolean parse_axis (const HlCli *cli, const char *option, Axis *axis, GError **error) {
  const char *text = hl_cli_text (cli, option), *sign = strchr (text, '=');

  if (sign == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s ‘%s’: write PATH=A:B:N or PATH=value,value…", option,
                 text);
    return FALSE;
  }
  axis->name = g_strndup (text, (gsize)(sign - text));
  if (!hl_cli_parse_parameter (cli, axis->name, &axis->parameter, error))
    return FALSE;
  axis->values = hl_cli_parse_list (sign + 1, axis->name,
                                    hl_cli_quantity_of (cli->document, axis->parameter.paths[0]), error);
  if (axis->values == NULL)
    return FALSE;
  HlSweepParameter sweep = hl_cli_sweep_parameter (&axis->parameter);
  for (guint k = 0; k < axis->values->len; k++) {
    double value = g_array_index (axis->values, double, k);
    if (hl_sweep_parameter_accepts (&sweep, value))
      continue;
    /* in the words of the schema */
    for (char **path = axis->parameter.paths; *path != NULL; path++) {
      g_autoptr (HlDocument) changed = hl_document_with_number (cli->document, *path, value, error);
      if (changed == NULL)
        return FALSE;
    }
  }
  g_array_sort (axis->values, compare_numbers);
  return TRUE;
}

static void put_table (HlAnswer *out, const HlCli *cli, const Axis axes[2], const double table[], int n) {
  for (int side = 0; side < 2; side++)
    hl_answer_column (out, NULL, axes[side].name,
                      hl_cli_unit_of (cli->document, axes[side].parameter.paths[0]),
                      table + (gsize)side * (gsize)n, n, 1);
  hl_answer_column (out, NULL, "growth", "1/s", table + 2 * (gsize)n, n, 1);
  hl_answer_column (out, NULL, "damping_ratio", "1", table + 3 * (gsize)n, n, 1);
}

static void put_map (HlAnswer *out, const HlCli *cli, const HlStabilityMap *map, const Axis axes[2]) {
  static const char *const names[] = {"x", "y"};

  for (int side = 0; side < 2; side++) {
    hl_answer_open_object (out, names[side]);
    hl_answer_open_list (out, "parameters");
    for (char **path = axes[side].parameter.paths; *path != NULL; path++)
      hl_answer_string (out, NULL, *path);
    hl_answer_close (out);
    hl_answer_string (out, "unit", hl_cli_unit_of (cli->document, axes[side].parameter.paths[0]));
    hl_answer_numbers (out, "values", side == 0 ? map->x : map->y, side == 0 ? map->n_x : map->n_y, 1);
    hl_answer_close (out);
  }
  /* one list a value of y */
  hl_answer_open_list (out, "growth");
  for (int j = 0; j < map->n_y; j++)
    hl_answer_numbers (out, NULL, map->growth + j * map->n_x, map->n_x, 1);
  hl_answer_close (out);
  hl_answer_open_list (out, "damping_ratio");
  for (int j = 0; j < map->n_y; j++)
    hl_answer_numbers (out, NULL, map->damping + j * map->n_x, map->n_x, 1);
  hl_answer_close (out);
  hl_answer_open_list (out, "moving");
  for (int j = 0; j < map->n_y; j++) {
    hl_answer_open_list (out, NULL);
    for (int i = 0; i < map->n_x; i++)
      hl_answer_bool (out, NULL, map->moving[j * map->n_x + i]);
    hl_answer_close (out);
  }
  hl_answer_close (out);
  hl_answer_open_list (out, "boundary");
  for (int k = 0; k < map->n_boundary; k++)
    hl_answer_numbers (out, NULL, map->boundary + 2 * k, 2, 1);
  hl_answer_close (out);
  hl_answer_bool (out, "complete", map->complete);
}

static bool note_progress (double part, void *data) {
  HlCliWait *wait = data;
  return hl_cli_wait_at (part * wait->total, wait);
}

static gboolean make_map (const HlCli *cli, const Axis axes[2], GError **error) {
  HlCliWait wait;
  HlFault fault = {.time = NAN, .entity = -1};
  gint64 cells = (gint64)axes[0].values->len * (gint64)axes[1].values->len;

  if (cells > MOST_CELLS) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%" G_GINT64_FORMAT " points are too many for one map; at most %d", cells, MOST_CELLS);
    return FALSE;
  }
  gboolean shapes = axes[0].parameter.shapes || axes[1].parameter.shapes;
  HlStabilityMapOptions how = {.x = hl_cli_sweep_parameter (&axes[0].parameter),
                               .y = hl_cli_sweep_parameter (&axes[1].parameter),
                               .document = shapes ? cli->document : NULL,
                               .x_values = (const double *)(void *)axes[0].values->data,
                               .y_values = (const double *)(void *)axes[1].values->data,
                               .n_x = (int)axes[0].values->len,
                               .n_y = (int)axes[1].values->len,
                               .start = HL_START_FROM_MODEL,
                               .progress = note_progress,
                               .progress_data = &wait};
  hl_cli_wait_begin (&wait, (double)cells);
  HlStabilityMap *map = hl_stability_map_new (cli->system, &how, &fault);
  hl_cli_wait_end (&wait);
  if (map == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  int n_rows;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  g_autofree double *table = hl_stability_map_table (map, &n_rows);
  put_table (answer, cli, axes, table, n_rows);
  put_map (answer, cli, map, axes);
  gboolean is_complete = map->complete;
  wait.done = map->n_done;
  hl_cli_say_cavitations_at_start (cli);
  if (map->n_moving > 0)
    hl_cli_note_motion (cli, "the boundary is computed for a start state at rest only");
  gboolean is_reported = hl_cli_answer (cli, answer, HL_ANSWER_CSV, error);
  hl_stability_map_free (map);
  if (!is_reported)
    return FALSE;
  if (!is_complete) /* without those behind a gap */
    hl_cli_set_stopped (error, wait.done, wait.total, "points");
  return is_complete;
}

static gboolean run (HlCli *cli, GError **error) {
  Axis axes[2] = {{{0}, NULL, NULL}, {{0}, NULL, NULL}};

  if (!hl_cli_require (cli, "x", error) || !hl_cli_require (cli, "y", error) || !hl_cli_compile (cli, error))
    return FALSE;
  gboolean ok = parse_axis (cli, "x", &axes[0], error) && parse_axis (cli, "y", &axes[1], error) &&
                make_map (cli, axes, error);
  clear_axis (&axes[0]);
  clear_axis (&axes[1]);
  return ok;
}

static const HlCliOption options[] = {
    {"x", "PATH[,PATH]=LIST", "first parameter and its values", FALSE},
    {"y", "PATH[,PATH]=LIST", "second parameter and its values", FALSE},
    {"json", NULL, "one JSON object instead of CSV", FALSE},
    {"out", "FILE", "write to a file instead of standard output; also -o FILE", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_stability_map = {
    .name = "stability-map",
    .usage = "FILE --x PATH=LIST --y PATH=LIST [--json] [--out FILE]",
    .summary = "stability over two parameters, and its boundary",
    .text = "Prints one row per grid point: the two values, the largest real part of the nonzero\n"
            "eigenvalues, and the minimum damping ratio; both are empty where the model has no start\n"
            "state. Rows with an empty damping ratio follow: points of the stability boundary, solved\n"
            "to rounding along the grid lines. Several paths with commas get the same value. Ctrl+C\n"
            "stops and prints the finished rows.",
    .examples =
        {"hydrolink stability-map four-bar.hydrolink --x link2.mass=1:4:5 --y cyl.friction.Fc=log:1:300:5",
         "hydrolink stability-map four-bar.hydrolink --x \"link2.mass=1 kg,3 kg\" --y cyl.stroke=1,2 --json"},
    .options = options,
    .run = run,
};
