/* SPDX-License-Identifier: MIT */
/* A row of the solver becomes a row of columns: outputs in the order of the columns, relative ones minus their value in
 * the first row. */
#include "core/run/hl-run-recorder.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-plot-panel-settings.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Columns are found by path once, so that the rows that follow cost one addition a column. */

struct _HlRecording {
  atomic_uint ref_count;
  GArray *outputs; /* HlObservable */
  GArray *sources; /* HlColumnSource, one a column without time and linear responses */
  int n_traced;    /* of the sources */
  int n_linear;    /* outputs that are traced */
  gboolean linear;
  gboolean has_constants;
  HlColumns *columns;
};

/* While the columns are found. */
typedef struct {
  HlRecording *recording;
  const HlDocument *document;
  GHashTable *known; /* path to HlObservable */
  GArray *infos;     /* HlColumnInfo, strings borrowed but for those in `texts` */
  GPtrArray *texts;
} Finding;

static void clear_source (gpointer data) {
  g_free (((HlColumnSource *)data)->of);
}

static void note_output (const char *path, const HlObservable *output, void *known) {
  if (!g_hash_table_contains (known, path))
    g_hash_table_insert (known, g_strdup (path), g_memdup2 (output, sizeof *output));
}

static const char *keep_text (Finding *finding, char *text) {
  g_ptr_array_add (finding->texts, text);
  return text;
}

/* Returns whether a path is an output of a run; then it has a column. */
static gboolean add_output (Finding *finding, const HlProbe *probe) {
  HlRecording *self = finding->recording;
  const HlObservable *output = probe->of != NULL ? g_hash_table_lookup (finding->known, probe->of) : NULL;
  HlColumnSource source = {.output = (int)self->outputs->len, .constant = NAN, .relative = probe->relative};
  HlPathInfo path;

  if (output == NULL)
    return FALSE;
  const char *unit = hl_observable_unit (*output);
  /* a signal has the unit of what it drives */
  if (strcmp (unit, "1") == 0 && hl_path_find (finding->document, probe->of, &path, NULL))
    unit = hl_quantity_si (path.quantity);
  HlColumnInfo info = {.id = probe->id, .label = probe->label, .unit = unit};
  g_array_append_vals (self->outputs, output, 1);
  g_array_append_val (self->sources, source);
  g_array_append_val (finding->infos, info);
  return TRUE;
}

static void add_constant (Finding *finding, const HlProbe *probe) {
  HlRecording *self = finding->recording;
  HlColumnSource source = {.output = -1, .constant = NAN, .relative = probe->relative};
  HlColumnInfo info = {.id = probe->id, .label = probe->label, .unit = "1"};

  if (probe->of != NULL &&
      hl_document_get_number (finding->document, probe->of, &source.constant, &info.unit, NULL))
    source.of = g_strdup (probe->of);
  self->has_constants = self->has_constants || source.of != NULL;
  g_array_append_val (self->sources, source);
  g_array_append_val (finding->infos, info);
}

static void add_probes (Finding *finding) {
  for (int k = 0; k < hl_document_n_recorded (finding->document); k++) {
    HlProbe probe;
    if (hl_document_recorded (finding->document, k, &probe) && !add_output (finding, &probe))
      add_constant (finding, &probe);
  }
}

static gboolean add_path (Finding *finding, char *path) {
  HlProbe probe = {.id = path, .of = path, .label = path};

  keep_text (finding, path);
  return add_output (finding, &probe);
}

static void add_plotted (Finding *finding) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (finding->document);
  g_auto (GStrv) paths = hl_plot_panels_paths (panels, finding->document);

  /* without probes they are recorded already */
  for (char **path = paths; *path != NULL && hl_document_n_probes (finding->document) > 0; path++)
    add_path (finding, g_strdup (*path));
}

static gboolean add_extra (Finding *finding, const char *const *extra, GError **error) {
  for (; extra != NULL && *extra != NULL; extra++)
    if (!add_path (finding, g_strdup (*extra))) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("‘%s’ is neither a probe of the file nor an output of a run"), *extra);
      return FALSE;
    }
  return TRUE;
}

static void add_names (Finding *finding, HlSection section, const char *const *names) {
  for (int k = 0; k < hl_document_n_elements (finding->document, section); k++)
    for (const char *const *name = names; *name != NULL; name++)
      add_path (finding,
                g_strconcat (hl_document_element_id (finding->document, section, k), ".", *name, NULL));
}

