/* SPDX-License-Identifier: MIT */
/* The linkage as plain data in world metres, y up, and its painter. */
#pragma once

#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  const char *id;
  const char *label;    /* lines separated by \n; NULL = none */
  const HlSpot *points; /* world position of its points (present pose), in file order */
  int n_points;         /* 1: disc; 2: bar; more: bars along the hull */
  HlSpot com;           /* centre of mass, world */
  gboolean show_com;
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlMechBody;

typedef enum {
  HL_MECH_PIN, /* revolute between bodies */
  HL_MECH_PIN_GROUND,
  HL_MECH_SLIDER, /* prismatic or slot: block on a guide along `angle` */
  HL_MECH_SLIDER_GROUND,
  HL_MECH_WELD,
  HL_MECH_ROD,         /* distance: thin rod from at to to */
  HL_MECH_DRIVE,       /* driven length: double arrow with a motor from at to to */
  HL_MECH_DRIVE_ANGLE, /* driven angle: the same about a pin */
  HL_MECH_KNIFE_EDGE,  /* may move along `angle` only */
  HL_MECH_GROUND_POINT /* a point of the ground without joint, such as a cylinder's base */
} HlMechJointKind;

typedef struct {
  const char *id;
  HlMechJointKind kind;
  HlSpot at;
  HlSpot to;         /* HL_MECH_ROD, HL_MECH_DRIVE: other end; slider: point on the guide */
  double angle;      /* direction of the guide or edge, world [rad] */
  const char *label; /* "O₁"; NULL = none */
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlMechJoint;

/* Returns whether it is drawn from `at` to `to`. */
static inline gboolean hl_mech_joint_spans (const HlMechJoint *joint) {
  return joint->kind == HL_MECH_ROD || joint->kind == HL_MECH_DRIVE;
}

typedef struct {
  const char *id;
  HlSpot base, rod; /* s = their distance */
  double stroke;    /* [m] */
  double closed;    /* s with the piston at its lower end [m] (c1); barrel and piston follow */
  double open_rest; /* c2 [m] */
  double diameter;  /* piston diameter, for the barrel's width; 0 = a usual one [m] */
  const char *label;
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlMechCylinder;

typedef struct {
  const char *id;
  HlSpot a, b;
  gboolean damper; /* also a dashpot beside the spring */
  const char *label;
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlMechSpring;

typedef enum { HL_MECH_FORCE, HL_MECH_TORQUE, HL_MECH_TYRE, HL_MECH_TORSION_SPRING } HlMechLoadKind;

typedef struct {
  const char *id;
  HlMechLoadKind kind;
  HlSpot at;
  double angle; /* direction of the force, rolling direction of the tyre, world [rad] */
  double value; /* 0: pale; the sign turns the arrow */
  const char *label;
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlMechLoad;

/* Angle from the world's x axis (or from `from`) at a point. */
typedef struct {
  HlSpot at;
  double from, to;   /* [rad] */
  const char *label; /* "φ₂ = 60.000°" */
} HlMechAngle;

/* A pale copy of the bodies in another pose: mode shapes, other runs. */
typedef struct {
  const HlMechBody *bodies;
  int n_bodies;
  HlColor color; /* a = 0: the style's accent */
  double alpha;  /* 0 = 0.3 */
} HlMechGhost;

/* Pixels that lie behind everything, upright, the first row at the top. */
typedef struct {
  cairo_surface_t *surface; /* an image */
  HlRect box;               /* world [m], from the lower left corner */
  double opacity;
} HlMechPhotograph;

typedef struct {
  const HlMechPhotograph *photograph; /* NULL = none */
  const HlMechBody *bodies;
  int n_bodies;
  const HlMechJoint *joints;
  int n_joints;
  const HlMechCylinder *cylinders;
  int n_cylinders;
  const HlMechSpring *springs;
  int n_springs;
  const HlMechLoad *loads;
  int n_loads;
  const HlMechAngle *angles;
  int n_angles;
  const HlMechGhost *ghosts;
  int n_ghosts;
  HlSpot gravity;    /* [m/s^2]; zero = no arrow */
  int gravity_place; /* where the arrow stands, of hl_mechanism_gravity_place; 0: where it is free */
  gboolean show_grid;
  double head_px;      /* strip at the top that texts leave free: a caption lies there */
  double left_px;      /* the same at the left edge: a palette lies there */
  gboolean plain;      /* nothing but the parts: no texts, no gravity, for small pictures */
  HlRect rubber_band;  /* device px */
  const char *caption; /* pill at the lower left: "Mode λ₃,₄: 71.8 Hz, ζ = 0.176"; NULL = none */
  const char *empty_text;
} HlMechanismPicture;

HlMechanismPicture hl_mechanism_picture_make (void);

void hl_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view, HlRect area,
                         const HlStyle *style);

/* Returns the first place of the gravity arrow that covers no part: 1 upper right, 2 lower right, 3 upper
 * left, 4 lower left. A moving picture keeps the first place, so that the arrow stays where it is. */
int hl_mechanism_gravity_place (const HlMechanismPicture *picture, const HlView *view, HlRect area,
                                const HlStyle *style);

/* Returns the world rectangle of everything but labels; for hl_view_fit. */
HlRect hl_mechanism_box (const HlMechanismPicture *picture);

/* Returns the device rectangle of everything but labels, with the painted size of the symbols; for
 * hl_view_fit_all. */
HlRect hl_mechanism_extent (const HlMechanismPicture *picture, const HlView *view, const HlStyle *style);

typedef enum {
  HL_MECH_NOTHING,
  HL_MECH_IS_JOINT,
  HL_MECH_IS_LOAD,
  HL_MECH_IS_CYLINDER,
  HL_MECH_IS_SPRING,
  HL_MECH_IS_BODY
} HlMechPart;

/* Returns the topmost part within reach px of a device point; *index in its table. */
HlMechPart hl_mechanism_at (const HlMechanismPicture *picture, const HlView *view, const HlStyle *style,
                            HlSpot device, double reach_px, int *index);

/* The parts of a linkage, each painted on the device. */

typedef struct {
  cairo_t *cr;
  const HlView *view;
  const HlStyle *style;
} HlMechPen;

/* Returns how far that reaches from the pin [px]. */
double hl_mech_drive_angle_reach (const HlStyle *style);

/* Paints texts beside the parts, on free places; the drawing itself is reserved first. */
void hl_mech_paint_labels (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space);
void hl_mech_take_parts (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space);
