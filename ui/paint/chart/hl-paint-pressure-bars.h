/* SPDX-License-Identifier: MIT */
/* Paints pressures as bars on one scale, one below the other: name, bar, number. Marks over all bars show the
 * vapour pressure and the maximum pressure. A bar beyond a mark has a hatching and a sign before its number
 * in addition to its colour. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/document/hl-document.h"
#include "core/run/hl-run-results.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef enum {
  HL_METER_USUAL,
  HL_METER_VAPOUR, /* below the lower mark */
  HL_METER_OVER    /* above the upper one */
} HlMeterState;

typedef struct {
  char *name;
  double value; /* in the shown unit; NAN: unknown */
  HlMeterState state;
} HlMeter;

/* All numbers in the shown unit. */
typedef struct {
  HlMeter *meters;
  int n;
  double end;          /* of the scale, which begins at 0 */
  double low, high;    /* the marks; INFINITY: no such mark */
  const char *unit;    /* borrowed */
  const char *low_key; /* names of the marks: "vapour", "limit"; borrowed */
  const char *high_key;
} HlMeterPicture;

/* Returns the height of all bars [px]. */
double hl_meters_height (int n, const HlStyle *style);
/* Returns the whole track of a meter, filled or not. */
HlRect hl_meters_track (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style,
                        int index);
void hl_meters_paint (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style);

/* Document and run to the bars of its pressures at a time. */

typedef struct _HlMeterScene HlMeterScene;

HlMeterScene *hl_meter_scene_new (void);
void hl_meter_scene_free (HlMeterScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMeterScene, hl_meter_scene_free)

/* Returns the lines whose pressure the run has, in the order of the file. The scale includes the values that the run
 * has reached so far (as long as it is the same run) and, if the file states one, the limit; it grows and never
 * shrinks, so that bars of one drive can be compared. Borrowed, valid until the next call. */
const HlMeterPicture *hl_meter_scene_update (HlMeterScene *scene, const HlDocument *document,
                                             const HlResults *results, guint serial, /* of the run */
                                             double t, const HlUnit *unit);
/* Returns "P 12.3 MPa, boom_A 8 MPa over the limit", for screen readers. Owned by the caller. */
char *hl_meter_scene_text (const HlMeterScene *scene);
