/* SPDX-License-Identifier: MIT */
/* hydrolink screenshot: the main window as a picture. Here are its options and its help; the window
 * draws itself (app/window/main.c). */
#include "app/cli/hl-cli-private.h"

static const HlCliOption options[] = {
    {"out", "PNG", "the picture to write", FALSE},
    {"size", "WxH", "size of the window in pixels (1280x800)", FALSE},
    {"dark", NULL, "dark colours", FALSE},
    {"json", NULL, "say as one JSON object what was written", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_screenshot = {
    .name = "screenshot",
    .usage = "FILE --out PNG [--size WxH] [--dark]",
    .summary = "write the main window as a picture (needs a display)",
    .text = "Opens the model in the main window, lets it compute, and writes the window as a PNG\n"
            "picture. Needs a display; a virtual one will do: xvfb-run hydrolink screenshot ...",
    .options = options,
    .run = hl_cli_run_in_window,
};
