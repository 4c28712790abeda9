/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"

#include <math.h>
#include <string.h>

/* The members of a study, each checked against the model before the first row is computed, so that a typing error does
 * not cost a night. */

#define MOST_N 100000000
#define MOST_MEASURES 1000

/* --- files --- */

static char *text_of (const HlValue *value) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, value);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static HlValue *put_model_inside (HlValue *taken, const char *path, GError **error) {
  g_autoptr (HlValue) root = taken;
  const HlValue *model = hl_value_member (root, "model");

  if (!hl_value_is_string (model))
    return g_steal_pointer (&root);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *file = g_path_is_absolute (hl_value_string (model))
                              ? g_strdup (hl_value_string (model))
                              : g_build_filename (folder, hl_value_string (model), NULL);
  g_autoptr (HlDocument) document = hl_document_load (file, error);
  if (document == NULL)
    return NULL;
  return hl_value_with_member (root, "model", hl_value_ref (hl_document_root (document)));
}

HlValue *hl_study_load_root (const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);
  g_autoptr (HlValue) root = text != NULL ? hl_json_parse_around (text, length, path, error) : NULL;

  if (root == NULL)
    return NULL;
  if (g_strcmp0 (hl_value_string (hl_value_member (root, "format")), HL_STUDY_FORMAT) == 0)
    return put_model_inside (g_steal_pointer (&root), path, error);
  g_autoptr (HlDocument) document = hl_document_parse (text, length, path, error);
  if (document == NULL)
    return NULL;
  HlValue *members[] = {hl_value_new_string (HL_STUDY_FORMAT), hl_value_new_number (HL_STUDY_VERSION),
                        hl_value_ref (hl_document_root (document))};
  return hl_value_new_object_take ((const char *const[]){"format", "version", "model"}, members, 3);
}

static gboolean read_model (HlStudy *self, GError **error) {
  const HlValue *model = hl_value_member (self->root, "model"), *set = hl_value_member (self->root, "set");
  const char *parameter_set = hl_value_string (hl_value_member (self->root, "parameter_set"));

  if (!hl_value_is_object (model))
    return hl_study_refuse (
        error,
        _ ("the study needs a “model”: a file name relative to the study's folder, or the model itself"));
  g_autofree char *text = text_of (model);
  g_autoptr (HlDocument) document = hl_document_parse (text, strlen (text), "model", error);
  if (document != NULL && parameter_set != NULL) {
    HlDocument *changed = hl_document_apply_set (document, parameter_set, error);
    hl_document_unref (document);
    document = changed;
  }
  for (gsize k = 0; document != NULL && k < hl_value_length (set); k++) {
    double value = hl_value_number (hl_value_member_at (set, k));
    HlDocument *changed = hl_document_with_number (document, hl_value_key (set, k), value, error);
    hl_document_unref (document);
    document = changed;
  }
  self->document = g_steal_pointer (&document);
  return self->document != NULL;
}

/* --- what varies --- */

static gboolean read_paths (HlStudyNumber *number, const HlValue *item, int place, GError **error) {
  const HlValue *path = hl_value_member (item, "path");

  if (hl_value_is_string (path) && hl_value_string (path)[0] != '\0')
    number->paths = g_strsplit (hl_value_string (path), ",", -1);
  else if (hl_value_is_array (path) && hl_value_length (path) > 0) {
    number->paths = g_new0 (char *, hl_value_length (path) + 1);
    for (gsize k = 0; k < hl_value_length (path); k++) {
      const char *one = hl_value_string (hl_value_item (path, k));
      number->paths[k] = g_strdup (one != NULL ? one : "");
    }
  } else
    return hl_study_refuse (error,
                            _ ("number %d of “vary” needs a “path”, such as cyl.friction.Fc, or a list of "
                               "paths that get the same value"),
                            place + 1);
  number->name = g_strjoinv (",", number->paths);
  return TRUE;
}

