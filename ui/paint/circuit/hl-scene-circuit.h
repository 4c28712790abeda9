/* SPDX-License-Identifier: MIT */
/* Document and instant to the picture of the circuit. Symbols stand where the file's layout puts
 * them, the others where the automatic layout does; it is made anew only when components, lines or
 * their places change. */
#pragma once

#include "ui/paint/circuit/hl-circuit-sheet.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/base/hl-scene.h"

typedef struct _HlCircuitScene HlCircuitScene;

HlCircuitScene *hl_circuit_scene_new (void);
void hl_circuit_scene_free (HlCircuitScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCircuitScene, hl_circuit_scene_free)

/* A sheet that somebody else made of the document to come, to be shared if it fits. */
void hl_circuit_scene_offer_sheet (HlCircuitScene *scene, HlCircuitSheet *sheet);

/* The picture at an instant; borrowed, valid until the next call. marks and units may be NULL. */
const HlCircuitPicture *hl_circuit_scene_update (HlCircuitScene *scene, const HlDocument *document,
                                                 const HlInstant *instant, const HlMarks *marks,
                                                 HlUnits units);

/* Ids of the entries of the picture; borrowed. */
const char *hl_circuit_scene_symbol_id (const HlCircuitScene *scene, int symbol);
const char *hl_circuit_scene_net_id (const HlCircuitScene *scene, int net);
