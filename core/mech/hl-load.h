/* SPDX-License-Identifier: MIT */
/* Loads: generalized forces that mechanics alone decides (torque, force, spring-damper, torsion spring,
 * tyre): theory/elements.md (19)-(23). A load is a class: one file per kind of load holds everything about
 * it, except its painter; the table of all classes is hl_loads[] (hl-load.c), in the order of the palette.
 *
 * Local columns:   0,1: r_i   2: psi_i   3,4: r_j   5: psi_j */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/hl-element-kind.h"
#include "core/base/hl-status-codes.h"
#include "core/mech/hl-body-frame.h"

#define HL_LOAD_MOST_ENDS 2

typedef struct HlLoadClass HlLoadClass;

/* One load of a compiled system. Numbers stand where the fields of its class place them. */
typedef struct {
  const HlLoadClass *klass;
  int body_i, body_j;    /* of its ends; -1 = ground */
  double u_i[2], u_j[2]; /* points in the bodies' frames [m] */
  double dir[2];         /* force: unit direction; tyre: rolling direction in the body */
  bool body_frame;       /* force: dir turns with the body */
  int signal;            /* index of the signal, or -1 */
  double stiffness;      /* [N/m], [N m/rad], tyre [N/rad] */
  double damping;        /* [N s/m], [N m s/rad] */
  double free;           /* free length [m] or free angle [rad] */
  double coulomb, speed; /* of a joint's friction: Tc, w0 [N m, rad/s] or [N, m/s] */
  double low, high;      /* of a joint's stops: its range, NAN = none [rad] or [m] */
  double loss;           /* of a joint's stops [s/rad] or [s/m] */
} HlLoad;

/* Local derivative blocks, row-major: rows and columns are the six local columns. */
typedef struct {
  double Qx[36]; /* dq/dx */
  double Qv[36]; /* dq/dv */
} HlLoadTangent;

/* Quantities that the outputs of load classes read: HlOutput.part. */
typedef enum {
  HL_LOAD_READS_LENGTH, /* [m] */
  HL_LOAD_READS_FORCE,  /* pull between the ends, or the lateral force [N] */
  HL_LOAD_READS_TORQUE, /* on body j [N m] */
  HL_LOAD_READS_SLIP    /* [rad] */
} HlLoadReading;

/* `value` is that of the load's signal, fi and fj are the frames of its bodies with their motion. */
struct HlLoadClass {
  HlKind kind;                         /* first: words, fields, outputs */
  const char *ends[HL_LOAD_MOST_ENDS]; /* fields that name them; the second may be NULL: the ground */
  bool on_bodies;                      /* they are bodies as a whole, not points */
  bool has_direction;                  /* dir from the field `direction`, in the axes of `frame` */
  bool has_axis;                       /* dir from the field `axis`, in the body */
  /* generalized force q[6]; HL_ZERO_LENGTH for a spring of no length */
  HlStatus (*force) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]);
  /* dq/dx and dq/dv into zeros; NULL: it does not depend on the motion */
  void (*tangent) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                   HlLoadTangent *out);
  /* dq/dvalue into zeros; NULL: it has no signal */
  void (*input) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]);
  /* power that it takes out of the motion and turns into heat [W]; NULL: what it gives to the motion
   * is supplied from outside */
  double (*loss) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj);
  /* stretch s of a load that stores stiffness s^2/2 [m or rad], and its change along dx of the six
   * local columns; NULL: it stores nothing */
  double (*stretch) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj);
  double (*stretch_along) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const double dx[6]);
  /* an output, and its change along dx, dv of the local columns; NULL: it has no outputs */
  double (*read) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part);
  double (*read_along) (const HlLoad *load, const HlFrame *fi, const HlFrame *fj,
                        const HlLoadTangent *tangent, const double dx[6], const double dv[6], int part);
};

/* Friction and stops of a joint act as loads that no element of the file stands for: hl-joint.c. The
 * one output is the friction, positive against the motion, or the push of the stop, positive towards larger angles and travels. */
extern const HlLoadClass hl_turning_friction_class, hl_sliding_friction_class;
extern const HlLoadClass hl_turning_stop_class, hl_sliding_stop_class;

extern const HlLoadClass *const hl_loads[];
extern const int hl_n_loads;

/* Returns the class of a kind; NULL for an unknown one. */
const HlLoadClass *hl_load_class (const char *kind);

/* Returns whether it is drawn from one point to another. */
static inline bool hl_load_joins_points (const HlLoadClass *klass) {
  return !klass->on_bodies && klass->ends[1] != NULL;
}

/* Returns the place of the number that the k-th field of its class states; NULL when the field has no number. */
static inline double *hl_load_number (const HlLoad *load, int field) {
  size_t place = load->klass->kind.fields[field].place;
  return place > 0 ? (double *)(void *)((char *)load + place - 1) : NULL;
}

/* Computes the generalized force q[6]; `value` is the signal's value. Fails with HL_ZERO_LENGTH for a spring
 * of zero length. */
static inline HlStatus hl_load_force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                                      double q[6]) {
  return load->klass->force (load, fi, fj, value, q);
}

/* Returns whether the force depends on the motion: else the tangent stays zero. */
static inline bool hl_load_has_tangent (const HlLoad *load) {
  return load->klass->tangent != NULL;
}

/* Computes dq/dx, dq/dv at the frames' motion; writes all of out. */
void hl_load_tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                      HlLoadTangent *out);

/* Computes dq/dvalue: the column of the load's signal, zeros without one. fj: of a force, the ground. */
void hl_load_input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]);

/* Adds what the load does now to powers stored, lost and supplied [W]. */
void hl_load_power (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double powers[3]);

/* Returns the power of a local force on the motion of its two bodies, q . v [W]. */
double hl_load_work_rate (const double q[6], const HlFrame *fi, const HlFrame *fj);