static void add_drawn (Finding *finding) {
  static const char *const pose[] = {"x", "y", "angle", NULL};
  static const char *const load[] = {"signal", "force", "torque", NULL};
  static const char *const line[] = {"pressure", NULL};
  static const char *const component[] = {"command", "spool",     "s",          "speed",  "force",
                                          "flow",    "opening",   "flow_P",     "flow_T", "flow_A",
                                          "flow_B",  "rod_speed", "flow_C",     "flow_D", "swash",
                                          "angle",   "torque",    "gas_volume", NULL};
  /* of a controller, for the page of its numbers */
  static const char *const control[] = {"command.target",    "command.integral", "command.derivative",
                                        "command.value",     "signal.target",    "signal.integral",
                                        "signal.derivative", "signal.value",     NULL};

  add_names (finding, HL_SECTION_BODIES, pose);
  add_names (finding, HL_SECTION_LINES, line);
  add_names (finding, HL_SECTION_LOADS, load);
  add_names (finding, HL_SECTION_COMPONENTS, component);
  add_names (finding, HL_SECTION_COMPONENTS, control);
  add_names (finding, HL_SECTION_LOADS, control);
}

static void add_linear (Finding *finding) {
  for (int k = 0; k < finding->recording->n_traced; k++) {
    HlColumnInfo info = g_array_index (finding->infos, HlColumnInfo, k);
    info.id = keep_text (finding, g_strconcat (info.id, ".linear", NULL));
    g_array_append_val (finding->infos, info);
  }
}

static HlRecording *recording_alloc (void) {
  HlRecording *self = g_new0 (HlRecording, 1);

  atomic_init (&self->ref_count, 1);
  self->sources = g_array_new (FALSE, FALSE, sizeof (HlColumnSource));
  g_array_set_clear_func (self->sources, clear_source);
  return self;
}

HlRecording *hl_recording_new (const HlDocument *document, const HlSystem *system, HlRecordFlags flags,
                               const char *const *extra, GError **error) {
  g_autoptr (HlRecording) self = recording_alloc ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GArray) infos = g_array_new (FALSE, FALSE, sizeof (HlColumnInfo));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Finding finding = {self, document, known, infos, texts};

  self->outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable));
  self->linear = (flags & HL_RECORD_LINEAR) != 0;
  hl_observable_visit_outputs (system, note_output, known);
  add_probes (&finding);
  if ((flags & HL_RECORD_PLOTTED) != 0)
    add_plotted (&finding);
  if (!add_extra (&finding, extra, error))
    return NULL;
  self->n_traced = (int)self->sources->len;
  self->n_linear = self->linear ? (int)self->outputs->len : 0;
  if ((flags & HL_RECORD_DRAWN) != 0)
    add_drawn (&finding);
  if (self->linear)
    add_linear (&finding);
  self->columns =
      hl_columns_new ((const HlColumnInfo *)(gpointer)finding.infos->data, (int)finding.infos->len);
  return g_steal_pointer (&self);
}

HlRecording *hl_recording_ref (HlRecording *self) {
  atomic_fetch_add (&self->ref_count, 1);
  return self;
}

void hl_recording_unref (HlRecording *self) {
  if (self == NULL || atomic_fetch_sub (&self->ref_count, 1) > 1)
    return;
  g_clear_pointer (&self->outputs, g_array_unref);
  g_array_unref (self->sources);
  hl_columns_unref (self->columns);
  g_free (self);
}

static gboolean same_number (double a, double b) {
  return a == b || (isnan (a) && isnan (b));
}

HlRecording *hl_recording_of_numbers (HlRecording *self, const HlDocument *document) {
  HlRecording *copy = NULL;

  for (guint k = 0; self->has_constants && k < self->sources->len; k++) {
    const HlColumnSource *source = &g_array_index (self->sources, HlColumnSource, k);
    double now = NAN;
    if (source->of == NULL)
      continue;
    hl_document_get_number (document, source->of, &now, NULL, NULL);
    if (same_number (now, source->constant))
      continue;
    if (copy == NULL) {
      copy = recording_alloc ();
      copy->outputs = g_array_ref (self->outputs);
      copy->columns = hl_columns_ref (self->columns);
      copy->n_traced = self->n_traced;
      copy->n_linear = self->n_linear;
      copy->linear = self->linear;
      copy->has_constants = TRUE;
      g_array_append_vals (copy->sources, self->sources->data, self->sources->len);
      for (guint i = 0; i < copy->sources->len; i++) {
        HlColumnSource *mine = &g_array_index (copy->sources, HlColumnSource, i);
        mine->of = g_strdup (mine->of);
      }
    }
    g_array_index (copy->sources, HlColumnSource, k).constant = now;
  }
  return copy != NULL ? copy : hl_recording_ref (self);
}

const HlObservable *hl_recording_outputs (const HlRecording *self, int *n, int *n_linear) {
  *n = (int)self->outputs->len;
  if (n_linear != NULL)
    *n_linear = self->n_linear;
  return (const HlObservable *)(gpointer)self->outputs->data;
}

