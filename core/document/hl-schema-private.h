/* SPDX-License-Identifier: MIT */
/* The words in which the schema's table files are written: one line a field. Included by
 * hl-schema*.c only. */
#pragma once

#include "core/document/hl-schema.h"

#include <math.h>

/* need */
#define HL_REQUIRED .need = HL_NEED_REQUIRED, .fallback = NAN
#define HL_DEFAULT(value) .need = HL_NEED_DEFAULT, .fallback = (value)
/* required, with the value that a new element gets */
#define HL_NEW(value) .need = HL_NEED_REQUIRED, .fallback = NAN, .start = (value)
#define HL_ABSENT .need = HL_NEED_ABSENT, .fallback = NAN
#define HL_ONE_OF(name_of_group, which, value)                                                     \
  .need = HL_NEED_GROUP, .fallback = NAN, .group = (name_of_group), .alternative = (which),        \
  .start = (value)

/* range */
#define HL_ANY .min_bound = HL_BOUND_NONE
#define HL_POSITIVE .min_bound = HL_BOUND_OPEN, .min = 0
#define HL_NOT_NEGATIVE .min_bound = HL_BOUND_CLOSED, .min = 0
#define HL_WITHIN(low, high)                                                                       \
  .min_bound = HL_BOUND_CLOSED, .min = (low), .max_bound = HL_BOUND_CLOSED, .max = (high)
#define HL_FROM_BELOW(low, high)                                                                   \
  .min_bound = HL_BOUND_CLOSED, .min = (low), .max_bound = HL_BOUND_OPEN, .max = (high)

/* fields */
#define HL_FIELD(name_, type_, quantity_, need_, label_, help_)                                    \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_##type_, .quantity = HL_QUANTITY_##quantity_, need_,           \
    .label = label_, .help = help_                                                                 \
  }
#define HL_NUMBER(name_, quantity_, need_, range_, label_, help_)                                  \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_NUMBER, .quantity = HL_QUANTITY_##quantity_, need_, range_,    \
    .label = label_, .help = help_                                                                 \
  }
#define HL_NUMBER_WHEN(when_, name_, quantity_, need_, range_, label_, help_)                      \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_NUMBER, .quantity = HL_QUANTITY_##quantity_, need_, range_,    \
    .label = label_, .help = help_, .when = when_                                                  \
  }
#define HL_SIGNAL(name_, quantity_, need_, range_, label_, help_)                                  \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_SIGNAL, .quantity = HL_QUANTITY_##quantity_, need_, range_,    \
    .label = label_, .help = help_                                                                 \
  }
#define HL_CHOICE(name_, choices_, label_, help_)                                                  \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_CHOICE, .need = HL_NEED_DEFAULT, .fallback = NAN,              \
    .choices = choices_, .label = label_, .help = help_                                            \
  }
#define HL_CHOICE_WHEN(when_, name_, choices_, label_, help_)                                      \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_CHOICE, .need = HL_NEED_DEFAULT, .fallback = NAN,              \
    .choices = choices_, .label = label_, .help = help_, .when = when_                             \
  }
#define HL_FLAG(name_, label_, help_)                                                              \
  {                                                                                                \
    .name = name_, .type = HL_FIELD_BOOLEAN, .need = HL_NEED_DEFAULT, .fallback = 0,               \
    .label = label_, .help = help_                                                                 \
  }
#define HL_OUTPUT(name_, quantity_, label_)                                                        \
  {                                                                                                \
    .name = name_, .quantity = HL_QUANTITY_##quantity_, .label = label_                            \
  }

/* kinds */
#define HL_WITH_FIELDS(table) .n_fields = (int)G_N_ELEMENTS (table), .fields = (table)
#define HL_WITH_OUTPUTS(table) .n_outputs = (int)G_N_ELEMENTS (table), .outputs = (table)

extern const HlKind hl_schema_linkage_kinds[];
extern const int hl_schema_n_linkage_kinds;
extern const HlKind hl_schema_hydraulic_kinds[];
extern const int hl_schema_n_hydraulic_kinds;
extern const HlKind hl_schema_model_kinds[];
extern const int hl_schema_n_model_kinds;
