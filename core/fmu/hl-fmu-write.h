/* SPDX-License-Identifier: MIT */
/* Numbers of a compiled system as C initialisers. */
#pragma once

#include <glib.h>

#include "core/system/hl-system.h"

/* Appends the tables of the system and of the point that it starts from. */
void hl_fmu_write_system (GString *out, const HlSystem *sys, const HlPoint *start);
/* Appends a number that reads back as the same one. */
void hl_fmu_write_number (GString *out, double value);
/* Appends a text in quotes, or NULL. */
void hl_fmu_write_text (GString *out, const char *text);
