/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-null-text.h"

#include "core/base/hl-i18n.h"

#include <string.h>

#define ARROW " → "

static gboolean is_named (const HlLinearization *lin, int block) {
  return lin->null_names != NULL && lin->null_names[block] != NULL;
}

/* One Jordan block, from its head down to its null vector: "held articulation → heading → lateral
 * position". Owned by the caller. */
static char *text_of_block (const HlLinearization *lin, int block) {
  return g_strdup (is_named (lin, block) ? lin->null_names[block] : _ ("null"));
}

/* Whether a block before this one has the same name. */
static gboolean is_repeated (const HlLinearization *lin, int block) {
  for (int before = 0; before < block && is_named (lin, block); before++)
    if (is_named (lin, before) && strcmp (lin->null_names[before], lin->null_names[block]) == 0)
      return TRUE;
  return FALSE;
}

char *hl_null_text_lines (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int block = 0; block < lin->n_null_blocks; block++) {
    int count = 0;
    if (is_repeated (lin, block))
      continue;
    for (int other = block; other < lin->n_null_blocks; other++)
      if (is_named (lin, other) == is_named (lin, block) &&
          (!is_named (lin, block) || strcmp (lin->null_names[other], lin->null_names[block]) == 0))
        count += lin->null_blocks[other];
    g_autofree char *name = text_of_block (lin, block);
    g_string_append (text, text->len > 0 ? "\n" : "");
    if (count > 1)
      g_string_append_printf (text, "%d× ", count);
    g_string_append (text, name);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_null_text_short (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int block = 0; block < lin->n_null_blocks; block++) {
    g_autofree char *name = text_of_block (lin, block);
    const char *last = g_strrstr (name, ARROW);
    last = last != NULL ? last + strlen (ARROW) : name;
    if (!is_repeated (lin, block) && strstr (text->str, last) == NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", last);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
