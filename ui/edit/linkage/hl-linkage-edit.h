/* SPDX-License-Identifier: MIT */
/* Edits of the drawing of a linkage: each takes a document and returns a new one, or NULL with an error.
 * Points, joints and poses are changed together, so that bodies that met in a point still do. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"

/* A drawn link is a slender rod of this mass per length until its mass is typed. */
#define HL_LINKAGE_DENSITY 1.0 /* [kg/m] */

/* An end of what is drawn: on a point, somewhere on a body, or in the open. */
typedef struct {
  HlSpot at;
  const char *owner; /* body or "ground"; NULL = in the open */
  const char *point; /* NULL: not on a point */
} HlLinkageEnd;

/* Returns a rigid bar from a to b; ends on something are joined to it by revolute joints. *id (optional,
 * owned) is the body. */
HlDocument *hl_linkage_add_link (const HlDocument *document, const HlLinkageEnd *a, const HlLinkageEnd *b,
                                 char **id, GError **error);
/* Returns a further point of a body or of the ground; *name is owned. */
HlDocument *hl_linkage_add_point (const HlDocument *document, const char *owner, HlSpot at, char **name,
                                  GError **error);
/* Returns a point of the ground, and a revolute joint when the end is on a body. */
HlDocument *hl_linkage_add_pivot (const HlDocument *document, const HlLinkageEnd *end, char **id,
                                  GError **error);
/* Adds an element between two ends: a joint ("revolute", "prismatic", "slot", "weld", "distance"), a "spring"
 * or a "cylinder". Ends at no body become points of the ground. A cylinder without points that is in the
 * circuit already is used before a new one is made. */
HlDocument *hl_linkage_add_pair (const HlDocument *document, const char *kind, const HlLinkageEnd *a,
                                 const HlLinkageEnd *b, char **id, GError **error);
/* Returns the field that a drawn or typed length sets in an element between two ends; NULL: it has none. */
const char *hl_linkage_length_field (const char *kind);
/* Adds an element at one end, along a direction in the world [rad]: "force", "tyre", "knife-edge"; a "torque"
 * on the end's body; a "torsion-spring" in the pin there. */
HlDocument *hl_linkage_add_spot (const HlDocument *document, const char *kind, const HlLinkageEnd *end,
                                 double angle, char **id, GError **error);

/* Moves a point and all that meet in it to another place: links change their lengths, poses stay
 * but for the frames of bars, which stay in their middle. Locked lengths and angles hold: the place
 * is corrected. */
HlDocument *hl_linkage_move_point (const HlDocument *document, const char *owner, const char *point,
                                   HlSpot at, GError **error);
/* Shifts a body without its neighbours' bodies: what they share moves with it. */
HlDocument *hl_linkage_shift_body (const HlDocument *document, const char *body, double dx, double dy,
                                   GError **error);
/* Moves a point of the ground and closes the linkage again, rigid as it is. */
HlDocument *hl_linkage_move_ground (const HlDocument *document, const char *point, HlSpot at, GError **error);
/* Sets the distance of a body's first two points and closes the linkage again. */
HlDocument *hl_linkage_set_length (const HlDocument *document, const char *body, double length,
                                   GError **error);
/* Turns a body to an angle (of the line through its first two points) with the constraints
 * holding. */
HlDocument *hl_linkage_set_angle (const HlDocument *document, const char *body, double angle, GError **error);
/* Returns a number of the file by its path; of a point's coordinate the mass follows and the joints are
 * closed again where they can be. */
HlDocument *hl_linkage_set_number (const HlDocument *document, const char *path, double value,
                                   GError **error);
/* Takes a point of a body or of "ground" away with what hangs on it; the mass follows. */
HlDocument *hl_linkage_remove_point (const HlDocument *document, const char *owner, const char *point,
                                     GError **error);
/* Toggles the lock of "length" or "angle". */
HlDocument *hl_linkage_toggle_lock (const HlDocument *document, const char *id, HlLock lock, GError **error);

/* Puts a body's frame elsewhere without moving anything in the world. */
HlDocument *hl_linkage_reframe (const HlDocument *document, const char *body, const double pose[3],
                                GError **error);

/* Returns length and direction of the line through a body's first two points; FALSE when it has fewer. */
gboolean hl_linkage_measure (const HlLinkagePlan *plan, int body, double *length, double *angle);
/* Returns whether the body's mass is still that of its rods. */
gboolean hl_linkage_follows_density (const HlDocument *document, const char *body);
/* Returns the mass per length that the body has, or would have if its mass were not typed [kg/m]. */
double hl_linkage_density (const HlDocument *document, const char *body);
/* Returns the moment of inertia of slender rods along the body's outline that weigh its mass [kg m2]; NAN
 * when its centre of mass is not theirs. */
double hl_linkage_rod_inertia (const HlDocument *document, const char *body);
/* Makes the mass follow a density again. */
HlDocument *hl_linkage_set_density (const HlDocument *document, const char *body, double density,
                                    GError **error);
