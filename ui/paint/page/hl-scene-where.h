/* SPDX-License-Identifier: MIT */
/* Where an element stands in a picture, so that it can be brought into view. */
#pragma once

#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"

/* World rectangle of a symbol or of all wires of a line; FALSE: not in the picture. */
gboolean hl_circuit_where (const HlCircuitScene *scene, const HlCircuitPicture *picture, const char *id,
                           HlRect *box);
/* Of a body, joint, cylinder, spring or load. */
gboolean hl_linkage_where (const HlMechanismPicture *picture, const char *id, HlRect *box);
