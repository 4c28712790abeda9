/* SPDX-License-Identifier: MIT */
/* Paints the linkage from the back to the front: grid, ghosts, loads, bodies, cylinders, joints,
 * texts, marks. */
#include "ui/paint/linkage/hl-paint-mechanism.h"

#include "ui/paint/base/hl-axis.h"
#include "ui/paint/base/hl-badge.h"
#include "ui/paint/base/hl-frame.h"
#include "ui/paint/base/hl-text.h"
#include "ui/paint/linkage/hl-mechanism-parts.h"

#include <math.h>

#define BESIDE 1.0 /* of the font: from the middle of a part */

/* Above and to the right of the middle of a and b. */
static void beside (cairo_t *cr, const HlView *view, HlSpot a, HlSpot b, const HlStyle *style) {
  HlSpot at = hl_view_to_device (view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
  double off = BESIDE * style->font_size;

  hl_badge_paint (cr, (HlSpot){at.x + off, at.y - off}, style);
}

/* At every element that has a problem. */
static void badge_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view,
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

#define HEAD_EM 3.4 /* below the upper edge, where the caption of the pane stands */
#define CROWD 200   /* bodies and joints whose edges nobody looks at one by one */

HlMechanismPicture hl_mechanism_picture_make (void) {
  return (HlMechanismPicture){0};
}

/* Only the labelled lines: between the links, fewer lines are calmer. */
static void paint_majors (cairo_t *cr, HlRect area, const HlTicks *ticks, const HlStyle *style) {
  HlTicks majors = *ticks;

  majors.n = 0;
  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major)
      majors.tick[majors.n++] = ticks->tick[i];
  hl_frame_paint_grid_x (cr, area, &majors, style);
}

typedef struct {
  HlTicks ticks[2]; /* across, up */
} Grid;

/* Grid lines in metres. */
static void paint_grid (cairo_t *cr, const HlView *view, HlRect area, const HlStyle *style, Grid *grid) {
  HlRect seen = hl_view_visible (view, area);
  HlAxis axes[2] = {{HL_SCALE_LINEAR, seen.x, seen.x + seen.width, 1.0},
                    {HL_SCALE_LINEAR, seen.y, seen.y + seen.height, 1.0}};

  /* one pitch for both directions: the squares are squares */
  hl_axis_ticks (&axes[0], area.width, 5.0 * style->font_size, &grid->ticks[0]);
  hl_axis_ticks (&axes[1], area.height, 5.0 * style->font_size, &grid->ticks[1]);
  paint_majors (cr, area, &grid->ticks[0], style);
  hl_frame_paint_grid_y (cr, area, &grid->ticks[1], style);
}

/* Their numbers stand along the lower and the left edge; where a part of the linkage lies on one, at
 * the other edge, or nowhere. */
static void paint_grid_numbers (cairo_t *cr, HlRect area, const Grid *grid, HlLabelSpace *space,
                                const HlStyle *style) {
  HlColor color = hl_color_mix (style->ink_soft, style->background, 0.3);

  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < grid->ticks[axis].n; i++) {
      const HlTick *tick = &grid->ticks[axis].tick[i];
      char unit[32];
      double width, height, room = (axis == 0 ? area.width : area.height) * tick->fraction;
      double head = axis == 0 ? 1.6 : HEAD_EM;
      if (!tick->major || room < 2.2 * style->font_size ||
          room > (axis == 0 ? area.width : area.height) - head * style->font_size)
        continue;
      hl_axis_unit ("m", &grid->ticks[axis], unit, sizeof unit);
      g_autofree char *text = g_strdup_printf ("%s %s", tick->label, unit);
      hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
      HlSpot at = axis == 0 ? (HlSpot){area.x + room + 3.0, area.y + area.height - height - 2.0}
                            : (HlSpot){area.x + 3.0, area.y + area.height - room - height - 1.0};
      HlRect places[2] = {{at.x, at.y, width, height}, {at.x, at.y, width, height}};
      if (axis == 0)
        places[1].y = area.y + HEAD_EM * style->font_size;
      else
        places[1].x = area.x + area.width - width - 3.0;
      int chosen = hl_label_space_choose_within (space, places, G_N_ELEMENTS (places), 1.0);
      if (chosen < 0)
        continue;
      hl_text_paint (cr, style, HL_TEXT_SMALL, color, text, (HlSpot){places[chosen].x, places[chosen].y}, 0.0,
                     0.0);
      hl_label_space_take_rect (space, places[chosen]);
    }
}

#define ARROW_EM 1.8 /* from its middle to all sides: the arrow and its letter */
#define N_ARROW_PLACES 4

/* Upper right, lower right, upper left, lower left; numbers of the grid stand on the left and below. */
static HlRect arrow_box (int place, HlRect area, double em) {
  gboolean is_low = place % 2 == 0, is_left = place > 2;
  HlSpot middle = {is_left ? area.x + 6.0 * em : area.x + area.width - ARROW_EM * em,
                   is_low ? area.y + area.height - 3.4 * em : area.y + (HEAD_EM + 1.4) * em};

  return hl_rect_grow ((HlRect){middle.x, middle.y, 0.0, 0.0}, ARROW_EM * em);
}

int hl_mechanism_gravity_place (const HlMechanismPicture *picture, const HlView *view, HlRect area,
                                const HlStyle *style) {
  HlMechPen pen = {NULL, view, style};
  HlRect places[N_ARROW_PLACES];
  HlLabelSpace space;

  for (int k = 0; k < N_ARROW_PLACES; k++)
    places[k] = arrow_box (k + 1, area, style->font_size);
  hl_label_space_init (&space, area);
  hl_mech_take_parts (&pen, picture, &space);
  int place = 1 + hl_label_space_choose (&space, places, N_ARROW_PLACES);
  hl_label_space_clear (&space);
  return place;
}