/* Checks that the path may have the lowest and the highest value of the distribution. */
static gboolean check_range (const HlStudy *self, const HlStudyNumber *number, GError **error) {
  double ends[2];

  hl_distribution_range (&number->distribution, &ends[0], &ends[1]);
  for (char **path = number->paths; *path != NULL; path++) {
    HlPathInfo info;
    double now;
    if (!hl_document_get_number (self->document, *path, &now, NULL, error) ||
        !hl_path_find (self->document, *path, &info, error))
      return FALSE;
    for (int k = 0; k < 2; k++) {
      g_autoptr (HlDocument) changed = isfinite (ends[k])
                                           ? hl_document_with_number (self->document, *path, ends[k], error)
                                           : hl_document_ref (self->document);
      if (changed == NULL)
        return FALSE;
    }
  }
  return TRUE;
}

/* Reads the start and the scale of a number in a fit or an optimization. */
static gboolean read_start (HlStudyNumber *number, const HlValue *item, GError **error) {
  const HlValue *start = hl_value_member (item, "start"), *scale = hl_value_member (item, "scale");
  double low, high;

  hl_distribution_range (&number->distribution, &low, &high);
  number->start = start != NULL ? hl_value_number (start) : NAN;
  number->scale = scale != NULL ? hl_value_number (scale) : NAN;
  if (start != NULL && !(number->start >= low && number->start <= high))
    return hl_study_refuse (error, _ ("“start” of %s must be between %s and %s"), number->name,
                            hl_shown (low, 6).text, hl_shown (high, 6).text);
  if (scale != NULL && !(number->scale > 0.0 && isfinite (number->scale)))
    return hl_study_refuse (error, _ ("“scale” of %s must be a number above 0"), number->name);
  return TRUE;
}

static gboolean read_numbers (HlStudy *self, GError **error) {
  static const char *const known[] = {"path",   "distribution", "from",   "to",      "mean",
                                      "median", "deviation",    "values", "weights", "cumulative",
                                      "start",  "scale",        NULL};
  const HlValue *list = hl_value_member (self->root, "vary");

  if (!hl_value_is_array (list) || hl_value_length (list) == 0)
    return hl_study_refuse (
        error,
        _ ("the study varies nothing; add a list “vary”, or write --vary PATH=A:B on the command line"));
  for (gsize k = 0; k < hl_value_length (list); k++) {
    const HlValue *item = hl_value_item (list, k);
    g_array_set_size (self->numbers, (guint)k + 1);
    HlStudyNumber *number = &g_array_index (self->numbers, HlStudyNumber, k);
    if (!read_paths (number, item, (int)k, error) ||
        !hl_study_check_members (item, number->name, known, error) ||
        !hl_distribution_read (&number->distribution, item, number->name, error) ||
        !check_range (self, number, error) || !read_start (number, item, error))
      return FALSE;
    for (gsize before = 0; before < k; before++)
      for (char **path = number->paths; *path != NULL; path++)
        if (g_strv_contains ((const char *const *)hl_study_number (self, (int)before)->paths, *path))
          return hl_study_refuse (error, _ ("“%s” occurs twice in “vary”; delete one of the two entries"),
                                  *path);
  }
  return TRUE;
}

static int find_number (const HlStudy *self, const char *name) {
  for (int k = 0; name != NULL && k < hl_study_n_numbers (self); k++)
    if (strcmp (hl_study_number (self, k)->name, name) == 0 ||
        strcmp (hl_study_number (self, k)->paths[0], name) == 0)
      return k;
  return -1;
}

/* Reads the correlations; NULL without an error: none. Owned by the caller. */
static double *read_correlations (const HlStudy *self, GError **error) {
  static const char *const known[] = {"between", "value", NULL};
  const HlValue *list = hl_value_member (self->root, "correlations");
  int n = hl_study_n_numbers (self);

  if (hl_value_length (list) == 0)
    return NULL;
  g_autofree double *matrix = g_new0 (double, (gsize)n *(gsize)n);
  for (int k = 0; k < n; k++)
    matrix[k + n * k] = 1.0;
  for (gsize k = 0; k < hl_value_length (list); k++) {
    const HlValue *item = hl_value_item (list, k), *pair = hl_value_member (item, "between");
    int a = find_number (self, hl_value_string (hl_value_item (pair, 0))),
        b = find_number (self, hl_value_string (hl_value_item (pair, 1)));
    double value = hl_value_number (hl_value_member (item, "value"));
    if (!hl_study_check_members (item, _ ("a correlation"), known, error))
      return NULL;
    if (a < 0 || b < 0 || a == b || !(fabs (value) < 1.0)) {
      hl_study_refuse (error,
                       _ ("correlation %d: “between” must name two numbers of “vary”, and “value” must be "
                          "between -1 and 1"),
                       (int)k + 1);
      return NULL;
    }
    matrix[a + n * b] = matrix[b + n * a] = value;
  }
  return g_steal_pointer (&matrix);
}

