/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-experiment-slides.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

#define FORMAT "hydrolink-experiments"
#define VERSION 1

static const char *const panes[] = {"circuit", "linkage", "plots", "locus", NULL};

static void free_experiment (gpointer data) {
  HlExperiment *experiment = data;

  g_free (experiment->name);
  g_free (experiment->note);
  g_strfreev (experiment->shows);
  if (experiment->document != NULL)
    hl_document_unref (experiment->document);
  g_free (experiment);
}

/* Replaces the document by the next one of a chain; does nothing after an error. */
static void go_on (HlDocument **document, HlDocument *next) {
  hl_document_unref (*document);
  *document = next;
}

static void set_numbers (HlDocument **document, const HlValue *numbers, GError **error) {
  for (gsize k = 0; k < hl_value_length (numbers) && *document != NULL; k++) {
    const HlValue *value = hl_value_member_at (numbers, k);
    char buffer[HL_NUMBER_TEXT];
    const char *text = hl_value_string (value);
    if (text == NULL && isfinite (hl_value_number (value)))
      text = hl_number_text (buffer, hl_value_number (value));
    if (text == NULL)
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("“%s” is neither a number nor a text with a number"),
                   hl_value_key (numbers, k));
    go_on (document,
           text != NULL ? hl_document_with_text (*document, hl_value_key (numbers, k), text, error) : NULL);
  }
}

/* Replaces signals of the document by those of the file, by paths such as "dcv.command". */
static void set_signals (HlDocument **document, const HlValue *signals, GError **error) {
  for (gsize k = 0; k < hl_value_length (signals) && *document != NULL; k++) {
    g_auto (GStrv) parts = g_strsplit (hl_value_key (signals, k), ".", 2);
    HlDocument *next = NULL;
    if (parts[0] == NULL || parts[1] == NULL)
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("“%s” is not a path of a signal; write ID.SIGNAL, such as valve.command"),
                   hl_value_key (signals, k));
    else
      next =
          hl_edit_set (*document, parts[0], parts[1], hl_value_ref (hl_value_member_at (signals, k)), error);
    go_on (document, next);
  }
}

static gboolean read_shows (HlExperiment *experiment, const HlValue *shows, GError **error) {
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (gsize k = 0; k < hl_value_length (shows); k++) {
    const char *pane = hl_value_string (hl_value_item (shows, k));
    if (pane == NULL || !g_strv_contains (panes, pane)) {
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("“%s” is not a pane that can be shown; write circuit, linkage, plots or locus"),
                   pane != NULL ? pane : "?");
      return FALSE;
    }
    g_ptr_array_add (names, g_strdup (pane));
  }
  g_ptr_array_add (names, NULL);
  g_ptr_array_set_free_func (names, NULL);
  experiment->shows = (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
  return TRUE;
}

/* Checks for unknown words in an experiment, which are usually typing mistakes; numbers and signals have
 * paths before their values. */
static gboolean check_words (const HlValue *value, GError **error) {
  static const char *const lists[] = {"numbers", "signals"};
  static const char *const words[] = {"name",    "note",    "model", "set",  "oil",
                                      "numbers", "signals", "t_end", "show", NULL};

  for (gsize k = 0; k < hl_value_length (value); k++)
    if (!g_strv_contains (words, hl_value_key (value, k))) {
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("“%s” is not a key of an experiment; correct or remove this key"),
                   hl_value_key (value, k));
      return FALSE;
    }
  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++) {
    const HlValue *list = hl_value_member (value, lists[k]);
    if (list != NULL && !hl_value_is_object (list)) {
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("“%s” must be an object of paths and values, such as {\"cyl.bore\": 0.05}; write such "
                      "an object"),
                   lists[k]);
      return FALSE;
    }
  }
  return TRUE;
}

/* Returns the model of a file, which is read once for all experiments with it. A new reference. */
static HlDocument *load_once (GHashTable *models, const char *path, GError **error) {
  HlDocument *document = g_hash_table_lookup (models, path);

  if (document == NULL) {
    document = hl_document_load (path, error);
    if (document == NULL)
      return NULL;
    g_hash_table_insert (models, g_strdup (path), document);
  }
  return hl_document_ref (document);
}

