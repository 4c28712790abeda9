/* SPDX-License-Identifier: MIT */
/* HlLinkagePlan: the linkage of a document in the plane: every body's pose, points, joints, loads and
 * cylinders in world metres, and the constraints between them, as far as the document is complete; and its
 * motion with a dragged point (HlLinkageDrag). */
#pragma once

#include "core/document/hl-document.h"
#include "core/mech/hl-mechanism-drag.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  int body;          /* -1 = ground */
  int point;         /* in file order of its body */
  const char *owner; /* body's id or "ground"; borrowed */
  const char *name;  /* borrowed */
  double u[2];       /* in the body's frame */
  HlSpot at;         /* world */
} HlPlanPoint;

typedef enum {
  HL_PLAN_JOINT,
  HL_PLAN_LOAD,
  HL_PLAN_SPRING, /* a load between two points */
  HL_PLAN_CYLINDER
} HlPlanItemKind;

typedef struct {
  HlPlanItemKind kind;
  const char *id;     /* borrowed */
  int index;          /* in its section */
  const HlKind *type; /* kind in the schema */
  int body_a, body_b; /* -1 = ground or none */
  HlSpot a, b;        /* ends; b = a where there is one only */
  double angle;       /* axis or direction, world [rad] */
} HlPlanItem;

typedef struct {
  HlDocument *document; /* kept: ids and names are borrowed from it */
  int n_bodies;
  double *x;          /* 3 per body: the poses as stated */
  GArray *points;     /* HlPlanPoint, bodies in file order, then the ground */
  int *first_point;   /* n_bodies + 2: of each body, then of the ground */
  GArray *items;      /* HlPlanItem */
  GArray *rows;       /* HlRow */
  GArray *row_joints; /* int: index of the joint of each row; -1 = a lock */
  GArray *limits;     /* HlMechanismDragLimit: strokes */
  /* of a plan that does not change: counted on demand */
  struct {
    gboolean known;
    int freedom, redundant;
  } * count;
} HlLinkagePlan;

HlLinkagePlan *hl_linkage_plan_new (const HlDocument *document);
/* Returns the pose and the points of one body alone, in the time that it takes, however many others there
 * are: they stand at the origin without points, and there is nothing that joins them. */
HlLinkagePlan *hl_linkage_plan_new_of_body (const HlDocument *document, int body);
void hl_linkage_plan_free (HlLinkagePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLinkagePlan, hl_linkage_plan_free)

const HlPlanPoint *hl_linkage_plan_find_point (const HlLinkagePlan *plan, const char *owner,
                                               const char *name); /* NULL = none */
/* Returns the world place of a point u of a body's frame (-1: the ground), and back. */
HlSpot hl_linkage_plan_to_world (const HlLinkagePlan *plan, int body, const double u[2]);
void hl_linkage_plan_to_body (const HlLinkagePlan *plan, int body, HlSpot at, double u[2]);
/* Corners of a body's outline in world order, at most `most`: 1, 2 or its convex hull. */
int hl_linkage_plan_outline (const HlLinkagePlan *plan, int body, HlSpot out[], int most);
/* Degrees of freedom at the poses that close the joints (the stated ones where they cannot be), and
 * how many constraints repeat others. */
int hl_linkage_plan_freedom (const HlLinkagePlan *plan, int *n_redundant);
/* Returns "1 degree of freedom, 2 redundant constraints". Owned by the caller. */
char *hl_linkage_plan_freedom_text (const HlLinkagePlan *plan);

/* Poses that close all joints, nearest to the stated ones, into x (3 per body). FALSE: some joint
 * cannot be closed. */
gboolean hl_linkage_plan_assemble (const HlLinkagePlan *plan, double x[]);
/* Returns the document with other poses; bodies that did not move are left as they are. Owned. */
HlDocument *hl_linkage_plan_with_poses (const HlLinkagePlan *plan, const double x[]);

/* layout.linkage.ID.lock: "length", "angle" or "both"; what a drag must not change. */
typedef enum { HL_LOCK_NONE = 0, HL_LOCK_LENGTH = 1 << 0, HL_LOCK_ANGLE = 1 << 1 } HlLock;
guint hl_linkage_lock (const HlDocument *document, const char *id);

/* HlLinkageDrag: a drawn linkage that is dragged by a point of one of its bodies, with the
 * constraints holding. It shares nothing that ever changes, so another thread may work on it, one
 * thread at a time. */

typedef struct _HlLinkageDrag HlLinkageDrag;

/* Returns a drag of the point of a body at a spot of the world; nothing is solved yet. Owned by the caller. */
HlLinkageDrag *hl_linkage_drag_new (const HlDocument *document, int body, HlSpot at);
void hl_linkage_drag_free (HlLinkageDrag *drag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLinkageDrag, hl_linkage_drag_free)

/* Returns the plan of the present document. Borrowed. */
const HlLinkagePlan *hl_linkage_drag_plan (const HlLinkageDrag *drag);
/* Returns whether joints or cylinders tie what is dragged to the ground. */
gboolean hl_linkage_drag_hangs_on_ground (const HlLinkageDrag *drag);
/* Returns whether one step of it would hold up a window's thread. */
gboolean hl_linkage_drag_is_long (const HlLinkageDrag *drag);

/* Closes the joints, unless that is done. FALSE: they cannot be closed. */
gboolean hl_linkage_drag_begin (HlLinkageDrag *drag);
/* Returns the document with what is dragged as near to the target as the constraints allow; closes the
 * joints first. *limited: a cylinder is at the end of its stroke. Owned; NULL: the joints cannot
 * be closed. */
HlDocument *hl_linkage_drag_to (HlLinkageDrag *drag, HlSpot target, gboolean *limited);
/* Returns the document with all that is dragged shifted from where the drag began. Owned. */
HlDocument *hl_linkage_drag_shifted (const HlLinkageDrag *drag, double dx, double dy);
/* Stops the computation, whose result is no longer needed. From any thread. */
void hl_linkage_drag_stop (HlLinkageDrag *drag);
