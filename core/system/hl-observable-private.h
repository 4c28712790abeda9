/* SPDX-License-Identifier: MIT */
/* What HlObservable.kind and .part mean: shared by the names (hl-observable.c), the values and the
 * tangents. */
#pragma once

typedef enum
{
  OF_BODY,
  OF_PRESSURE,
  OF_SPOOL,
  OF_FLOW,
  OF_VALVE_PORT,
  OF_SOURCE_FLOW,
  OF_ACCUMULATOR,
  OF_CYLINDER,
  OF_JOINT,
  OF_LOAD,
  OF_SIGNAL,
  OF_ENERGY,
  OF_POINT,
  OF_BODY_PARAMETER
} HlObservableKind;

enum
{
  POINT_X,
  POINT_Y,
  POINT_VX,
  POINT_VY
};

enum
{
  CYL_S,
  CYL_SPEED,
  CYL_FORCE,
  CYL_FRICTION,
  CYL_ROD,
  CYL_ROD_SPEED,
  CYL_FLOW_A,
  CYL_FLOW_B
};

enum
{
  JOINT_FX,
  JOINT_FY,
  JOINT_MOMENT,
  JOINT_ANGLE,
  JOINT_TRAVEL
};

enum
{
  LOAD_LENGTH,
  LOAD_FORCE,
  LOAD_TORQUE,
  LOAD_SLIP
};
