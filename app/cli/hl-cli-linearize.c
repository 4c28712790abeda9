/* SPDX-License-Identifier: MIT */
/* hydrolink linearize: J, B and the interpretation of their eigenvalues. */
#include "app/cli/hl-cli-private.h"

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/io/hl-linear-model-file.h"

#include <math.h>
#include <string.h>

/* hydrolink linearize --model hybrid: the reduced equations of the mode that a run is in, and the
 * eigenvalues of the modes next to it. */

/* A stop counts as near within this distance [m]. */
#define REACH 1e-6

static void append_neighbours (GString *text, const HlCli *cli, const HlHybridNeighbour *neighbours, int n) {
  for (int k = 0; k < n; k++) {
    const HlHybridNeighbour *next = &neighbours[k];
    const char *id = hl_system_entity_id (cli->system, HL_ENTITY_COMPONENT, next->component);
    const char *state = !next->is_stop ? (next->on ? "shut" : "open")
                        : next->on     ? (next->upper ? "at its upper stop" : "at its lower stop")
                                       : "off its stop";
    g_autofree char *table = hl_cli_eigenvalue_table (next->linear->lin);
    g_string_append_printf (text, "\nIf %s were %s:\n%s", id, state,
                            next->linear->lin->n > 0 ? table : "no eigenvalues: the model has no states\n");
  }
}

static void append_inputs (GString *text, const HlLinearization *lin);

static void put_page_hybrid (GString *text, const HlCli *cli, const HlHybridLinear *linear,
                             const HlVisitedMode *mode, const HlHybridNeighbour *neighbours, int n) {
  g_autofree char *what =
      mode != NULL ? hl_visited_mode_text (mode) : g_strdup ("the mode at the start of a run");
  g_autofree char *table = hl_cli_eigenvalue_table (linear->lin);
  g_autofree char *error = hl_cli_pretty (linear->error, 2);
  g_autofree char *verdict = hl_cli_verdict (linear->lin);

  g_string_append_printf (text, "Mode: %s\nStates:", what);
  for (int k = 0; k < linear->lin->n; k++)
    g_string_append_printf (text, " %s", linear->lin->state_names[k]);
  g_string_append_c (text, '\n');
  if (linear->lin->n > 0)
    append_inputs (text, linear->lin);
  g_string_append_printf (text, "J is known to %s of its rows\n%s%s\n", error, table, verdict);
  append_neighbours (text, cli, neighbours, n);
}

