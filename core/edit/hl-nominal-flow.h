/* SPDX-License-Identifier: MIT */
/* Nominal flow as in catalogues: the flow at a pressure drop, fully open, in the oil of the file (theory/hydraulics.md
 * (12), (13)).
 *
 *   Q = K q1 (dp)        K = Cd area sqrt (2/rho), or Cv
 *
 * and the bores and rods that cylinders are sold with. */
#pragma once

#include "core/document/hl-document.h"

/* Returns whether the path is an opening of an element that is stated or has a default: "valve.area",
 * "o1.diameter", "dcv.Cv", "cbv.check_area", "cyl.cushion_A.end_area". */
gboolean hl_rating_has (const HlDocument *document, const char *path);
/* Returns the drop at which catalogues rate such an element [Pa]: 35 bar an edge for directional valves,
 * else 10 bar. */
double hl_rating_drop (const HlDocument *document, const char *path);
/* Returns the flow through the element at that drop [m3/s]; NAN when its numbers do not say. */
double hl_rating_flow (const HlDocument *document, const char *path);
/* Returns the copy with the opening that passes the flow [m3/s] at that drop. NULL and an error when it
 * cannot be set. */
HlDocument *hl_rating_with_flow (const HlDocument *document, const char *path, double flow, GError **error);
/* Parses "40 L/min at 5 bar", with "@" for "at" as well: the flow at hl_rating_drop () of an opening with
 * that rating. FALSE without an error: the text has no pressure drop. */
gboolean hl_rating_parse (const HlDocument *document, const char *path, const char *text, double *flow,
                          GError **error);

/* Diameters of ISO 3320 for the piston ("cyl.piston_diameter") or the rod of a cylinder [m],
 * rising, *n of them, static; NULL and 0 for other paths. */
const double *hl_standard_sizes (const char *path, int *n);
