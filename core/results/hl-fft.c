/* SPDX-License-Identifier: MIT */
/* FFTW behind one function. Making and freeing plans is not safe in two threads at once; running
 * them is. */
#include "core/results/hl-fft.h"

#include <fftw3.h>
#include <glib.h>

G_LOCK_DEFINE_STATIC (planner);

void
hl_fft_real (int n, double x[], double re[], double im[])
{
  fftw_complex *out = fftw_malloc (sizeof (fftw_complex) * (gsize)(n / 2 + 1));

  G_LOCK (planner);
  fftw_plan plan = fftw_plan_dft_r2c_1d (n, x, out, FFTW_ESTIMATE);
  G_UNLOCK (planner);
  fftw_execute (plan);
  G_LOCK (planner);
  fftw_destroy_plan (plan);
  G_UNLOCK (planner);
  for (int k = 0; k <= n / 2; k++) {
    re[k] = out[k][0];
    im[k] = out[k][1];
  }
  fftw_free (out);
}
