/* SPDX-License-Identifier: MIT */
/* Derivatives of every mechanical element against central differences of fourth order, at random
 * states that move: at rest half of them vanish. */
#include <math.h>
#include <string.h>

#include "core/mech/hl-point-distance.h"
#include "core/mech/hl-mechanism-tables.h"
#include "tests/support/hl-test.h"

#define N_STATES 200
#define STEP 1.0e-3
#define LIMIT 1.0e-9 /* of the block's largest entry */

/* A pair of bodies in motion: 6 places, 6 velocities, 6 accelerations. */
typedef struct {
  double x[6], v[6], a[6];
} Motion;

static Motion random_motion (void) {
  Motion m;

  for (int k = 0; k < 6; k++) {
    m.x[k] = hl_test_uniform (-2.0, 2.0);
    m.v[k] = hl_test_uniform (-3.0, 3.0);
    m.a[k] = hl_test_uniform (-5.0, 5.0);
  }
  return m;
}

static HlFrame frame_of (const Motion *m, int side) {
  const double *x = m->x + 3 * side, *v = m->v + 3 * side, *a = m->a + 3 * side;

  return (HlFrame){.r = {x[0], x[1]},
                   .psi = x[2],
                   .c = cos (x[2]),
                   .s = sin (x[2]),
                   .v = {v[0], v[1]},
                   .w = v[2],
                   .a = {a[0], a[1]},
                   .aw = a[2]};
}

static void random_vector (double u[2]) {
  u[0] = hl_test_uniform (-1.0, 1.0);
  u[1] = hl_test_uniform (-1.0, 1.0);
}

static void random_direction (double u[2]) {
  double angle = hl_test_uniform (-4.0, 4.0);
  u[0] = cos (angle);
  u[1] = sin (angle);
}

/* Several numbers of one motion. */
typedef void (*Many) (const Motion *m, double out[], const void *data);

/* d out / d (x or v)[column] by fourth-order central differences. */
static void difference (Many f, const Motion *at, const void *data, char of, int column, int n_out,
                        double out[]) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  double values[36];

  memset (out, 0, (size_t)n_out * sizeof (double));
  for (int k = 0; k < 4; k++) {
    Motion moved = *at;
    (of == 'x' ? moved.x : moved.v)[column] += offset[k] * STEP;
    f (&moved, values, data);
    for (int i = 0; i < n_out; i++)
      out[i] += weight[k] * values[i] / (12.0 * STEP);
  }
}

/* Compares block[n_out][6] (row-major) with the differences of f. */
static void assert_block (const char *what, Many f, const Motion *at, const void *data, char of, int n_out,
                          const double block[]) {
  double want[36 * 6], largest = 1.0;

  for (int column = 0; column < 6; column++)
    difference (f, at, data, of, column, n_out, want + 36 * column);
  for (int column = 0; column < 6; column++)
    for (int i = 0; i < n_out; i++)
      largest = fmax (largest, fabs (want[36 * column + i]));
  for (int column = 0; column < 6; column++)
    for (int i = 0; i < n_out; i++) {
      double got = block[6 * i + column], error = fabs (got - want[36 * column + i]);
      if (!(error <= LIMIT * largest * hl_test_tolerance_scale ()))
        g_error ("%s, entry (%d, %d): %.12g, differences give %.12g", what, i, column, got,
                 want[36 * column + i]);
    }
}

/* ---- constraint rows ---- */

typedef struct {
  const HlRow *row;
  double y[6]; /* direction held fixed */
  double lambda;
} RowCase;

static void row_value (const Motion *m, double out[], const void *data) {
  const RowCase *c = data;
  HlFrame fi = frame_of (m, 0), fj = frame_of (m, 1);
  out[0] = hl_row_value (c->row, &fi, &fj);
}

static void row_gradient (const Motion *m, double out[], const void *data) {
  const RowCase *c = data;
  HlFrame fi = frame_of (m, 0), fj = frame_of (m, 1);
  hl_row_gradient (c->row, &fi, &fj, out);
}

static void row_force (const Motion *m, double out[], const void *data) {
  const RowCase *c = data;

  row_gradient (m, out, data);
  for (int k = 0; k < 6; k++)
    out[k] *= c->lambda;
}

