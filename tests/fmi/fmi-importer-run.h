/* SPDX-License-Identifier: MIT */
/* Data shared by the files of the importer: the variables of the FMU by role, and its verdicts. */
#pragma once

#include "fmi3Functions.h"

#define MOST 4000

enum { TIME, STATE, DERIVATIVE, INPUT, PARAMETER, OUTPUT, LOCAL, INDICATOR, CALCULATED, N_ROLES };

extern fmi3ValueReference refs[N_ROLES][MOST];
extern int count[N_ROLES];
extern const char *token;
extern int n_failed;

/* Notes whether a promise holds. */
void check (const char *what, int holds, double measured);
void log_message (fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String message);
/* Makes random calls, right and wrong ones: none may crash. */
void check_random (long n_calls);
