/* SPDX-License-Identifier: MIT */
/* The linkage at an instant: bodies, joints, cylinders, loads. Everything is placed anew at every
 * instant: a body's frame is (x, y, angle), its points follow. */
#include "ui/paint/linkage/hl-scene-linkage.h"

#include "core/base/hl-number-format.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"

#include <math.h>
#include <string.h>

typedef struct {
  double x, y, angle;
} HlSceneFrame;

struct _HlLinkageScene {
  HlMechanismPicture picture;
  GArray *frames;     /* HlSceneFrame, one a body */
  GArray *points;     /* HlSpot of all bodies */
  GArray *bodies;     /* HlMechBody */
  GArray *joints;     /* HlMechJoint */
  GArray *cylinders;  /* HlMechCylinder */
  GArray *springs;    /* HlMechSpring */
  GArray *loads;      /* HlMechLoad */
  GArray *angles;     /* HlMechAngle */
  GHashTable *pinned; /* ground points that carry a joint */
  GStringChunk *texts;
  HlColumnCursor *cursor;
};

/* Data of one update. */
typedef struct {
  HlLinkageScene *scene;
  const HlDocument *document;
  const HlInstant *instant;
  const HlMarks *marks;
} HlSceneUpdate;

static double value_of (const HlSceneUpdate *up, const char *id, const char *name);
static double angle_of (const HlSceneUpdate *up, int body);
static gboolean find_point (const HlSceneUpdate *up, const HlValue *element, const char *field, int *body,
                            HlSpot *at);
static gboolean place_in_pin (const HlSceneUpdate *up, const HlValue *element, HlSpot *at, double *angle);

/* Springs and loads of a linkage, each where it acts. */

static void add_spring (const HlSceneUpdate *up, const HlValue *element, const char *id) {
  HlMechSpring entry = {.id = id, .label = id};
  int body;

  if (!find_point (up, element, "a", &body, &entry.a) || !find_point (up, element, "b", &body, &entry.b))
    return;
  entry.damper = hl_value_number (hl_value_member (element, "damping")) > 0;
  entry.selected = hl_marks_is_selected (up->marks, id);
  entry.hovered = hl_marks_is_hovered (up->marks, id);
  entry.is_problem = hl_marks_is_problem (up->marks, id);
  g_array_append_val (up->scene->springs, entry);
}

static gboolean place_torsion_spring (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry) {
  entry->kind = HL_MECH_TORSION_SPRING;
  entry->value = 1;
  return place_in_pin (up, element, &entry->at, &entry->angle);
}

static gboolean place_torque (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry) {
  const char *text = hl_value_string (hl_value_member (element, "body"));
  int body = -1;

  if (text == NULL || !hl_document_resolve_body (up->document, text, &body, NULL) || body < 0)
    return FALSE;
  entry->kind = HL_MECH_TORQUE;
  entry->at = g_array_index (up->scene->bodies, HlMechBody, body).com;
  return TRUE;
}

static gboolean place_force (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry) {
  const HlValue *direction = hl_value_member (element, "direction");
  int body = -1;

  if (!find_point (up, element, "point", &body, &entry->at))
    return FALSE;
  entry->kind = HL_MECH_FORCE;
  entry->angle =
      atan2 (hl_value_number (hl_value_item (direction, 1)), hl_value_number (hl_value_item (direction, 0)));
  if (g_strcmp0 (hl_value_string (hl_value_member (element, "frame")), "body") == 0)
    entry->angle += angle_of (up, body);
  return TRUE;
}

static gboolean place_tyre (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry) {
  int body = -1;

  if (!find_point (up, element, "point", &body, &entry->at))
    return FALSE;
  entry->kind = HL_MECH_TYRE;
  entry->angle = angle_of (up, body) + hl_value_number (hl_value_member (element, "axis"));
  entry->value = 1;
  return TRUE;
}

/* Place and symbol of each load; `value` is its length if it has no signal. */
static const struct {
  const char *kind;
  gboolean (*place) (const HlSceneUpdate *up, const HlValue *element, HlMechLoad *entry);
} load_marks[] = {
    {"torque", place_torque},
    {"force", place_force},
    {"torsion-spring", place_torsion_spring},
    {"tyre", place_tyre},
};