/* D y with y fixed */
static void row_along (const Motion *m, double out[], const void *data) {
  const RowCase *c = data;
  double grad[6];

  row_gradient (m, grad, data);
  out[0] = 0.0;
  for (int k = 0; k < 6; k++)
    out[0] += grad[k] * c->y[k];
}

static void row_bias (const Motion *m, double out[], const void *data) {
  const RowCase *c = data;
  HlFrame fi = frame_of (m, 0), fj = frame_of (m, 1);
  out[0] = hl_row_bias (c->row, &fi, &fj);
}

/* D a + d with a fixed */
static void row_acceleration (const Motion *m, double out[], const void *data) {
  double bias;

  row_along (m, out, data);
  row_bias (m, &bias, data);
  out[0] += bias;
}

static void check_row (HlRowKind kind) {
  for (int n = 0; n < N_STATES; n++) {
    Motion m = random_motion ();
    HlRow row = {.kind = kind, .body_i = 0, .body_j = 1, .constant = hl_test_uniform (-0.5, 0.5)};
    RowCase c = {.row = &row, .lambda = hl_test_uniform (-2.0, 2.0)};
    HlRowTangent tangent = {0}; /* rows of points write two columns only */
    double grad[6], rate = 0.0, bias;

    random_vector (row.u_i);
    random_vector (row.u_j);
    random_direction (row.n0);
    m.x[3] += 8.0; /* never a length near zero */
    HlFrame fi = frame_of (&m, 0), fj = frame_of (&m, 1);
    hl_row_gradient (&row, &fi, &fj, grad);
    if (hl_row_is_holonomic (&row) && kind != HL_ROW_ANGLE)
      assert_block ("gradient", row_value, &m, &c, 'x', 1, grad);
    hl_row_tangent (&row, &fi, &fj, c.lambda, &tangent);

    memcpy (c.y, m.v, sizeof c.y);
    assert_block ("d(D v)/dx", row_along, &m, &c, 'x', 1, tangent.dv_dx);
    /* the bias is the rate of D v along the motion itself */
    double along[6];
    for (int k = 0; k < 6; k++) {
      difference (row_along, &m, &c, 'x', k, 1, &along[k]);
      rate += along[k] * m.v[k];
    }
    row_bias (&m, &bias, &c);
    hl_assert_near (bias, rate, LIMIT, 10.0 * LIMIT);
    memcpy (c.y, m.a, sizeof c.y);
    assert_block ("d(D a + d)/dx", row_acceleration, &m, &c, 'x', 1, tangent.acc_dx);
    assert_block ("d d/dv", row_bias, &m, &c, 'v', 1, tangent.acc_dv);
    assert_block ("d(D^T Lam)/dx", row_force, &m, &c, 'x', 6, tangent.force);
  }
}

static void test_row (gconstpointer data) {
  check_row ((HlRowKind)GPOINTER_TO_INT (data));
}

/* A relative angle is linear: its value is a remainder, so only its gradient is looked at. */
static void test_angle_row_turns (void) {
  HlRow row = {.kind = HL_ROW_ANGLE, .body_i = 0, .body_j = 1, .constant = 0.3};
  Motion m = {.x = {0.0, 0.0, 0.5, 0.0, 0.0, 0.9}};
  double grad[6];

  HlFrame fi = frame_of (&m, 0), fj = frame_of (&m, 1);
  hl_row_gradient (&row, &fi, &fj, grad);
  hl_assert_near (hl_row_value (&row, &fi, &fj), 0.1, 1e-14, 0.0);
  fj.psi += 6.0 * M_PI;
  hl_assert_near (hl_row_value (&row, &fi, &fj), 0.1, 1e-13, 0.0);
  for (int k = 0; k < 6; k++)
    g_assert_cmpfloat (grad[k], ==, k == 2 ? -1.0 : k == 5 ? 1.0 : 0.0);
}

/* ---- loads ---- */

typedef struct {
  const HlLoad *load;
  double value;
} LoadCase;

