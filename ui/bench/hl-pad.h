/* SPDX-License-Identifier: MIT */
/* HlPad: the sticks of a gamepad on the levers of a drive. It knows no device: who has one tells
 * it where the sticks are, and so does a test.
 *
 * Stick to lever, in the order of the panel: left up and down the first, right up and down the
 * second, left sideways the third, right sideways the fourth. Up and right are more. On a lever that
 * springs back a stick is the lever itself: it stands where the stick stands, its neutral place in
 * the middle. A lever that stays is pushed: the stick says how fast, all the way to the end in
 * HL_PAD_WAY seconds. Until a stick was moved once its lever is left to the file. */
#pragma once

#include "ui/bench/hl-driving.h"

typedef enum { HL_PAD_LEFT_Y, HL_PAD_RIGHT_Y, HL_PAD_LEFT_X, HL_PAD_RIGHT_X, HL_PAD_N_AXES } HlPadAxis;

#define HL_PAD_DEAD_ZONE 0.15 /* of a stick's way to each side: nothing there */
#define HL_PAD_WAY 2.0        /* [s] */

typedef struct _HlPad HlPad;

HlPad *hl_pad_new (HlDriving *driving); /* borrowed */
void hl_pad_free (HlPad *pad);
/* Where a stick is: -1 down or left, 0 in the middle, 1 up or right. What is no number is ignored. */
void hl_pad_move (HlPad *pad, HlPadAxis axis, double value);
/* The device is gone: as if every stick were let go. */
void hl_pad_let_go (HlPad *pad);
/* Time goes on by that [s]: levers that are pushed move. The window's clock does it by itself. */
void hl_pad_advance (HlPad *pad, double seconds);
/* A stick's value without its dead zone: 0 within, then evenly up to ±1. */
double hl_pad_beyond_dead_zone (double value);

/* HlPadDevice: the gamepads that are plugged in, now or later, tell a pad where their sticks are.
 * Built with libmanette where meson finds it (option `gamepad`), else there is none. */

typedef struct _HlPadDevice HlPadDevice;

/* NULL: the program is built without gamepads. */
HlPadDevice *hl_pad_device_new (HlPad *pad); /* borrowed */
void hl_pad_device_free (HlPadDevice *device);
