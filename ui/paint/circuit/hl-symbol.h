/* SPDX-License-Identifier: MIT */
/* Symbol of a kind of component for the circuit painter: one file a kind, and the table of all symbols in hl-symbol-table.c.
 * Ports have the names that the kind's class in core/hydro gives them. */
#pragma once

#include "core/schema/hl-element-schema.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/circuit/hl-symbol-shape.h"

/* Place of a symbol in an automatic layout. */
typedef enum {
  HL_SYMBOL_BETWEEN,  /* on the way from its first port to its second */
  HL_SYMBOL_END,      /* hangs on one line */
  HL_SYMBOL_VALVE,    /* below what hangs between it and the actuators */
  HL_SYMBOL_ACTUATOR, /* on top */
  HL_SYMBOL_SOURCE,   /* at the bottom */
  HL_SYMBOL_TANK      /* drawn once for each line that ends there */
} HlSymbolRole;

/* Place of a symbol in the palette. */
typedef enum {
  HL_SYMBOL_BY_ROLE, /* not stated: see hl_symbol_group () */
  HL_SYMBOL_SUPPLY,
  HL_SYMBOL_DIRECTIONAL,
  HL_SYMBOL_PRESSURE,
  HL_SYMBOL_FLOW,
  HL_SYMBOL_STORES,
  HL_SYMBOL_ACTUATORS
} HlSymbolGroup;

/* Source of the values that a symbol shows. */
typedef struct {
  const HlKind *kind;
  const HlValue *element;
  const char *id;
  double (*value) (gconstpointer data, const char *id, const char *name);
  gconstpointer data;
} HlSymbolSource;

/* Returns a number or an output of the element at the instant shown; NAN when there is none. */
static inline double hl_symbol_value (const HlSymbolSource *at, const char *name) {
  return at->value (at->data, at->id, name);
}

/* Returns its sign: -1, 0 or 1; 0 when there is none. */
int hl_symbol_sense (const HlSymbolSource *at, const char *name);

/* The number under the id: the value of the file or, if it varies, its present value. (The flow of a
 * source is the stated value; its present inflow is another number of the same name.) */
typedef struct {
  const char *name; /* NULL: none */
  const char *prefix;
  HlQuantity quantity;
  int digits;
  gboolean moves;
} HlSymbolCaption;

typedef struct _HlSymbol {
  const char *kind; /* of the model file */
  const char *form; /* which of the forms of the kind; NULL: the kind has one */
  /* the symbol of an element of the kind; NULL: this one */
  const struct _HlSymbol *(*form_of) (const HlKind *kind, const HlValue *element);
  int n_ports;
  HlShapePort port[HL_SHAPE_MAX_PORTS];
  HlRect box;        /* of all states */
  HlRect body;       /* without leads */
  HlSpot label;      /* anchor of the label */
  HlSpot label_side; /* where the text lies from there, -1, 0 or 1 in x and y */
  HlRect icon;       /* the part that is enough to recognize it; width 0: the box */
  HlSymbolRole role;
  HlSymbolGroup group;
  int drain_rank;       /* of those that lead to a tank, the lowest stands nearest to the middle */
  gboolean has_letters; /* of its ports */
  HlSymbolCaption caption;
  void (*build) (const HlShapeState *state, HlShapePath *path);
  /* sets the displayed state of the element at the instant; NULL: always the same */
  void (*show) (const HlSymbolSource *at, HlShapeState *state);
} HlSymbol;

/* Returns the group that it states, else the one that its role stands for. */
HlSymbolGroup hl_symbol_group (const HlSymbol *symbol);

extern const HlSymbol *const hl_symbols[];
extern const int hl_n_symbols;
/* A kind of a newer file. */
extern const HlSymbol hl_symbol_unknown;

/* Small pictures of the kinds for palettes and lists: drawn for 24 px, with one width of stroke at
 * any size. A kind without one shows its symbol. */

/* Paints a small icon; FALSE: there is none for that kind, and nothing is painted. */
gboolean hl_paint_small_icon (cairo_t *cr, const char *kind, HlRect area, const HlStyle *style);