/* The other side; a force has the ground there, which does not move but may be turned. */
static HlFrame other_frame (const Motion *m, const HlLoad *load) {
  if (load->klass->has_direction)
    return (HlFrame){.r = {2.0, -1.0}, .psi = 0.8, .c = cos (0.8), .s = sin (0.8)};
  return frame_of (m, 1);
}

static void load_force (const Motion *m, double out[], const void *data) {
  const LoadCase *c = data;
  HlFrame fi = frame_of (m, 0), fj = other_frame (m, c->load);
  g_assert_cmpint (hl_load_force (c->load, &fi, &fj, c->value, out), ==, HL_OK);
}

static void check_load (const char *kind, bool body_frame, bool backwards) {
  for (int n = 0; n < N_STATES; n++) {
    Motion m = random_motion ();
    HlLoad load = {.klass = hl_load_class (kind),
                   .body_i = 0,
                   .body_j = 1,
                   .body_frame = body_frame,
                   .stiffness = hl_test_uniform (1.0, 5.0),
                   .damping = hl_test_uniform (0.1, 1.0),
                   .free = hl_test_uniform (0.1, 1.0)};
    LoadCase c = {.load = &load, .value = hl_test_uniform (-3.0, 3.0)};
    HlLoadTangent tangent;
    double q[6], column[6], without[6];

    random_vector (load.u_i);
    random_vector (load.u_j);
    random_direction (load.dir);
    m.x[3] += 8.0;
    if (load.klass->has_axis) {
      /* keep the slip away from 90 degrees, where the force jumps */
      double sign = backwards ? -1.0 : 1.0, roll[2], across[2];
      HlFrame frame = frame_of (&m, 0);
      hl_frame_arm (&frame, load.dir, roll, across);
      double slow = hl_test_uniform (-3.0, 3.0), speed = sign * hl_test_uniform (6.0, 9.0);
      for (int k = 0; k < 2; k++)
        m.v[k] = speed * roll[k] + slow * across[k];
    }
    HlFrame fi = frame_of (&m, 0), fj = other_frame (&m, &load);
    hl_load_tangent (&load, &fi, &fj, c.value, &tangent);
    assert_block ("Q_x", load_force, &m, &c, 'x', 6, tangent.Qx);
    assert_block ("Q_v", load_force, &m, &c, 'v', 6, tangent.Qv);

    /* linear in the signal */
    hl_load_input (&load, &fi, &fj, column);
    load_force (&m, q, &c);
    c.value = 0.0;
    load_force (&m, without, &c);
    c.value = 1.0;
    load_force (&m, q, &c);
    for (int k = 0; k < 6; k++)
      hl_assert_near (column[k], q[k] - without[k], 0.0, 1e-12);
  }
}

static void test_torque (void) {
  check_load ("torque", false, false);
}

static void test_force (void) {
  check_load ("force", false, false);
  check_load ("force", true, false);
}

static void test_spring (void) {
  check_load ("spring", false, false);
  check_load ("torsion-spring", false, false);
}

static void test_tyre (void) {
  check_load ("tyre", false, false);
  check_load ("tyre", false, true);
}

/* ---- length of a line ---- */

typedef struct {
  double u_i[2], u_j[2], v[6];
} LengthCase;

static HlLength length_at (const Motion *m, const LengthCase *c) {
  HlLength len;
  HlFrame fi = frame_of (m, 0), fj = frame_of (m, 1);
  hl_length_eval (&fi, &fj, c->u_i, c->u_j, &len);
  return len;
}

static void length_value (const Motion *m, double out[], const void *data) {
  out[0] = length_at (m, data).s;
}

static void length_rate (const Motion *m, double out[], const void *data) {
  out[0] = length_at (m, data).rate;
}

static void length_gradient (const Motion *m, double out[], const void *data) {
  HlLength len = length_at (m, data);
  memcpy (out, len.grad, sizeof len.grad);
}

/* v^T Hs v */
static void length_bias (const Motion *m, double out[], const void *data) {
  HlLength len = length_at (m, data);
  out[0] = hl_length_bias (&len, m->v[2], m->v[5]);
}

