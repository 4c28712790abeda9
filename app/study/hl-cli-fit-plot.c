/* SPDX-License-Identifier: MIT */
#include "app/study/hl-cli-fit-private.h"
#include "core/base/hl-error.h"
#include "ui/paint/chart/hl-paint-fit.h"
#include "ui/paint/page/hl-figure.h"

#define TRACE_HEIGHT_MM 90.0

typedef struct
{
  HlFitPanel panels[HL_FIT_MOST_PANELS];
  int n;
} Picture;

static void
paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data)
{
  const Picture *picture = data;

  hl_paint_fit (cr, picture->panels, picture->n, area, style);
}

gboolean
hl_cli_fit_check_picture (const char *path, GError **error)
{
  HlFigureFormat format;

  if (path == NULL || hl_figure_format_from_name (path, &format))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "name the picture: --plot NAME.svg, NAME.pdf or NAME.png");
  return FALSE;
}

gboolean
hl_cli_fit_save_picture (const HlFit *fit,
                         const HlFitAnswer *answer,
                         const char *path,
                         GError **error)
{
  HlFigureOptions options = hl_figure_options_default ();
  int n = hl_fit_n_numbers (fit);
  g_autofree double *start = g_new (double, 3 * n + 1),
                    *before = g_new (double, hl_fit_n_points (fit) + 1);
  g_autoptr (GError) why = NULL;

  hl_fit_bounds (fit, start, start + n, start + 2 * n);
  g_autofree char *wrong = hl_fit_run (fit, start, before);
  Picture picture = {.n = MIN (hl_fit_n_traces (fit), HL_FIT_MOST_PANELS)};
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  for (int k = 0; k < picture.n; k++) {
    HlFitTrace trace = hl_fit_trace (fit, k);
    g_ptr_array_add (titles, hl_fit_trace_title (fit, k));
    picture.panels[k] = (HlFitPanel){.title = titles->pdata[k],
                                     .unit = trace.unit,
                                     .n = trace.n,
                                     .t = trace.t,
                                     .measured = trace.measured,
                                     .model = answer->model + trace.first,
                                     .residual = answer->residual + trace.first,
                                     .before = wrong == NULL ? before + trace.first : NULL};
  }
  options.height_mm = TRACE_HEIGHT_MM * picture.n;
  if (hl_figure_save (paint, &picture, path, &options, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}
