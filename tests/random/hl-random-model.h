/* SPDX-License-Identifier: MIT */
/* Random machines as model files: linkages of every joint, loads with every signal, circuits of
 * every component at any place. A drawing is decided by its two numbers alone. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* A machine under construction. */
typedef struct {
  GRand *dice;
  json_t *root, *ground, *bodies, *joints, *loads, *components, *lines, *probes;
  int n_ids, n_points;
  bool at_rest;
} HlDraw;

/* Returns the model file of machine `index` of a seed; owned by the caller. Some of them are wrong on purpose
 * or by chance (a volume without oil, two pressures on one line): the program may refuse them with a finding. */
json_t *hl_draw_machine (guint32 seed, guint32 index);

/* ---- for the parts ---- */

double hl_draw_uniform (HlDraw *draw, double low, double high);
double hl_draw_log (HlDraw *draw, double low, double high);
int hl_draw_pick (HlDraw *draw, int n);
bool hl_draw_chance (HlDraw *draw, double part);
/* Writes an id such as "stem7" into a buffer of the caller. */
const char *hl_draw_id (HlDraw *draw, const char *stem, char id[24]);
/* Names the world point on a body (-1 = ground): "body1.P3"; owned by the caller. */
char *hl_draw_point (HlDraw *draw, int body, double x, double y);
double hl_draw_pose (const HlDraw *draw, int body, int k);
/* Returns a signal between low and high: number, table, sine, sum or lever. */
json_t *hl_draw_signal (HlDraw *draw, double low, double high);

void hl_draw_linkage (HlDraw *draw);
void hl_draw_loads (HlDraw *draw);
void hl_draw_circuit (HlDraw *draw);
