/* SPDX-License-Identifier: MIT */
/* The schema's table files. Included by hl-schema*.c only. */
#pragma once

#include "core/base/hl-kind-words.h"
#include "core/schema/hl-schema.h"

extern const HlKind hl_schema_linkage_kinds[];
extern const int hl_schema_n_linkage_kinds;
extern const HlKind hl_schema_hydraulic_kinds[];
extern const int hl_schema_n_hydraulic_kinds;
extern const HlKind hl_schema_model_kinds[];
extern const int hl_schema_n_model_kinds;
