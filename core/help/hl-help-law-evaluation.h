/* SPDX-License-Identifier: MIT */
/* Evaluation of one element for the help: its numbers, the point of evaluation, and the results of its law
 * there. A table of operations defines the evaluation: one table for components and one for all other
 * elements (both in hl-help-page.c). Pages and curves use these tables only. */
#pragma once

#include "core/help/hl-help-element-laws.h"
#include "core/help/hl-formula-tree.h"
#include "core/hydro/hl-component-help.h"
#include "core/schema/hl-element-schema.h"

typedef struct HlHelpPart HlHelpPart;

typedef struct {
  double (*law) (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope);
  double (*letter) (const HlHelpPart *part, const HlLetter *letter);
  /* where the one number stands that a curve over the letter moves: one a letter */
  double *(*place) (HlHelpPart *part, const HlLetter *letter);
  const HlField *(*field) (const HlHelpPart *part, const HlLetter *letter); /* NULL: it is none */
  gboolean (*holds) (const HlHelpPart *part, HlHolds holds, unsigned forms);
  void (*range) (const HlHelpPart *part, const HlCurve *curve, double *low, double *high);
} HlHelpLaw;

struct HlHelpPart {
  const HlHelpLaw *law;
  const HlComponentHelp *help;
  const HlKind *kind;
  double free; /* of a curve over what no law reads */
  /* of a component: the point; the maker sets it to that of the class's help. Its ports count as
     lying on lines */
  HlComponent c;
  HlFluid oil;
  double p[HL_MOST_PORTS]; /* [Pa] */
  double state[HL_MOST_STATES];
  double signal[HL_MOST_COMMANDS];
  double length, speed; /* of what moves with the linkage */
  /* of another element: its numbers and its point */
  const HlElementHelp *element; /* NULL: it is a component */
  double value[HL_MOST_VALUES];
};

/* Looks at a component, whose numbers are set and lent (c->self), in that oil: derives and counts. */
void hl_help_part_init (HlHelpPart *part, const HlComponent *c, const HlFluid *oil);
/* Looks at an element that is no component: at the usual one of its kind. */
void hl_help_part_init_element (HlHelpPart *part, const HlElementHelp *element, const HlKind *kind);

/* Sets the pressure that an unconnected port reads: another port, the outside, or in a cylinder its vent.
 * Call after the pressures of the others are set. */
void hl_help_part_leave_open (HlHelpPart *part, int port);

/* Returns the value of the element's law at the point; NAN if undefined. With `by` and `slope`, *slope
 * receives the derivative by that letter with the others constant, or NAN where the law has none. Both may be
 * NULL. */
double hl_help_part_law (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope);

/* Sets all letters of the element's help that it has, at the point. */
void hl_help_part_numbers (const HlHelpPart *part, HlTermNumbers *numbers);
/* Returns the value of one; NAN: it has none such, a state of another form. */
double hl_help_part_letter (const HlHelpPart *part, const HlLetter *letter);
/* Returns the quantity and words of a letter. */
HlQuantity hl_help_part_quantity (const HlHelpPart *part, const HlLetter *letter);
const char *hl_help_part_label (const HlHelpPart *part, const HlLetter *letter);

/* Returns whether a formula of its help is one of this part. */
gboolean hl_help_part_says (const HlHelpPart *part, const HlFormulaText *formula);
/* Return, for a curve: whether the element has it; the range of its abscissa in *low and *high; the abscissa
 * of the point; and move the point there. */
gboolean hl_help_part_has (const HlHelpPart *part, const HlCurve *curve);
void hl_help_part_range (const HlHelpPart *part, const HlCurve *curve, double *low, double *high);
double hl_help_part_abscissa (const HlHelpPart *part, const HlCurve *curve);
void hl_help_part_move (HlHelpPart *part, const HlCurve *curve, double x);

/* The operations on components, and on all other elements. */
extern const HlHelpLaw hl_help_component_law, hl_help_element_law;

/* Dragging a curve of a law: which number of the element changes the curve at a place, and its value for which the curve
 * passes through a given point. */

typedef struct {
  const HlField *field; /* NULL: none shapes it there */
  const HlLetter *letter;
  double number; /* that it has now [SI] */
} HlHelpShape;

/* Finds the number of the element, stated or default, that changes the curve most at abscissa x when it is
 * changed by one percent. A number that is 0 has no effect. */
HlHelpShape hl_help_shape_at (const HlHelpPart *part, const HlCurve *curve, double x);

/* Returns the number with which the curve goes through (x, y), within the range of the field and from a
 * thousandth to a thousand times what it is; where there are several the one nearest to the present
 * one, where there is none the one that comes nearest. */
double hl_help_shape_solve (const HlHelpPart *part, const HlCurve *curve, const HlHelpShape *shape, double x,
                            double y);
