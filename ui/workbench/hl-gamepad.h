/* SPDX-License-Identifier: MIT */
/* HlGamepad: the sticks of a gamepad on the levers of a drive. It reads no device: the window, or a
 * test, passes the positions of the sticks.
 *
 * Stick to lever, in the order of the panel: left up and down the first, right up and down the second, left
 * sideways the third, right sideways the fourth. Up and right increase the value. A lever that springs back
 * follows the position of the stick, with its neutral position in the middle. A lever that stays moves at a
 * speed proportional to the stick, at full deflection from end to end in HL_PAD_WAY seconds. A lever keeps
 * the signal of the file until its stick is moved for the first time. */
#pragma once

#include "ui/workbench/hl-lever-driven-run.h"

typedef enum { HL_PAD_LEFT_Y, HL_PAD_RIGHT_Y, HL_PAD_LEFT_X, HL_PAD_RIGHT_X, HL_PAD_N_AXES } HlPadAxis;

#define HL_PAD_DEAD_ZONE 0.15 /* of a stick's way to each side: nothing there */
#define HL_PAD_WAY 2.0        /* [s] */

typedef struct _HlGamepad HlGamepad;

HlGamepad *hl_gamepad_new (HlManualRun *driving); /* borrowed */
void hl_gamepad_free (HlGamepad *pad);
/* Sets the position of a stick: -1 down or left, 0 in the middle, 1 up or right. NAN is ignored. */
void hl_gamepad_move (HlGamepad *pad, HlPadAxis axis, double value);
/* Releases every stick, because the device was removed. */
void hl_gamepad_let_go (HlGamepad *pad);
/* Advances the time by `seconds`: levers that are pushed move. The clock of the window calls it. */
void hl_gamepad_advance (HlGamepad *pad, double seconds);
/* Returns a stick's value without its dead zone: 0 within, then evenly up to ±1. */
double hl_gamepad_beyond_dead_zone (double value);

/* HlPadDevice: passes the stick positions of the gamepads that are plugged in, now or later, to a pad. Built with
 * libmanette where meson finds it (option `gamepad`), else there is none. */

typedef struct _HlPadDevice HlPadDevice;

/* Returns a device; NULL: the program is built without gamepads. */
HlPadDevice *hl_gamepad_device_new (HlGamepad *pad); /* borrowed */
void hl_gamepad_device_free (HlPadDevice *device);
