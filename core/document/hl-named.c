/* SPDX-License-Identifier: MIT */
/* The table of named parameters: each is evaluated once, on first need, so that those that rest on
 * others come in any order; one that is needed for itself is in a circle. */
#include "core/document/hl-named.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-path-list.h"
#include "core/document/hl-path.h"

#define MOST_LISTED 20    /* names in a message */
#define SAME_NUMBER 1e-14 /* of a formula read in another unit: its rounding */
#define MOST_CHAIN 100    /* parameters that rest on each other */

typedef enum { STATE_UNKNOWN, STATE_BUSY, STATE_GOOD, STATE_BAD } State;

typedef struct {
  State state;
  HlFormulaValue value;
  char *why; /* of a bad one */
} Entry;

struct HlNamed {
  gatomicrefcount ref_count;
  const HlValue *object; /* while the table is made */
  char **names;          /* NULL-terminated */
  GHashTable *entries;   /* name -> Entry */
  GPtrArray *chain;      /* names that are being evaluated; while the table is made */
};

static void entry_free (gpointer data) {
  Entry *entry = data;

  g_free (entry->why);
  g_free (entry);
}

/* "bore → rod → bore" */
static char *circle_text (const HlNamed *named, const char *name) {
  GString *text = g_string_new (NULL);
  guint first = 0;

  while (first < named->chain->len && strcmp (g_ptr_array_index (named->chain, first), name) != 0)
    first++;
  for (guint k = first; k < named->chain->len; k++)
    g_string_append_printf (text, "%s → ", (char *)g_ptr_array_index (named->chain, k));
  g_string_append (text, name);
  return g_string_free (text, FALSE);
}

static gboolean refuse_unknown (const HlNamed *named, const char *name, GError **error) {
  g_autofree char *near = named != NULL ? hl_path_nearest ((const char *const *)named->names, name) : NULL;
  g_autofree char *all = named != NULL && g_strv_length (named->names) <= MOST_LISTED
                             ? g_strjoinv (", ", named->names)
                             : g_strdup ("");

  if (near != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter ‘%s’; perhaps %s"), name, near);
  else if (*all != '\0')
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter ‘%s’; there are %s"), name, all);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 named != NULL ? _ ("there is no parameter ‘%s’")
                               : _ ("there is no parameter ‘%s’; the model has none yet"),
                 name);
  return FALSE;
}

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error);

static void evaluate (HlNamed *named, const char *name, Entry *entry) {
  const HlValue *stated = hl_value_member (named->object, name);
  const char *text = hl_value_text (stated);
  g_autoptr (GError) error = NULL;

  entry->state = STATE_BUSY;
  g_ptr_array_add (named->chain, (gpointer)name);
  entry->value = (HlFormulaValue){.value = hl_value_number (stated), .is_open = TRUE};
  if (named->chain->len > MOST_CHAIN)
    entry->why = g_strdup (_ ("it rests on too many others"));
  else if (!hl_formula_is_name (name))
    entry->why = g_strdup_printf (_ ("‘%s’ cannot be the name of a parameter: letters, digits and _, "
                                     "and no function"),
                                  name);
  else if (text != NULL && !hl_formula_evaluate (text, look_up, named, &entry->value, NULL, &error))
    entry->why = g_strdup (error->message);
  else if (!isfinite (entry->value.value))
    entry->why = g_strdup (_ ("it is neither a number nor a formula"));
  /* a pure number is of whatever is asked */
  entry->value.is_open = entry->value.is_open || hl_dimension_is_none (entry->value.dimension);
  entry->state = entry->why != NULL ? STATE_BAD : STATE_GOOD;
  g_ptr_array_set_size (named->chain, (int)named->chain->len - 1);
}

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  HlNamed *named = data;
  Entry *entry = named != NULL ? g_hash_table_lookup (named->entries, name) : NULL;

  if (entry == NULL)
    return refuse_unknown (named, name, error);
  if (entry->state == STATE_UNKNOWN)
    evaluate (named, name, entry);
  if (entry->state == STATE_BUSY) {
    g_autofree char *circle = circle_text (named, name);
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("it goes in a circle: %s"), circle);
    return FALSE;
  }
  if (entry->state == STATE_BAD) {
    if (strstr (entry->why, "→") != NULL)
      g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, entry->why);
    else
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("the parameter ‘%s’ has no value: %s"), name,
                   entry->why);
    return FALSE;
  }
  *value = entry->value;
  return TRUE;
}

HlNamed *hl_named_new (const HlValue *root) {
  const HlValue *object = hl_value_member (root, "parameters");
  gsize n = hl_value_is_object (object) ? hl_value_length (object) : 0;

  if (n == 0)
    return NULL;
  HlNamed *named = g_new0 (HlNamed, 1);
  g_atomic_ref_count_init (&named->ref_count);
  named->object = object;
  named->names = g_new0 (char *, n + 1);
  named->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  named->chain = g_ptr_array_new ();
  for (gsize i = 0; i < n; i++) {
    named->names[i] = g_strdup (hl_value_key (object, i));
    g_hash_table_insert (named->entries, named->names[i], g_new0 (Entry, 1));
  }
  for (gsize i = 0; i < n; i++) {
    Entry *entry = g_hash_table_lookup (named->entries, named->names[i]);
    if (entry->state == STATE_UNKNOWN)
      evaluate (named, named->names[i], entry);
  }
  g_ptr_array_unref (g_steal_pointer (&named->chain));
  named->object = NULL;
  return named;
}

HlNamed *hl_named_ref (HlNamed *named) {
  if (named != NULL)
    g_atomic_ref_count_inc (&named->ref_count);
  return named;
}

