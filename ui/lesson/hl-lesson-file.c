/* SPDX-License-Identifier: MIT */
#include "ui/lesson/hl-lesson-file.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-file.h"
#include "core/io/hl-json.h"

#include <string.h>

gboolean hl_lesson_file_is (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, HL_LESSON_SUFFIX);
}

GFile *hl_lesson_file_translated (GFile *file, const char *const *languages) {
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (HL_LESSON_SUFFIX));

  for (int k = 0; folder != NULL && languages[k] != NULL; k++) {
    g_autofree char *other = g_strdup_printf ("%s.%s" HL_LESSON_SUFFIX, stem, languages[k]);
    g_autoptr (GFile) candidate = g_file_get_child (folder, other);
    if (strpbrk (languages[k], "/\\") == NULL && g_file_query_exists (candidate, NULL))
      return g_steal_pointer (&candidate);
  }
  return g_object_ref (file);
}

static HlDocument *read_model (GFile *file, const HlLesson *lesson, GPtrArray *problems) {
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) model = g_file_resolve_relative_path (folder, lesson->model);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read_place (model, HL_JSON_MAX_BYTES, &length, &error);
  HlDocument *document = text != NULL ? hl_document_parse (text, length, lesson->model, &error) : NULL;

  if (document == NULL)
    hl_lesson_problem_add (problems, lesson->model_line, _ ("the model cannot be opened: %s"),
                           error->message);
  return document;
}

HlLesson *hl_lesson_file_read (GFile *file, HlDocument **document, GPtrArray *problems) {
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read_place (file, HL_LESSON_MAX_BYTES, &length, &error);

  if (text == NULL) {
    hl_lesson_problem_add (problems, 0, "%s", error->message);
    return NULL;
  }
  g_autoptr (HlLesson) lesson = hl_lesson_parse (text, length, problems);
  *document = lesson != NULL ? read_model (file, lesson, problems) : NULL;
  return *document != NULL ? g_steal_pointer (&lesson) : NULL;
}