/* Saves A, B, C, D to the file of --out. */
static gboolean save_hybrid (HlCli *cli, const HlHybridPlace *place, const HlHybridChoice *choice,
                             GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  g_autoptr (HlLinearSheet) sheet =
      hl_linear_sheet_new_hybrid (cli->document, cli->system, place, choice, &fault);

  if (sheet == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  return hl_cli_save_sheet (cli, sheet, error);
}

/* Returns the run up to that time, which Ctrl+C ends. Owned by the caller; NULL with an error. */
static HlModeHistory *run_until (const HlCli *cli, double time, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlCliWait wait;

  hl_cli_wait_begin (&wait, INFINITY);
  HlModeHistory *history = hl_mode_history_until (cli->system, time, hl_cli_wait_cancel, &wait, &fault);
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  if (history == NULL && was_stopped)
    hl_cli_set_stopped_on_way (error, time);
  else if (history == NULL)
    hl_cli_set_fault (error, cli->system, &fault);
  return history;
}

HlLinearModel *hl_cli_hybrid_model (const HlCli *cli, double time, const HlObservable *output,
                                    GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  g_autoptr (HlModeHistory) history = time > 0.0 ? run_until (cli, time, error) : NULL;
  HlHybridLinear *linear = NULL;

  if (time > 0.0 && history == NULL)
    return NULL;
  if (history != NULL) {
    const HlVisitedMode *mode = hl_mode_history_last (history);
    HlHybridPlace place = hl_visited_mode_place (mode);
    HlHybridChoice choice = hl_visited_mode_choice (mode);
    linear = hl_hybrid_linearize_with_outputs (cli->system, &place, &choice, output, 1, &fault);
  } else
    linear = hl_hybrid_linearize_with_outputs (cli->system, NULL, NULL, output, 1, &fault);
  if (linear == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return NULL;
  }
  HlLinearModel *model = g_steal_pointer (&linear->model);
  hl_hybrid_linear_free (linear);
  return model;
}

static gboolean cli_linearize_hybrid (HlCli *cli, double time, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  g_autoptr (HlModeHistory) history = NULL;
  const HlVisitedMode *mode = NULL;
  HlHybridNeighbour *neighbours = NULL;
  HlHybridPlace place;
  HlHybridChoice choice;

  if (time > 0.0) {
    history = run_until (cli, time, error);
    if (history == NULL)
      return FALSE;
    mode = hl_mode_history_last (history);
    place = hl_visited_mode_place (mode);
    choice = hl_visited_mode_choice (mode);
  }
  const HlHybridPlace *at = mode != NULL ? &place : NULL;
  const HlHybridChoice *in = mode != NULL ? &choice : NULL;
  if (hl_cli_has (cli, "out"))
    return save_hybrid (cli, at, in, error);
  HlHybridLinear *linear = hl_hybrid_linearize (cli->system, at, in, &fault);
  if (linear == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_cli_answer_linearization (answer, linear->lin);
  if (!hl_cli_has (cli, "json")) {
    int n = hl_hybrid_find_neighbours (cli->system, at, in, REACH, &neighbours);
    put_page_hybrid (hl_answer_page (answer), cli, linear, mode, neighbours, n);
    hl_hybrid_neighbours_free (neighbours, n);
  }
  gboolean done = hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
  hl_hybrid_linear_free (linear);
  return done;
}

static gboolean has_state (const HlLinearization *lin, const char *path) {
  for (int k = 0; k < lin->n; k++)
    if (strcmp (lin->state_names[k], path) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the state of --at; NULL with an error. On the way to a time Ctrl+C stops. */
static HydrolinkState *find_state (HlCli *cli, HydrolinkPlace place, double time, GError **error) {
  gboolean is_on_way = place == HYDROLINK_AT_TIME && time > 0.0;
  char *why = NULL;
  HlCliWait wait;

  if (is_on_way) {
    hl_cli_wait_begin (&wait, INFINITY);
    hl_api_watch (cli->model, hl_cli_wait_cancel, &wait);
  }
  HydrolinkState *state = hydrolink_state (cli->model, place, time, &why);
  if (is_on_way) {
    hl_api_watch (cli->model, NULL, NULL);
    hl_cli_wait_end (&wait);
  }
  if (state == NULL && is_on_way && hl_cli_is_stopped ()) {
    hydrolink_free (why);
    hl_cli_set_stopped_on_way (error, time);
  } else if (state == NULL)
    hl_api_raise (why, error);
  return state;
}

static gboolean parse_at (const HlCli *cli, HydrolinkPlace *place, double *time, GError **error) {
  const char *at = hl_cli_text (cli, "at");

  *place = HYDROLINK_AT_START;
  *time = 0.0;
  if (at == NULL)
    return TRUE;
  if (strcmp (at, "equilibrium") == 0)
    *place = HYDROLINK_AT_EQUILIBRIUM;
  else if (strcmp (at, "start") == 0)
    *place = HYDROLINK_AT_GIVEN;
  else {
    if (!hl_cli_parse_quantity (at, "--at (equilibrium, start or a time)", HL_QUANTITY_TIME, time, error))
      return FALSE;
    *place = HYDROLINK_AT_TIME;
    if (*time < 0) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--at: the time %s is before the start", at);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean check_coordinates (const HlCli *cli, char **paths, GError **error) {
  static const char *const ends[] = {".x", ".y", ".angle"};

  for (int k = 0; paths[k] != NULL; k++) {
    gboolean known = FALSE;
    for (int body = 0; body < hl_system_n_bodies (cli->system); body++)
      for (gsize e = 0; e < G_N_ELEMENTS (ends); e++) {
        g_autofree char *path =
            g_strconcat (hl_system_entity_id (cli->system, HL_ENTITY_BODY, body), ends[e], NULL);
        known = known || strcmp (path, paths[k]) == 0;
      }
    if (!known) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--coordinates: ‘%s’ is not a coordinate of a body; write BODY.x, BODY.y or BODY.angle",
                   paths[k]);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean check_choice (const HlLinearization *lin, char **paths, GError **error) {
  for (int k = 0; paths != NULL && paths[k] != NULL; k++)
    if (!has_state (lin, paths[k])) {
      g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                   "‘%s’ cannot be an independent coordinate here: the other coordinates determine it; leave "
                   "it out of --coordinates",
                   paths[k]);
      return FALSE;
    }
  return TRUE;
}

/* --- values --- */

static void put_eigenvalues (HlAnswer *answer, const HlLinearization *lin) {
  hl_answer_open_list (answer, "eigenvalues");
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    hl_answer_open_object (answer, NULL);
    hl_answer_number (answer, "re", value->re);
    hl_answer_number (answer, "im", value->im);
    hl_answer_number (answer, "frequency_hz", value->frequency_hz);
    hl_answer_number (answer, "damping_ratio", value->damping_ratio);
    hl_answer_open_object (answer, "participation");
    for (int state = 0; state < lin->n; state++)
      hl_answer_number (answer, lin->state_names[state], lin->participation[k * lin->n + state]);
    hl_answer_close (answer);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
}

static void put_nulls_and_kinks (HlAnswer *answer, const HlLinearization *lin) {
  hl_answer_open_object (answer, "null");
  hl_answer_integer (answer, "count", lin->n_null);
  hl_answer_open_list (answer, "blocks");
  for (int k = 0; k < lin->n_null_blocks; k++)
    hl_answer_integer (answer, NULL, lin->null_blocks[k]);
  hl_answer_close (answer);
  hl_answer_close (answer);
  hl_answer_open_list (answer, "kinks");
  for (int k = 0; k < lin->n_kinks; k++) {
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "state", hl_kink_name (lin, &lin->kinks[k]));
    if (lin->kinks[k].input >= 0)
      hl_answer_bool (answer, "input", TRUE);
    hl_answer_numbers (answer, "toward_positive", lin->kinks[k].toward_positive, lin->n, 1);
    hl_answer_numbers (answer, "toward_negative", lin->kinks[k].toward_negative, lin->n, 1);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
}

/* Appends the verdict on stability; for a state of a moving machine the eigenvalues depend on the choice of
 * coordinates. */
static void put_verdict (HlAnswer *answer, const HlLinearization *lin) {
  static const char *const motions[] = {"rest", "steady", "moving"};

  hl_answer_string (answer, "motion", motions[lin->steadiness]);
  hl_answer_open_list (answer, "coordinates");
  for (int k = 0; k < lin->n; k++)
    if (hl_linearization_is_coordinate (lin, k))
      hl_answer_string (answer, NULL, lin->state_names[k]);
  hl_answer_close (answer);
  if (lin->steadiness == HL_ON_THE_WAY)
    hl_answer_number (answer, "unstable", NAN);
  else
    hl_answer_bool (answer, "unstable", lin->unstable);
}

/* Columns of B by what they are, each with its name. */
typedef struct {
  int n;
  double *value;      /* lin->n x n */
  const char **names; /* n, and NULL; borrowed */
} Columns;

/* Returns the disturbances, or the inputs: signals and, of the hybrid oil, their rates. To be freed by
 * free_columns. */
static Columns columns_of (const HlLinearization *lin, gboolean disturbances) {
  Columns found = {0, g_new (double, lin->n * lin->n_inputs + 1), g_new0 (const char *, lin->n_inputs + 1)};

  for (int k = 0; k < lin->n_inputs; k++) {
    gboolean is_one = k >= lin->n_signals && k < lin->n_signals + lin->n_disturbances;
    if (is_one != disturbances)
      continue;
    memcpy (found.value + lin->n * found.n, lin->B + lin->n * k, sizeof (double) * (gsize)lin->n);
    found.names[found.n++] = lin->input_names[k];
  }
  return found;
}

static void free_columns (Columns *columns) {
  g_free (columns->value);
  g_free (columns->names);
}

/* Appends a title, then n rows with their names; value: n x columns, column-major. */
static void append_matrix (GString *text, const char *title, const double value[], char *const rows[], int n,
                           int columns) {
  if (columns == 0)
    return;
  g_string_append_printf (text, "%s\n", title);
  for (int row = 0; row < n; row++) {
    g_string_append (text, "  ");
    hl_cli_append_cell (text, rows[row], 16, TRUE);
    for (int column = 0; column < columns; column++) {
      g_autofree char *cell = hl_cli_pretty (value[column * n + row], 6);
      hl_cli_append_cell (text, cell, 14, FALSE);
    }
    g_string_append_c (text, '\n');
  }
}

/* Appends B of the inputs and E of the disturbances, with their names. */
static void append_inputs (GString *text, const HlLinearization *lin) {
  for (int part = 0; part < 2; part++) {
    Columns columns = columns_of (lin, part == 1);
    if (columns.n > 0) {
      g_autofree char *names = g_strjoinv (", ", (char **)columns.names);
      g_autofree char *title = g_strdup_printf (part == 0 ? "B: %s" : "E, of disturbances: %s", names);
      append_matrix (text, title, columns.value, lin->state_names, lin->n, columns.n);
    }
    free_columns (&columns);
  }
}

void hl_cli_answer_linearization (HlAnswer *answer, const HlLinearization *lin) {
  hl_answer_strings (answer, "states", (const char *const *)lin->state_names, lin->n);
  hl_answer_matrix (answer, "J", lin->J, lin->n, lin->n);
  Columns inputs = columns_of (lin, FALSE), disturbances = columns_of (lin, TRUE);
  hl_answer_strings (answer, "inputs", inputs.names, inputs.n);
  hl_answer_matrix (answer, "B", inputs.value, lin->n, inputs.n);
  hl_answer_strings (answer, "disturbances", disturbances.names, disturbances.n);
  hl_answer_matrix (answer, "E", disturbances.value, lin->n, disturbances.n);
  free_columns (&inputs);
  free_columns (&disturbances);
  put_eigenvalues (answer, lin);
  put_nulls_and_kinks (answer, lin);
  put_verdict (answer, lin);
}

/* --- page --- */

int hl_cli_strongest_state (const HlLinearization *lin, int eigenvalue) {
  const double *share = lin->participation + eigenvalue * lin->n;
  int best = 0;

  for (int k = 1; k < lin->n; k++)
    if (share[k] > share[best])
      best = k;
  return best;
}

char *hl_cli_eigenvalue_table (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);
  static const char *const heads[] = {"re [1/s]", "im [rad/s]", "f [Hz]", "damping"};

  g_string_append (text, "Eigenvalues\n  ");
  for (gsize k = 0; k < G_N_ELEMENTS (heads); k++)
    hl_cli_append_cell (text, heads[k], k < 2 ? 22 : 14, FALSE);
  g_string_append (text, "  strongest in\n");
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    const double cells[] = {value->re, value->im, value->frequency_hz, value->damping_ratio};
    g_string_append (text, "  ");
    for (gsize c = 0; c < G_N_ELEMENTS (cells); c++) {
      g_autofree char *cell = hl_cli_pretty (cells[c], c < 2 ? 14 : 6);
      hl_cli_append_cell (text, cell, c < 2 ? 22 : 14, FALSE);
    }
    g_string_append_printf (text, "  %s\n",
                            value->null ? "(null)" : lin->state_names[hl_cli_strongest_state (lin, k)]);
  }
  for (int k = 0; k < lin->n_null_blocks; k++)
    g_string_append_printf (text, "Null block of size %d: %s\n", lin->null_blocks[k], lin->null_names[k]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the independent coordinates, "slider.x, arm.angle". Owned by the caller. */
static char *coordinates_text (const HlLinearization *lin) {
  GString *text = g_string_new (NULL);

  for (int k = 0; k < lin->n; k++)
    if (hl_linearization_is_coordinate (lin, k))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", lin->state_names[k]);
  return g_string_free (text, FALSE);
}

char *hl_cli_verdict (const HlLinearization *lin) {
  g_autofree char *coordinates = coordinates_text (lin);

  if (lin->steadiness != HL_ON_THE_WAY)
    return g_strdup (lin->unstable ? "Unstable" : "Not unstable");
  return g_strdup_printf (
      "No information about stability: the state moves, and these are eigenvalues at one instant%s%s",
      *coordinates != '\0' ? " in " : "", coordinates);
}

void hl_cli_note_motion (const HlCli *cli, const char *consequence) {
  HlLinearizeOptions how = {.method = HL_LINEARIZE_EXACT};
  HlWork *work = hl_work_new (cli->system);
  HlPoint *point = hl_point_new (cli->system);
  HlLinearization *lin = NULL;

  if (hl_start_point (cli->system, work, HL_START_FROM_MODEL, NULL, point, NULL, NULL) == HL_OK)
    lin = hl_linearize (cli->system, work, point, &how, NULL);
  if (lin != NULL && lin->steadiness == HL_ON_THE_WAY) {
    g_autofree char *coordinates = coordinates_text (lin);
    hl_cli_say ("%s: note: the machine moves in the start state: the eigenvalues are those at one "
                "instant%s%s, without "
                "information about stability; %s",
                cli->file, *coordinates != '\0' ? " in " : "", coordinates, consequence);
  }
  hl_linearization_free (lin);
  hl_point_free (point);
  hl_work_free (work);
}

static void put_page (GString *text, const HlLinearization *lin) {
  append_matrix (text, "J", lin->J, lin->state_names, lin->n, lin->n);
  append_inputs (text, lin);
  g_autofree char *eigenvalues = hl_cli_eigenvalue_table (lin);
  g_string_append (text, eigenvalues);
  for (int k = 0; k < lin->n_kinks; k++)
    g_string_append_printf (text, "Kink in %s: %c contains the %s\n", hl_kink_name (lin, &lin->kinks[k]),
                            lin->kinks[k].input < 0 ? 'J' : 'B',
                            hl_kink_is_mean (lin, &lin->kinks[k]) ? "mean of the slopes on both sides"
                                                                  : "slope on one side");
  g_autofree char *verdict = hl_cli_verdict (lin);
  g_string_append_printf (text, "%s\n", verdict);
}

static gboolean print_linearization (const HlCli *cli, const HlLinearization *lin, GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();

  hl_cli_answer_linearization (answer, lin);
  if (!hl_cli_has (cli, "json"))
    put_page (hl_answer_page (answer), lin);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

/* Saves the whole model to a file, its outputs the probes; a write error fails the command. */
static gboolean save_model (const HlCli *cli, const HydrolinkLinear *linear, GError **error) {
  char *why = NULL;

  hl_cli_hold_signals ();
  if (hydrolink_linear_save (linear, hl_cli_text (cli, "out"), &why))
    return TRUE;
  hl_api_raise (why, error);
  if (g_error_matches (*error, HL_ERROR, HL_ERROR_FILE))
    (*error)->code = HL_ERROR_FAILED;
  return FALSE;
}

/* Takes the state. */
static gboolean report_about (HlCli *cli, HydrolinkState *state, const HlLinearizeOptions *how, char **paths,
                              GError **error) {
  char *why = NULL;
  HydrolinkLinear *linear = hl_api_linearize (state, how, &why);
  int n_said = 0;

  if (linear == NULL)
    return hl_api_raise (why, error);
  const HlLinearization *values = hl_api_linear_values (linear);
  hl_cli_say_notes (cli, hl_api_state_notes (hl_api_linear_about (linear)), &n_said);
  gboolean done =
      (how->method != HL_LINEARIZE_EXACT || check_choice (values, paths, error)) &&
      (hl_cli_has (cli, "out") ? save_model (cli, linear, error) : print_linearization (cli, values, error));
  hydrolink_linear_free (linear);
  return done;
}

static gboolean linearize (HlCli *cli, const HlLinearizeOptions *how, char **paths, GError **error) {
  HydrolinkPlace place;
  double time;

  if (!parse_at (cli, &place, &time, error))
    return FALSE;
  HydrolinkState *state = find_state (cli, place, time, error);
  if (state == NULL)
    return FALSE;
  if (!hl_cli_has (cli, "oils"))
    return report_about (cli, state, how, paths, error);
  gboolean done = hl_cli_print_oils (cli, hl_api_state_point (state), error);
  hydrolink_state_free (state);
  return done;
}

/* Reads --model into *hybrid; FALSE with an error. */
static gboolean read_model (const HlCli *cli, gboolean *hybrid, GError **error) {
  static const char *const others[] = {"coordinates", "method", "step", "oils"};
  const HlOilModel *oil = hl_oil_model_of_points ();

  if (!hl_cli_oil (cli, TRUE, &oil, error))
    return FALSE;
  *hybrid = oil->has_modes;
  for (gsize k = 0; *hybrid && k < G_N_ELEMENTS (others); k++)
    if (hl_cli_has (cli, others[k])) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--%s needs the lumped model; leave it out with --model hybrid", others[k]);
      return FALSE;
    }
  return TRUE;
}

/* Runs on a hybrid model, which has no state of its own at an equilibrium of the lumped one. */
static gboolean run_hybrid (HlCli *cli, GError **error) {
  HydrolinkPlace place;
  double time;

  if (!parse_at (cli, &place, &time, error) || !hl_cli_compile (cli, error))
    return FALSE;
  if (place == HYDROLINK_AT_EQUILIBRIUM) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--at equilibrium needs the lumped model; give a time, or --at start");
    return FALSE;
  }
  return cli_linearize_hybrid (cli, time, error);
}

static gboolean run (HlCli *cli, GError **error) {
  static const char *const methods[] = {"exact", "difference", NULL};
  HlLinearizeOptions how = hl_linearize_options_default ();
  const char *coordinates = hl_cli_text (cli, "coordinates");
  g_auto (GStrv) paths = coordinates != NULL ? g_strsplit (coordinates, ",", -1) : NULL;
  int method = HL_LINEARIZE_EXACT;
  gboolean hybrid;

  if (!read_model (cli, &hybrid, error))
    return FALSE;
  if (hybrid)
    return run_hybrid (cli, error);
  if (!hl_cli_choice (cli, "method", methods, &method, error) ||
      !hl_cli_positive (cli, "step", &how.step, error))
    return FALSE;
  if (hl_cli_has (cli, "step") && method == HL_LINEARIZE_EXACT) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--step needs --method difference; closed forms have no step size");
    return FALSE;
  }
  if (hl_cli_has (cli, "out") &&
      (paths != NULL || method != HL_LINEARIZE_EXACT || hl_cli_has (cli, "json"))) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--out writes the exact model in the default coordinates; leave out --coordinates, --method "
                 "and --json");
    return FALSE;
  }
  if (!hl_cli_compile (cli, error) || (paths != NULL && !check_coordinates (cli, paths, error)))
    return FALSE;
  if (hl_cli_has (cli, "oils") && !hl_cli_take_proposals (cli, HL_MODEL_QUASISTATIC, error))
    return FALSE;
  how.method = (HlLinearizeMethod)method;
  how.vectors = true;
  how.coordinates = (const char *const *)paths;
  how.n_coordinates = paths != NULL ? (int)g_strv_length (paths) : 0;
  return linearize (cli, &how, paths, error);
}

static const HlCliOption options[] = {
    {"at", "equilibrium|start|TIME",
     "state of the linearization; default:\n"
     "                            simulation.start of the model",
     FALSE},
    {"model", "lumped|hybrid",
     "oil model; default: lumped. Hybrid: the reduced equations of\n"
     "                            the mode of the run, and of its neighbour modes",
     FALSE},
    {"coordinates", "PATH,...", "independent coordinates, instead of the default choice", FALSE},
    {"method", "exact|difference", "closed forms (default), or central differences for comparison", FALSE},
    {"step", "H", "step size of the differences: H for x and v, 1e6 H Pa for pressures", FALSE},
    {"oils", NULL,
     "instead: the eigenvalues of all three oil models side by side, and the\n"
     "                            limits of the lumped ones for stiff oil",
     FALSE},
    {"out", "FILE",
     "write A, B, C, D, E, F with names, units and the point, the probes as\n"
     "                            outputs, to FILE.json, .csv, .mat, .m (MATLAB, Octave) or .py",
     FALSE},
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_linearize = {
    .name = "linearize",
    .usage = "FILE [--at equilibrium|start|TIME] [OPTION]...",
    .summary = "linear model: J, B, eigenvalues, null blocks, kinks",
    .text = "Linearizes the model exactly at a state. Prints the matrices J and B, the eigenvalues with\n"
            "frequency, damping ratio and participation of the states, the null eigenvalues, and the\n"
            "states at a kink, for which J contains the mean of the slopes on both sides.",
    .examples = {"hydrolink linearize four-bar.hydrolink --at \"200 ms\"",
                 "hydrolink linearize four-bar.hydrolink --out linear.py"},
    .options = options,
    .run = run,
};
