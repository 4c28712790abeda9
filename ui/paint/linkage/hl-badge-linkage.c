/* SPDX-License-Identifier: MIT */
#include "ui/paint/linkage/hl-badge-linkage.h"

#include "ui/paint/base/hl-badge.h"

#define BESIDE 1.0 /* of the font: from the middle of a part */

/* Above and to the right of the middle of a and b. */
static void beside (cairo_t *cr, const HlView *view, HlSpot a, HlSpot b, const HlStyle *style) {
  HlSpot at = hl_view_to_device (view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
  double off = BESIDE * style->font_size;

  hl_badge_paint (cr, (HlSpot){at.x + off, at.y - off}, style);
}

void hl_badge_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view,
                               const HlStyle *style) {
  for (int i = 0; i < picture->n_bodies; i++) {
    const HlMechBody *body = &picture->bodies[i];
    if (body->is_problem)
      beside (cr, view, body->n_points > 0 ? body->points[0] : body->com,
              body->n_points > 1   ? body->points[1]
              : body->n_points > 0 ? body->points[0]
                                   : body->com,
              style);
  }
  for (int i = 0; i < picture->n_joints; i++)
    if (picture->joints[i].is_problem)
      beside (cr, view, picture->joints[i].at, picture->joints[i].at, style);
  for (int i = 0; i < picture->n_cylinders; i++)
    if (picture->cylinders[i].is_problem)
      beside (cr, view, picture->cylinders[i].base, picture->cylinders[i].rod, style);
  for (int i = 0; i < picture->n_springs; i++)
    if (picture->springs[i].is_problem)
      beside (cr, view, picture->springs[i].a, picture->springs[i].b, style);
  for (int i = 0; i < picture->n_loads; i++)
    if (picture->loads[i].is_problem)
      beside (cr, view, picture->loads[i].at, picture->loads[i].at, style);
}