static gboolean read_design (HlStudy *self, GError **error) {
  static const char *const known[] = {"kind", "n", "seed", NULL};
  const HlValue *design = hl_value_member (self->root, "design");
  const char *kind = hl_value_string (hl_value_member (design, "kind"));
  double n = hl_value_number (hl_value_member (design, "n")),
         seed = hl_value_member (design, "seed") != NULL ? hl_value_number (hl_value_member (design, "seed"))
                                                         : 0.0;
  int which = 0;
  GError *why = NULL;

  if (design == NULL)
    return hl_study_refuse (error,
                            _ ("the study has no “design”; add a “design” such as {\"kind\": \"sobol\", "
                               "\"n\": 256}, or write --design sobol:256 on the command line"));
  while (hl_design_names[which] != NULL && g_strcmp0 (hl_design_names[which], kind) != 0)
    which++;
  if (hl_design_names[which] == NULL || !(n >= 1.0 && n <= MOST_N) || n != floor (n)) {
    g_autofree char *all = g_strjoinv (", ", (char **)hl_design_names);
    return hl_study_refuse (error, _ ("“design” needs a “kind” (%s) and a whole number “n” from 1 to %d"),
                            all, MOST_N);
  }
  if (!(seed >= 0.0 && seed <= 9007199254740991.0) || seed != floor (seed))
    return hl_study_refuse (error, _ ("“seed” must be a whole number from 0 to 9007199254740991"));
  if (!hl_study_check_members (design, "“design”", known, error))
    return FALSE;
  self->kind = (HlDesignKind)which;
  self->n = (int)n;
  self->seed = (guint64)seed;
  g_autofree int *levels = g_new0 (int, self->numbers->len + 1);
  for (int k = 0; k < hl_study_n_numbers (self); k++)
    levels[k] = hl_distribution_n_levels (&hl_study_number (self, k)->distribution);
  g_autofree double *correlations = read_correlations (self, &why);
  if (why == NULL)
    self->design = hl_design_new (self->kind, self->n, hl_study_n_numbers (self), levels, correlations,
                                  self->seed, &why);
  if (why != NULL)
    g_propagate_error (error, why);
  return self->design != NULL;
}

static gboolean read_measures (HlStudy *self, GError **error) {
  const HlValue *list = hl_value_member (self->root, "measures");

  if (!hl_value_is_array (list) || hl_value_length (list) == 0 || hl_value_length (list) > MOST_MEASURES)
    return hl_study_refuse (error,
                            _ ("the study has no measures, or more than %d; give “measures” a list such as "
                               "[\"max:PROBE\"], or write --measure max:PROBE on the command line"),
                            MOST_MEASURES);
  for (gsize k = 0; k < hl_value_length (list); k++) {
    HlMeasure measure;
    if (!hl_measure_read (&measure, hl_value_item (list, k), error))
      return FALSE;
    g_array_append_val (self->measures, measure);
  }
  return TRUE;
}

gboolean hl_study_check_settings (const HlValue *set, GError **error) {
  return set == NULL || hl_value_is_object (set) ||
         hl_study_refuse (error, "%s",
                          _ ("“set” must be an object; write paths with their numbers, such as "
                             "{\"cyl.friction.Fc\": 200}"));
}

