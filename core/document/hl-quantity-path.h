/* SPDX-License-Identifier: MIT */
/* Paths: names of numbers, ELEMENT.PROPERTY[.SUBPROPERTY].
 *
 *   settable   cyl.friction.Fc   link2.mass   link2.x .y .angle .vx .vy .omega
 *              V1.pressure   dcv.spool
 *              M2.signal, dcv.command (makes the signal that constant)
 *              M2.signal.amplitude (inside a signal)
 *              fluid.density   simulation.rtol   gravity.x   ground.O1.x
 *              link2.points.C.x   link2.com.x   load.direction.x
 *   outputs    cyl.s   cyl.force   jO1.fx   throttle.flow   energy.kinetic
 *              cyl.pA, valve.pP (pressure at a port: that of its line)
 *              link2.C.x (a point in the ground's frame)
 *
 * A settable path may be probed too. */
#pragma once

#include "core/document/hl-document.h"

typedef enum {
  HL_PATH_NUMBER, /* one number of the file */
  HL_PATH_SIGNAL, /* a signal; setting it makes it constant */
  HL_PATH_OUTPUT  /* only a run has it */
} HlPathType;

typedef struct {
  HlPathType type;
  HlSection section;
  int index;              /* element in its section; 0 for single objects */
  const char *id;         /* element id, or "fluid", "simulation", "gravity", "ground", "energy"; borrowed */
  const HlKind *kind;     /* of the element; NULL for energy */
  const HlField *field;   /* NULL for outputs */
  const HlOutput *output; /* NULL for settable paths, positions of points and pressures at ports */
  const char *port;       /* name of the port whose pressure it is; NULL for everything else */
  HlQuantity quantity;
  const char *name; /* part after "ELEMENT."; points into the given text */
} HlPathInfo;

/* Resolves a path into *info, which borrows from the document and from the text. FALSE and an error
 * with a sentence that names what is not there. */
gboolean hl_path_find (const HlDocument *document, const char *path, HlPathInfo *info, GError **error);
/* Narrows the range from *low to *high, in SI, to what the number at a path may be, open ends a
 * hair inside. */
void hl_path_narrow (const HlPathInfo *info, double *low, double *high);

/* The oil model of a document, and the numbers that this model does not use: a root locus or a sweep over such a number
 * has no effect, and its window says so. */

/* Returns the oil model of simulation.model. */
HlOil hl_document_oil (const HlDocument *document);

/* Returns "Not used by the lumped model" when the path names such a number; NULL otherwise. */
const char *hl_path_idle_text (const HlDocument *document, const char *path, HlOil oil);
/* Returns the same with all further details, for a tooltip; NULL when the oil reads the field. Owned by the caller. */
char *hl_field_idle_help (const HlField *field, HlOil oil);