static void add_load (const HlSceneUpdate *up, const HlValue *element, const char *id, const char *name) {
  HlMechLoad entry = {.id = id, .label = id};
  gsize k = 0;

  while (k < G_N_ELEMENTS (load_marks) && strcmp (load_marks[k].kind, name) != 0)
    k++;
  if (k == G_N_ELEMENTS (load_marks) || !load_marks[k].place (up, element, &entry) || !isfinite (entry.angle))
    return;
  double value = value_of (up, id, "signal");
  entry.value = isfinite (value) ? value : entry.value;
  entry.selected = hl_marks_is_selected (up->marks, id);
  entry.hovered = hl_marks_is_hovered (up->marks, id);
  entry.is_problem = hl_marks_is_problem (up->marks, id);
  g_array_append_val (up->scene->loads, entry);
}

/* Adds all springs and loads of the document. */
static void add_loads (const HlSceneUpdate *up) {
  for (int load = 0; load < hl_document_n_elements (up->document, HL_SECTION_LOADS); load++) {
    const HlValue *element = hl_document_element (up->document, HL_SECTION_LOADS, load);
    const char *id = hl_document_element_id (up->document, HL_SECTION_LOADS, load);
    const char *name = hl_document_element_kind_name (up->document, HL_SECTION_LOADS, load);
    const HlLoadClass *klass = hl_load_class (name);
    if (klass != NULL && hl_load_joins_points (klass))
      add_spring (up, element, id);
    else if (name != NULL)
      add_load (up, element, id, name);
  }
}

/* Returns a value of an element at the instant; NAN: there is none. */
static double value_of (const HlSceneUpdate *up, const char *id, const char *name) {
  return hl_instant_value_of (up->instant, up->document, id, name);
}

/* Returns "O₁" for "O1": digits at the end become subscripts. */
static const char *with_subscript (const HlSceneUpdate *up, const char *name) {
  static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  gsize stem = strlen (name);

  while (stem > 0 && g_ascii_isdigit (name[stem - 1]))
    stem--;
  if (stem == 0 || name[stem] == '\0')
    return g_string_chunk_insert (up->scene->texts, name);
  g_autoptr (GString) text = g_string_new_len (name, (gssize)stem);
  for (const char *digit = name + stem; *digit != '\0'; digit++)
    g_string_append (text, digits[*digit - '0']);
  return g_string_chunk_insert (up->scene->texts, text->str);
}

static HlSpot point_on_ground (const HlSceneUpdate *up, int body, const double xy[2]) {
  if (body < 0)
    return (HlSpot){xy[0], xy[1]};
  const HlSceneFrame *frame = &g_array_index (up->scene->frames, HlSceneFrame, body);
  double c = cos (frame->angle), s = sin (frame->angle);
  return (HlSpot){frame->x + c * xy[0] - s * xy[1], frame->y + s * xy[0] + c * xy[1]};
}

/* Returns the angle of a body [rad], 0 of the ground (-1). */
static double angle_of (const HlSceneUpdate *up, int body) {
  return body < 0 ? 0 : g_array_index (up->scene->frames, HlSceneFrame, body).angle;
}

/* Finds the point in a point field of an element; FALSE when it names none. */
static gboolean find_point (const HlSceneUpdate *up, const HlValue *element, const char *field, int *body,
                            HlSpot *at) {
  const char *text = hl_value_string (hl_value_member (element, field));
  double xy[2];

  if (text == NULL || !hl_document_resolve_point (up->document, text, body, xy, NULL))
    return FALSE;
  *at = point_on_ground (up, *body, xy);
  return TRUE;
}

static void add_bodies (const HlSceneUpdate *up) {
  HlLinkageScene *scene = up->scene;
  int n_bodies = hl_document_n_elements (up->document, HL_SECTION_BODIES);
  int n_points = 0;

  for (int body = 0; body < n_bodies; body++) {
    const char *id = hl_document_element_id (up->document, HL_SECTION_BODIES, body);
    HlSceneFrame frame = {value_of (up, id, "x"), value_of (up, id, "y"), value_of (up, id, "angle")};
    if (!isfinite (frame.x + frame.y + frame.angle))
      frame = (HlSceneFrame){0, 0, 0};
    g_array_append_val (scene->frames, frame);
    n_points += hl_document_n_points (up->document, body);
  }
  g_array_set_size (scene->points, (guint)n_points);

  HlSpot *at = (HlSpot *)(gpointer)scene->points->data;
  for (int body = 0; body < n_bodies; body++) {
    const char *id = hl_document_element_id (up->document, HL_SECTION_BODIES, body);
    const HlValue *com = hl_value_member (hl_document_element (up->document, HL_SECTION_BODIES, body), "com");
    double com_xy[2] = {hl_value_number (hl_value_item (com, 0)), hl_value_number (hl_value_item (com, 1))};
    if (!isfinite (com_xy[0] + com_xy[1]))
      com_xy[0] = com_xy[1] = 0;
    HlMechBody entry = {
        .id = id,
        .label = with_subscript (up, id),
        .points = at,
        .com = point_on_ground (up, body, com_xy),
        .selected = hl_marks_is_selected (up->marks, id),
        .hovered = hl_marks_is_hovered (up->marks, id),
        .is_problem = hl_marks_is_problem (up->marks, id),
    };
    entry.show_com = entry.selected;
    for (int point = 0; point < hl_document_n_points (up->document, body); point++) {
      double xy[2];
      if (hl_document_point_xy (up->document, body, point, xy))
        at[entry.n_points++] = point_on_ground (up, body, xy);
    }
    at += entry.n_points;
    g_array_append_val (scene->bodies, entry);
  }
}