/* Fills a study that has its root and empty arrays. FALSE with an error that names the member. */
static gboolean study_read (HlStudy *self, GError **error) {
  static const char *const known[] = {"format",        "version", "name",     "description", "model",
                                      "parameter_set", "set",     "vary",     "design",      "measures",
                                      "correlations",  "fit",     "optimize", NULL};
  double version = hl_value_number (hl_value_member (self->root, "version"));
  const char *name = hl_value_string (hl_value_member (self->root, "name"));

  if (g_strcmp0 (hl_value_string (hl_value_member (self->root, "format")), HL_STUDY_FORMAT) != 0)
    return hl_study_refuse (error, _ ("not a study: its “format” is not “%s”"), HL_STUDY_FORMAT);
  if (!(version >= 1.0) || version > HL_STUDY_VERSION) {
    g_set_error (error, HL_ERROR, HL_ERROR_VERSION,
                 _ ("the study has version %s; this program reads versions up to %d"),
                 hl_shown (version, 6).text, HL_STUDY_VERSION);
    return FALSE;
  }
  self->name = g_strdup (name != NULL ? name : "");
  return hl_study_check_members (self->root, _ ("a study"), known, error) &&
         hl_study_check_settings (hl_value_member (self->root, "set"), error) && read_model (self, error) &&
         read_numbers (self, error) &&
         ((self->purpose != HL_STUDY_ROWS && hl_value_member (self->root, "design") == NULL) ||
          read_design (self, error)) &&
         ((self->purpose == HL_STUDY_FIT && hl_value_member (self->root, "measures") == NULL) ||
          read_measures (self, error));
}

/* --- the command line --- */

static gboolean parse_number (const char *text, double *value) {
  char *end = NULL;

  *value = g_ascii_strtod (text, &end);
  return *text != '\0' && *end == '\0' && isfinite (*value) && strpbrk (text, "xX ") == NULL;
}

HlValue *hl_study_vary_of_text (const char *text, GError **error) {
  const char *sign = strchr (text, '=');
  g_auto (GStrv) parts = g_strsplit (sign != NULL ? sign + 1 : "", ":", -1);
  guint n = g_strv_length (parts);
  double from, to;

  if (sign != NULL && sign > text && (n == 2 || (n == 3 && strcmp (parts[2], "log") == 0)) &&
      parse_number (parts[0], &from) && parse_number (parts[1], &to)) {
    HlValue *members[] = {
        NULL,
        hl_value_new_string (n == 3 ? "log-uniform" : "uniform"),
        hl_value_new_number (from),
        hl_value_new_number (to),
    };
    g_autofree char *path = g_strndup (text, (gsize)(sign - text));
    members[0] = hl_value_new_string (path);
    return hl_value_new_object_take ((const char *const[]){"path", "distribution", "from", "to"}, members, 4);
  }
  g_auto (GStrv) list = g_strsplit (n == 1 ? parts[0] : "", ",", -1);
  guint n_values = g_strv_length (list);
  g_autofree double *values = g_new (double, n_values + 1);
  gboolean ok = sign != NULL && sign > text && n == 1 && n_values > 0;
  for (guint k = 0; ok && k < n_values; k++)
    ok = parse_number (list[k], &values[k]);
  if (ok) {
    g_autofree char *path = g_strndup (text, (gsize)(sign - text));
    HlValue *members[] = {hl_value_new_string (path), hl_value_new_string ("table"),
                          hl_value_new_numbers (values, n_values)};
    return hl_value_new_object_take ((const char *const[]){"path", "distribution", "values"}, members, 3);
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("--vary ‘%s’ is neither a range nor a list of values; write PATH=A:B, PATH=A:B:log or "
                  "PATH=VALUE,VALUE, such as cyl.friction.Fc=100:300"),
               text);
  return NULL;
}

HlValue *hl_study_design_of_text (const char *text, GError **error) {
  const char *colon = strchr (text, ':');
  double n;

  if (colon != NULL && parse_number (colon + 1, &n)) {
    g_autofree char *kind = g_strndup (text, (gsize)(colon - text));
    HlValue *members[] = {hl_value_new_string (kind), hl_value_new_number (n)};
    return hl_value_new_object_take ((const char *const[]){"kind", "n"}, members, 2);
  }
  g_autofree char *all = g_strjoinv (":N, ", (char **)hl_design_names);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("--design ‘%s’ is not a known design; write one of %s, a colon and the number of rows, "
                  "such as sobol:256"),
               text, all);
  return NULL;
}

