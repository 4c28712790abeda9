/* SPDX-License-Identifier: MIT */
/* Plug: closes a port on purpose. No oil passes, and nobody need ask about the port. */
#include "core/base/hl-status.h"
#include "core/hydro/hl-component.h"

const HlComponentClass hl_plug_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "plug",
             HL_TEXT ("Plug"),
             HL_TEXT ("Closes a port on purpose"),
             "plug",
             1,
             {"A"}},
};
