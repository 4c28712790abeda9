/* SPDX-License-Identifier: MIT */
/* HlCircuitView: the canvas with the circuit. */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-tool-bridge.h"

#define HL_TYPE_CIRCUIT_VIEW (hl_circuit_view_get_type ())
G_DECLARE_FINAL_TYPE (HlCircuitView, hl_circuit_view, HL, CIRCUIT_VIEW, HlCanvas)

HlToolBridge *hl_circuit_view_bridge (HlCircuitView *self);