int hl_recording_n_columns (const HlRecording *self) {
  return hl_columns_n (self->columns) - 1;
}

HlResults *hl_recording_new_results (const HlRecording *self) {
  return hl_results_new_of (self->columns);
}

const HlColumnSource *hl_recording_sources (const HlRecording *self, int *n) {
  *n = (int)self->sources->len;
  return (const HlColumnSource *)(gconstpointer)self->sources->data;
}

struct _HlRecorder {
  HlRecording *recording;
  HlRowTaker taker;
  HlResults *results;
  HlCavitations *cavitations;
  double *first; /* n_outputs of the first row */
  double *row;   /* 1 + n_columns: time, then the columns */
  gint64 n_rows;
  gboolean linear; /* rows of the solver hold the linear response */
};

HlRecorder *hl_recorder_new (HlRecording *recording, const HlSystem *system, const HlRowTaker *taker) {
  HlRecorder *self = g_new0 (HlRecorder, 1);
  int n_outputs;

  hl_recording_outputs (recording, &n_outputs, NULL);
  self->recording = hl_recording_ref (recording);
  self->results = hl_recording_new_results (recording);
  self->cavitations = hl_cavitations_new (system);
  self->first = g_new0 (double, n_outputs + 1);
  self->row = g_new0 (double, hl_recording_n_columns (recording) + 1);
  hl_recorder_set_taker (self, taker);
  return self;
}

void hl_recorder_free (HlRecorder *self) {
  if (self == NULL)
    return;
  hl_recording_unref (self->recording);
  hl_results_unref (self->results);
  hl_cavitations_free (self->cavitations);
  g_free (self->first);
  g_free (self->row);
  g_free (self);
}

void hl_recorder_set_taker (HlRecorder *self, const HlRowTaker *taker) {
  self->taker = taker != NULL ? *taker : (HlRowTaker){.keeps = TRUE};
}

void hl_recorder_make_row (const HlRecording *recording, const double values[], const double first[],
                           gboolean is_linear, double out[]) {
  int n, n_outputs, n_columns = hl_recording_n_columns (recording);
  const HlColumnSource *sources = hl_recording_sources (recording, &n);

  hl_recording_outputs (recording, &n_outputs, NULL);
  const double *linear = is_linear ? values + n_outputs : NULL;
  for (int k = 0; k < n; k++) {
    int output = sources[k].output;
    if (output >= 0)
      out[k] = values[output] - (sources[k].relative ? first[output] : 0);
    else
      out[k] = sources[k].constant - (sources[k].relative ? sources[k].constant : 0);
  }
  for (int k = 0; n + k < n_columns; k++) {
    int output = sources[k].output;
    out[n + k] =
        linear != NULL && output >= 0 ? linear[output] - (sources[k].relative ? first[output] : 0) : NAN;
  }
}

static bool append_row (double t, const double values[], void *data) {
  HlRecorder *self = data;
  int n_outputs;

  if (self->n_rows++ == 0) {
    hl_recording_outputs (self->recording, &n_outputs, NULL);
    memcpy (self->first, values, sizeof (double) * (size_t)n_outputs);
  }
  self->row[0] = t;
  hl_recorder_make_row (self->recording, values, self->first, self->linear, self->row + 1);
  if (self->taker.keeps)
    hl_results_append (self->results, t, self->row + 1);
  if (self->taker.pen != NULL)
    hl_results_pen_write (self->taker.pen, self->row);
  return self->taker.row == NULL || self->taker.row (self->row, self->taker.data);
}

/* Clears the rows of the method that failed, so that they do not mix with those of the other method. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  HlRecorder *self = data;

  if (self->taker.again != NULL && !self->taker.again (method, why, self->taker.data))
    return false;
  self->n_rows = 0;
  hl_results_unref (self->results);
  self->results = hl_recording_new_results (self->recording);
  return true;
}

void hl_recorder_attach (HlRecorder *self, HlSimOptions *options) {
  options->outputs = hl_recording_outputs (self->recording, &options->n_outputs, &options->n_linear);
  options->linear = options->linear && options->n_linear > 0;
  self->linear = options->linear;
  options->row = append_row;
  options->row_data = self;
  options->again = begin_again;
  options->again_data = self;
  options->cavitations = self->cavitations;
}

HlResults *hl_recorder_results (const HlRecorder *self) {
  return self->results;
}

const HlCavitations *hl_recorder_cavitations (const HlRecorder *self) {
  return self->cavitations;
}

gint64 hl_recorder_n_rows (const HlRecorder *self) {
  return self->n_rows;
}
