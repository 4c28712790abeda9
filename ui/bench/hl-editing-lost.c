/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-editing-lost.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "ui/bench/hl-editing-private.h"

void
hl_editing_note_lost (HlEditing *self, char *path, const char *formula)
{
  g_free (self->lost_path);
  g_free (self->lost_text);
  self->lost_path = path;
  self->lost_text =
      path != NULL
          ? g_strdup_printf (_ ("The formula ‘%s’ of %s became a plain number; undo brings "
                                "it back"),
                             formula, path)
          : NULL;
}

const char *
hl_editing_lost_formula (HlEditing *self)
{
  return self->lost_path != NULL &&
                 hl_document_typed (hl_editing_document (self), self->lost_path) == NULL
             ? self->lost_text
             : NULL;
}
