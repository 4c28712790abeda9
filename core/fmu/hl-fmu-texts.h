/* SPDX-License-Identifier: MIT */
/* The sources that go into every FMU, made by inside.py when the program is built. */
#pragma once

#include <stdbool.h>

typedef struct
{
  const char *name; /* below sources/ */
  const char *text;
  bool is_quasistatic; /* of that oil alone */
} HlFmuText;

extern const HlFmuText hl_fmu_texts[];
extern const int hl_n_fmu_texts;
