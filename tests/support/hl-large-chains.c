/* SPDX-License-Identifier: MIT */
/* Machines of one element after the other, of any number. */
#include "tests/support/hl-large-models.h"

#include <math.h>

#include "core/io/hl-json-text.h"

#define ROD 0.1 /* between the pins of a rod [m] */

typedef char Number[G_ASCII_DTOSTR_BUF_SIZE];

static const char *number (Number buffer, double value) {
  return g_ascii_dtostr (buffer, sizeof (Number), value);
}

/* Apostrophes stand for quotation marks. */
static HlDocument *parse (GString *text, const char *name) {
  g_autoptr (GError) error = NULL;

  g_strdelimit (text->str, "'", '"');
  HlDocument *document = hl_document_parse (text->str, text->len, name, &error);
  g_assert_no_error (error);
  return document;
}

/* Rods on pins; parent_of (k) < k carries rod k at its far end, -1: the ground does. With arms there are points for
 * cylinders above the rods. */
static GString *rods_text (int n_rods, bool has_arms, int (*parent_of) (int), double (*angle_of) (int),
                           double (*speed_of) (int)) {
  GString *text = g_string_new ("{'format':'hydrolink','version':1,'gravity':[0,-9.81],"
                                "'ground':{'points':{'pin':[0,0]");
  const char *above = has_arms ? ",'c':[-0.03,0.03],'d':[0.03,0.03]" : "";
  g_autoptr (GString) joints = g_string_new ("],\n'joints':[");
  g_autofree double *ends = g_new (double, 2 * n_rods);

  g_string_append_printf (text, "%s}},\n'bodies':[", has_arms ? ",'c':[-0.08,0.03]" : "");
  for (int k = 0; k < n_rods; k++) {
    int parent = parent_of (k);
    double angle = angle_of (k), dx = ROD * cos (angle), dy = ROD * sin (angle);
    double x = parent < 0 ? 0.0 : ends[2 * parent], y = parent < 0 ? 0.0 : ends[2 * parent + 1];
    Number numbers[4];

    g_string_append_printf (text,
                            "%s{'id':'rod%d','points':{'a':[-0.05,0],'b':[0.05,0]%s},"
                            "'mass':0.5,'inertia':0.0005,'pose':[%s,%s,%s],'velocity':[0,0,%s]}",
                            k > 0 ? ",\n" : "", k, above, number (numbers[0], x + 0.5 * dx),
                            number (numbers[1], y + 0.5 * dy), number (numbers[2], angle),
                            number (numbers[3], speed_of (k)));
    g_autofree char *to = parent < 0 ? g_strdup ("ground.pin") : g_strdup_printf ("rod%d.b", parent);
    g_string_append_printf (joints, "%s{'id':'pin%d','kind':'revolute','a':'%s','b':'rod%d.a'}",
                            k > 0 ? ",\n" : "", k, to, k);
    ends[2 * k] = x + dx;
    ends[2 * k + 1] = y + dy;
  }
  g_string_append_printf (text, "%s]", joints->str);
  return text;
}

static HlDocument *end_and_parse (GString *text, const char *name) {
  g_string_append (text, ",\n'simulation':{'t_end':0.2,'every':0.01,'rtol':1e-6,'start':'as-given'}}");
  return parse (text, name);
}

static HlDocument *rods_on_pins (int n_rods, int (*parent_of) (int), double (*angle_of) (int),
                                 double (*speed_of) (int), const char *name) {
  g_autoptr (GString) text = rods_text (n_rods, false, parent_of, angle_of, speed_of);
  return end_and_parse (text, name);
}

static int one_before (int k) {
  return k - 1;
}

static double zigzag (int k) {
  return k % 2 == 0 ? -0.3 : -0.7;
}

static double lively (int k) {
  return 0.3 * cos (1.7 * k);
}

HlDocument *hl_test_chain (int n_rods) {
  return rods_on_pins (n_rods, one_before, zigzag, lively, "chain");
}

HlDocument *hl_test_train (int n_bodies) {
  g_autoptr (GString) text = g_string_new ("{'format':'hydrolink','version':1,'gravity':[0,0],"
                                           "'ground':{'points':{}},\n'bodies':[");
  g_autoptr (GString) joints = g_string_new ("],\n'joints':[");
  g_autoptr (GString) springs = g_string_new ("],\n'loads':[");
  double x = 0.0, y = 0.0;

  for (int k = 0; k < n_bodies; k++) {
    double angle = 0.3 * sin (1.3 * k), dx = ROD * cos (angle), dy = ROD * sin (angle);
    const char *comma = k > 0 ? ",\n" : "";
    Number numbers[5];
    g_string_append_printf (text,
                            "%s{'id':'car%d','points':{'a':[-0.05,0],'b':[0.05,0],'edge':[0,0]},'mass':0.5,"
                            "'inertia':0.0005,'pose':[%s,%s,%s],'velocity':[%s,%s,0.2]}",
                            comma, k, number (numbers[0], x + 0.5 * dx), number (numbers[1], y + 0.5 * dy),
                            number (numbers[2], angle), number (numbers[3], cos (angle)),
                            number (numbers[4], sin (angle)));
    g_string_append_printf (joints, "%s{'id':'edge%d','kind':'knife-edge','point':'car%d.edge','axis':0}",
                            comma, k, k);
    if (k > 0) {
      g_string_append_printf (joints, ",{'id':'pin%d','kind':'revolute','a':'car%d.b','b':'car%d.a'}", k,
                              k - 1, k);
      g_string_append_printf (springs,
                              "%s{'id':'spring%d','kind':'torsion-spring','a':'car%d','b':'car%d',"
                              "'stiffness':0.02,'damping':0.001,'free_angle':0}",
                              k > 1 ? ",\n" : "", k, k - 1, k);
    }
    x += dx;
    y += dy;
  }
  g_string_append_printf (text,
                          "%s%s],\n'simulation':{'t_end':0.2,'every':0.01,'rtol':1e-6,"
                          "'start':'as-given'}}",
                          joints->str, springs->str);
  return parse (text, "train");
}

