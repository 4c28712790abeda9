/* SPDX-License-Identifier: MIT */
/* hydrolink modes: the hybrid oil model in one mode at the start state. */
#include "app/cli/hl-cli-private.h"
#include "core/hybrid/hl-hybrid-mode-state.h"

#include <math.h>
#include <string.h>

/* Reads component ids, "ID,...". */
static gboolean read_closed (const HlCli *cli, const char *text, GArray *closed, GError **error) {
  g_auto (GStrv) ids = g_strsplit (text, ",", -1);

  for (int k = 0; ids[k] != NULL; k++) {
    int component;
    if (!hl_cli_find_component (cli, "closed", ids[k], FALSE, &component, error))
      return FALSE;
    g_array_append_val (closed, component);
  }
  return TRUE;
}

/* Reads end stops, "ACT:lower|upper,...". */
static gboolean read_stops (const HlCli *cli, const char *text, GArray *stops, GError **error) {
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (int k = 0; parts[k] != NULL; k++) {
    HlHybridStop stop;
    char *colon = strchr (parts[k], ':');
    if (colon == NULL || (strcmp (colon, ":lower") != 0 && strcmp (colon, ":upper") != 0)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--stop ‘%s’: write ACT:lower or ACT:upper, separated by commas", parts[k]);
      return FALSE;
    }
    stop.upper = strcmp (colon, ":upper") == 0;
    *colon = '\0';
    if (!hl_cli_find_component (cli, "stop", parts[k], TRUE, &stop.component, error))
      return FALSE;
    if (cli->system->cylinders[cli->system->components[stop.component].cylinder].no_chambers) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--stop: ‘%s’ has no stop; name a cylinder or a vane actuator", parts[k]);
      return FALSE;
    }
    g_array_append_val (stops, stop);
  }
  return TRUE;
}

static void put_values (HlAnswer *out, const HlHybridModeReport *mode) {
  hl_answer_string (out, "status", mode->status);
  hl_answer_integer (out, "rank", mode->rank);
  hl_answer_strings (out, "states", (const char *const *)mode->states, mode->n_states);
  hl_answer_strings (out, "constraints", (const char *const *)mode->constraints, mode->n_constraints);
  hl_answer_matrix (out, "W", mode->W, mode->n_states, mode->n_constraints);
  hl_answer_open_list (out, "independent");
  for (int k = 0; k < mode->n_free; k++)
    hl_answer_string (out, NULL, mode->states[mode->independent[k]]);
  hl_answer_close (out);
  hl_answer_matrix (out, "alpha", mode->alpha, mode->n_states, mode->n_free);
  hl_answer_matrix (out, "mass", mode->mass, mode->n_free, mode->n_free);
  hl_answer_open_object (out, "multipliers");
  for (int k = 0; k < mode->n_constraints; k++)
    hl_answer_number (out, mode->constraints[k], mode->multipliers[k]);
  hl_answer_close (out);
}

static void put_page (GString *text, const HlHybridModeReport *mode) {
  g_string_append_printf (text, "%s, rank %d of %d constraints on %d states\nindependent:", mode->status,
                          mode->rank, mode->n_constraints, mode->n_states);
  for (int k = 0; k < mode->n_free; k++)
    g_string_append_printf (text, " %s", mode->states[mode->independent[k]]);
  g_string_append (text,
                   mode->n_free == 0 ? " none: the flows of the pumps determine every velocity\n" : "\n");
  for (int k = 0; k < mode->n_constraints; k++) {
    g_autofree char *value =
        isnan (mode->multipliers[k]) ? g_strdup ("undetermined") : hl_cli_pretty (mode->multipliers[k], 8);
    hl_cli_append_cell (text, mode->constraints[k], 24, TRUE);
    g_string_append_printf (text, " %s\n", value);
  }
}

static gboolean run (HlCli *cli, GError **error) {
  const char *const *closed_texts = hl_cli_texts (cli, "closed"), *const *stop_texts =
                                                                      hl_cli_texts (cli, "stop");
  g_autoptr (GArray) closed = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (HlHybridStop));
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_compile (cli, error) || !hl_cli_check_oil (cli, HL_MODEL_HYBRID, HL_BARS_OIL, error))
    return FALSE;
  for (int k = 0; closed_texts[k] != NULL; k++)
    if (!read_closed (cli, closed_texts[k], closed, error))
      return FALSE;
  for (int k = 0; stop_texts[k] != NULL; k++)
    if (!read_stops (cli, stop_texts[k], stops, error))
      return FALSE;
  HlHybridChoice choice = {.closed = (const int *)(void *)closed->data,
                           .n_closed = (int)closed->len,
                           .stops = (const HlHybridStop *)(void *)stops->data,
                           .n_stops = (int)stops->len};
  HlHybridModeReport *mode =
      hl_hybrid_mode_report_new (cli->system, NULL, closed->len + stops->len > 0 ? &choice : NULL, &fault);
  if (mode == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  put_values (answer, mode);
  put_page (hl_answer_page (answer), mode);
  gboolean done = hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
  /* one empty line behind the object, as ever */
  done = done && (!hl_cli_has (cli, "json") || hl_cli_write (stdout, "\n", error));
  hl_hybrid_mode_report_free (mode);
  return done;
}

static const HlCliOption options[] = {
    {"closed", "ID,...", "closed flow paths, each named by one of its elements", TRUE},
    {"stop", "ACT:lower|upper,...", "pistons and vanes at an end stop", TRUE},
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_modes = {
    .name = "modes",
    .usage = "FILE [--closed ID,...] [--stop ACT:lower|upper,...] [--json]",
    .summary = "the hybrid oil model in one mode: constraints and reduced equations",
    .text = "Shows the hybrid model in one mode at the start state: its constraints and their rank, the\n"
            "independent states, the reduced mass, and the recovered pressures and forces. The default\n"
            "is the mode at the start of the run.",
    .has_own_oil = TRUE,
    .own_oil = HL_MODEL_HYBRID,
    .examples = {"hydrolink modes hybrid-regeneration.hydrolink",
                 "hydrolink modes four-bar.hydrolink --stop cyl:lower"},
    .options = options,
    .run = run,
};
