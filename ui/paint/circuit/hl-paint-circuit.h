/* SPDX-License-Identifier: MIT */
/* The hydraulic circuit as plain data and its painter. Grid modules, y down; a view maps them to
 * the device. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"
#include "ui/paint/circuit/hl-controller-blocks.h"
#include "ui/paint/circuit/hl-symbol-shape.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  HlShapeKind kind;
  HlPlacement place;
  HlShapeState state;
  const char *id;
  const char *label; /* lines separated by \n, the first one in ink: "pump\n7.6 MPa"; NULL = none */
  gboolean selected;
  gboolean hovered;
  gboolean is_problem; /* badge */
  gboolean ghost;      /* pale: a symbol being placed */
  guint linked;        /* bits 1 << port: ports that are on a line */
} HlCircuitSymbol;

/* Oil that flows along a piece of wire. */
typedef struct {
  HlSpot at;
  HlSpot way;    /* unit vector */
  double length; /* of the segment it stands on [M] */
  double size;   /* flow over the largest one in the run, above 0 */
} HlCircuitArrow;

typedef struct {
  const HlLayoutWire *wires;
  int n_wires;
  const HlSpot *dots;
  int n_dots;
  double pressure;     /* [Pa], NAN = unknown: ink */
  const HlSpot *loose; /* ends of its wires that lie on none of its ports */
  int n_loose;
  const HlCircuitArrow *arrows;
  int n_arrows;
  const char *label; /* "p₂ 2.81 MPa" on a pill; NULL = none */
  gboolean dashed;   /* pilot or drain */
  gboolean selected;
  gboolean hovered;
  gboolean is_problem;
} HlCircuitNet;

typedef struct _HlCircuitPicture {
  const HlCircuitSymbol *symbols;
  int n_symbols;
  const HlCircuitNet *nets;
  int n_nets;
  const HlCircuitControl *controls; /* blocks beside the symbols that they command */
  int n_controls;
  double pressure_low; /* [Pa] ends of the colour map */
  double pressure_high;
  const char *pressure_low_label;  /* "0"; both NULL = no legend */
  const char *pressure_high_label; /* "8 MPa" */
  gboolean show_grid;
  gboolean plain;         /* symbols and lines without texts, for small pictures */
  gboolean show_ports;    /* a ring at every port */
  gboolean is_connecting; /* the rings in the accent colour */
  HlRect rubber_band;     /* device px */
  double left_px;         /* strip at the left edge that texts leave free: a palette lies there */
  const char *empty_text; /* when there is no symbol */
} HlCircuitPicture;

HlCircuitPicture hl_circuit_picture_make (void);

/* Paints into the area (device px) through the view; clips to it. */
void hl_paint_circuit (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view, HlRect area,
                       const HlStyle *style);

/* Returns the world rectangle of all symbols and wires with room for labels; for hl_view_fit. */
HlRect hl_circuit_box (const HlCircuitPicture *picture);

/* Returns the topmost symbol or net within reach [M] of a world point, -1 = none. */
int hl_circuit_symbol_at (const HlCircuitPicture *picture, HlSpot world, double reach);
int hl_circuit_net_at (const HlCircuitPicture *picture, HlSpot world, double reach);

/* Paints one symbol alone in the middle of an area, as large as fits with the margin: palette icons. */
void hl_paint_symbol_icon (cairo_t *cr, HlShapeKind kind, HlRect area, double margin_px,
                           const HlStyle *style);

/* One symbol through a view. */

/* Paints a symbol; alpha 1 = as usual, less = pale (a ghost). */
void hl_paint_symbol (cairo_t *cr, HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                      const HlView *view, double alpha, const HlStyle *style);
