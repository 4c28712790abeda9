/* SPDX-License-Identifier: MIT */
/* A hose end for another program: where oil comes from outside. */
#pragma once

#include "core/document/hl-document.h"

/* The model with a flow source of no flow on a port, "cyl.B", or on a line: in an FMU its flow is an
 * input, and with the pressure of the line a terminal. A port that is on no line gets one; where the
 * oil asks for a volume, that which `validate` offers. *path (optional, owned): that of the flow,
 * "cyl_B_hose.flow"; *line (optional, owned): the line. Errors: HL_ERROR_USAGE no such port or line;
 * HL_ERROR_FAILED what keeps the pressure of the line, so that no flow has an effect. */
HlDocument *hl_fmu_with_hose (
    const HlDocument *document, const char *place, char **path, char **line, GError **error);
