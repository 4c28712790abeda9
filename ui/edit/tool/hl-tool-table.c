/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-tool-table.h"

static const HlToolOps *const table[] = {
    &hl_tool_select_circuit, &hl_tool_place, &hl_tool_connect, &hl_tool_select_linkage,
    &hl_tool_link,           &hl_tool_pair,  &hl_tool_spot,
};

const HlToolOps **hl_tool_list (HlToolCanvas canvas, int *n) {
  const HlToolOps **list = g_new (const HlToolOps *, G_N_ELEMENTS (table));

  *n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i]->canvases & 1u << canvas)
      list[(*n)++] = table[i];
  return list;
}