static void test_length (void) {
  for (int n = 0; n < N_STATES; n++) {
    Motion m = random_motion ();
    LengthCase c;
    double hess[36], cubic[6], hess_v[6] = {0.0}, bias = 0.0;

    m.x[3] += 8.0;
    random_vector (c.u_i);
    random_vector (c.u_j);
    HlLength len = length_at (&m, &c);
    hl_length_hessian (&len, hess);
    hl_length_cubic (&len, hess, m.v, cubic);
    for (int row = 0; row < 6; row++) {
      for (int col = 0; col < 6; col++)
        hess_v[row] += hess[6 * row + col] * m.v[col];
      bias += m.v[row] * hess_v[row];
    }
    assert_block ("s_x", length_value, &m, &c, 'x', 1, len.grad);
    assert_block ("sdot_v", length_rate, &m, &c, 'v', 1, len.grad);
    assert_block ("sdot_x", length_rate, &m, &c, 'x', 1, hess_v);
    assert_block ("Hs", length_gradient, &m, &c, 'x', 6, hess);
    assert_block ("T(v)", length_bias, &m, &c, 'x', 1, cubic);
    hl_assert_near (hl_length_bias (&len, m.v[2], m.v[5]), bias, 1e-12, 1e-12);
  }
}

/* ---- a body's own forces ---- */

typedef struct {
  HlBody body;
  HlMechanism mech;
} BodyCase;

/* Gravity and centrifugal force minus M a of body 0; the second half stays zero. */
static void body_force (const Motion *m, double out[], const void *data) {
  const BodyCase *c = data;
  HlFrame frames[2] = {{.c = 1.0}, frame_of (m, 0)};
  double inertia[3];

  memset (out, 0, 6 * sizeof (double));
  g_assert_cmpint (hl_mechanism_forces (&c->mech, frames, NULL, out, NULL), ==, HL_OK);
  hl_body_mass_times (&c->body, &frames[1], m->a, inertia);
  for (int k = 0; k < 3; k++)
    out[k] -= inertia[k];
}

static void test_body (void) {
  for (int n = 0; n < N_STATES; n++) {
    Motion m = random_motion ();
    BodyCase c = {.body = {.mass = hl_test_uniform (1.0, 3.0), .inertia = hl_test_uniform (0.5, 2.0)}};
    double Qx[36] = {0.0}, Qv[36] = {0.0};

    random_vector (c.body.com);
    c.mech = (HlMechanism){.n_bodies = 1, .bodies = &c.body};
    random_vector (c.mech.gravity);
    HlFrame frame = frame_of (&m, 0);
    for (int column = 0; column < 3; column++) {
      double e[3] = {0.0}, zero[3] = {0.0}, dx[3] = {0.0}, dv[3] = {0.0};
      e[column] = 1.0;
      hl_body_force_tangent (&c.body, c.mech.gravity, &frame, e, zero, dx);
      hl_body_force_tangent (&c.body, c.mech.gravity, &frame, zero, e, dv);
      for (int row = 0; row < 3; row++) {
        Qx[6 * row + column] = dx[row];
        Qv[6 * row + column] = dv[row];
      }
    }
    assert_block ("body Q_x", body_force, &m, &c, 'x', 6, Qx);
    assert_block ("body Q_v", body_force, &m, &c, 'v', 6, Qv);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  static const char *const rows[] = {"x", "y", "line", "angle", "length", "knife-edge"};
  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++) {
    g_autofree char *path = g_strconcat ("/derivatives-mechanics/row/", rows[k], NULL);
    g_test_add_data_func (path, GINT_TO_POINTER (k), test_row);
  }
  g_test_add_func ("/derivatives-mechanics/row/angle-counts-modulo-a-turn", test_angle_row_turns);
  g_test_add_func ("/derivatives-mechanics/load/torque", test_torque);
  g_test_add_func ("/derivatives-mechanics/load/force", test_force);
  g_test_add_func ("/derivatives-mechanics/load/springs", test_spring);
  g_test_add_func ("/derivatives-mechanics/load/tyre", test_tyre);
  g_test_add_func ("/derivatives-mechanics/length", test_length);
  g_test_add_func ("/derivatives-mechanics/body", test_body);
  return g_test_run ();
}
