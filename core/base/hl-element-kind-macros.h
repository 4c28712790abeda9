/* SPDX-License-Identifier: MIT */
/* Macros for tables of fields and outputs: one line for each. Included only by the schema's table files and
 * by the files of components. */
#pragma once

#include <math.h>

#include "core/base/hl-element-kind.h"

/* need */
#define HL_REQUIRED .need = HL_NEED_REQUIRED, .fallback = NAN
#define HL_DEFAULT(value) .need = HL_NEED_DEFAULT, .fallback = (value)
/* required, with the value that a new element gets */
#define HL_NEW(value) .need = HL_NEED_REQUIRED, .fallback = NAN, .start = (value)
#define HL_ABSENT .need = HL_NEED_ABSENT, .fallback = NAN
#define HL_ONE_OF(name_of_group, which, value)                                                               \
  .need = HL_NEED_GROUP, .fallback = NAN, .group = (name_of_group), .alternative = (which), .start = (value)

/* range */
#define HL_ANY .min_bound = HL_BOUND_NONE
#define HL_POSITIVE .min_bound = HL_BOUND_OPEN, .min = 0
#define HL_NOT_NEGATIVE .min_bound = HL_BOUND_CLOSED, .min = 0
#define HL_WITHIN(low, high)                                                                                 \
  .min_bound = HL_BOUND_CLOSED, .min = (low), .max_bound = HL_BOUND_CLOSED, .max = (high)
#define HL_FROM_BELOW(low, high)                                                                             \
  .min_bound = HL_BOUND_CLOSED, .min = (low), .max_bound = HL_BOUND_OPEN, .max = (high)

/* After a range: which oils read the number; all, when none of these stands there. */
#define HL_ONLY_LUMPED , .idle = HL_OIL_HYBRID | HL_OIL_QUASISTATIC
#define HL_ONLY_HYBRID , .idle = HL_OIL_LUMPED | HL_OIL_QUASISTATIC
#define HL_ONLY_QUASISTATIC , .idle = HL_OIL_LUMPED | HL_OIL_HYBRID
#define HL_NOT_HYBRID , .idle = HL_OIL_HYBRID
#define HL_NOT_QUASISTATIC , .idle = HL_OIL_QUASISTATIC
/* of a signal: it moves bodies, so that its tables are smooth */
#define HL_SMOOTH , .is_smooth = true

/* After a range as well: where compile puts the number, and what it puts there when the file states
 * none. */
#define HL_AT(type, member) , .place = 1 + offsetof (type, member)
#define HL_ELSE(value) , .absent = (value)

/* fields */
#define HL_FIELD(name_, type_, quantity_, need_, label_, help_)                                              \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_##type_, .quantity = HL_QUANTITY_##quantity_, need_, .label = label_,    \
    .help = help_                                                                                            \
  }
#define HL_NUMBER(name_, quantity_, need_, range_, label_, help_)                                            \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_NUMBER, .quantity = HL_QUANTITY_##quantity_, need_, range_,              \
    .label = label_, .help = help_                                                                           \
  }
#define HL_NUMBER_WHEN(when_, name_, quantity_, need_, range_, label_, help_)                                \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_NUMBER, .quantity = HL_QUANTITY_##quantity_, need_, range_,              \
    .label = label_, .help = help_, .when = when_                                                            \
  }
#define HL_SIGNAL(name_, quantity_, need_, range_, label_, help_)                                            \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_SIGNAL, .quantity = HL_QUANTITY_##quantity_, need_, range_,              \
    .label = label_, .help = help_                                                                           \
  }
#define HL_CHOICE(name_, choices_, label_, help_)                                                            \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_CHOICE, .need = HL_NEED_DEFAULT, .fallback = NAN, .choices = choices_,   \
    .label = label_, .help = help_                                                                           \
  }
#define HL_CHOICE_WHEN(when_, name_, choices_, label_, help_)                                                \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_CHOICE, .need = HL_NEED_DEFAULT, .fallback = NAN, .choices = choices_,   \
    .label = label_, .help = help_, .when = when_                                                            \
  }
#define HL_CHOICE_AT(place_, name_, choices_, label_, help_)                                                 \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_CHOICE, .need = HL_NEED_DEFAULT, .fallback = NAN, .choices = choices_,   \
    .label = label_, .help = help_ place_                                                                    \
  }
#define HL_FLAG_AT(place_, name_, label_, help_)                                                             \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_BOOLEAN, .need = HL_NEED_DEFAULT, .fallback = 0, .label = label_,        \
    .help = help_ place_                                                                                     \
  }
#define HL_FLAG(name_, label_, help_)                                                                        \
  {                                                                                                          \
    .name = name_, .type = HL_FIELD_BOOLEAN, .need = HL_NEED_DEFAULT, .fallback = 0, .label = label_,        \
    .help = help_                                                                                            \
  }
#define HL_OUTPUT(name_, quantity_, label_)                                                                  \
  { .name = name_, .quantity = HL_QUANTITY_##quantity_, .label = label_ }
/* Sum of the flows of branches, each times its sign. */
#define HL_OUTPUT_FLOWS(name_, label_, ...)                                                                  \
  {                                                                                                          \
    .name = name_, .quantity = HL_QUANTITY_FLOW, .label = label_, .reads = HL_READS_FLOWS, .sign = {         \
      __VA_ARGS__                                                                                            \
    }                                                                                                        \
  }
#define HL_OUTPUT_OF(reads_, part_, name_, quantity_, label_)                                                \
  {                                                                                                          \
    .name = name_, .quantity = HL_QUANTITY_##quantity_, .label = label_, .reads = HL_READS_##reads_,         \
    .part = (part_)                                                                                          \
  }

/* kinds */
#define HL_WITH_FIELDS(table) .n_fields = (int)(sizeof (table) / sizeof (table)[0]), .fields = (table)
#define HL_WITH_OUTPUTS(table) .n_outputs = (int)(sizeof (table) / sizeof (table)[0]), .outputs = (table)
