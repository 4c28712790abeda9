/* SPDX-License-Identifier: MIT */
/* hydrolink-window: what `hydrolink` becomes when it is called without a command, and for the
 * commands that need a window. It takes the same line. */
#include "app/window/hl-application.h"

#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli.h"
#include "app/window/hl-memory-reserve.h"
#include "app/window/hl-window-screenshot.h"
#include "core/math/hl-linalg.h"

#define DEFAULT_WIDTH 1280
#define DEFAULT_HEIGHT 800
#define LEAST_SIZE 100
#define MOST_SIZE 16384

static gboolean parse_size (const char *text, int *width, int *height, GError **error) {
  g_auto (GStrv) parts = g_strsplit (text, "x", -1);
  gint64 size[2];

  if (g_strv_length (parts) == 2 &&
      g_ascii_string_to_signed (parts[0], 10, LEAST_SIZE, MOST_SIZE, &size[0], NULL) &&
      g_ascii_string_to_signed (parts[1], 10, LEAST_SIZE, MOST_SIZE, &size[1], NULL)) {
    *width = (int)size[0];
    *height = (int)size[1];
    return TRUE;
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--size ‘%s’: write WIDTHxHEIGHT in pixels, such as 1280x800",
               text);
  return FALSE;
}

/* Returns whether the line changes numbers of the file. */
static gboolean changes_model (const HlCli *cli) {
  return hl_cli_has (cli, "set") || hl_cli_has (cli, "parameter-set") || hl_cli_has (cli, "parameter-file");
}

static gboolean report_picture (const HlCli *cli, int width, int height, GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();

  if (!hl_cli_has (cli, "json") || cli->status != HL_CLI_OK)
    return TRUE;
  hl_answer_string (answer, "picture", hl_cli_text (cli, "out"));
  hl_answer_integer (answer, "width", width);
  hl_answer_integer (answer, "height", height);
  g_autofree char *text = hl_answer_to_text (answer, HL_ANSWER_JSON);
  return hl_cli_write (stdout, text, error);
}

/* Runs the command `screenshot`, in the process that has a window; cli->status is the exit status. */
static gboolean screenshot_answer (HlCli *cli, GError **error) {
  const char *size = hl_cli_text (cli, "size");
  int width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT;

  if (!hl_cli_require (cli, "out", error) || (size != NULL && !parse_size (size, &width, &height, error)) ||
      !hl_cli_load (cli, error))
    return FALSE;
  cli->status = hl_screenshot_run (cli->file, changes_model (cli) ? cli->document : NULL,
                                   hl_cli_text (cli, "out"), width, height, hl_cli_has (cli, "dark"));
  return report_picture (cli, width, height, error);
}

int main (int argc, char **argv) {
  HlCliCommand screenshot = hl_cli_screenshot;

  hl_cli_bind_catalogue ();
  hl_linalg_use_one_thread ();
  screenshot.run = screenshot_answer;
  if (argc > 1 && g_str_equal (argv[1], screenshot.name))
    return hl_cli_run_command (&screenshot, argc - 2, argv + 2);
  hl_memory_prepare ();
  g_autoptr (HlApplication) application = hl_application_new (FALSE);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
