/* SPDX-License-Identifier: MIT */
/* A window without a window: a tool with a history behind it, fed by hand. */
#pragma once

#include "core/edit/hl-undo-history.h"
#include "ui/edit/tool/hl-tool.h"

typedef struct {
  HlHistory *history;
  HlTool *tools[2]; /* circuit, linkage: they share document and selection */
  HlTool *tool;     /* the one that is fed */
  double reach, grid;
  guint modifiers;
  HlSpot pointer;
  int n_commits;
} HlScript;

void hl_script_init (HlScript *script, const HlDocument *document);
void hl_script_clear (HlScript *script);
void hl_script_use (HlScript *script, HlToolCanvas canvas);

const HlDocument *hl_script_document (const HlScript *script); /* committed */
void hl_script_undo (HlScript *script);
void hl_script_redo (HlScript *script);
/* Changes the document by something else than a tool, as the inspector does: one step. Taken. */
void hl_script_edit (HlScript *script, HlDocument *document, const char *step);

HlToolResponse hl_script_press (HlScript *script, double x, double y);
HlToolResponse hl_script_double (HlScript *script, double x, double y);
HlToolResponse hl_script_move (HlScript *script, double x, double y);
HlToolResponse hl_script_release (HlScript *script, double x, double y);
HlToolResponse hl_script_click (HlScript *script, double x, double y);
/* Press, moves in small steps, release. */
HlToolResponse hl_script_drag (HlScript *script, double x, double y, double to_x, double to_y);
HlToolResponse hl_script_key (HlScript *script, HlToolKey key);
HlToolResponse hl_script_type (HlScript *script, const char *text);  /* character by character */
HlToolResponse hl_script_enter (HlScript *script, const char *text); /* and Enter */
void hl_script_choose (HlScript *script, const char *id, const char *argument);

/* Fails the test on structure findings other than incomplete elements (a cylinder without points, a line
 * without volume), on a file that does not read back the same, and on a drawing that is not orthogonal. */
void hl_script_assert_sound (const HlScript *script);
HlDocument *hl_script_load (const char *example);

/* Begins an empty drawing of a linkage with its tools. */
void hl_script_init_linkage (HlScript *script);
/* Draws a link by two clicks. */
void hl_script_draw_link (HlScript *script, double ax, double ay, double bx, double by);
/* Returns a number of the document [SI]; fails when there is none. */
double hl_script_number (const HlScript *script, const char *path);
/* Returns the place at which a point of the linkage is drawn. */
HlSpot hl_script_spot (const HlScript *script, const char *owner, const char *name);
