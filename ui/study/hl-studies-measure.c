/* SPDX-License-Identifier: MIT */
/* The measures of a study in its form: lines, limits, and the list to choose from. */
#include "ui/study/hl-studies-form-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "core/document/hl-trace.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>
#include <string.h>

/* What a run may be asked about a probe. */
static const struct
{
  const char *name, *words;
} kinds[] = {
    {"max", N_ ("largest")},
    {"min", N_ ("smallest")},
    {"last", N_ ("last")},
    {"mean", N_ ("mean")},
    {"rms", N_ ("root mean square")},
    {"settling", N_ ("settling time")},
    {"overshoot", N_ ("overshoot")},
    {"rise", N_ ("rise time")},
    {"max-time", N_ ("when largest")},
};

/* What needs no probe. */
static const struct
{
  const char *name, *words;
} others[] = {
    {"lost:*", N_ ("energy lost, all together")},
    {"supplied:*", N_ ("energy supplied, all together")},
    {"reached", N_ ("time to which the run came")},
    {"growth", N_ ("largest Re λ at the start")},
    {"damping", N_ ("least damping ratio at the start")},
};

/* Of "KIND:PROBE": which of `kinds`, and the probe in *of (owned by the caller); -1: another one. */
static int
kind_of (const char *text, char **of)
{
  const char *colon = text != NULL ? strchr (text, ':') : NULL;

  *of = NULL;
  for (gsize k = 0; colon != NULL && strchr (colon + 1, ':') == NULL && k < G_N_ELEMENTS (kinds);
       k++)
    if (strlen (kinds[k].name) == (gsize)(colon - text) &&
        strncmp (kinds[k].name, text, (gsize)(colon - text)) == 0) {
      *of = g_strdup (colon + 1);
      return (int)k;
    }
  return -1;
}

static HlValue *
with_limits (HlValue *taken, HlStudiesLine *line)
{
  static const char *const keys[2] = {"min", "max"};
  g_autoptr (HlValue) item = taken;

  for (int k = 0; k < 2; k++) {
    double value = hl_studies_line_value (line, k);
    if (isnan (value) && hl_value_member (item, keys[k]) == NULL)
      continue;
    if (!hl_value_is_object (item)) {
      HlValue *member = hl_value_ref (item);
      hl_value_unref (item);
      item = hl_value_new_object_take ((const char *const[]){"measure"}, &member, 1);
    }
    HlValue *next = isnan (value) ? hl_value_without_member (item, keys[k])
                                  : hl_study_draft_with_number (item, keys[k], value);
    hl_value_unref (item);
    item = next;
  }
  return g_steal_pointer (&item);
}

static void
measure_edited_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  int place = hl_studies_form_place (GTK_WIDGET (line)), which = hl_studies_line_choice (line);
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, place);
  g_autofree char *of = NULL;
  int before = kind_of (hl_study_draft_measure (item), &of);

  if (item == NULL)
    return;
  HlValue *next = hl_value_ref (item);
  if (before >= 0 && which != before) {
    g_autofree char *text = g_strdup_printf ("%s:%s", kinds[which].name, of);
    hl_value_unref (next);
    next = hl_study_draft_with_measure (item, text);
  }
  hl_studies_form_change (
      self, hl_study_draft_put (self->draft, HL_STUDY_MEASURES, place, with_limits (next, line)),
      which != before);
}

static void
measure_removed_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  hl_studies_form_change (self,
                          hl_study_draft_put (self->draft, HL_STUDY_MEASURES,
                                              hl_studies_form_place (GTK_WIDGET (line)), NULL),
                          TRUE);
}

/* What the limits of a measure are counted in. */
static HlQuantity
quantity_of (HlStudiesForm *self, int kind, const char *of)
{
  HlTraceInfo info = hl_trace_info (hl_studies_form_document (self), of);

  return kind <= 3 ? info.quantity
         : strcmp (kinds[kind].name, "rms") == 0
             ? hl_quantity_of_si (hl_quantity_si (info.quantity))
         : strcmp (kinds[kind].name, "overshoot") == 0 ? HL_QUANTITY_NONE
                                                       : HL_QUANTITY_TIME;
}

static const char *
words_of (const char *measure)
{
  for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
    if (g_strcmp0 (others[k].name, measure) == 0)
      return _ (others[k].words);
  return measure != NULL ? measure : "";
}

