/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-sensitivity-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-widget-template.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"

#include <math.h>

enum {
  COLUMN_LAMBDA, /* text, sorted by the real part */
  COLUMN_SLIDER,
  COLUMN_D_RE, /* per SI unit of the slider */
  COLUMN_D_IM,
  COLUMN_RELATIVE, /* p |d lambda/d p| / |lambda| */
  COLUMN_ERROR,    /* of the same, estimated */
  COLUMN_NOTE,     /* reason for a missing slope, or a remark */
  N_COLUMNS
};

#define DIGITS 4

struct _HlSensitivityWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlDataTable *table;
  GtkWidget *verdict;
};

/* The number with the largest effect on an eigenvalue. */
typedef struct {
  double relative; /* p |d lambda/d p| / |lambda| */
  double growth;   /* p d Re lambda/d p */
  double re, im;
  const char *slider; /* borrowed; NULL: nothing does */
} Strongest;

G_DEFINE_FINAL_TYPE (HlSensitivityWindow, hl_sensitivity_window, GTK_TYPE_WINDOW)

static char *lambda_text (double re, double im) {
  char real[48], imaginary[48];

  hl_axis_format (re, DIGITS + 1, real, sizeof real);
  hl_axis_format (fabs (im), DIGITS + 1, imaginary, sizeof imaginary);
  return im == 0 ? g_strdup (real) : g_strdup_printf ("%s ± %s i", real, imaginary);
}

/* Returns the note of a parameter. Owned by the caller. */
static char *note_text (const HlSensitivity *s, int at) {
  switch (s->kind[at]) {
  case HL_SENSITIVITY_ONE_SIDED:
    return g_strdup (_ ("one side only"));
  case HL_SENSITIVITY_KINK: {
    g_autofree char *above = lambda_text (s->above_re[at], s->above_im[at]);
    g_autofree char *below = lambda_text (s->below_re[at], s->below_im[at]);
    return g_strdup_printf (_ ("kink: %s above, %s below"), above, below);
  }
  case HL_SENSITIVITY_JUMP:
    return g_strdup (_ ("jumps here"));
  case HL_SENSITIVITY_REPEATED:
    return g_strdup (_ ("repeated eigenvalue: it splits"));
  case HL_SENSITIVITY_STUCK:
    return g_strdup (_ ("no start state next to it"));
  default:
    return g_strdup ("");
  }
}

/* Adds a row. The texts are eigenvalue, slider and note; the other columns show their numbers. */
static void add_row (HlSensitivityWindow *self, const char *const texts[3], const double numbers[N_COLUMNS]) {
  const char *cells[N_COLUMNS] = {
      [COLUMN_LAMBDA] = texts[0], [COLUMN_SLIDER] = texts[1], [COLUMN_NOTE] = texts[2]};
  char formatted[N_COLUMNS][48];

  for (int k = 0; k < N_COLUMNS; k++)
    if (cells[k] == NULL) {
      hl_axis_format (numbers[k], DIGITS, formatted[k], sizeof formatted[k]);
      cells[k] = isfinite (numbers[k]) ? formatted[k] : "–";
    }
  hl_data_table_add (self->table, cells, numbers);
}

static void write_verdict (HlSensitivityWindow *self, const Strongest *most) {
  g_autofree char *text = NULL;

  if (most->slider != NULL) {
    g_autofree char *lambda = lambda_text (most->re, most->im);
    const char *where = most->growth > 0   ? _ ("towards instability")
                        : most->growth < 0 ? _ ("away from instability")
                                           : _ ("no effect on stability");
    text = g_strdup_printf (_ ("%s has the largest effect on λ = %s: 1 %% more changes it by %s %%, %s."),
                            most->slider, lambda, hl_shown (most->relative, 3).text, where);
  }
  gtk_label_set_text (GTK_LABEL (self->verdict), text != NULL ? text : "");
  gtk_widget_set_visible (self->verdict, text != NULL);
}

