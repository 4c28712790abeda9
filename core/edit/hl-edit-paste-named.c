/* SPDX-License-Identifier: MIT */
/* Formulas of what is copied. A fragment takes along the parameters that its numbers rest on. Where it
 * is pasted, names that come to the same are followed, names that are missing are added, and what
 * rests on a name that means something else there becomes the number that it was. */
#include "core/edit/hl-edit-private.h"

#include <string.h>

#include "core/document/hl-named.h"

#define PARAMETERS "parameters"

typedef struct
{
  const HlDocument *document;
  GHashTable *names; /* borrowed of `kept` */
  GPtrArray *kept;   /* owned names */
} Names;

static gboolean
has (const Names *names, const char *name)
{
  return g_hash_table_contains (names->names, name);
}

static void
add (Names *names, const char *name)
{
  char *own = g_strdup (name);

  g_ptr_array_add (names->kept, own);
  g_hash_table_add (names->names, own);
}

static Names
names_new (const HlDocument *document)
{
  return (Names){document, g_hash_table_new (g_str_hash, g_str_equal),
                 g_ptr_array_new_with_free_func (g_free)};
}

static void
names_clear (Names *names)
{
  g_hash_table_unref (names->names);
  g_ptr_array_unref (names->kept);
}

/* --- copying --- */

/* The parameters of the document that a text names, and those that these rest on. */
static void
add_used (Names *names, const char *text)
{
  g_auto (GStrv) used = text != NULL ? hl_formula_names (text) : NULL;

  for (int k = 0; used != NULL && used[k] != NULL; k++) {
    const HlValue *stated = hl_document_parameter (names->document, used[k]);
    if (stated == NULL || has (names, used[k]))
      continue;
    add (names, used[k]);
    add_used (names, hl_value_text (stated));
  }
}

static HlValue *
note_used (gpointer data, const HlValue *value, HlQuantity quantity, const char *place)
{
  (void)quantity;
  (void)place;
  add_used (data, hl_value_text (value));
  return NULL;
}

HlValue *
hl_edit_copy_parameters (const HlDocument *document, HlValue *fragment)
{
  if (hl_document_n_parameters (document) == 0)
    return fragment;
  g_autoptr (HlDocument) alone = hl_document_new (hl_value_ref (fragment));
  g_autoptr (HlValue) parameters = NULL;
  Names names = names_new (document);

  hl_value_unref (hl_document_map_texts (alone, note_used, &names));
  for (int k = 0; k < hl_document_n_parameters (document); k++) {
    const char *name = hl_document_parameter_name (document, k);
    if (!has (&names, name))
      continue;
    HlValue *more = hl_value_with_member (parameters, name,
                                          hl_value_ref (hl_document_parameter (document, name)));
    hl_value_unref (parameters);
    parameters = more;
  }
  names_clear (&names);
  if (parameters == NULL)
    return fragment;
  HlValue *with = hl_value_with_member (fragment, PARAMETERS, g_steal_pointer (&parameters));
  hl_value_unref (fragment);
  return with;
}

/* --- pasting --- */

static gboolean
uses_any (const Names *names, const char *text)
{
  g_auto (GStrv) used = text != NULL ? hl_formula_names (text) : NULL;

  for (int k = 0; used != NULL && used[k] != NULL; k++)
    if (has (names, used[k]))
      return TRUE;
  return FALSE;
}

static gboolean
is_same (const HlDocument *a, const HlDocument *b, const char *name)
{
  HlFormulaValue in_a, in_b;

  return hl_document_parameter_value (a, name, &in_a, NULL) &&
         hl_document_parameter_value (b, name, &in_b, NULL) && in_a.value == in_b.value &&
         in_a.is_open == in_b.is_open && hl_dimension_agrees (in_a.dimension, in_b.dimension);
}

/* The document's root with the fragment's parameters that it lacks, but for `others`. */
static HlValue *
with_missing (const HlDocument *document, const HlDocument *fragment, const Names *others)
{
  const HlValue *root = hl_document_root (document);
  HlValue *parameters = hl_value_ref (hl_value_member (root, PARAMETERS));
  gboolean any = FALSE;

  for (int k = 0; k < hl_document_n_parameters (fragment); k++) {
    const char *name = hl_document_parameter_name (fragment, k);
    if (hl_document_parameter (document, name) != NULL || has (others, name))
      continue;
    HlValue *more = hl_value_with_member (parameters, name,
                                          hl_value_ref (hl_document_parameter (fragment, name)));
    hl_value_unref (parameters);
    parameters = more;
    any = TRUE;
  }
  if (any)
    return hl_value_with_member (root, PARAMETERS, parameters);
  hl_value_unref (parameters);
  return hl_value_ref (root);
}

/* Fills `others`, the parameters of the fragment that do not come to the same in the document, and
 * what rests on these. */
static void
find_others (const HlDocument *document, const HlDocument *fragment, Names *others)
{
  int n = hl_document_n_parameters (fragment), before;
  g_autoptr (HlDocument) both = hl_document_new (with_missing (document, fragment, others));

  for (int k = 0; k < n; k++)
    if (!is_same (fragment, both, hl_document_parameter_name (fragment, k)))
      add (others, hl_document_parameter_name (fragment, k));
  do {
    before = (int)others->kept->len;
    for (int k = 0; k < n; k++) {
      const char *name = hl_document_parameter_name (fragment, k);
      if (!has (others, name) &&
          uses_any (others, hl_value_text (hl_document_parameter (fragment, name))))
        add (others, name);
    }
  } while ((int)others->kept->len > before);
}

static HlValue *
as_number (gpointer data, const HlValue *value, HlQuantity quantity, const char *place)
{
  (void)quantity;
  (void)place;
  return hl_value_typed (value) != NULL && uses_any (data, hl_value_typed (value))
             ? hl_value_new_number (hl_value_number (value))
             : NULL;
}

HlValue *
hl_edit_paste_parameters (const HlDocument *document, const HlValue *fragment, HlValue **root)
{
  g_autoptr (HlDocument) from = hl_document_new (hl_value_ref (fragment));
  Names others = names_new (from);

  find_others (document, from, &others);
  *root = with_missing (document, from, &others);
  HlValue *meant = hl_document_map_texts (from, as_number, &others);
  names_clear (&others);
  return meant;
}
