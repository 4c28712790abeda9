/* SPDX-License-Identifier: MIT */
/* The pages of the help as HTML. */
#pragma once

#include "core/help/hl-help-page.h"
#include "core/help/hl-help-topic.h"

/* Writes the page of a kind, KEY.html, and its pictures into a folder that is there. Fails with
 * HL_ERROR_FAILED when something cannot be written. */
gboolean hl_cli_help_write_page (const HlKind *kind, const char *folder, GError **error);
/* Writes the page on a pane of the window, window-KEY.html. Fails likewise. */
gboolean hl_cli_help_write_topic (const HlHelpTopic *topic, const char *folder, GError **error);
/* Writes index.html and style.css. Fails likewise. */
gboolean hl_cli_help_write_index (const char *folder, GError **error);
