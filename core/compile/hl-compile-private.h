/* SPDX-License-Identifier: MIT */
/* HlCompiler: data shared by the files of the compile step. */
#pragma once

#include "core/compile/hl-compile.h"
#include "core/system/hl-system-private.h"

typedef struct HlCompiler {
  const HlDocument *doc;
  HlFindings *findings;
  HlTopology *topology;
  HlSystem *sys;
  GArray *rows, *joints, *loads, *signals, *inputs;
  GArray *input_orders; /* int: of each input, as HlTopology.input_order */
  gboolean drives;      /* the signal being compiled drives a joint */
  GPtrArray *input_names;
  GPtrArray *signal_paths; /* of all signals; NULL: of no document */
  GArray *signal_loads;    /* int: the load that each is part of, -1 = none */
  int load;                /* load whose signal is being compiled, -1 = a component's */
  GPtrArray *measured;     /* paths that blocks measure */
  GArray *hands;           /* int: signals that a hand can take over */
  GPtrArray *hand_names;
} HlCompiler;

/* Returns the numbers of a signal of the kind "motion"; NAN for those that are missing. */
HlSignalMotion hl_compile_motion (const HlValue *signal);
/* Returns the index of the signal compiled from a value; `path` names it as an input (NULL for terms of a
 * sum). -1 when absent. */
int hl_compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback);

/* Numbers the states of a signal and of its parts, outer blocks first. */
void hl_compile_signal_states (HlCompiler *c, int index);
/* Resolves the measured quantities of blocks when all tables are complete; adds findings. */
void hl_compile_measures (HlCompiler *c);

/* Returns a copy of the text in the topology's arena; NULL for NULL. */
char *hl_compile_own_string (HlCompiler *c, const char *text);

/* Verifies the finished tables in a second pass: assembly, degrees of freedom, stroke; adds findings. */
void hl_compile_verify (HlCompiler *c);
/* Reports values that the lumped model replaces by its own; adds findings. */
void hl_compile_turbulent (HlCompiler *c);
/* Compiles the circuit into the quasistatic model and adds findings. */
void hl_compile_quasistatic (HlCompiler *c);
/* Gives the last finding the mend to use the lumped model, if it has none. */
void hl_compile_offer_lumped (HlCompiler *c);
