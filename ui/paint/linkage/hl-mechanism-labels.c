/* SPDX-License-Identifier: MIT */
/* Labels of the linkage. The name of a link is beside its middle, never on a link, pin, cylinder or other
 * text. */
#include "ui/paint/linkage/hl-paint-mechanism.h"

#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/linkage/hl-mechanism-shape.h"

#include <math.h>

#define MAX_CANDIDATES 48
#define COVERED_PART 0.02 /* of a text, at most */
#define LEADER_EM 1.3     /* from the edge of its element: a text farther away has a line to it */

/* Reserves the hatched wall or the rails along which a block slides. */
static void reserve_guide (const HlMechJoint *joint, HlSpot p, double r, HlLabelSpace *space) {
  gboolean is_wall = joint->kind == HL_MECH_SLIDER_GROUND;
  double c = cos (joint->angle), s = sin (joint->angle);
  double half = (is_wall ? 8.0 : 5.0) * r, aside = (is_wall ? 2.2 : 0.0) * r;
  HlSpot middle = {p.x + aside * s, p.y + aside * c};

  hl_label_space_take_segment (space, (HlSpot){middle.x - half * c, middle.y + half * s},
                               (HlSpot){middle.x + half * c, middle.y - half * s}, (is_wall ? 1.2 : 1.8) * r);
}

void hl_mech_take_parts (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space) {
  const HlStyle *style = pen->style;
  double r = style->joint_radius;

  for (int b = 0; b < picture->n_bodies; b++) {
    HlSpot outline[HL_MECH_MAX_HULL];
    int n = hl_mech_body_outline (&picture->bodies[b], pen->view, outline);
    /* the edges and the fans from the first corner: enough to keep a text off the plate */
    for (int i = 0; i < n; i++)
      hl_label_space_take_segment (space, outline[i], outline[(i + 1) % n],
                                   (n == 1 ? 0.9 : 0.5) * style->link_width + 2.0);
    for (int i = 2; i + 1 < n; i++)
      hl_label_space_take_segment (space, outline[0], outline[i], 0.5 * style->link_width);
  }
  for (int j = 0; j < picture->n_joints; j++) {
    HlMechJointKind kind = picture->joints[j].kind;
    HlSpot p = hl_view_to_device (pen->view, picture->joints[j].at);
    gboolean ground = kind == HL_MECH_PIN_GROUND || kind == HL_MECH_GROUND_POINT;
    hl_label_space_take_rect (space, (HlRect){p.x - 1.4 * r, p.y - 1.4 * r, 2.8 * r, 2.8 * r});
    if (ground)
      hl_label_space_take_rect (space, (HlRect){p.x - 2.8 * r, p.y, 5.6 * r, 4.0 * r});
    if (kind == HL_MECH_SLIDER_GROUND || kind == HL_MECH_SLIDER)
      reserve_guide (&picture->joints[j], p, r, space);
    if (kind == HL_MECH_DRIVE_ANGLE)
      hl_label_space_take_rect (
          space, hl_rect_grow ((HlRect){p.x, p.y, 0.0, 0.0}, hl_mech_drive_angle_reach (style)));
    if (hl_mech_joint_spans (&picture->joints[j]))
      hl_label_space_take_segment (space, p, hl_view_to_device (pen->view, picture->joints[j].to), 3.0);
  }
  for (int c = 0; c < picture->n_cylinders; c++) {
    HlMechCylinderShape shape = hl_mech_cylinder_shape (&picture->cylinders[c], pen->view, style);
    hl_label_space_take_segment (space, shape.base, shape.rod, shape.half_width + 2.0);
  }
  for (int s = 0; s < picture->n_springs; s++)
    hl_label_space_take_segment (space, hl_view_to_device (pen->view, picture->springs[s].a),
                                 hl_view_to_device (pen->view, picture->springs[s].b),
                                 0.8 * style->link_width);
  for (int i = 0; i < picture->n_angles; i++) {
    const HlMechAngle *angle = &picture->angles[i];
    HlSpot p = hl_view_to_device (pen->view, angle->at);
    double arc = 3.2 * style->link_width;
    HlSpot last = {p.x + 1.25 * arc * cos (angle->from), p.y - 1.25 * arc * sin (angle->from)};
    hl_label_space_take_segment (space, p, last, 2.0);
    for (int step = 0; step <= 8; step++) {
      double at = angle->from + step * (angle->to - angle->from) / 8.0;
      HlSpot next = {p.x + arc * cos (at), p.y - arc * sin (at)};
      if (step > 0)
        hl_label_space_take_segment (space, last, next, 2.0);
      last = next;
    }
  }
  for (int l = 0; l < picture->n_loads; l++) {
    const HlMechLoad *load = &picture->loads[l];
    HlSpot p = hl_view_to_device (pen->view, load->at);
    double length = (load->value < 0.0 ? -4.2 : 4.2) * style->link_width;
    if (load->kind == HL_MECH_FORCE)
      hl_label_space_take_segment (
          space, p, (HlSpot){p.x + length * cos (load->angle), p.y - length * sin (load->angle)}, 6.0);
    else
      hl_label_space_take_rect (space, hl_rect_grow ((HlRect){p.x, p.y, 0.0, 0.0}, 2.2 * style->link_width));
  }
}

