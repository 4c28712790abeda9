/* SPDX-License-Identifier: MIT */
/* hydrolink linearize --model hybrid: the reduced equations of the mode that a run is in, and the
 * eigenvalues of the modes next to it. */
#include "app/cli/hl-cli-private.h"
#include "core/hybrid/hl-hybrid-linear.h"
#include "core/hybrid/hl-mode-history.h"
#include "core/io/hl-linear-file.h"

#include <math.h>

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
                            next->linear->lin->n > 0 ? table : "no eigenvalues: nothing is free\n");
  }
}

static void put_page (GString *text, const HlCli *cli, const HlHybridLinear *linear,
                      const HlVisitedMode *mode, const HlHybridNeighbour *neighbours, int n) {
  g_autofree char *what = mode != NULL ? hl_visited_mode_text (mode) : g_strdup ("the mode a run starts in");
  g_autofree char *table = hl_cli_eigenvalue_table (linear->lin);
  g_autofree char *error = hl_cli_pretty (linear->error, 2);
  g_autofree char *verdict = hl_cli_verdict (linear->lin);

  g_string_append_printf (text, "Mode: %s\nStates:", what);
  for (int k = 0; k < linear->lin->n; k++)
    g_string_append_printf (text, " %s", linear->lin->state_names[k]);
  g_string_append_c (text, '\n');
  if (linear->lin->n > 0)
    hl_cli_append_inputs (text, linear->lin);
  g_string_append_printf (text, "J is known to %s of its rows\n%s%s\n", error, table, verdict);
  append_neighbours (text, cli, neighbours, n);
}

/* A, B, C, D to the file of --out. */
static gboolean save (HlCli *cli, const HlHybridPlace *place, const HlHybridChoice *choice, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  g_autoptr (HlLinearSheet) sheet =
      hl_linear_sheet_new_hybrid (cli->document, cli->system, place, choice, &fault);

  if (sheet == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  return hl_cli_save_sheet (cli, sheet, error);
}

/* The run up to that time, which Ctrl+C ends. Owned by the caller; NULL with an error. */
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

gboolean hl_cli_linearize_hybrid (HlCli *cli, double time, GError **error) {
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
    return save (cli, at, in, error);
  HlHybridLinear *linear = hl_hybrid_linearize (cli->system, at, in, &fault);
  if (linear == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_cli_answer_linearization (answer, linear->lin);
  if (!hl_cli_has (cli, "json")) {
    int n = hl_hybrid_find_neighbours (cli->system, at, in, REACH, &neighbours);
    put_page (hl_answer_page (answer), cli, linear, mode, neighbours, n);
    hl_hybrid_neighbours_free (neighbours, n);
  }
  gboolean done = hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
  hl_hybrid_linear_free (linear);
  return done;
}
