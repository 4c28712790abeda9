/* SPDX-License-Identifier: MIT */
/* hydrolink modes: the hybrid oil model in one mode at the start state. */
#include "app/hl-cli-private.h"
#include "core/analysis/hl-hybrid-mode-report.h"

#include <math.h>
#include <string.h>

static gboolean
find_component (const HlCli *cli,
                const char *option,
                const char *id,
                const char *kind,
                int *component,
                GError **error)
{
  HlSection section;

  if (hl_document_find (cli->document, id, &section, component) != NULL &&
      section == HL_SECTION_COMPONENTS &&
      (kind == NULL ||
       g_strcmp0 (hl_document_element_kind_name (cli->document, section, *component), kind) == 0))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: there is no %s ‘%s’", option,
               kind != NULL ? kind : "component", id);
  return FALSE;
}

/* "ID,..." of components. */
static gboolean
read_closed (const HlCli *cli, const char *text, GArray *closed, GError **error)
{
  g_auto (GStrv) ids = g_strsplit (text, ",", -1);

  for (int k = 0; ids[k] != NULL; k++) {
    int component;
    if (!find_component (cli, "closed", ids[k], NULL, &component, error))
      return FALSE;
    g_array_append_val (closed, component);
  }
  return TRUE;
}

/* "CYL:lower|upper,...". */
static gboolean
read_stops (const HlCli *cli, const char *text, GArray *stops, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (int k = 0; parts[k] != NULL; k++) {
    HlHybridStop stop;
    char *colon = strchr (parts[k], ':');
    if (colon == NULL || (strcmp (colon, ":lower") != 0 && strcmp (colon, ":upper") != 0)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--stop ‘%s’: write CYL:lower or CYL:upper, with commas between", parts[k]);
      return FALSE;
    }
    stop.upper = strcmp (colon, ":upper") == 0;
    *colon = '\0';
    if (!find_component (cli, "stop", parts[k], "cylinder", &stop.component, error))
      return FALSE;
    g_array_append_val (stops, stop);
  }
  return TRUE;
}

static void
put_names (HlJsonOut *out, const char *key, char *const names[], int n)
{
  hl_json_out_open (out, key, '[');
  for (int k = 0; k < n; k++)
    hl_json_out_text (out, NULL, names[k]);
  hl_json_out_close (out, ']');
}

static char *
as_json (const HlHybridModeReport *mode)
{
  g_autoptr (HlJsonOut) out = hl_json_out_new ();

  hl_json_out_open (out, NULL, '{');
  hl_json_out_text (out, "status", mode->status);
  hl_json_out_integer (out, "rank", mode->rank);
  put_names (out, "states", mode->states, mode->n_states);
  put_names (out, "constraints", mode->constraints, mode->n_constraints);
  hl_json_out_matrix (out, "W", mode->W, mode->n_states, mode->n_constraints);
  hl_json_out_open (out, "independent", '[');
  for (int k = 0; k < mode->n_free; k++)
    hl_json_out_text (out, NULL, mode->states[mode->independent[k]]);
  hl_json_out_close (out, ']');
  hl_json_out_matrix (out, "alpha", mode->alpha, mode->n_states, mode->n_free);
  hl_json_out_matrix (out, "mass", mode->mass, mode->n_free, mode->n_free);
  hl_json_out_open (out, "multipliers", '{');
  for (int k = 0; k < mode->n_constraints; k++)
    hl_json_out_number (out, mode->constraints[k], mode->multipliers[k]);
  hl_json_out_close (out, '}');
  hl_json_out_close (out, '}');
  g_string_append_c (out->text, '\n');
  return g_strdup (out->text->str);
}

static char *
as_text (const HlHybridModeReport *mode)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          "%s, rank %d of %d constraints on %d states\nindependent:", mode->status,
                          mode->rank, mode->n_constraints, mode->n_states);
  for (int k = 0; k < mode->n_free; k++)
    g_string_append_printf (text, " %s", mode->states[mode->independent[k]]);
  g_string_append (text, mode->n_free == 0 ? " none: the flows of the pumps decide every velocity\n"
                                           : "\n");
  for (int k = 0; k < mode->n_constraints; k++) {
    g_autofree char *value = isnan (mode->multipliers[k]) ? g_strdup ("undetermined")
                                                          : hl_cli_pretty (mode->multipliers[k], 8);
    hl_cli_append_cell (text, mode->constraints[k], 24, TRUE);
    g_string_append_printf (text, " %s\n", value);
  }
  return g_string_free (text, FALSE);
}

static gboolean
run (HlCli *cli, GError **error)
{
  const char *const *closed_texts = hl_cli_texts (cli, "closed"), *const *stop_texts =
                                                                      hl_cli_texts (cli, "stop");
  g_autoptr (GArray) closed = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (HlHybridStop));
  HlFault fault = {.time = NAN, .entity = -1};

  if (!hl_cli_compile (cli, error))
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
  HlHybridModeReport *mode = hl_hybrid_mode_report_new (
      cli->system, NULL, closed->len + stops->len > 0 ? &choice : NULL, &fault);
  if (mode == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autofree char *text = hl_cli_has (cli, "json") ? as_json (mode) : as_text (mode);
  hl_hybrid_mode_report_free (mode);
  return hl_cli_write (stdout, text, error);
}

static const HlCliOption options[] = {
    {"closed", "ID,...", "flow paths that are shut, each by one of its elements", TRUE},
    {"stop", "CYL:lower|upper,...", "pistons that lie at an end stop", TRUE},
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_modes = {
    .name = "modes",
    .usage = "FILE [--closed ID,...] [--stop CYL:lower|upper,...] [--json]",
    .summary = "the hybrid oil model in one mode: constraints and reduced equations",
    .text = "Shows the hybrid model in one mode at the start state: its constraints and their "
            "rank, the\nindependent states, the reduced mass, and the recovered pressures and "
            "forces. Without\noptions the mode is the one the run starts in.",
    .options = options,
    .run = run,
};
