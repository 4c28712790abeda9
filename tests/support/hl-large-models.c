/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-large-models.h"

#include "core/io/hl-json-text.h"

#include <math.h>
#include <string.h>

#define HALF_BAR 0.5    /* [m] */
#define LIFT_ANGLE 0.12 /* of a rising bar [rad] */

typedef char Number[G_ASCII_DTOSTR_BUF_SIZE];

static const char *number (Number buffer, double value) {
  return g_ascii_dtostr (buffer, sizeof (Number), value);
}

static void append_bar (GString *out, const char *id, int stage, double angle) {
  Number x, y, a;

  g_string_append_printf (
      out,
      "%s{\"id\":\"%s_%d\",\"points\":{\"low\":[-0.5,0],\"middle\":[0,0],\"high\":[0.5,0]},"
      "\"mass\":2,\"inertia\":0.17,\"pose\":[%s,%s,%s]}",
      out->str[out->len - 1] == '[' ? "" : ",\n", id, stage, number (x, HALF_BAR * cos (LIFT_ANGLE)),
      number (y, (2 * stage + 1) * HALF_BAR * sin (LIFT_ANGLE)), number (a, angle));
}

static void append_joint (GString *out, const char *id, int stage, const char *from, const char *to) {
  g_string_append_printf (out, ",\n{\"id\":\"%s_%d\",\"kind\":\"revolute\",\"a\":\"%s\",\"b\":\"%s\"}", id,
                          stage, from, to);
}

static HlDocument *parse (const GString *text, const char *name) {
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text->str, text->len, name, &error);

  g_assert_no_error (error);
  return document;
}

HlDocument *hl_test_scissor_lift (int n_stages) {
  g_autoptr (GString) out = g_string_new (
      "{\"format\":\"hydrolink\",\"version\":1,\"name\":\"Lift\",\"gravity\":[0,-9.81],\n"
      "\"ground\":{\"points\":{\"pin\":[0,0],\"rail\":[0,0],\"base\":[-0.2,-0.3]}},\n\"bodies\":[");

  for (int stage = 0; stage < n_stages; stage++) {
    append_bar (out, "rising", stage, LIFT_ANGLE);
    append_bar (out, "falling", stage, G_PI - LIFT_ANGLE);
  }
  g_string_append (out,
                   "],\n\"joints\":["
                   "{\"id\":\"pin\",\"kind\":\"revolute\",\"a\":\"ground.pin\",\"b\":\"rising_0.low\"},\n"
                   "{\"id\":\"foot\",\"kind\":\"slot\",\"a\":\"ground.rail\",\"b\":\"falling_0.low\","
                   "\"axis\":0}");
  for (int stage = 0; stage < n_stages; stage++) {
    g_autofree char *rising = g_strdup_printf ("rising_%d.middle", stage);
    g_autofree char *falling = g_strdup_printf ("falling_%d.middle", stage);
    append_joint (out, "cross", stage, rising, falling);
    if (stage + 1 == n_stages)
      break;
    g_autofree char *left = g_strdup_printf ("falling_%d.high", stage);
    g_autofree char *left_above = g_strdup_printf ("rising_%d.low", stage + 1);
    g_autofree char *right = g_strdup_printf ("rising_%d.high", stage);
    g_autofree char *right_above = g_strdup_printf ("falling_%d.low", stage + 1);
    append_joint (out, "left", stage, left, left_above);
    append_joint (out, "right", stage, right, right_above);
  }
  g_string_append (
      out, "],\n\"components\":[{\"id\":\"tank\",\"kind\":\"tank\",\"pressure\":1e5},\n"
           "{\"id\":\"cyl\",\"kind\":\"cylinder\",\"base\":\"ground.base\",\"rod\":\"rising_0.middle\","
           "\"piston_diameter\":0.3,\"rod_diameter\":0.1,\"stroke\":1,\"c1\":0.5,\"c2\":0.1,"
           "\"friction\":{\"model\":\"brown-mcphee\",\"Fc\":80,\"Fs\":200,\"vs\":0.01,"
           "\"sigma2\":50000}}],\n"
           "\"lines\":[{\"id\":\"A\",\"ports\":[\"cyl.A\"],\"volume\":1e-4,\"wall_modulus\":1.5e8,"
           "\"pressure\":1e6},{\"id\":\"T\",\"ports\":[\"cyl.B\",\"tank.T\"]}],\n"
           "\"equilibrium\":{\"hold\":[\"rising_0.angle\"]},\n"
           "\"probes\":[{\"id\":\"angle\",\"of\":\"rising_0.angle\",\"relative\":true},"
           "{\"id\":\"pA\",\"of\":\"A.pressure\"}],\n"
           "\"sliders\":[{\"path\":\"cyl.friction.scale\",\"from\":0.1,\"to\":10,\"scale\":\"log\"}],\n"
           "\"simulation\":{\"t_end\":0.1,\"every\":0.01,\"rtol\":1e-6,\"start\":\"equilibrium\"}}");
  return parse (out, "scissor-lift");
}

