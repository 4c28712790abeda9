/* SPDX-License-Identifier: MIT */
/* What HlObservable.kind and .part mean: shared by the names (hl-observable.c), the values and the
 * tangents. */
#pragma once

typedef enum {
  OF_BODY,
  OF_LINE,            /* part: LINE_PRESSURE ... */
  OF_COMPONENT_STATE, /* part: which state; without one, the signal that it would follow */
  OF_COMPONENT,       /* part: which output of its class */
  OF_JOINT,           /* part: HlJointReading */
  OF_LOAD,            /* part: HlLoadReading */
  OF_SIGNAL,
  OF_SIGNAL_STATE, /* index: a component state */
  OF_ENERGY,
  OF_POINT,
  OF_BODY_PARAMETER
} HlObservableKind;

enum { LINE_PRESSURE, LINE_POCKET, LINE_AIR, LINE_COMPLIANCE };

enum { POINT_X, POINT_Y, POINT_VX, POINT_VY };
