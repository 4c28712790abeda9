/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-act.h"

#include "core/document/hl-named.h"
#include "core/edit/hl-edit.h"

HlDocument *hl_lesson_act_apply (const HlLessonAct *act, const HlDocument *document, GError **error) {
  switch (act->kind) {
  case HL_LESSON_SET:
  case HL_LESSON_FAULT:
    return hl_document_with_text (document, act->path, act->value, error);
  case HL_LESSON_OIL:
    return hl_edit_set_oil (document, act->name, error);
  default:
    return hl_document_ref (document);
  }
}

HlDocument *hl_lesson_put_back (const HlDocument *document, const HlDocument *model, const char *path,
                                gboolean *differs, GError **error) {
  const char *typed = hl_document_typed (model, path);
  double is, was;

  *differs = FALSE;
  if (!hl_document_get_number (document, path, &is, NULL, error) ||
      !hl_document_get_number (model, path, &was, NULL, error))
    return NULL;
  *differs = is != was;
  if (!*differs)
    return hl_document_ref (document);
  return typed != NULL ? hl_document_with_text (document, path, typed, error)
                       : hl_document_with_number (document, path, was, error);
}