/* Symbols of joints, between bodies and on the ground. */
static const struct {
  const char *kind;
  HlMechJointKind free, on_ground;
} joint_marks[] = {
    {"revolute", HL_MECH_PIN, HL_MECH_PIN_GROUND},
    {"prismatic", HL_MECH_SLIDER, HL_MECH_SLIDER_GROUND},
    {"slot", HL_MECH_SLIDER, HL_MECH_SLIDER_GROUND},
    {"weld", HL_MECH_WELD, HL_MECH_WELD},
    {"distance", HL_MECH_ROD, HL_MECH_ROD},
    {"drive-length", HL_MECH_DRIVE, HL_MECH_DRIVE},
    {"drive-angle", HL_MECH_DRIVE_ANGLE, HL_MECH_DRIVE_ANGLE},
    {"knife-edge", HL_MECH_KNIFE_EDGE, HL_MECH_KNIFE_EDGE},
};

/* Returns the symbol of a joint; an unknown kind is drawn like the first. */
static HlMechJointKind joint_kind (const char *name, gboolean on_ground) {
  gsize k = 0;

  while (k < G_N_ELEMENTS (joint_marks) && g_strcmp0 (name, joint_marks[k].kind) != 0)
    k++;
  k = k < G_N_ELEMENTS (joint_marks) ? k : 0;
  return on_ground ? joint_marks[k].on_ground : joint_marks[k].free;
}

/* Returns the name of the ground point of a joint, NULL = none; remembered so that it is not drawn twice. For
 * a joint that slides or extends from there, the point is drawn by itself. */
static const char *ground_name (const HlSceneUpdate *up, const HlValue *element, gboolean is_there) {
  static const char *const ends[] = {"a", "b"};
  for (guint end = 0; end < G_N_ELEMENTS (ends); end++) {
    const char *text = hl_value_string (hl_value_member (element, ends[end]));
    if (text != NULL && g_str_has_prefix (text, "ground.")) {
      if (is_there)
        g_hash_table_add (up->scene->pinned, g_string_chunk_insert (up->scene->texts, text));
      return text + strlen ("ground.");
    }
  }
  return NULL;
}

/* Finds the place of the pin that joins two bodies (-1: the ground); FALSE when they share none. */
static gboolean find_pin (const HlSceneUpdate *up, int a, int b, HlSpot *at) {
  for (int k = 0; k < hl_document_n_elements (up->document, HL_SECTION_JOINTS); k++) {
    const HlValue *joint = hl_document_element (up->document, HL_SECTION_JOINTS, k);
    const HlJointClass *klass =
        hl_joint_class (hl_document_element_kind_name (up->document, HL_SECTION_JOINTS, k));
    int from, to;
    if (klass != NULL && hl_joint_is_hinge (klass) && find_point (up, joint, "a", &from, at) &&
        find_point (up, joint, "b", &to, at) && ((from == a && to == b) || (from == b && to == a)))
      return TRUE;
  }
  return FALSE;
}

/* Finds the pin of the two bodies that an element names, without one a body, and the angle [rad] there;
 * FALSE: it names only the ground. */
