/* SPDX-License-Identifier: MIT */
/* The sources that go into every FMU, made by inside.py when the program is built. */
#pragma once

typedef struct {
  const char *name; /* below sources/ */
  const char *text;
  /* of the quasistatic oil alone: q, of the hybrid one: h; of large machines alone: l, of the others: s; else 0 */
  char wing;
} HlFmuText;

extern const HlFmuText hl_fmu_texts[];
extern const int hl_n_fmu_texts;
