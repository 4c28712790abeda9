/* SPDX-License-Identifier: MIT */
/* A window as a picture, with the windows and popovers that it opened laid over it. */
#pragma once

#include "tests/ui/window-fixture.h"

/* Saves the picture into HL_PICTURES_DIR, as NAME-light.png or NAME-dark.png. */
void gallery_save (HlWindow *window, const char *name, gboolean dark);