static gboolean place_in_pin (const HlSceneUpdate *up, const HlValue *element, HlSpot *at, double *angle) {
  const char *const keys[] = {"a", "b"};
  int bodies[2];

  for (int k = 0; k < 2; k++) {
    const char *text = hl_value_string (hl_value_member (element, keys[k]));
    if (text == NULL || !hl_document_resolve_body (up->document, text, &bodies[k], NULL))
      return FALSE;
  }
  int last = bodies[1] >= 0 ? bodies[1] : bodies[0];
  if (last < 0)
    return FALSE;
  if (!find_pin (up, bodies[0], bodies[1], at))
    *at = g_array_index (up->scene->bodies, HlMechBody, last).com;
  *angle = angle_of (up, last);
  return TRUE;
}

static void add_drive (const HlSceneUpdate *up, const HlValue *element, const char *id) {
  HlMechJoint entry = {
      .id = id,
      .kind = HL_MECH_DRIVE_ANGLE,
      .selected = hl_marks_is_selected (up->marks, id),
      .hovered = hl_marks_is_hovered (up->marks, id),
      .is_problem = hl_marks_is_problem (up->marks, id),
  };

  if (place_in_pin (up, element, &entry.at, &entry.angle))
    g_array_append_val (up->scene->joints, entry);
}

static void add_joints (const HlSceneUpdate *up) {
  for (int joint = 0; joint < hl_document_n_elements (up->document, HL_SECTION_JOINTS); joint++) {
    const HlValue *element = hl_document_element (up->document, HL_SECTION_JOINTS, joint);
    const char *id = hl_document_element_id (up->document, HL_SECTION_JOINTS, joint);
    const char *name = hl_document_element_kind_name (up->document, HL_SECTION_JOINTS, joint);
    const HlJointClass *klass = hl_joint_class (name);
    gboolean is_edge = klass != NULL && hl_joint_has_one_end (klass);
    int a = -1, b = -1;
    HlSpot at_a, at_b;

    if (klass != NULL && klass->on_bodies) {
      add_drive (up, element, id);
      continue;
    }
    gboolean has_a = find_point (up, element, klass != NULL ? klass->ends[0] : "a", &a, &at_a);
    gboolean has_b = !is_edge && find_point (up, element, "b", &b, &at_b);
    if (!has_a && !has_b)
      continue;
    if (!has_b) /* with one end the joint stands there, and its problem with it */
      at_b = at_a;
    else if (!has_a)
      at_a = at_b;
    HlMechJointKind free = joint_kind (name, FALSE);
    gboolean is_there = free == HL_MECH_PIN || free == HL_MECH_WELD;
    const char *on_ground = is_edge ? NULL : ground_name (up, element, is_there);
    HlMechJoint entry = {
        .id = id,
        .kind = joint_kind (name, on_ground != NULL),
        .at = at_b,
        .to = at_a,
        .angle = angle_of (up, a),
        .label = on_ground != NULL && is_there ? with_subscript (up, on_ground) : NULL,
        .selected = hl_marks_is_selected (up->marks, id),
        .hovered = hl_marks_is_hovered (up->marks, id),
        .is_problem = hl_marks_is_problem (up->marks, id),
    };
    double axis = hl_value_number (hl_value_member (element, "axis"));
    if (isfinite (axis))
      entry.angle += axis;
    if (entry.kind == HL_MECH_PIN_GROUND && b >= 0)
      entry.at = at_a; /* the fixed end */
    g_array_append_val (up->scene->joints, entry);
  }
}

static void add_free_ground_points (const HlSceneUpdate *up) {
  for (int point = 0; point < hl_document_n_points (up->document, -1); point++) {
    const char *name = hl_document_point_name (up->document, -1, point);
    g_autofree char *text = g_strconcat ("ground.", name, NULL);
    double xy[2];
    if (g_hash_table_contains (up->scene->pinned, text) ||
        !hl_document_point_xy (up->document, -1, point, xy))
      continue;
    HlMechJoint entry = {
        .id = "ground",
        .kind = HL_MECH_GROUND_POINT,
        .at = {xy[0], xy[1]},
        .label = with_subscript (up, name),
        .selected = hl_marks_is_selected (up->marks, "ground"),
    };
    g_array_append_val (up->scene->joints, entry);
  }
}

