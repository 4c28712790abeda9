/* SPDX-License-Identifier: MIT */
#include "ui/paint/page/hl-scene-where.h"

static HlRect box_of (const HlSpot spots[], int n) {
  HlRect box = {spots[0].x, spots[0].y, 0, 0};

  for (int i = 1; i < n; i++)
    box = hl_rect_union (box, (HlRect){spots[i].x, spots[i].y, 0, 0});
  return box;
}

static gboolean box_of_net (const HlCircuitNet *net, HlRect *box) {
  gboolean any = FALSE;

  for (int wire = 0; wire < net->n_wires; wire++) {
    if (net->wires[wire].n < 1)
      continue;
    HlRect piece = box_of (net->wires[wire].points, net->wires[wire].n);
    *box = any ? hl_rect_union (*box, piece) : piece;
    any = TRUE;
  }
  return any;
}

gboolean hl_circuit_where (const HlCircuitScene *scene, const HlCircuitPicture *picture, const char *id,
                           HlRect *box) {
  for (int i = 0; i < picture->n_symbols; i++)
    if (g_strcmp0 (hl_circuit_scene_symbol_id (scene, i), id) == 0) {
      *box = hl_shape_placed_box (picture->symbols[i].kind, &picture->symbols[i].place);
      return TRUE;
    }
  for (int i = 0; i < picture->n_nets; i++)
    if (g_strcmp0 (hl_circuit_scene_net_id (scene, i), id) == 0)
      return box_of_net (&picture->nets[i], box);
  return FALSE;
}

gboolean hl_linkage_where (const HlMechanismPicture *picture, const char *id, HlRect *box) {
  for (int i = 0; i < picture->n_bodies; i++)
    if (g_strcmp0 (picture->bodies[i].id, id) == 0) {
      *box = picture->bodies[i].n_points > 0 ? box_of (picture->bodies[i].points, picture->bodies[i].n_points)
                                             : box_of (&picture->bodies[i].com, 1);
      return TRUE;
    }
  for (int i = 0; i < picture->n_joints; i++)
    if (g_strcmp0 (picture->joints[i].id, id) == 0) {
      *box = box_of (&picture->joints[i].at, 1);
      return TRUE;
    }
  for (int i = 0; i < picture->n_cylinders; i++)
    if (g_strcmp0 (picture->cylinders[i].id, id) == 0) {
      *box = box_of ((HlSpot[]){picture->cylinders[i].base, picture->cylinders[i].rod}, 2);
      return TRUE;
    }
  for (int i = 0; i < picture->n_springs; i++)
    if (g_strcmp0 (picture->springs[i].id, id) == 0) {
      *box = box_of ((HlSpot[]){picture->springs[i].a, picture->springs[i].b}, 2);
      return TRUE;
    }
  for (int i = 0; i < picture->n_loads; i++)
    if (g_strcmp0 (picture->loads[i].id, id) == 0) {
      *box = box_of (&picture->loads[i].at, 1);
      return TRUE;
    }
  return FALSE;
}
