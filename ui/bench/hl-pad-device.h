/* SPDX-License-Identifier: MIT */
/* HlPadDevice: the gamepads that are plugged in, now or later, tell a pad where their sticks are.
 * Built with libmanette where meson finds it (option `gamepad`), else there is none. */
#pragma once

#include "ui/bench/hl-pad.h"

typedef struct _HlPadDevice HlPadDevice;

/* NULL: the program is built without gamepads. */
HlPadDevice *hl_pad_device_new (HlPad *pad); /* borrowed */
void hl_pad_device_free (HlPadDevice *device);