static void add_cylinders (const HlSceneUpdate *up) {
  for (int part = 0; part < hl_document_n_elements (up->document, HL_SECTION_COMPONENTS); part++) {
    const HlValue *element = hl_document_element (up->document, HL_SECTION_COMPONENTS, part);
    const HlKind *kind = hl_document_element_kind (up->document, HL_SECTION_COMPONENTS, part);
    const char *id = hl_document_element_id (up->document, HL_SECTION_COMPONENTS, part);
    HlMechCylinder entry = {.id = id, .label = id};
    int body;

    if (kind == NULL || !hl_component_class (kind->name)->is_cylinder ||
        !find_point (up, element, "base", &body, &entry.base) ||
        !find_point (up, element, "rod", &body, &entry.rod))
      continue;
    entry.stroke = hl_kind_number (kind, element, "stroke", NULL);
    entry.closed = hl_kind_number (kind, element, "c1", NULL);
    entry.open_rest = hl_kind_number (kind, element, "c2", NULL);
    entry.diameter = hl_kind_number (kind, element, "piston_diameter", NULL);
    if (!isfinite (entry.diameter))
      entry.diameter = 0;
    entry.selected = hl_marks_is_selected (up->marks, id);
    entry.hovered = hl_marks_is_hovered (up->marks, id);
    entry.is_problem = hl_marks_is_problem (up->marks, id);
    g_array_append_val (up->scene->cylinders, entry);
  }
}

/* Returns the place of a body's angle: at its pin on the ground, otherwise at its first point. */
static HlSpot angle_place (const HlSceneUpdate *up, int body) {
  for (guint joint = 0; joint < up->scene->joints->len; joint++) {
    const HlMechJoint *at = &g_array_index (up->scene->joints, HlMechJoint, joint);
    const HlMechBody *entry = &g_array_index (up->scene->bodies, HlMechBody, body);
    for (int point = 0; at->kind == HL_MECH_PIN_GROUND && point < entry->n_points; point++)
      if (hypot (entry->points[point].x - at->at.x, entry->points[point].y - at->at.y) < 1e-3)
        return at->at;
  }
  const HlMechBody *entry = &g_array_index (up->scene->bodies, HlMechBody, body);
  return entry->n_points > 0 ? entry->points[0] : entry->com;
}

static void add_angles (const HlSceneUpdate *up) {
  for (int probe = 0; probe < hl_document_n_probes (up->document); probe++) {
    HlProbe info;
    int body;
    if (!hl_document_probe (up->document, probe, &info) || !g_str_has_suffix (info.of, ".angle"))
      continue;
    g_autofree char *id = g_strndup (info.of, strlen (info.of) - strlen (".angle"));
    if (!hl_document_resolve_body (up->document, id, &body, NULL) || body < 0)
      continue;
    const double *start = up->instant->start;
    double angle = remainder (angle_of (up, body), 2 * M_PI);
    double told = start != NULL ? remainder (start[3 * body + 2], 2 * M_PI) : angle;
    g_autofree char *label =
        g_strdup_printf ("%s = %s%.3f°", info.label, told < 0 ? "−" : "", fabs (told) * 180 / M_PI);
    hl_number_localize (label);
    HlMechAngle entry = {
        .at = angle_place (up, body),
        .from = 0,
        .to = angle,
        .label = g_string_chunk_insert (up->scene->texts, label),
    };
    g_array_append_val (up->scene->angles, entry);
  }
}

HlLinkageScene *hl_linkage_scene_new (void) {
  HlLinkageScene *scene = g_new0 (HlLinkageScene, 1);
  scene->frames = g_array_new (FALSE, FALSE, sizeof (HlSceneFrame));
  scene->points = g_array_new (FALSE, TRUE, sizeof (HlSpot));
  scene->bodies = g_array_new (FALSE, FALSE, sizeof (HlMechBody));
  scene->joints = g_array_new (FALSE, FALSE, sizeof (HlMechJoint));
  scene->cylinders = g_array_new (FALSE, FALSE, sizeof (HlMechCylinder));
  scene->springs = g_array_new (FALSE, FALSE, sizeof (HlMechSpring));
  scene->loads = g_array_new (FALSE, FALSE, sizeof (HlMechLoad));
  scene->angles = g_array_new (FALSE, FALSE, sizeof (HlMechAngle));
  scene->pinned = g_hash_table_new (g_str_hash, g_str_equal);
  scene->texts = g_string_chunk_new (512);
  scene->cursor = hl_column_cursor_new ();
  return scene;
}

void hl_linkage_scene_free (HlLinkageScene *scene) {
  if (scene == NULL)
    return;
  g_array_unref (scene->frames);
  g_array_unref (scene->points);
  g_array_unref (scene->bodies);
  g_array_unref (scene->joints);
  g_array_unref (scene->cylinders);
  g_array_unref (scene->springs);
  g_array_unref (scene->loads);
  g_array_unref (scene->angles);
  g_hash_table_unref (scene->pinned);
  g_string_chunk_free (scene->texts);
  hl_column_cursor_free (scene->cursor);
  g_free (scene);
}

