/* SPDX-License-Identifier: MIT */
/* The sources that go into every FMU, made by inside.py when the program is built. */
#pragma once

typedef struct
{
  const char *name; /* below sources/ */
  const char *text;
  char wing; /* of the quasistatic oil alone: q, of the hybrid one: h; else 0 */
} HlFmuText;

extern const HlFmuText hl_fmu_texts[];
extern const int hl_n_fmu_texts;