HlRect hl_mechanism_extent (const HlMechanismPicture *picture, const HlView *view, const HlStyle *style) {
  HlMechPen pen = {NULL, view, style};
  HlRect world = hl_mechanism_box (picture);
  HlSpot low = hl_view_to_device (view, (HlSpot){world.x, world.y + world.height});
  HlRect all = {low.x, low.y, view->scale * world.width, view->scale * world.height};
  HlLabelSpace space;

  hl_label_space_init (&space, all);
  hl_mech_take_parts (&pen, picture, &space);
  for (guint i = 0; i < space.rects->len; i++)
    all = hl_rect_union (all, g_array_index (space.rects, HlRect, i));
  for (guint i = 0; i < space.segments->len; i++)
    all = hl_rect_union (all, g_array_index (space.segments, HlLabelSegment, i).box);
  hl_label_space_clear (&space);
  return all;
}

/* Returns a text that is longer than half of the drawing, and no short one, is shortened in its middle; its
 * tooltip has the whole. */
static const char *shorten_label (const HlMechPen *pen, const HlLabelSpace *space, HlTextWeight weight,
                                  const char *label, char **cut, double *width, double *height) {
  double most = hl_text_most (pen->style, space->bounds.width);

  return hl_text_fit (pen->cr, pen->style, weight, label, most, cut, width, height);
}

/* Paints the line from a text that is far away from its element, which lies half a width around a-b. */
static void paint_leader (const HlMechPen *pen, HlRect label, HlSpot a, HlSpot b, double half_width) {
  HlSpot ends[2];
  double distance = hl_label_leader (label, a, b, ends);

  if (distance < half_width + LEADER_EM * pen->style->font_size)
    return;
  double gap = 2.0 / distance, edge = 1.0 - half_width / distance;
  double dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y;
  hl_color_set (pen->cr, pen->style->ink_soft);
  cairo_set_line_width (pen->cr, pen->style->hair_width);
  cairo_move_to (pen->cr, ends[0].x + gap * dx, ends[0].y + gap * dy);
  cairo_line_to (pen->cr, ends[0].x + edge * dx, ends[0].y + edge * dy);
  cairo_stroke (pen->cr);
}

/* Places a label; a text without a free place is left out unless it must be shown. Returns whether it has one. */
static gboolean place_label (const HlMechPen *pen, HlLabelSpace *space, HlTextWeight weight, HlColor color,
                             const char *label, const HlRect candidates[], int n, gboolean needed,
                             HlRect *chosen_box) {
  double most = needed ? INFINITY : COVERED_PART * candidates[0].width * candidates[0].height;
  int chosen = hl_label_space_choose_within (space, candidates, n, most);

  if (chosen < 0)
    return FALSE;
  HlRect at = candidates[chosen];
  hl_text_paint (pen->cr, pen->style, weight, color, label, (HlSpot){at.x, at.y}, 0.0, 0.0);
  hl_label_space_take_rect (space, hl_rect_grow (at, 2.0));
  if (chosen_box != NULL)
    *chosen_box = at;
  return TRUE;
}

/* Returns the number of places beside a line: at several points along it, on both sides, as near as the
 * text's size allows. */
static int beside_line (HlSpot a, HlSpot b, double half_width, double gap, double width, double height,
                        HlRect out[]) {
  static const double along[] = {0.5, 0.38, 0.62, 0.25, 0.75};
  double length = fmax (hypot (b.x - a.x, b.y - a.y), 1e-9);
  double nx = (b.y - a.y) / length;
  double ny = -(b.x - a.x) / length;
  int n = 0;

  /* above the line first */
  if (ny > 0.0) {
    nx = -nx;
    ny = -ny;
  }
  for (int ring = 0; ring < 4; ring++)
    for (gsize k = 0; k < G_N_ELEMENTS (along); k++)
      for (int side = 1; side >= -1; side -= 2) {
        double d = half_width + gap * (1.0 + 1.6 * ring) + 0.5 * (fabs (nx) * width + fabs (ny) * height);
        double x = a.x + along[k] * (b.x - a.x) + side * d * nx;
        double y = a.y + along[k] * (b.y - a.y) + side * d * ny;
        out[n++] = (HlRect){x - 0.5 * width, y - 0.5 * height, width, height};
      }
  return n;
}

