/* SPDX-License-Identifier: MIT */
/* Computed in double precision from the nodes alone (theory/integration.md (1)-(4)): A from the collocation conditions,
 * the eigenvalues of A^-1 as the roots of the denominator of the stability function, the (s-1, s) Pade quotient of exp, T
 * from the eigenvectors, e from the conditions of order s with the weight 1/g of the slope at the start. The test of
 * the method holds them to these definitions and to the published ones. */
#include "core/solve/hl-radau-tableau.h"

#include <string.h>

static const HlRadauTableau tableaus[] = {
    {
        .n_stages = 3,
        .c = {0.15505102572168217, 0.64494897427831788, 1},
        .T = {0.09443876248897537, 0.25021312296533338, 1, -0.14125529502095399, 0.20412935229380003, 1,
              0.030029194105147441, -0.38294211275726153, 0},
        .T_inverse = {4.1787185915519061, -4.1787185915519061, 0.50287263494578716, 0.32768282076106298,
                      -0.32768282076106298, -2.5719269498556079, 0.52337644549944873, 0.47662355450055127,
                      0.59603920482822559},
        .g = 3.6378342527444953,
        .a = {2.6810828736277528},
        .b = {3.050430199247411},
        .e = {-10.048809399827418, 1.3821427331607494, -0.3333333333333337},
    },
    {
        .n_stages = 5,
        .c = {0.057104196114517669, 0.2768430136381238, 0.58359043236891683, 0.86024013565621948, 1},
        .T = {0.01357686734494826,   0.0016179004017190367,  0.079157853347448445,  0.41225608268046077,  1,
              -0.010242047817909597, 0.050172864517373759,   -0.23053953404342489,  0.37789390224886577,  1,
              -0.047673877290297345, 0.094331819181613763,   -0.10270304538012502,  -0.46674413033250101, 0,
              -0.011478515255229464, -0.0076688307491798741, 0.019398463998828584,  0.40760117128019885,  1,
              0.014019858892875032,  -0.024708578426517969,  -0.081800353703750509, -0.19968242788680318, 0},
        .T_inverse = {27.697693775683923,  5.3441864378348853,   -3.7480598074397564,   -33.041880213518809,
                      8.6114439798753377,  12.783337911304393,   4.5936155677590973,    3.9849657363438387,
                      -17.376953479063491, -9.6999914095287139,  3.2084893867133539,    -3.0363603234593066,
                      1.0444156416080044,  -0.17212906325404753, -1.914728639696968,    -0.9514904122488983,
                      1.0506601902314063,  -1.1840985681379081,  -0.099169777982508089, -2.4186920060849522,
                      0.74155049602597767, -0.27277861186428043, 0.44991777015676343,   0.53122811583830276,
                      1.0474634879353466},
        .g = 6.2867047517292631,
        .a = {3.655694325463573, 5.7009532986717923},
        .b = {6.5437368993600744, 3.2102656003085546},
        .e = {-27.780933944064635, 3.6414784980492048, -1.2525477211691196, 0.59200316718454227,
              -0.20000000000000018},
    }};

const HlRadauTableau *hl_radau_tableau (int method) {
  return &tableaus[method];
}

static void transform_3 (const double M[9], int n, double *const from[3], double *const to[3]) {
  /* not read anew behind every number that is written */
  const double m[9] = {M[0], M[1], M[2], M[3], M[4], M[5], M[6], M[7], M[8]};
  const double *from_0 = from[0], *from_1 = from[1], *from_2 = from[2];
  double *to_0 = to[0], *to_1 = to[1], *to_2 = to[2];

  for (int i = 0; i < n; i++) {
    double x = from_0[i], y = from_1[i], z = from_2[i];

    to_0[i] = m[0] * x + m[3] * y + m[6] * z;
    to_1[i] = m[1] * x + m[4] * y + m[7] * z;
    to_2[i] = m[2] * x + m[5] * y + m[8] * z;
  }
}

static void transform_5 (const double M[25], int n, double *const from[5], double *const to[5]) {
  double m[25];
  double *f0 = from[0], *f1 = from[1], *f2 = from[2], *f3 = from[3], *f4 = from[4];
  double *t0 = to[0], *t1 = to[1], *t2 = to[2], *t3 = to[3], *t4 = to[4];

  memcpy (m, M, sizeof m);
  for (int i = 0; i < n; i++) {
    double a = f0[i], b = f1[i], c = f2[i], d = f3[i], e = f4[i];

    t0[i] = m[0] * a + m[5] * b + m[10] * c + m[15] * d + m[20] * e;
    t1[i] = m[1] * a + m[6] * b + m[11] * c + m[16] * d + m[21] * e;
    t2[i] = m[2] * a + m[7] * b + m[12] * c + m[17] * d + m[22] * e;
    t3[i] = m[3] * a + m[8] * b + m[13] * c + m[18] * d + m[23] * e;
    t4[i] = m[4] * a + m[9] * b + m[14] * c + m[19] * d + m[24] * e;
  }
}

void hl_radau_tableau_transform (const HlRadauTableau *self, const double M[], int n, double *const from[],
                                 double *const to[]) {
  if (self->n_stages == 3)
    transform_3 (M, n, from, to);
  else
    transform_5 (M, n, from, to);
}
