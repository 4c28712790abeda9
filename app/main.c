/* SPDX-License-Identifier: MIT */
/* The program: a command of the command line, which must not need a display, or the application
 * with its windows. */
#include "app/window/hl-application.h"
#include "app/window/hl-memory.h"
#include "app/cli/hl-cli.h"
#include "core/base/hl-i18n.h"
#include "core/math/hl-linalg-threads.h"

/* Only says where the catalogues are; the language is chosen when GTK begins. HL_CATALOGUES names
 * the folder of a program that is not installed. */
static void
bind_catalogue (void)
{
  const char *folder = g_getenv ("HL_CATALOGUES");

  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : HL_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

int
main (int argc, char **argv)
{
  bind_catalogue ();
  hl_linalg_use_one_thread ();
  int status = hl_cli_run (argc, argv);

  if (status != HL_CLI_NOT_A_COMMAND)
    return status;
  hl_memory_prepare ();
  g_autoptr (HlApplication) application = hl_application_new (FALSE);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