static void longest_edge (const HlSpot outline[], int n, HlSpot *a, HlSpot *b) {
  double longest = -1.0;

  for (int i = 0; i < n; i++) {
    HlSpot p = outline[i];
    HlSpot q = outline[(i + 1) % n];
    double length = hypot (q.x - p.x, q.y - p.y);
    if (length > longest) {
      longest = length;
      *a = p;
      *b = q;
    }
  }
}

static void label_body (const HlMechPen *pen, const HlMechBody *body, HlLabelSpace *space) {
  HlSpot outline[HL_MECH_MAX_HULL];
  HlRect candidates[MAX_CANDIDATES];
  HlSpot a = {0.0, 0.0};
  HlSpot b = {0.0, 0.0};
  double width = 0.0;
  double height = 0.0;
  int n = hl_mech_body_outline (body, pen->view, outline);

  if (body->label == NULL || *body->label == '\0' || n == 0)
    return;
  g_autofree char *cut = NULL;
  const char *label = shorten_label (pen, space, HL_TEXT_SMALL, body->label, &cut, &width, &height);
  longest_edge (outline, n, &a, &b);
  double half = (n == 1 ? 0.9 : 0.5) * pen->style->link_width;
  int count = n == 1 ? hl_label_ring (a, width, height, half + 0.4 * pen->style->font_size, 3, candidates)
                     : beside_line (a, b, half, 0.4 * pen->style->font_size, width, height, candidates);
  HlColor color = body->is_problem ? pen->style->problem
                  : body->selected ? pen->style->accent
                                   : pen->style->ink_soft;
  HlRect at;
  if (place_label (pen, space, HL_TEXT_SMALL, color, label, candidates, count,
                   body->selected || body->hovered || body->is_problem, &at))
    paint_leader (pen, at, a, n == 1 ? a : b, half);
}

static void label_joint (const HlMechPen *pen, const HlMechJoint *joint, HlLabelSpace *space) {
  HlRect candidates[MAX_CANDIDATES];
  HlSpot p = hl_view_to_device (pen->view, joint->at);
  double r = pen->style->joint_radius;
  double width = 0.0;
  double height = 0.0;
  int n = 0;

  if (joint->label == NULL || *joint->label == '\0')
    return;
  g_autofree char *cut = NULL;
  const char *label = shorten_label (pen, space, HL_TEXT_SMALL, joint->label, &cut, &width, &height);
  if (joint->kind == HL_MECH_PIN_GROUND || joint->kind == HL_MECH_GROUND_POINT)
    candidates[n++] = (HlRect){p.x - 0.5 * width, p.y + 4.1 * r, width, height};
  n += hl_label_ring (p, width, height, 2.0 * r, 3, candidates + n);
  place_label (pen, space, HL_TEXT_SMALL, pen->style->ink_soft, label, candidates, n,
               joint->selected || joint->hovered || joint->is_problem, NULL);
}

static void label_line (const HlMechPen *pen, HlSpot a, HlSpot b, double half, const char *label,
                        HlColor color, HlLabelSpace *space) {
  HlRect candidates[MAX_CANDIDATES];
  double width = 0.0;
  double height = 0.0;

  if (label == NULL || *label == '\0')
    return;
  g_autofree char *cut = NULL;
  label = shorten_label (pen, space, HL_TEXT_SMALL, label, &cut, &width, &height);
  int n = beside_line (a, b, half, 0.45 * pen->style->font_size, width, height, candidates);
  HlRect at;
  if (place_label (pen, space, HL_TEXT_SMALL, color, label, candidates, n, FALSE, &at))
    paint_leader (pen, at, a, b, half);
}

/* Places the label of an angle outside the arc on its bisector, otherwise elsewhere round it, at last behind
 * it. */
