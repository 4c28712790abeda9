/* SPDX-License-Identifier: MIT */
/* Random edit scripts: what a hand may do to a machine on a workbench, decided by two numbers alone. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/workbench/hl-workbench-state.h"

typedef struct {
  GRand *dice;
  char *name;       /* of the base document */
  HlDocument *base; /* an example, a model of the golden files, or a random machine */
  HlWorkbench *workbench;
  void (*frame) (gpointer data); /* one frame of the workbench passes */
  gpointer frame_data;
  GString *log;        /* what was done, a word a step */
  gboolean has_driven; /* and stopped what ran */
} HlEditScript;

/* Returns script `index` of a seed, without a workbench. Free with hl_edit_script_free (). NULL: the base is
 * refused. */
HlEditScript *hl_edit_script_new (guint32 seed, guint32 index);
void hl_edit_script_free (HlEditScript *script);
/* Opens the base on the workbench and does everything that the script has to do. */
void hl_edit_script_play (HlEditScript *script);
