/* SPDX-License-Identifier: MIT */
/* The cylinder in words. */
#pragma once

#include "core/hydro/hl-component-help.h"

extern const HlComponentHelp hl_cylinder_help;