void hl_named_unref (HlNamed *named) {
  if (named == NULL || !g_atomic_ref_count_dec (&named->ref_count))
    return;
  g_hash_table_unref (named->entries);
  g_strfreev (named->names);
  g_free (named);
}

/* ---- the numbers of a document ---- */

/* A text whose formula has a value becomes a number kept as typed, and the other way round. */
static HlValue *renewed (HlNamed *named, const HlValue *value, HlQuantity quantity) {
  const char *typed = hl_value_typed (value), *text = hl_value_text (value);
  gboolean is_any = quantity == HL_N_QUANTITIES;
  HlFormulaValue any = {0};
  int n;
  double number;

  if (is_any ? !hl_formula_evaluate (text, look_up, named, &any, NULL, NULL)
             : !hl_formula_read (text, quantity, hl_quantity_units (quantity, &n), look_up, named, &number,
                                 NULL))
    return typed != NULL ? hl_value_new_string (text) : NULL;
  number = is_any ? any.value : number;
  double before = hl_value_number (value);
  return typed != NULL && memcmp (&before, &number, sizeof number) == 0 ? NULL
                                                                        : hl_value_new_typed (text, number);
}

typedef struct {
  HlNamed *named;
  gboolean found;
} Renewal;

static HlValue *renew (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  Renewal *renewal = data;

  (void)place;
  renewal->found = TRUE;
  return renewed (renewal->named, value, quantity);
}

/* The parameters themselves. */
static HlValue *with_parameters (HlNamed *named, HlValue *root) {
  const HlValue *object = hl_value_member (root, "parameters");
  HlValue *changed = hl_value_ref (object);

  for (int i = 0; named->names[i] != NULL; i++) {
    const Entry *entry = g_hash_table_lookup (named->entries, named->names[i]);
    const HlValue *stated = hl_value_member (object, named->names[i]);
    const char *typed = hl_value_typed (stated), *text = hl_value_text (stated);
    if (text == NULL || (entry->state == STATE_BAD && typed == NULL) ||
        (typed != NULL && entry->value.value == hl_value_number (stated)))
      continue;
    HlValue *with =
        hl_value_with_member (changed, named->names[i],
                              entry->state == STATE_GOOD ? hl_value_new_typed (text, entry->value.value)
                                                         : hl_value_new_string (text));
    hl_value_unref (changed);
    changed = with;
  }
  HlValue *with = hl_value_with_member (root, "parameters", changed);
  hl_value_unref (root);
  return with;
}

HlValue *hl_named_renew (HlNamed *named, const HlDocument *document, gboolean *has_texts) {
  Renewal renewal = {.named = named};
  HlValue *root = hl_document_map_texts (document, renew, &renewal);

  *has_texts = renewal.found;
  return named != NULL ? with_parameters (named, root) : root;
}

int hl_document_n_parameters (const HlDocument *document) {
  const HlNamed *named = hl_document_named (document);
  return named != NULL ? (int)g_strv_length (named->names) : 0;
}

const char *hl_document_parameter_name (const HlDocument *document, int index) {
  return index >= 0 && index < hl_document_n_parameters (document)
             ? hl_document_named (document)->names[index]
             : NULL;
}

const HlValue *hl_document_parameter (const HlDocument *document, const char *name) {
  return hl_value_member (hl_value_member (hl_document_root (document), "parameters"), name);
}

gboolean hl_document_parameter_value (const HlDocument *document, const char *name, HlFormulaValue *value,
                                      GError **error) {
  return look_up (hl_document_named (document), name, value, error);
}

gboolean hl_document_lookup (gpointer document, const char *name, HlFormulaValue *value, GError **error) {
  return hl_document_parameter_value (document, name, value, error);
}

HlQuantity hl_document_parameter_quantity (const HlDocument *document, const char *name) {
  HlQuantity quantity = HL_QUANTITY_NONE;
  HlFormulaValue value;

  if (hl_document_parameter_value (document, name, &value, NULL) && !value.is_open)
    hl_dimension_quantity (value.dimension, &quantity);
  return quantity;
}

gboolean hl_document_read_number (const HlDocument *document, const char *text, HlQuantity quantity,
                                  const HlUnit *assumed, double *si, GError **error) {
  return hl_formula_read (text, quantity, assumed, look_up, hl_document_named (document), si, error);
}

/* What is kept of a formula: with the unit of the field where it needs one, or NULL where it would not
 * come to the same. */
static char *kept_text (HlNamed *named, const char *text, HlQuantity quantity, const HlUnit *assumed,
                        double si) {
  int n;
  const HlUnit *base = hl_quantity_units (quantity, &n);
  g_autofree char *with_unit = g_strdup_printf ("(%s) %s", text, assumed->name);
  const char *const texts[] = {text, with_unit};
  double read;

  for (gsize k = 0; k < G_N_ELEMENTS (texts); k++)
    if (hl_formula_read (texts[k], quantity, base, look_up, named, &read, NULL) &&
        fabs (read - si) <= SAME_NUMBER * fabs (si))
      return g_strdup (texts[k]);
  return NULL;
}

gboolean hl_document_read_typed (const HlDocument *document, const char *typed, HlQuantity quantity,
                                 const HlUnit *assumed, double *si, char **kept, GError **error) {
  HlNamed *named = document != NULL ? hl_document_named (document) : NULL;
  g_autofree char *text = hl_formula_from_typed (typed);
  g_autoptr (GError) plainly = NULL;

  if (kept != NULL)
    *kept = NULL;
  if (hl_unit_parse_typed (typed, quantity, assumed, si, NULL, &plainly))
    return TRUE;
  g_strstrip (text);
  if (!hl_formula_read (text, quantity, assumed, look_up, named, si, error))
    return FALSE;
  if (kept != NULL)
    *kept = kept_text (named, text, quantity, assumed, *si);
  return TRUE;
}