static void label_angle (const HlMechPen *pen, const HlMechAngle *angle, HlLabelSpace *space) {
  static const double turns[] = {0.0,  -0.25, 0.25, -0.5, 0.5, -0.8, 0.8, 1.2,
                                 -1.2, -1.6,  1.6,  -2.0, 2.0, -2.5, 2.5, 3.14};
  HlRect candidates[MAX_CANDIDATES];
  HlSpot p = hl_view_to_device (pen->view, angle->at);
  double middle = 0.5 * (angle->from + angle->to);
  double width = 0.0;
  double height = 0.0;
  int n = 0;

  if (angle->label == NULL || *angle->label == '\0')
    return;
  g_autofree char *cut = NULL;
  const char *label = shorten_label (pen, space, HL_TEXT_BOLD, angle->label, &cut, &width, &height);
  for (int ring = 0; ring < 3; ring++)
    for (gsize k = 0; k < G_N_ELEMENTS (turns); k++) {
      double direction = middle + turns[k];
      double ux = cos (direction);
      double uy = -sin (direction);
      double d =
          (3.2 + 0.8 + 1.4 * ring) * pen->style->link_width + 0.5 * (fabs (ux) * width + fabs (uy) * height);
      candidates[n++] = (HlRect){p.x + d * ux - 0.5 * width, p.y + d * uy - 0.5 * height, width, height};
    }
  place_label (pen, space, HL_TEXT_BOLD, pen->style->accent, label, candidates, n, TRUE, NULL);
}

static void label_load (const HlMechPen *pen, const HlMechLoad *load, HlLabelSpace *space) {
  const HlStyle *style = pen->style;
  HlRect candidates[MAX_CANDIDATES];
  HlSpot p = hl_view_to_device (pen->view, load->at);
  double reach = (load->kind == HL_MECH_FORCE ? 4.6 : 2.4) * style->link_width;
  double width = 0.0;
  double height = 0.0;

  if (load->label == NULL || *load->label == '\0')
    return;
  if (load->kind == HL_MECH_FORCE) {
    double sign = load->value < 0.0 ? -1.0 : 1.0;
    p.x += sign * reach * cos (load->angle);
    p.y -= sign * reach * sin (load->angle);
    reach = 0.5 * style->font_size;
  }
  g_autofree char *cut = NULL;
  const char *label = shorten_label (pen, space, HL_TEXT_SMALL, load->label, &cut, &width, &height);
  int n = hl_label_ring (p, width, height, reach, 3, candidates);
  place_label (pen, space, HL_TEXT_SMALL,
               load->selected               ? style->accent
               : load->kind == HL_MECH_TYRE ? style->ink_soft
                                            : style->trace[1],
               label, candidates, n, load->selected || load->hovered, NULL);
}

static gboolean is_due (int priority, gboolean is_problem, gboolean is_selected, HlLabelPriority usual) {
  return (int)hl_label_priority (is_problem, is_selected, usual) == priority;
}

/* Paints the labels of the parts of one priority. Kinds of the same priority have places in this order: those
 * with the fewest choices first. */
static void paint_labels_of (const HlMechPen *pen, const HlMechanismPicture *picture, int priority,
                             HlLabelSpace *space) {
  const HlStyle *style = pen->style;

  for (int i = 0; i < picture->n_angles && priority == HL_LABEL_VALUE; i++)
    label_angle (pen, &picture->angles[i], space);
  for (int c = 0; c < picture->n_cylinders; c++) {
    const HlMechCylinder *cylinder = &picture->cylinders[c];
    if (!is_due (priority, cylinder->is_problem, cylinder->selected, HL_LABEL_NAME))
      continue;
    HlMechCylinderShape shape = hl_mech_cylinder_shape (cylinder, pen->view, style);
    label_line (pen, shape.base, shape.rod, shape.half_width, cylinder->label,
                cylinder->selected ? style->accent : style->ink, space);
  }
  for (int b = 0; b < picture->n_bodies; b++)
    if (is_due (priority, picture->bodies[b].is_problem, picture->bodies[b].selected, HL_LABEL_NAME))
      label_body (pen, &picture->bodies[b], space);
  for (int j = 0; j < picture->n_joints; j++)
    if (is_due (priority, picture->joints[j].is_problem, picture->joints[j].selected, HL_LABEL_MINOR))
      label_joint (pen, &picture->joints[j], space);
  for (int l = 0; l < picture->n_loads; l++)
    if (is_due (priority, picture->loads[l].is_problem, picture->loads[l].selected, HL_LABEL_MINOR))
      label_load (pen, &picture->loads[l], space);
  for (int s = 0; s < picture->n_springs; s++)
    if (is_due (priority, picture->springs[s].is_problem, picture->springs[s].selected, HL_LABEL_MINOR))
      label_line (pen, hl_view_to_device (pen->view, picture->springs[s].a),
                  hl_view_to_device (pen->view, picture->springs[s].b), 0.8 * style->link_width,
                  picture->springs[s].label, style->ink_soft, space);
}

void hl_mech_paint_labels (const HlMechPen *pen, const HlMechanismPicture *picture, HlLabelSpace *space) {
  for (int priority = 0; priority < HL_N_LABEL_PRIORITIES; priority++)
    paint_labels_of (pen, picture, priority, space);
}
