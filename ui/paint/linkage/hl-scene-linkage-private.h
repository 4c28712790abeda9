/* SPDX-License-Identifier: MIT */
/* What the parts of a linkage are placed with. */
#pragma once

#include "ui/paint/linkage/hl-scene-linkage.h"

typedef struct
{
  double x, y, angle;
} HlSceneFrame;

struct _HlLinkageScene
{
  HlMechanismPicture picture;
  GArray *frames;     /* HlSceneFrame, one a body */
  GArray *points;     /* HlSpot of all bodies */
  GArray *bodies;     /* HlMechBody */
  GArray *joints;     /* HlMechJoint */
  GArray *cylinders;  /* HlMechCylinder */
  GArray *springs;    /* HlMechSpring */
  GArray *loads;      /* HlMechLoad */
  GArray *angles;     /* HlMechAngle */
  GHashTable *pinned; /* ground points that carry a joint */
  GStringChunk *texts;
  HlColumnCursor *cursor;
};

/* What one update works with. */
typedef struct
{
  HlLinkageScene *scene;
  const HlDocument *document;
  const HlInstant *instant;
  const HlMarks *marks;
} HlSceneUpdate;

/* A value of an element at the instant; NAN: there is none. */
double hl_scene_value_of (const HlSceneUpdate *up, const char *id, const char *name);
/* The angle of a body [rad], 0 of the ground (-1). */
double hl_scene_angle_of (const HlSceneUpdate *up, int body);
/* A point field of an element; FALSE when it names nothing. */
gboolean hl_scene_find_point (
    const HlSceneUpdate *up, const HlValue *element, const char *field, int *body, HlSpot *at);
/* The pin of the two bodies that an element names, without one a body, and the angle [rad] there;
 * FALSE: it names none but the ground. */
gboolean
hl_scene_place_in_pin (const HlSceneUpdate *up, const HlValue *element, HlSpot *at, double *angle);
/* All springs and loads of the document. */
void hl_scene_add_loads (const HlSceneUpdate *up);