static HlDocument *make_document (const HlValue *value, GHashTable *models, const char *folder,
                                  const char *model, GError **error) {
  const char *own = hl_value_string (hl_value_member (value, "model"));
  const char *set = hl_value_string (hl_value_member (value, "set"));
  const char *oil = hl_value_string (hl_value_member (value, "oil"));
  double t_end = hl_value_number (hl_value_member (value, "t_end"));

  if (own == NULL && model == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s",
                 _ ("the experiment has no “model”, and the file has no “model” for all experiments; add one "
                    "of the two"));
    return NULL;
  }
  g_autofree char *path = g_canonicalize_filename (own != NULL ? own : model, folder);
  HlDocument *document = load_once (models, path, error);
  if (document != NULL && set != NULL)
    go_on (&document, hl_document_apply_set (document, set, error));
  if (document != NULL && oil != NULL && hl_oil_model_find (oil) == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                 _ ("“%s” is not an oil model; write lumped, hybrid or quasistatic"), oil);
    go_on (&document, NULL);
  }
  if (document != NULL && oil != NULL)
    go_on (&document, hl_edit_set_oil (document, oil, error));
  if (document != NULL)
    set_numbers (&document, hl_value_member (value, "numbers"), error);
  if (document != NULL)
    set_signals (&document, hl_value_member (value, "signals"), error);
  if (document != NULL && isfinite (t_end))
    go_on (&document, hl_edit_set (document, "simulation", "t_end", hl_value_new_number (t_end), error));
  return document;
}

static HlExperiment *read_experiment (const HlValue *value, GHashTable *models, const char *folder,
                                      const char *model, GError **error) {
  HlExperiment *experiment = g_new0 (HlExperiment, 1);

  experiment->name = g_strdup (hl_value_string (hl_value_member (value, "name")));
  experiment->note = g_strdup (hl_value_string (hl_value_member (value, "note")));
  if (experiment->name == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s", _ ("the experiment has no “name”; give it one"));
  else if (check_words (value, error) && read_shows (experiment, hl_value_member (value, "show"), error))
    experiment->document = make_document (value, models, folder, model, error);
  if (experiment->document != NULL)
    return experiment;
  free_experiment (experiment);
  return NULL;
}

GPtrArray *hl_experiments_parse (const char *text, gsize length, const char *folder, const char *name,
                                 GError **error) {
  g_autoptr (HlValue) whole = hl_json_parse (text, length, name, error);
  const HlValue *list = hl_value_member (whole, "experiments");
  const char *model = hl_value_string (hl_value_member (whole, "model"));

  if (whole == NULL)
    return NULL;
  if (g_strcmp0 (hl_value_string (hl_value_member (whole, "format")), FORMAT) != 0 ||
      !hl_value_is_array (list) || hl_value_length (list) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s: %s", name,
                 _ ("not a list of experiments; a list has \"format\": \"hydrolink-experiments\" and a list "
                    "“experiments” that is not empty"));
    return NULL;
  }
  if (hl_value_number (hl_value_member (whole, "version")) > VERSION) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_VERSION, "%s: %s", name,
        _ ("the experiments were written for a newer version of this program; install the newer version"));
    return NULL;
  }
  g_autoptr (GPtrArray) experiments = g_ptr_array_new_with_free_func (free_experiment);
  g_autoptr (GHashTable) models =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)hl_document_unref);
  for (gsize k = 0; k < hl_value_length (list); k++) {
    HlExperiment *one = read_experiment (hl_value_item (list, k), models, folder, model, error);
    if (one == NULL) {
      const char *own = hl_value_string (hl_value_member (hl_value_item (list, k), "name"));
      g_prefix_error (error, _ ("%s: experiment %u (%s): "), name, (guint)k + 1, own != NULL ? own : "?");
      return NULL;
    }
    g_ptr_array_add (experiments, one);
  }
  return g_steal_pointer (&experiments);
}

GPtrArray *hl_experiments_load (const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);

  return text != NULL ? hl_experiments_parse (text, length, whole, path, error) : NULL;
}
