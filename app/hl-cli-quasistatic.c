/* SPDX-License-Identifier: MIT */
/* hydrolink quasistatic: the set-valued force-velocity map of a cylinder, or the cylinder with its
 * virtual element. The line is read and checked here. */
#include "app/hl-cli-private.h"

#include <string.h>

/* What the line asks for, checked. */
typedef struct
{
  const char *actuator;
  GArray *list;     /* velocities, or fbar in the other form */
  gboolean virtual; /* --beta and --fbar */
  double beta;
  double at_time;
} Request;

static void
request_clear (Request *request)
{
  g_clear_pointer (&request->list, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static gboolean
check_cylinder (const HlCli *cli, const char *option, const char *id, GError **error)
{
  HlSection section;
  int index;

  if (hl_document_find (cli->document, id, &section, &index) != NULL &&
      section == HL_SECTION_COMPONENTS &&
      g_strcmp0 (hl_document_element_kind_name (cli->document, section, index), "cylinder") == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s: there is no cylinder ‘%s’", option, id);
  return FALSE;
}

/* "CYL=V", or "CYL=BETA,FBAR". */
static gboolean
check_with (const HlCli *cli, const Request *request, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  guint wanted = request->virtual ? 2 : 1;

  if (equals != NULL) {
    g_autofree char *id = g_strndup (text, (gsize)(equals - text));
    g_auto (GStrv) parts = g_strsplit (equals + 1, ",", -1);
    if (!check_cylinder (cli, "with", id, error))
      return FALSE;
    gboolean good = g_strv_length (parts) == wanted;
    for (guint k = 0; good && k < wanted; k++) {
      double value;
      if (!hl_cli_parse_number (parts[k], "--with", &value, error))
        return FALSE;
    }
    if (good)
      return TRUE;
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--with ‘%s’: write %s", text,
               request->virtual ? "CYL=BETA,FBAR" : "CYL=V");
  return FALSE;
}

static gboolean
read_request (const HlCli *cli, Request *request, GError **error)
{
  const char *velocity = hl_cli_text (cli, "velocity"), *fbar = hl_cli_text (cli, "fbar");
  const char *const *with = hl_cli_texts (cli, "with");

  request->actuator = hl_cli_text (cli, "actuator");
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
      !check_cylinder (cli, "actuator", request->actuator, error))
    return FALSE;
  for (int k = 0; with[k] != NULL; k++)
    if (!check_with (cli, request, with[k], error))
      return FALSE;
  return TRUE;
}

static gboolean
run (HlCli *cli, GError **error)
{
  g_auto (Request) request = {0};

  if (!hl_cli_require (cli, "actuator", error) || !hl_cli_load (cli, error) ||
      !hl_cli_check (cli, error) || !read_request (cli, &request, error))
    return FALSE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
               "%s: the quasistatic map is not available for this model yet", request.actuator);
  return FALSE;
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