static void refresh (HlSensitivityWindow *self) {
  const HlSensitivity *s = hl_locus_study_sensitivity (hl_workbench_locus (self->workbench));
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  Strongest most = {0};

  for (int p = 0; s != NULL && p < s->n_parameters && p < (int)model_sliders->len; p++) {
    const HlModelSlider *model_slider = model_sliders->pdata[p];
    double value =
        hl_model_slider_value (model_slider, hl_editing_document (hl_workbench_editing (self->workbench)));
    for (int e = 0; e < s->n_states; e++) {
      if (s->null[e] || s->im[e] < 0)
        continue;
      int at = p * s->n_states + e;
      double size = hypot (s->re[e], s->im[e]);
      double relative = fabs (value) * hypot (s->d_re[at], s->d_im[at]) / size;
      g_autofree char *lambda = lambda_text (s->re[e], s->im[e]);
      g_autofree char *note = note_text (s, at);
      if (isfinite (relative) && relative > most.relative && *note == '\0')
        most = (Strongest){relative, value * s->d_re[at], s->re[e], s->im[e], model_slider->label};
      add_row (self, (const char *[]){lambda, model_slider->label, note},
               (const double[N_COLUMNS]){
                   [COLUMN_LAMBDA] = s->re[e],
                   [COLUMN_D_RE] = s->d_re[at],
                   [COLUMN_D_IM] = s->d_im[at],
                   [COLUMN_RELATIVE] = isnan (s->d_re[at]) ? -INFINITY : relative,
                   [COLUMN_ERROR] = fabs (value) * s->error[at] / size,
               });
    }
  }
  hl_data_table_show (self->table);
  write_verdict (self, &most);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlSensitivityWindow *self) {
  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_KNOBS))
    refresh (self);
}

static void hl_sensitivity_window_dispose (GObject *object) {
  HlSensitivityWindow *self = HL_SENSITIVITY_WINDOW (object);

  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_sensitivity_window_parent_class)->dispose (object);
}

static void hl_sensitivity_window_class_init (HlSensitivityWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_sensitivity_window_dispose;
  g_type_ensure (HL_TYPE_DATA_TABLE);
  hl_widget_tree_load (klass, "hl-sensitivity-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlSensitivityWindow, table);
  HL_TREE_CHILD (klass, HlSensitivityWindow, verdict);
}

static void hl_sensitivity_window_init (HlSensitivityWindow *self) {
  const char *per_unit = _ ("Per SI unit of the slider");
  const HlDataTableColumn columns[N_COLUMNS] = {
      [COLUMN_LAMBDA] = {"λ [rad/s]", _ ("Eigenvalue"), .order = HL_DATA_TABLE_BY_NUMBER},
      [COLUMN_SLIDER] = {_ ("slider p"), _ ("The parameter"), .is_wide = TRUE,
                         .order = HL_DATA_TABLE_BY_TEXT},
      [COLUMN_D_RE] = {"∂Re λ/∂p", per_unit, TRUE, .order = HL_DATA_TABLE_BY_NUMBER},
      [COLUMN_D_IM] = {"∂Im λ/∂p", per_unit, TRUE, .order = HL_DATA_TABLE_BY_NUMBER},
      [COLUMN_RELATIVE] = {"p |∂λ/∂p| / |λ|",
                           _ ("Relative change of the eigenvalue per relative change of the "
                              "slider"),
                           TRUE, .is_bar = TRUE, .order = HL_DATA_TABLE_BY_NUMBER},
      [COLUMN_ERROR] = {_ ("error"), _ ("Estimated error of the relative sensitivity"), TRUE,
                        .order = HL_DATA_TABLE_BY_NUMBER},
      [COLUMN_NOTE] = {_ ("note"), _ ("Why there is no slope, or where it is valid"),
                       .order = HL_DATA_TABLE_BY_TEXT},
  };
  HlDataTableColumn resizable[N_COLUMNS];

  for (int k = 0; k < N_COLUMNS; k++) {
    resizable[k] = columns[k];
    resizable[k].is_resizable = TRUE;
  }
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_data_table_set_columns (self->table, _ ("Sensitivities"), resizable, N_COLUMNS);
  hl_data_table_sort (self->table, COLUMN_RELATIVE, GTK_SORT_DESCENDING);
}

GtkWidget *hl_sensitivity_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlSensitivityWindow *self = g_object_new (HL_TYPE_SENSITIVITY_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self);
  return GTK_WIDGET (self);
}
