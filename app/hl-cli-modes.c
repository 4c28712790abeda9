/* SPDX-License-Identifier: MIT */
/* hydrolink modes: the hybrid oil model in one mode. The line is read and checked here. */
#include "app/hl-cli-private.h"

#include <string.h>

static gboolean
check_component (
    const HlCli *cli, const char *option, const char *id, const char *kind, GError **error)
{
  HlSection section;
  int index;

  if (hl_document_find (cli->document, id, &section, &index) != NULL &&
      section == HL_SECTION_COMPONENTS &&
      (kind == NULL ||
       g_strcmp0 (hl_document_element_kind_name (cli->document, section, index), kind) == 0))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: there is no %s ‘%s’", option,
               kind != NULL ? kind : "component", id);
  return FALSE;
}

/* "ID,..." of components. */
static gboolean
check_closed (const HlCli *cli, const char *text, GError **error)
{
  g_auto (GStrv) ids = g_strsplit (text, ",", -1);

  for (int k = 0; ids[k] != NULL; k++)
    if (!check_component (cli, "closed", ids[k], NULL, error))
      return FALSE;
  return TRUE;
}

/* "CYL:lower|upper,...". */
static gboolean
check_stop (const HlCli *cli, const char *text, GError **error)
{
  g_auto (GStrv) stops = g_strsplit (text, ",", -1);

  for (int k = 0; stops[k] != NULL; k++) {
    char *colon = strchr (stops[k], ':');
    if (colon == NULL || (strcmp (colon, ":lower") != 0 && strcmp (colon, ":upper") != 0)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--stop ‘%s’: write CYL:lower or CYL:upper, with commas between", stops[k]);
      return FALSE;
    }
    *colon = '\0';
    if (!check_component (cli, "stop", stops[k], "cylinder", error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run (HlCli *cli, GError **error)
{
  const char *const *closed = hl_cli_texts (cli, "closed");
  const char *const *stop = hl_cli_texts (cli, "stop");

  if (!hl_cli_load (cli, error) || !hl_cli_check (cli, error))
    return FALSE;
  for (int k = 0; closed[k] != NULL; k++)
    if (!check_closed (cli, closed[k], error))
      return FALSE;
  for (int k = 0; stop[k] != NULL; k++)
    if (!check_stop (cli, stop[k], error))
      return FALSE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
               "the modes of the hybrid model are not available for this model yet");
  return FALSE;
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
