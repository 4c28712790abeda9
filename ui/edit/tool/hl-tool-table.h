/* SPDX-License-Identifier: MIT */
/* Every tool there is. A new one is a file with its operations table and a line in
 * hl-tool.c. */
#pragma once

#include "ui/edit/tool/hl-tool.h"

extern const HlToolOps hl_tool_select_circuit;
extern const HlToolOps hl_tool_place;
extern const HlToolOps hl_tool_connect;
extern const HlToolOps hl_tool_select_linkage;
extern const HlToolOps hl_tool_link;
extern const HlToolOps hl_tool_pair;
extern const HlToolOps hl_tool_spot;