gboolean hl_study_refuse (GError **error, const char *format, ...) {
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_SYNTAX, text);
  return FALSE;
}

gboolean hl_study_check_members (const HlValue *object, const char *what, const char *const known[],
                                 GError **error) {
  if (hl_value_is_array (object))
    return hl_study_refuse (error, _ ("%s must be an object, not a list"), what);
  for (gsize k = 0; k < hl_value_length (object); k++)
    if (!g_strv_contains (known, hl_value_key (object, k))) {
      g_autofree char *all = g_strjoinv (", ", (char **)known);
      return hl_study_refuse (error, _ ("%s has no key “%s”; the keys are %s"), what,
                              hl_value_key (object, k), all);
    }
  return TRUE;
}

static void clear_number (gpointer data) {
  HlStudyNumber *number = data;

  g_free (number->name);
  g_strfreev (number->paths);
  hl_distribution_clear (&number->distribution);
}

static void clear_measure (gpointer data) {
  hl_measure_clear (data);
}

HlStudy *hl_study_new_for (HlValue *root, HlStudyPurpose purpose, GError **error) {
  g_autoptr (HlStudy) self = g_new0 (HlStudy, 1);

  self->root = root;
  self->purpose = purpose;
  self->numbers = g_array_new (FALSE, TRUE, sizeof (HlStudyNumber));
  self->measures = g_array_new (FALSE, TRUE, sizeof (HlMeasure));
  g_array_set_clear_func (self->numbers, clear_number);
  g_array_set_clear_func (self->measures, clear_measure);
  return study_read (self, error) ? g_steal_pointer (&self) : NULL;
}

HlStudy *hl_study_new (HlValue *root, GError **error) {
  return hl_study_new_for (root, HL_STUDY_ROWS, error);
}

void hl_study_free (HlStudy *self) {
  if (self == NULL)
    return;
  hl_value_unref (self->root);
  if (self->document != NULL)
    hl_document_unref (self->document);
  g_free (self->name);
  g_array_unref (self->numbers);
  g_array_unref (self->measures);
  if (self->design != NULL)
    hl_design_free (self->design);
  g_free (self);
}

/* --- asking --- */

int hl_study_n_rows (const HlStudy *self) {
  return self->design != NULL ? hl_design_n_rows (self->design) : 0;
}

int hl_study_n_numbers (const HlStudy *self) {
  return (int)self->numbers->len;
}

int hl_study_n_measures (const HlStudy *self) {
  return (int)self->measures->len;
}

const HlStudyNumber *hl_study_number (const HlStudy *self, int number) {
  return &g_array_index (self->numbers, HlStudyNumber, number);
}

const HlMeasure *hl_study_measure (const HlStudy *self, int measure) {
  return &g_array_index (self->measures, HlMeasure, measure);
}

gboolean hl_study_has_limits (const HlStudy *self) {
  for (int k = 0; k < hl_study_n_measures (self); k++) {
    const HlMeasure *measure = hl_study_measure (self, k);
    if (!isinf (measure->low) || !isinf (measure->high))
      return TRUE;
  }
  return FALSE;
}

void hl_study_values (const HlStudy *self, int row, double values[]) {
  g_autofree HlPlace *places = g_new (HlPlace, self->numbers->len + 1);

  hl_design_row (self->design, row, places);
  for (int k = 0; k < hl_study_n_numbers (self); k++) {
    const HlStudyNumber *number = hl_study_number (self, k);
    if (places[k].is_own)
      hl_document_get_number (self->document, number->paths[0], &values[k], NULL, NULL);
    else
      values[k] = places[k].levels > 0
                      ? hl_distribution_level (&number->distribution, places[k].level, places[k].levels)
                      : hl_distribution_quantile (&number->distribution, places[k].u);
  }
}

char *hl_study_text (const HlStudy *self) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, self->root);
  g_string_append_c (text, '\n');
  return g_string_free (g_steal_pointer (&text), FALSE);
}
