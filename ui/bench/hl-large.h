/* SPDX-License-Identifier: MIT */
/* Which documents have so many elements that working on all of them does not fit into a frame. */
#pragma once

#include "core/document/hl-document.h"

#define HL_MANY_ELEMENTS 150

static inline gboolean hl_is_large (const HlDocument *document) {
  int n = 0;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    if (section != HL_SECTION_PROBES)
      n += hl_document_n_elements (document, section);
  return n > HL_MANY_ELEMENTS;
}
