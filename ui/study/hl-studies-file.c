/* SPDX-License-Identifier: MIT */
/* Studies as files: opened, saved, and named by the model. */
#include "ui/study/hl-studies-window-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-study-reference.h"
#include "ui/widget/hl-file-chooser.h"

#include <string.h>

#define ENDING ".hlstudy"
#define USUAL_ROWS 256

void
hl_studies_show_title (HlStudiesWindow *self)
{
  g_autofree char *name = self->path != NULL ? g_path_get_basename (self->path) : NULL;
  gboolean is_saved =
      self->saved != NULL && hl_value_equal (self->saved, hl_studies_form_draft (self->form));
  g_autofree char *title = name == NULL ? g_strdup (_ ("Studies"))
                           : is_saved   ? g_strdup_printf (_ ("Studies: %s"), name)
                                        : g_strdup_printf (_ ("Studies: %s, changed"), name);

  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void
note_saved (HlStudiesWindow *self)
{
  hl_value_unref (self->saved);
  self->saved = hl_value_ref (hl_studies_form_draft (self->form));
  hl_studies_show_title (self);
}

/* The files that the model names, behind what begins a new one. */
void
hl_studies_fill_pick (HlStudiesWindow *self)
{
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (hl_studies_editing (self)));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *model = hl_editing_path (hl_studies_editing (self));
  guint at = 0;

  self->filling = TRUE;
  gtk_string_list_append (names, _ ("New study"));
  for (guint k = 0; files[k] != NULL; k++) {
    g_autofree char *path = hl_file_reference_path (files[k], model);
    gtk_string_list_append (names, files[k]);
    if (g_strcmp0 (path, self->path) == 0)
      at = k + 1;
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick), at);
  gtk_widget_set_visible (self->pick, files[0] != NULL);
  gtk_widget_set_visible (self->forget, at > 0);
  self->filling = FALSE;
}

gboolean
hl_studies_window_load (HlStudiesWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlValue) draft = hl_study_draft_load (path, &error);

  if (draft == NULL) {
    hl_studies_say (self, error->message);
    hl_studies_fill_pick (self);
    return FALSE;
  }
  hl_studies_forget_job (self);
  hl_studies_form_set_draft (self->form, draft);
  g_free (self->path);
  self->path = g_canonicalize_filename (path, NULL);
  note_saved (self);
  hl_studies_say (self, "");
  hl_studies_fill_pick (self);
  hl_studies_show_activity (self);
  return TRUE;
}

/* What the form is for stays. */
static void
take_near_tables (HlStudiesWindow *self, const HlValue *draft)
{
  HlStudyPurpose purpose = hl_studies_form_purpose (self->form);

  hl_studies_form_set_draft (self->form, draft);
  hl_studies_form_set_purpose (self->form, purpose);
}

/* A model without a place of its own goes into the file. */
gboolean
hl_studies_window_save (HlStudiesWindow *self, const char *path)
{
  const char *model = hl_editing_path (hl_studies_editing (self));
  const HlDocument *document = hl_editing_document (hl_studies_editing (self));
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = model != NULL ? hl_file_reference_name (model, absolute) : NULL;
  g_autofree char *reference = hl_file_reference_name (absolute, model);
  g_autoptr (HlValue) near =
      hl_study_draft_with_near_tables (hl_studies_form_draft (self->form), absolute);
  g_autoptr (HlValue) draft =
      model != NULL ? hl_value_ref (near) : hl_study_draft_with_model (near, document);
  g_autoptr (GError) error = NULL;

  if (!hl_study_draft_save (draft, absolute, name, &error)) {
    hl_studies_say (self, error->message);
    return FALSE;
  }
  g_free (self->path);
  self->path = g_steal_pointer (&absolute);
  if (!hl_value_equal (near, hl_studies_form_draft (self->form)))
    take_near_tables (self, near);
  note_saved (self);
  HlDocument *named = hl_edit_put_study (document, reference);
  if (named == document)
    hl_document_unref (named);
  else {
    hl_editing_end_gesture (hl_studies_editing (self));
    hl_editing_commit (hl_studies_editing (self), named, _ ("Name a study in the model"), NULL);
  }
  g_autofree char *told = g_strdup_printf (_ ("Saved as %s; the model names it."), reference);
  hl_studies_say (self, told);
  hl_studies_fill_pick (self);
  return TRUE;
}