HlDocument *hl_test_cylinders_on_pump (int n_cylinders) {
  g_autoptr (GString) out =
      g_string_new ("{\"format\":\"hydrolink\",\"version\":1,\"name\":\"Bank\",\"gravity\":[0,-9.81],\n");
  g_autoptr (GString) points = g_string_new ("\"ground\":{\"points\":{");
  g_autoptr (GString) bodies = g_string_new ("\"bodies\":[");
  g_autoptr (GString) joints = g_string_new ("\"joints\":[");
  g_autoptr (GString) parts =
      g_string_new ("\"components\":[{\"id\":\"pump\",\"kind\":\"pressure-source\",\"pressure\":5e6},\n"
                    "{\"id\":\"tank\",\"kind\":\"tank\",\"pressure\":1e5}");
  g_autoptr (GString) lines = g_string_new ("\"lines\":[");
  g_autoptr (GString) pressure = g_string_new ("{\"id\":\"P\",\"ports\":[\"pump.P\"");
  g_autoptr (GString) back = g_string_new ("{\"id\":\"T\",\"ports\":[\"tank.T\"");

  for (int k = 0; k < n_cylinders; k++) {
    const char *comma = k > 0 ? ",\n" : "";
    Number x;
    number (x, 0.5 * k);
    g_string_append_printf (points, "%s\"b%d\":[%s,0]", comma, k, x);
    g_string_append_printf (bodies,
                            "%s{\"id\":\"mass_%d\",\"points\":{\"foot\":[0,0]},\"mass\":200,"
                            "\"inertia\":10,\"pose\":[%s,0.6,0]}",
                            comma, k, x);
    g_string_append_printf (joints,
                            "%s{\"id\":\"guide_%d\",\"kind\":\"prismatic\",\"a\":\"ground.b%d\","
                            "\"b\":\"mass_%d.foot\",\"axis\":1.5707963267948966,\"angle\":0}",
                            comma, k, k, k);
    g_string_append_printf (
        parts,
        ",\n{\"id\":\"throttle_%d\",\"kind\":\"throttle\",\"Cd\":0.6,\"diameter\":0.002},\n"
        "{\"id\":\"cyl_%d\",\"kind\":\"cylinder\",\"base\":\"ground.b%d\",\"rod\":\"mass_%d.foot\","
        "\"piston_diameter\":0.05,\"rod_diameter\":0.03,\"stroke\":0.5,\"c1\":0.3,\"c2\":0.1,"
        "\"friction\":{\"model\":\"brown-mcphee\",\"Fc\":80,\"Fs\":120,\"vs\":0.01,"
        "\"sigma2\":500}}",
        k, k, k, k);
    g_string_append_printf (lines,
                            "{\"id\":\"A_%d\",\"ports\":[\"throttle_%d.B\",\"cyl_%d.A\"],"
                            "\"volume\":1e-4,\"pressure\":1e6},\n",
                            k, k, k);
    g_string_append_printf (pressure, ",\"throttle_%d.A\"", k);
    g_string_append_printf (back, ",\"cyl_%d.B\"", k);
  }
  g_string_append_printf (out, "%s}},\n%s],\n%s],\n%s],\n%s%s]},\n%s]}],\n", points->str, bodies->str,
                          joints->str, parts->str, lines->str, pressure->str, back->str);
  g_string_append (out,
                   "\"probes\":[{\"id\":\"lift\",\"of\":\"mass_0.y\",\"relative\":true},"
                   "{\"id\":\"pA\",\"of\":\"A_0.pressure\"}],\n"
                   "\"sliders\":[{\"path\":\"cyl_0.friction.scale\",\"from\":0.1,\"to\":10,"
                   "\"scale\":\"log\"}],\n"
                   "\"simulation\":{\"t_end\":0.1,\"every\":0.01,\"rtol\":1e-6,\"start\":\"as-given\"}}");
  return parse (out, "bank");
}