static void paint_gravity (cairo_t *cr, HlSpot gravity, HlRect box, HlLabelSpace *space,
                           const HlStyle *style) {
  double g = hypot (gravity.x, gravity.y);
  double em = style->font_size;
  HlSpot middle = {box.x + 0.5 * box.width, box.y + 0.5 * box.height};

  if (g == 0.0)
    return;
  double ux = gravity.x / g;
  double uy = -gravity.y / g;
  double half = 1.1 * em;
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->line_width);
  cairo_move_to (cr, middle.x - half * ux, middle.y - half * uy);
  cairo_line_to (cr, middle.x + 0.5 * half * ux, middle.y + 0.5 * half * uy);
  cairo_stroke (cr);
  cairo_move_to (cr, middle.x + half * ux, middle.y + half * uy);
  cairo_line_to (cr, middle.x + 0.35 * em * ux - 0.32 * em * uy, middle.y + 0.35 * em * uy + 0.32 * em * ux);
  cairo_line_to (cr, middle.x + 0.35 * em * ux + 0.32 * em * uy, middle.y + 0.35 * em * uy - 0.32 * em * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
  HlSpot at = {middle.x - 0.7 * em * (fabs (uy) > 0.5 ? 1.0 : 0.0),
               middle.y - 0.7 * em * (fabs (uy) > 0.5 ? 0.0 : 1.0)};
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, "g", at, 1.0, 0.5);
  hl_label_space_take_rect (space, box);
}

static void paint_photograph (cairo_t *cr, const HlMechPhotograph *photograph, const HlView *view) {
  HlRect box = photograph->box;
  HlSpot top = hl_view_to_device (view, (HlSpot){box.x, box.y + box.height});
  double width = hl_view_length (view, box.width), height = hl_view_length (view, box.height);

  cairo_save (cr);
  cairo_translate (cr, top.x, top.y);
  cairo_scale (cr, width / cairo_image_surface_get_width (photograph->surface),
               height / cairo_image_surface_get_height (photograph->surface));
  cairo_set_source_surface (cr, photograph->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_GOOD);
  cairo_paint_with_alpha (cr, photograph->opacity);
  cairo_restore (cr);
}

static void paint_parts (const HlMechPen *pen, const HlMechanismPicture *picture) {
  for (int i = 0; i < picture->n_ghosts; i++)
    hl_mech_paint_ghost (pen, &picture->ghosts[i]);
  for (int i = 0; i < picture->n_angles && !picture->plain; i++)
    hl_mech_paint_angle (pen, &picture->angles[i]);
  for (int i = 0; i < picture->n_springs; i++)
    hl_mech_paint_spring (pen, &picture->springs[i]);
  for (int i = 0; i < picture->n_bodies; i++)
    hl_mech_paint_body (pen, &picture->bodies[i]);
  for (int i = 0; i < picture->n_cylinders; i++)
    hl_mech_paint_cylinder (pen, &picture->cylinders[i]);
  for (int i = 0; i < picture->n_bodies; i++)
    if (picture->bodies[i].show_com)
      hl_mech_paint_com (pen, picture->bodies[i].com);
  for (int i = 0; i < picture->n_joints; i++)
    hl_mech_paint_joint (pen, &picture->joints[i]);
  for (int i = 0; i < picture->n_loads; i++)
    hl_mech_paint_load (pen, &picture->loads[i]);
}

void hl_paint_mechanism (cairo_t *cr, const HlMechanismPicture *picture, const HlView *view, HlRect area,
                         const HlStyle *style) {
  HlMechPen pen = {cr, view, style};
  HlLabelSpace space;
  Grid grid;
  double em = style->font_size;

  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  HlRect free = {area.x, area.y + picture->head_px, area.width, area.height - picture->head_px};
  hl_label_space_init (&space, hl_rect_grow (free, -2.0));
  if (picture->photograph != NULL)
    paint_photograph (cr, picture->photograph, view);
  if (picture->show_grid)
    paint_grid (cr, view, area, style, &grid);
  gboolean is_crowd = picture->n_bodies + picture->n_joints > CROWD;
  cairo_set_antialias (cr, is_crowd ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_DEFAULT);
  paint_parts (&pen, picture);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  if (!picture->plain) {
    int place = picture->gravity_place > 0 ? picture->gravity_place
                                           : hl_mechanism_gravity_place (picture, view, area, style);
    paint_gravity (cr, picture->gravity, arrow_box (place, area, em), &space, style);
  }
  if (!picture->plain)
    badge_paint_mechanism (cr, picture, view, style);
  hl_mech_take_parts (&pen, picture, &space);
  if (picture->show_grid)
    paint_grid_numbers (cr, area, &grid, &space, style);
  if (picture->caption != NULL) {
    HlSpot at = {area.x + em, area.y + area.height - 2.0 * em};
    hl_label_space_take_rect (&space, hl_text_pill (cr, style, picture->caption, at, 0.0, 1.0));
  }
  if (!picture->plain)
    hl_mech_paint_labels (&pen, picture, &space);
  hl_label_space_clear (&space);
  hl_frame_paint_rubber_band (cr, picture->rubber_band, style);
  if (picture->n_bodies + picture->n_joints + picture->n_cylinders == 0 && picture->empty_text != NULL)
    hl_text_paint_wrapped (cr, style, style->ink_soft, picture->empty_text,
                           (HlSpot){area.x + 0.5 * area.width, area.y + 0.5 * area.height},
                           0.85 * area.width);
  cairo_restore (cr);
}