static int two_on_each (int k) {
  return k == 0 ? -1 : (k - 1) / 2;
}

static double apart (int k) {
  return k % 2 == 0 ? -0.4 : -1.3;
}

HlDocument *hl_test_tree (int n_rods) {
  return rods_on_pins (n_rods, two_on_each, apart, lively, "tree");
}

HlDocument *hl_test_ladder (int n_volumes) {
  g_autoptr (GString) text = g_string_new ("{'format':'hydrolink','version':1,\n'components':["
                                           "{'id':'pump','kind':'pressure-source','pressure':1e7},"
                                           "{'id':'tank','kind':'tank','pressure':1e5},\n");
  g_autoptr (GString) lines = g_string_new ("],\n'lines':[");

  for (int k = 0; k <= n_volumes; k++) {
    g_string_append_printf (text, "%s{'id':'R%d','kind':'throttle','diameter':0.004}", k > 0 ? ",\n" : "", k);
    if (k == 0)
      g_string_append (lines, "{'id':'P','ports':['pump.P','R0.A']}");
    if (k < n_volumes)
      g_string_append_printf (lines,
                              ",\n{'id':'V%d','ports':['R%d.B','R%d.A'],'volume':1e-4,"
                              "'pressure':1e6}",
                              k, k, k + 1);
    else
      g_string_append_printf (lines, ",\n{'id':'T','ports':['R%d.B','tank.T']}", k);
  }
  g_string_append_printf (text,
                          "%s],\n'simulation':{'t_end':0.2,'every':0.01,'rtol':1e-6,"
                          "'start':'as-given'}}",
                          lines->str);
  return parse (text, "ladder");
}

/* Appends the cylinder of rod k, from the rod before it, and its lines; rod 0 has its own from the ground. */
static void append_arm (GString *parts, GString *lines, GString *back, int k) {
  g_autofree char *base = k > 0 ? g_strdup_printf ("rod%d.c", k - 1) : g_strdup ("ground.c");

  g_string_append_printf (
      parts,
      ",\n{'id':'R%d','kind':'throttle','diameter':0.002},{'id':'in%d','kind':'throttle','diameter'"
      ":0.001},"
      "{'id':'out%d','kind':'throttle','diameter':0.001},\n{'id':'cyl%d','kind':'cylinder','base':'"
      "%s',"
      "'rod':'rod%d.d','piston_diameter':0.02,'rod_diameter':0.01,'stroke':0.2,'c1':0.05,"
      "'friction':{'model':'brown-mcphee','Fc':5,'Fs':8,'vs':0.02,'sigma2':20}}",
      k, k, k, k, base, k);
  g_string_append_printf (lines,
                          ",\n{'id':'P%d','ports':['R%d.B','R%d.A','in%d.A'],'volume':1e-4,'pressure':5e6},"
                          "{'id':'A%d','ports':['in%d.B','cyl%d.A'],'volume':5e-5,'pressure':2e6},"
                          "{'id':'B%d','ports':['cyl%d.B','out%d.A'],'volume':5e-5,'pressure':2e6}",
                          k, k, k + 1, k, k, k, k, k, k, k);
  g_string_append_printf (back, ",'out%d.B'", k);
}

HlDocument *hl_test_driven_chain (int n_rods) {
  g_autoptr (GString) text = rods_text (n_rods, true, one_before, zigzag, lively);
  g_autoptr (GString) parts =
      g_string_new (",\n'components':[{'id':'pump','kind':'pressure-source','pressure':1e7},"
                    "{'id':'tank','kind':'tank','pressure':1e5}");
  g_autoptr (GString) lines = g_string_new ("],\n'lines':[{'id':'P','ports':['pump.P','R0.A']}");
  g_autoptr (GString) back = g_string_new (",\n{'id':'T','ports':['tank.T'");

  for (int k = 0; k < n_rods; k++)
    append_arm (parts, lines, back, k);
  g_string_append_printf (parts, ",{'id':'R%d','kind':'throttle','diameter':0.002}", n_rods);
  g_string_append_printf (back, ",'R%d.B']}", n_rods);
  g_string_append_printf (text, "%s%s%s]", parts->str, lines->str, back->str);
  return end_and_parse (text, "arms");
}
