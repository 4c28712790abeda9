/* SPDX-License-Identifier: MIT */
/* The measured tables that a study is fitted to: chosen from those that the model names, from a file,
 * or dropped. */
#include "ui/study/hl-studies-form-private.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-measured-shelf.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-file-chooser.h"

#include <math.h>
#include <string.h>

#define FROM_FILE "?"
#define USUAL_OFFSET 0.1 /* to both sides [s] */

static const char *
file_of (const HlValue *item)
{
  return hl_value_string (hl_value_member (item, "file"));
}

/* A number stays as it is until the offset is to be found. */
static void
edited_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  int place = hl_studies_form_place (GTK_WIDGET (line));
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, place);
  gboolean was_sought = hl_value_is_object (hl_value_member (item, "offset")),
           is_sought = hl_studies_line_choice (line) == 1;
  double from = hl_studies_line_value (line, 0), to = hl_studies_line_value (line, 1);

  if (item == NULL)
    return;
  if (!is_sought) {
    if (was_sought)
      hl_studies_form_change (self,
                              hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, place,
                                                  hl_value_without_member (item, "offset")),
                              TRUE);
    return;
  }
  HlValue *ends[] = {hl_value_new_number (was_sought && isfinite (from) ? from : -USUAL_OFFSET),
                     hl_value_new_number (was_sought && isfinite (to) ? to : USUAL_OFFSET)};
  HlValue *offset = hl_value_new_object_take ((const char *const[]){"from", "to"}, ends, 2);
  hl_studies_form_change (self,
                          hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, place,
                                              hl_value_with_member (item, "offset", offset)),
                          !was_sought);
}

static void
removed_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  hl_studies_form_change (self,
                          hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS,
                                              hl_studies_form_place (GTK_WIDGET (line)), NULL),
                          TRUE);
}

void
hl_studies_form_add_table_line (HlStudiesForm *self, int place)
{
  const char *const words[] = {_ ("times as they stand there"),
                               _ ("with a time offset to be found"), NULL};
  const char *const hints[] = {_ ("from"), _ ("to")};
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, place),
                *offset = hl_value_member (item, "offset");
  HlStudiesLine *line = HL_STUDIES_LINE (hl_studies_form_new_line (
      self, HL_STUDY_FIT_RUNS, place, G_CALLBACK (edited_cb), G_CALLBACK (removed_cb)));
  const char *file = file_of (item);
  g_autofree char *name = g_path_get_basename (file != NULL ? file : "");
  gboolean is_sought = hl_value_is_object (offset);

  hl_studies_line_set_title (line, name, file);
  hl_studies_line_set_choices (line, words, _ ("Its times"), is_sought);
  hl_studies_line_set_numbers (line, is_sought ? hints : NULL,
                               is_sought ? hl_quantity_default_unit (HL_QUANTITY_TIME) : NULL);
  if (!is_sought)
    return;
  hl_studies_line_set_value (line, 0, hl_value_number (hl_value_member (offset, "from")));
  hl_studies_line_set_value (line, 1, hl_value_number (hl_value_member (offset, "to")));
}

gboolean
hl_studies_form_add_table (HlStudiesForm *self, const char *path)
{
  HlValue *file = hl_value_new_string (path);
  HlValue *item = hl_value_new_object_take ((const char *const[]){"file"}, &file, 1);

  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_FIT_RUNS); k++)
    if (g_strcmp0 (file_of (hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, k)), path) == 0) {
      hl_value_unref (item);
      return FALSE;
    }
  self->purpose = HL_STUDY_FIT;
  hl_studies_form_change (self, hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, -1, item),
                          TRUE);
  return TRUE;
}

void
hl_studies_form_fill_tables (HlStudiesForm *self)
{
  GPtrArray *shelf =
      hl_measured_shelf_data (hl_runs_measured (hl_workbench_runs (self->workbench)));
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->table_texts, 0);
  gtk_string_list_append (words, _ ("Add measured data…"));
  g_ptr_array_add (self->table_texts, g_strdup (""));
  for (guint k = 0; k < shelf->len; k++) {
    const HlMeasuredData *data = shelf->pdata[k];
    gtk_string_list_append (words, data->name);
    g_ptr_array_add (self->table_texts, g_strdup (data->path));
  }
  gtk_string_list_append (words, _ ("From a file…"));
  g_ptr_array_add (self->table_texts, g_strdup (FROM_FILE));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_table), G_LIST_MODEL (words));
}

static void
response_cb (HlFileChooser *dialog, int response, HlStudiesForm *self)
{
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    hl_studies_form_add_table (self, path);
}

static void
ask_file (HlStudiesForm *self)
{
  HlFileChooser *native = hl_file_chooser_new (_ ("Measured data"),
                                               GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                               FALSE, _ ("_Open"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Tables (.csv)"));
  gtk_file_filter_add_pattern (filter, "*.csv");
  hl_file_chooser_add_filter (native, filter);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = native;
  g_signal_connect_object (native, "response", G_CALLBACK (response_cb), self, 0);
  hl_file_chooser_show (native);
}

void
hl_studies_form_table_added_cb (HlStudiesForm *self)
{
  const char *path = hl_studies_form_take_chosen (self, self->add_table, self->table_texts);

  if (g_strcmp0 (path, FROM_FILE) == 0)
    ask_file (self);
  else if (path != NULL)
    hl_studies_form_add_table (self, path);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlStudiesForm *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  gboolean any = FALSE;

  for (GSList *l = files; l != NULL; l = l->next) {
    const char *path = g_file_peek_path (l->data);
    if (path != NULL && g_str_has_suffix (path, ".csv"))
      any = hl_studies_form_add_table (self, path) || any;
  }
  return any;
}

void
hl_studies_form_take_files (HlStudiesForm *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
