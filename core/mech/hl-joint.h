/* SPDX-License-Identifier: MIT */
/* A joint is a class: a few constraint rows (hl-constraint-row.h) between two bodies, or between a body and the
 * ground, and the fields that their numbers come from. The row of the table hl_joints[] (hl-joint.c, in the order of
 * the palette) has all properties of a kind of joint but its picture. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-element-kind.h"
#include "core/base/hl-status-codes.h"
#include "core/mech/hl-load.h"
#include "core/mech/hl-constraint-row.h"

/* The numbers of a joint's friction, with their places in the load that it becomes. */

/* clang-format off */
#define HL_TURNING_FRICTION_FIELDS                                                                 \
  HL_NUMBER ("friction.torque", TORQUE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, coulomb), HL_TEXT ("Friction torque"), HL_TEXT ("Friction torque of the turning pin: about friction coefficient times radius times load")), \
  HL_NUMBER ("friction.speed", ANGULAR_SPEED, HL_DEFAULT (0.01), HL_POSITIVE HL_AT (HlLoad, speed), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction torque decreases to 0")), \
  HL_NUMBER ("friction.viscous", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Viscous friction"), HL_TEXT ("Torque per speed"))
#define HL_SLIDING_FRICTION_FIELDS                                                                 \
  HL_NUMBER ("friction.force", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, coulomb), HL_TEXT ("Friction force"), HL_TEXT ("Friction force of the sliding guide")), \
  HL_NUMBER ("friction.speed", SPEED, HL_DEFAULT (0.01), HL_POSITIVE HL_AT (HlLoad, speed), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction force decreases to 0")), \
  HL_NUMBER ("friction.viscous", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Viscous friction"), HL_TEXT ("Force per speed"))
#define HL_TURNING_STOP_FIELDS                                                                     \
  HL_NUMBER ("stop.min", ANGLE, HL_ABSENT, HL_ANY HL_AT (HlLoad, low), HL_TEXT ("Lower stop"), HL_TEXT ("Smallest angle of b's body minus a's; no stop when absent")), \
  HL_NUMBER ("stop.max", ANGLE, HL_ABSENT, HL_ANY HL_AT (HlLoad, high), HL_TEXT ("Upper stop"), HL_TEXT ("Largest angle of b's body minus a's; no stop when absent")), \
  HL_NUMBER ("stop.stiffness", TORSION_STIFFNESS, HL_DEFAULT (1e6), HL_POSITIVE HL_AT (HlLoad, stiffness), HL_TEXT ("Stop stiffness"), HL_TEXT ("Torque per angle beyond a stop")), \
  HL_NUMBER ("stop.loss", INVERSE_ANGULAR_SPEED, HL_DEFAULT (1), HL_NOT_NEGATIVE HL_AT (HlLoad, loss), HL_TEXT ("Stop loss factor"), HL_TEXT ("A joint that meets a stop at a low speed ω leaves with about 1 − 2/3 of this factor times ω of it; 0: without loss"))
#define HL_SLIDING_STOP_FIELDS                                                                     \
  HL_NUMBER ("stop.min", LENGTH, HL_ABSENT, HL_ANY HL_AT (HlLoad, low), HL_TEXT ("Lower stop"), HL_TEXT ("Smallest position of b along the axis; no stop when absent")), \
  HL_NUMBER ("stop.max", LENGTH, HL_ABSENT, HL_ANY HL_AT (HlLoad, high), HL_TEXT ("Upper stop"), HL_TEXT ("Largest position of b along the axis; no stop when absent")), \
  HL_NUMBER ("stop.stiffness", STIFFNESS, HL_DEFAULT (1e7), HL_POSITIVE HL_AT (HlLoad, stiffness), HL_TEXT ("Stop stiffness"), HL_TEXT ("Force per travel beyond a stop")), \
  HL_NUMBER ("stop.loss", INVERSE_SPEED, HL_DEFAULT (2), HL_NOT_NEGATIVE HL_AT (HlLoad, loss), HL_TEXT ("Stop loss factor"), HL_TEXT ("A joint that meets a stop at a low speed v leaves with about 1 − 2/3 of this factor times v of it; 0: without loss"))
/* clang-format on */

/* Returns the name of the class of a joint's friction or stops, "turning-friction"; NULL: the class is an
 * element's. */
const char *hl_joint_load_name (const HlLoadClass *klass);

/* Returns whether the class is that of a joint's stops. */
static inline bool hl_load_is_stop (const HlLoad *load) {
  return load->klass == &hl_turning_stop_class || load->klass == &hl_sliding_stop_class;
}

/* Computes how far a joint is from its two stops, negative in the stop, and the rates [rad] or [m]; NAN for one that
 * it does not have. */
void hl_joint_stop_gaps (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double gaps[2],
                         double rates[2]);

#define HL_JOINT_MOST_ROWS 3
#define HL_JOINT_MOST_ENDS 2

/* Quantities that the outputs of joint classes read: HlOutput.part. */
typedef enum {
  HL_JOINT_READS_FX, /* force on b's body in the drawing's axes [N] */
  HL_JOINT_READS_FY,
  HL_JOINT_READS_MOMENT,   /* on b's body about its point [N m] */
  HL_JOINT_READS_ANGLE,    /* of b's body minus a's [rad] */
  HL_JOINT_READS_TRAVEL,   /* place of b along the axis [m] */
  HL_JOINT_READS_FRICTION, /* against the motion [N m] or [N] */
  HL_JOINT_READS_DRIVE,    /* force or torque of a drive: pushes the points apart [N], turns b [N m] */
  HL_JOINT_READS_POWER,    /* of a drive [W] */
  HL_JOINT_READS_NORMAL,   /* along the bar at a cut, positive in tension [N] */
  HL_JOINT_READS_SHEAR,    /* across it, on b's body [N] */
  HL_JOINT_READS_STOP      /* push of a stop, positive towards larger angles and travels [N m] or [N] */
} HlJointReading;

typedef struct {
  HlKind kind; /* first: words, fields, outputs */
  /* Fields that name its points. The second is NULL for a joint of one point with the ground: its
   * outputs are then those of that point's body. */
  const char *ends[HL_JOINT_MOST_ENDS];
  int n_rows;
  HlRowKind rows[HL_JOINT_MOST_ROWS];
  bool joins_points;           /* its two points are one */
  bool has_axis;               /* the field `axis` gives the rows' normal, in the frame of the first body */
  bool has_angle;              /* holds the angle of the bodies: the field `angle`, or that of their poses */
  const HlLoadClass *friction; /* the load that its fields `friction.` state; NULL: none */
  const HlLoadClass *stop;     /* the load that its fields `stop.` state; NULL: none */
  bool is_cut;     /* the field `bar_axis` gives the direction of a bar, whose section forces it reads */
  bool on_bodies;  /* its ends are bodies as a whole, not points */
  bool is_driven;  /* the field `signal` says what its one row holds */
  bool has_length; /* holds the distance of its points: the field `length` */
} HlJointClass;

extern const HlJointClass *const hl_joints[];
extern const int hl_n_joints;

/* Returns the class of a kind; NULL for an unknown one. */
const HlJointClass *hl_joint_class (const char *kind);

/* Returns whether the joint acts on one body only, against the ground. */
static inline bool hl_joint_has_one_end (const HlJointClass *klass) {
  return klass->ends[1] == NULL;
}

/* Returns whether its bodies turn about one point that they share. */
static inline bool hl_joint_is_hinge (const HlJointClass *klass) {
  return klass->joins_points && !klass->has_angle;
}