char *
hl_studies_form_measure_title (HlStudiesForm *self, const char *text)
{
  g_autofree char *of = NULL;
  int which = kind_of (text, &of);

  if (which < 0)
    return g_strdup (words_of (text));
  HlTraceInfo info = hl_trace_info (hl_studies_form_document (self), of);
  return g_strdup_printf ("%s: %s", info.known ? info.label : of, _ (kinds[which].words));
}

void
hl_studies_form_add_measure_line (HlStudiesForm *self, int place)
{
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, place);
  const char *text = hl_study_draft_measure (item);
  const char *const hints[2] = {_ ("min"), _ ("max")};
  GtkWidget *widget =
      hl_studies_form_new_line (self, HL_STUDY_MEASURES, place, G_CALLBACK (measure_edited_cb),
                                G_CALLBACK (measure_removed_cb));
  HlStudiesLine *line = HL_STUDIES_LINE (widget);
  g_autofree char *of = NULL;
  int which = kind_of (text, &of);
  const char *words[G_N_ELEMENTS (kinds) + 1] = {NULL};

  if (which < 0) {
    hl_studies_line_set_title (line, words_of (text), text);
    hl_studies_line_set_choices (line, NULL, NULL, 0);
    hl_studies_line_set_numbers (line, NULL, NULL);
    return;
  }
  HlTraceInfo info = hl_trace_info (hl_studies_form_document (self), of);
  g_autofree char *detail =
      info.known ? g_strdup (text) : g_strdup_printf (_ ("The model has nothing called %s"), of);
  hl_studies_line_set_title (line, info.known ? info.label : of, detail);
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    words[k] = _ (kinds[k].words);
  hl_studies_line_set_choices (line, words, _ ("What is measured of it"), which);
  hl_studies_line_set_numbers (
      line, hints,
      hl_units_get (hl_workbench_units (self->workbench), quantity_of (self, which, of)));
  hl_studies_line_set_value (line, 0, hl_value_number (hl_value_member (item, "min")));
  hl_studies_line_set_value (line, 1, hl_value_number (hl_value_member (item, "max")));
}

gboolean
hl_studies_form_add_measure (HlStudiesForm *self, const char *text)
{
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++)
    if (g_strcmp0 (hl_study_draft_measure (hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k)),
                   text) == 0)
      return FALSE;
  hl_studies_form_change (
      self, hl_study_draft_put (self->draft, HL_STUDY_MEASURES, -1, hl_value_new_string (text)),
      TRUE);
  return TRUE;
}

/* Its largest value, or the first thing about it that is not measured yet. */
gboolean
hl_studies_form_add_measure_of (HlStudiesForm *self, const char *trace)
{
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autofree char *text = g_strdup_printf ("%s:%s", kinds[k].name, trace);
    if (hl_studies_form_add_measure (self, text))
      return TRUE;
  }
  return FALSE;
}

void
hl_studies_form_fill_measures (HlStudiesForm *self)
{
  g_autoptr (GPtrArray) probes = hl_trace_entries_of_probes (hl_studies_form_document (self));
  g_auto (GStrv) paths = hl_document_list_paths (hl_studies_form_document (self), FALSE);
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->measure_texts, 0);
  gtk_string_list_append (words, _ ("Add a measure…"));
  g_ptr_array_add (self->measure_texts, g_strdup (""));
  for (guint k = 0; k < probes->len; k++) {
    const HlTraceEntry *entry = probes->pdata[k];
    gtk_string_list_append (words, entry->title);
    g_ptr_array_add (self->measure_texts, g_strdup (entry->trace));
  }
  for (gsize k = 0; k < G_N_ELEMENTS (others); k++) {
    gtk_string_list_append (words, _ (others[k].words));
    g_ptr_array_add (self->measure_texts, g_strconcat ("=", others[k].name, NULL));
  }
  for (char **path = paths; *path != NULL; path++) {
    HlPathInfo info;
    if (!hl_path_find (hl_studies_form_document (self), *path, &info, NULL) ||
        info.type != HL_PATH_OUTPUT)
      continue;
    gtk_string_list_append (words, *path);
    g_ptr_array_add (self->measure_texts, g_strdup (*path));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_measure), G_LIST_MODEL (words));
}
