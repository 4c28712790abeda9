/* SPDX-License-Identifier: MIT */
/* The oil's way through the lines of a circuit at an instant of a run, as arrows. */
#pragma once

#include "ui/paint/circuit/hl-circuit-sheet.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/base/hl-scene.h"

typedef struct _HlFlowScene HlFlowScene;

/* For a sheet, which is read here only. */
HlFlowScene *hl_flow_scene_new (const HlCircuitSheet *sheet);
void hl_flow_scene_free (HlFlowScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFlowScene, hl_flow_scene_free)

/* Largest flow through a port of any component in a run, of the rows from one on [m^3/s]; 0 = none
 * was recorded. */
double hl_flow_scene_highest (const HlDocument *document, const HlResults *results, int from_row);

/* Appends the arrows (HlCircuitArrow) of a line; flows are drawn against the highest. */
void hl_flow_scene_add_arrows (const HlFlowScene *scene,
                               const HlDocument *document,
                               const HlInstant *instant,
                               int line,
                               double highest,
                               GArray *arrows);
