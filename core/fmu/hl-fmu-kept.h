/* SPDX-License-Identifier: MIT */
/* Texts that the program carries with it: its licence, and the headers of FMI 3.0 for a binary of its own. */
#pragma once

typedef struct {
  const char *name;
  const char *text;
} HlFmuKept;

/* NULL behind the last name. */
extern const HlFmuKept hl_fmu_kept[];
