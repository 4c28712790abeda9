/* SPDX-License-Identifier: MIT */
/* documentation/index.html of an FMU: what it is, how it is driven, and the help of its parts. */
#pragma once

#include "core/fmu/hl-fmu-describe.h"

/* Owned by the caller. */
char *hl_fmu_page (const HlFmuDescription *d);
