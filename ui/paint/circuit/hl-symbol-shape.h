/* SPDX-License-Identifier: MIT */
/* ISO 1219-1 symbols as plain path data on the module grid: painted and picked from one source. No
 * cairo here. Lengths are in modules M, y points down. Every port lies on even coordinates of its
 * symbol (pitch 2M), so a symbol placed on even coordinates has its ports on the 2M grid in every
 * rotation. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/base/hl-view-transform.h"

/* The symbol of a kind of component (hl-symbol.h); NULL counts as one that is not known. */
typedef const struct _HlSymbol *HlShapeKind;

/* Returns the symbol of a kind's name in the model file, that of an unknown kind for others; and the name of
 * a symbol. */
HlShapeKind hl_shape_kind_from_name (const char *name);
/* Returns the symbol of a component of a document: a kind may have several forms. */
HlShapeKind hl_shape_kind_of (const HlDocument *document, int component);
/* Returns the name of the shape, for callers that store it; "" if the kind has only one. */
const char *hl_shape_kind_form (HlShapeKind kind);
const char *hl_shape_kind_name (HlShapeKind kind);

/* Properties of a symbol for the layout. */
gboolean hl_shape_is_tank (HlShapeKind kind);
gboolean hl_shape_is_source (HlShapeKind kind);
gboolean hl_shape_is_actuator (HlShapeKind kind);
gboolean hl_shape_is_valve (HlShapeKind kind);
gboolean hl_shape_is_between (HlShapeKind kind);
HlShapeKind hl_shape_tank (void); /* the symbol that ends a line at the tank */

/* Present state in a symbol. Zero-initialised is a good rest state. */
#define HL_SHAPE_SPOOL_PLACES 3 /* U = 1, 0, -1 */

typedef struct {
  gboolean has_ways; /* directional valve: `ways` says what is open; else it is the plain one */
  unsigned ways[HL_SHAPE_SPOOL_PLACES]; /* bits of its branches that are open at these places */
  double spool;                         /* directional valve, -1..1: > 0 highlights P-A B-T (left square) */
  double stroke;  /* cylinder: piston at 0..1 of its stroke; vane: of its angle; accumulator: oil in it */
  double opening; /* metering valve 0..1 */
  gboolean open;  /* check and relief valve */
  gboolean has_relief; /* flow source with relief_pressure */
  gboolean one_way;    /* metering valve */
  gboolean spring;     /* check valve with cracking pressure; cylinder that a spring retracts */
  gboolean cushion[2]; /* cylinder: at the ends A and B */
  gboolean plunger;    /* cylinder without a rod side */
  gboolean piston;     /* accumulator: a piston parts its oil from what presses on it */
  gboolean hose;       /* pipe, volume: its wall is elastic */
  int turns;           /* pump, motor: the way its shaft turns, -1, 0 or 1 */
  double angle;        /* motor: of its shaft [rad] */
} HlShapeState;

typedef struct {
  double x, y;     /* grid position of the symbol's origin [M] */
  int rotation;    /* 0, 90, 180, 270, clockwise on screen */
  gboolean mirror; /* left-right, before the rotation */
} HlPlacement;

typedef struct {
  const char *name;    /* of the model file: "P", "T", "A", "B" */
  double x, y;         /* [M] */
  double dir_x, dir_y; /* outward, unit vector: a wire leaves this way */
  gboolean is_absent;  /* this form does not have it; it stands where another one does */
} HlShapePort;

#define HL_SHAPE_MAX_PORTS 6

int hl_shape_n_ports (HlShapeKind kind);
const HlShapePort *hl_shape_port (HlShapeKind kind, int port); /* in the symbol's own frame */
int hl_shape_find_port (HlShapeKind kind, const char *name);   /* -1 = none */
HlShapePort hl_shape_placed_port (HlShapeKind kind, int port, const HlPlacement *place); /* on the drawing */

/* Converts a point from the frame of the symbol to that of the drawing and back. */
HlSpot hl_placement_apply (const HlPlacement *place, HlSpot own);
HlSpot hl_placement_undo (const HlPlacement *place, HlSpot drawing);

/* Returns the bounding box without labels; of all states, so that it does not move while running. */
HlRect hl_shape_box (HlShapeKind kind);
HlRect hl_shape_placed_box (HlShapeKind kind, const HlPlacement *place);
/* Returns the core of the symbol that wires must not cross; equals the box but for short leads. */
HlRect hl_shape_placed_body (HlShapeKind kind, const HlPlacement *place);

