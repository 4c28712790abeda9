/* SPDX-License-Identifier: MIT */
#include "app/cli/hl-cli.h"

#include "core/base/hl-translation-macros.h"

void hl_cli_bind_catalogue (void) {
  const char *folder = g_getenv ("HL_CATALOGUES");

  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : HL_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