static void
chooser_response_cb (HlFileChooser *dialog, int response, HlStudiesWindow *self)
{
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  gboolean saves = hl_file_chooser_saves (dialog);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response != GTK_RESPONSE_ACCEPT || path == NULL)
    return;
  g_autofree char *named =
      g_str_has_suffix (path, ENDING) ? g_strdup (path) : g_strconcat (path, ENDING, NULL);
  if (!saves)
    hl_studies_window_load (self, path);
  else if (strcmp (named, path) != 0 && g_file_test (named, G_FILE_TEST_EXISTS)) {
    /* the chooser has asked about the other name only */
    g_autofree char *text =
        g_strdup_printf (_ ("“%s” is there already: type this name to replace it"), named);
    hl_studies_say (self, text);
  } else
    hl_studies_window_save (self, named);
}

static void
ask_file (HlStudiesWindow *self, gboolean saves)
{
  HlFileChooser *native =
      hl_file_chooser_new (saves ? _ ("Save the study") : _ ("Open a study"), GTK_WINDOW (self),
                           saves, saves ? _ ("_Save") : _ ("_Open"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  const char *model = hl_editing_path (hl_studies_editing (self));

  gtk_file_filter_set_name (filter, _ ("Studies (.hlstudy)"));
  gtk_file_filter_add_pattern (filter, "*" ENDING);
  hl_file_chooser_add_filter (native, filter);
  if (model != NULL) {
    g_autofree char *absolute = g_canonicalize_filename (model, NULL);
    g_autofree char *folder = g_path_get_dirname (absolute);
    g_autoptr (GFile) place = g_file_new_for_path (folder);
    hl_file_chooser_set_folder (native, place);
  }
  if (saves) {
    g_autofree char *base = g_path_get_basename (model != NULL ? model : "study");
    char *dot = strrchr (base, '.');
    if (dot != NULL)
      *dot = '\0';
    g_autofree char *name = g_strconcat (base, ENDING, NULL);
    hl_file_chooser_set_name (native, name);
  }
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = native;
  g_signal_connect_object (native, "response", G_CALLBACK (chooser_response_cb), self, 0);
  hl_file_chooser_show (native);
}

void
hl_studies_open_cb (HlStudiesWindow *self)
{
  ask_file (self, FALSE);
}

void
hl_studies_save_cb (HlStudiesWindow *self)
{
  if (self->path != NULL)
    hl_studies_window_save (self, self->path);
  else
    ask_file (self, TRUE);
}

void
hl_studies_picked_cb (HlStudiesWindow *self)
{
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (hl_studies_editing (self)));
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick));

  if (self->filling || which == GTK_INVALID_LIST_POSITION || which > g_strv_length (files))
    return;
  if (which > 0) {
    g_autofree char *path =
        hl_file_reference_path (files[which - 1], hl_editing_path (hl_studies_editing (self)));
    hl_studies_window_load (self, path);
    return;
  }
  g_autoptr (HlValue) draft = hl_study_draft_new (USUAL_ROWS);
  hl_studies_forget_job (self);
  hl_studies_form_set_draft (self->form, draft);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->saved, hl_value_unref);
  hl_studies_show_title (self);
  hl_studies_show_activity (self);
}

/* The file stays, and so does what is shown. */
void
hl_studies_forget_cb (HlStudiesWindow *self)
{
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (hl_studies_editing (self)));
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick));

  if (which == 0 || which > g_strv_length (files))
    return;
  hl_editing_end_gesture (hl_studies_editing (self));
  hl_editing_commit (
      hl_studies_editing (self),
      hl_edit_remove_study (hl_editing_document (hl_studies_editing (self)), files[which - 1]),
      _ ("Name a study no more"), NULL);
  hl_studies_fill_pick (self);
}