/* Place of the label: anchor point on the drawing and alignment, 0 = text starts there, 1 = text ends there. */
typedef struct {
  double x, y;    /* [M] */
  double align_x; /* 0, 0.5, 1 */
  double align_y; /* 0 = text below the point, 0.5 beside it, 1 above it */
} HlShapeLabel;
HlShapeLabel hl_shape_placed_label (HlShapeKind kind, const HlPlacement *place);

/* Path data. A stroke is a run of segments painted with one pen. */
typedef enum {
  HL_PEN_BODY,   /* closed: filled with paper, outlined */
  HL_PEN_LINE,   /* open line, symbol width */
  HL_PEN_THIN,   /* half width: springs, arrows across */
  HL_PEN_DASHED, /* pilot lines */
  HL_PEN_SOLID,  /* filled with ink: triangles, arrow heads */
  HL_PEN_ACTIVE, /* filled with the accent, pale: the active square of a valve */
  HL_PEN_PISTON  /* filled with the piston colour, outlined */
} HlSymbolWriter;

typedef enum {
  HL_PATH_MOVE,
  HL_PATH_LINE,
  HL_PATH_CURVE, /* cubic, control points 1 and 2 then the end */
  HL_PATH_CLOSE
} HlPathOp;

typedef struct {
  HlPathOp op;
  HlSpot p[3]; /* end point in p[0]; a curve has its end in p[2] */
} HlPathSegment;

typedef struct {
  HlSymbolWriter pen;
  int first; /* index of its first segment */
  int n;
} HlPathStroke;

#define HL_SHAPE_MAX_SEGMENTS 256
#define HL_SHAPE_MAX_STROKES 64

typedef struct {
  HlPathSegment segment[HL_SHAPE_MAX_SEGMENTS];
  int n_segments;
  HlPathStroke stroke[HL_SHAPE_MAX_STROKES];
  int n_strokes;
} HlShapePath;

/* Builds the symbol's outline in its own frame for a state. */
void hl_shape_build (HlShapeKind kind, const HlShapeState *state, HlShapePath *path);

/* Returns the distance [M] from a point of the drawing to the symbol, 0 inside a filled part. */
double hl_shape_distance (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                          HlSpot point);
/* Returns whether a point is within reach [M] of the symbol. */
gboolean hl_shape_contains (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                            HlSpot point, double reach);

/* The small pen that symbols are drawn with, in modules, y down. */

/* Begins a stroke; then moves, lines and curves. */
void hl_pen_begin (HlShapePath *path, HlSymbolWriter kind);
void hl_pen_move (HlShapePath *path, double x, double y);
void hl_pen_line (HlShapePath *path, double x, double y);
void hl_pen_curve (HlShapePath *path, double x1, double y1, double x2, double y2, double x, double y);
void hl_pen_close (HlShapePath *path);
/* Adds whole strokes. */
void hl_pen_stroke (HlShapePath *path, HlSymbolWriter kind, double x1, double y1, double x2, double y2);
void hl_pen_rectangle (HlShapePath *path, HlSymbolWriter kind, double x, double y, double width,
                       double height);
void hl_pen_circle (HlShapePath *path, HlSymbolWriter kind, double x, double y, double r);
/* Adds the filled head of an arrow that ends at x, y. */
void hl_pen_arrow_head (HlShapePath *path, double from_x, double from_y, double x, double y, double length);
void hl_pen_arrow (HlShapePath *path, HlSymbolWriter kind, double x1, double y1, double x2, double y2,
                   double head);
/* Adds a zigzag of n teeth between two points on a vertical or horizontal line. */
void hl_pen_spring (HlShapePath *path, double x1, double y1, double x2, double y2, double half_width,
                    int n_teeth);
/* Parts that several symbols share. */
/* Adds the shaft of a pump or motor, a double line beside its circle: to the left (-1) or to the right (1). */
void hl_pen_shaft (HlShapePath *path, double side);
/* Adds the arrow round that shaft: its sense of rotation, 1: counter-clockwise seen from its end; 0: it
 * stands still, and there is none. */
void hl_pen_turn (HlShapePath *path, double side, int turns);
/* Adds the square of a valve that a spring holds, between the ends (0, 2) and (0, -2): its arrow is displaced
 * by the closed part of the opening. And its check valve beside it at x, from the upper end to the lower. */
void hl_pen_valve_square (HlShapePath *path, const HlShapeState *state);
void hl_pen_by_pass (HlShapePath *path, double x);
void hl_pen_small_tank (HlShapePath *path, double x, double y);
void hl_pen_throttle (HlShapePath *path);
void hl_pen_source_circle (HlShapePath *path);