static void clear_scene (HlLinkageScene *scene) {
  g_hash_table_remove_all (scene->pinned);
  g_string_chunk_clear (scene->texts);
  g_array_set_size (scene->frames, 0);
  g_array_set_size (scene->points, 0);
  g_array_set_size (scene->bodies, 0);
  g_array_set_size (scene->joints, 0);
  g_array_set_size (scene->cylinders, 0);
  g_array_set_size (scene->springs, 0);
  g_array_set_size (scene->loads, 0);
  g_array_set_size (scene->angles, 0);
}

const HlMechanismPicture *hl_linkage_scene_update (HlLinkageScene *scene, const HlDocument *document,
                                                   const HlInstant *instant, const HlMarks *marks) {
  HlInstant now = {instant->results, instant->t, scene->cursor, instant->start};
  HlSceneUpdate up = {scene, document, &now, marks};
  double gravity[2];

  hl_column_cursor_begin (scene->cursor);
  clear_scene (scene);
  add_bodies (&up);
  add_joints (&up);
  add_free_ground_points (&up);
  add_cylinders (&up);
  add_loads (&up);
  add_angles (&up);

  HlMechanismPicture *picture = &scene->picture;
  *picture = hl_mechanism_picture_make ();
  picture->bodies = (gconstpointer)scene->bodies->data;
  picture->n_bodies = (int)scene->bodies->len;
  picture->joints = (gconstpointer)scene->joints->data;
  picture->n_joints = (int)scene->joints->len;
  picture->cylinders = (gconstpointer)scene->cylinders->data;
  picture->n_cylinders = (int)scene->cylinders->len;
  picture->springs = (gconstpointer)scene->springs->data;
  picture->n_springs = (int)scene->springs->len;
  picture->loads = (gconstpointer)scene->loads->data;
  picture->n_loads = (int)scene->loads->len;
  picture->angles = (gconstpointer)scene->angles->data;
  picture->n_angles = (int)scene->angles->len;
  hl_document_gravity (document, gravity);
  picture->gravity = (HlSpot){gravity[0], gravity[1]};
  picture->show_grid = TRUE;
  return picture;
}

const char *hl_linkage_scene_id (const HlLinkageScene *scene, HlMechPart part, int index) {
  switch (part) {
  case HL_MECH_IS_BODY:
    return scene->picture.bodies[index].id;
  case HL_MECH_IS_JOINT:
    return scene->picture.joints[index].id;
  case HL_MECH_IS_CYLINDER:
    return scene->picture.cylinders[index].id;
  case HL_MECH_IS_SPRING:
    return scene->picture.springs[index].id;
  case HL_MECH_IS_LOAD:
    return scene->picture.loads[index].id;
  case HL_MECH_NOTHING:
    break;
  }
  return NULL;
}

gboolean hl_linkage_where (const HlMechanismPicture *picture, const char *id, HlRect *box) {
  for (int i = 0; i < picture->n_bodies; i++)
    if (g_strcmp0 (picture->bodies[i].id, id) == 0) {
      *box = picture->bodies[i].n_points > 0
                 ? hl_rect_around (picture->bodies[i].points, picture->bodies[i].n_points)
                 : hl_rect_around (&picture->bodies[i].com, 1);
      return TRUE;
    }
  for (int i = 0; i < picture->n_joints; i++)
    if (g_strcmp0 (picture->joints[i].id, id) == 0) {
      *box = hl_rect_around (&picture->joints[i].at, 1);
      return TRUE;
    }
  for (int i = 0; i < picture->n_cylinders; i++)
    if (g_strcmp0 (picture->cylinders[i].id, id) == 0) {
      *box = hl_rect_around ((HlSpot[]){picture->cylinders[i].base, picture->cylinders[i].rod}, 2);
      return TRUE;
    }
  for (int i = 0; i < picture->n_springs; i++)
    if (g_strcmp0 (picture->springs[i].id, id) == 0) {
      *box = hl_rect_around ((HlSpot[]){picture->springs[i].a, picture->springs[i].b}, 2);
      return TRUE;
    }
  for (int i = 0; i < picture->n_loads; i++)
    if (g_strcmp0 (picture->loads[i].id, id) == 0) {
      *box = hl_rect_around (&picture->loads[i].at, 1);
      return TRUE;
    }
  return FALSE;
}
