/* SPDX-License-Identifier: MIT */
/* hydrolink screenshot, as the window's program runs it: the line is read, the model is changed as it says, and the
 * window opens, draws itself and goes. */
#pragma once

#include "app/cli/hl-cli-private.h"

/* `run` of that command, here where there is a window; cli->status is the exit status. */
gboolean hl_screenshot_answer (HlCli *cli, GError **error);
