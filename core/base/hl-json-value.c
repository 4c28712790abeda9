/* SPDX-License-Identifier: MIT */
/* Immutable JSON trees. Keys are GRefStrings, so copies of an object share them; children are shared by
 * reference count. Objects are searched linearly, since those of a model file have a dozen members; the few
 * large ones, places on a drawing and points of the ground, get an index at their first search, from any
 * thread. */
#include "core/base/hl-json-value.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define MOST_LINEAR 24 /* members of an object that is searched linearly */

struct _HlValue {
  gatomicrefcount ref_count;
  HlValueType type;
  union {
    gboolean truth;
    struct {
      double number;
      char *typed; /* or NULL */
    };
    char *text;
    struct {
      gsize n;
      HlValue **children;
      char **keys;                  /* GRefStrings; NULL for an array */
      _Atomic (GHashTable *) index; /* key to 1 + its place; of large objects, NULL: not yet */
    } list;
  };
};

static HlValue *value_new (HlValueType type) {
  HlValue *value = g_new0 (HlValue, 1);

  g_atomic_ref_count_init (&value->ref_count);
  value->type = type;
  return value;
}

static HlValue *list_new (HlValueType type, gsize n) {
  HlValue *value = value_new (type);

  value->list.n = n;
  value->list.children = g_new0 (HlValue *, n);
  if (type == HL_VALUE_OBJECT)
    value->list.keys = g_new0 (char *, n);
  return value;
}

HlValue *hl_value_new_null (void) {
  return value_new (HL_VALUE_NULL);
}

HlValue *hl_value_new_boolean (gboolean truth) {
  HlValue *value = value_new (HL_VALUE_BOOLEAN);
  value->truth = truth != FALSE;
  return value;
}

HlValue *hl_value_new_number (double number) {
  HlValue *value = value_new (HL_VALUE_NUMBER);
  value->number = number;
  return value;
}

HlValue *hl_value_new_typed (const char *text, double number) {
  HlValue *value = hl_value_new_number (number);
  value->typed = g_strdup (text);
  return value;
}

HlValue *hl_value_new_string (const char *text) {
  HlValue *value = value_new (HL_VALUE_STRING);
  value->text = g_strdup (text != NULL ? text : "");
  return value;
}

HlValue *hl_value_new_array (void) {
  return list_new (HL_VALUE_ARRAY, 0);
}

HlValue *hl_value_new_object (void) {
  return list_new (HL_VALUE_OBJECT, 0);
}

HlValue *hl_value_new_array_take (HlValue *const *items, gsize n) {
  HlValue *value = list_new (HL_VALUE_ARRAY, n);

  for (gsize i = 0; i < n; i++)
    value->list.children[i] = items[i];
  return value;
}

HlValue *hl_value_new_object_take (const char *const *keys, HlValue *const *members, gsize n) {
  HlValue *value = list_new (HL_VALUE_OBJECT, n);

  for (gsize i = 0; i < n; i++) {
    value->list.keys[i] = g_ref_string_new (keys[i]);
    value->list.children[i] = members[i];
  }
  return value;
}

HlValue *hl_value_new_numbers (const double *numbers, gsize n) {
  HlValue *value = list_new (HL_VALUE_ARRAY, n);

  for (gsize i = 0; i < n; i++)
    value->list.children[i] = hl_value_new_number (numbers[i]);
  return value;
}

HlValue *hl_value_ref (const HlValue *value) {
  HlValue *shared = (HlValue *)value;

  if (shared != NULL)
    g_atomic_ref_count_inc (&shared->ref_count);
  return shared;
}

void hl_value_unref (HlValue *value) {
  if (value == NULL || !g_atomic_ref_count_dec (&value->ref_count))
    return;
  if (value->type == HL_VALUE_STRING)
    g_free (value->text);
  if (value->type == HL_VALUE_NUMBER)
    g_free (value->typed);
  if (value->type == HL_VALUE_ARRAY || value->type == HL_VALUE_OBJECT) {
    for (gsize i = 0; i < value->list.n; i++) {
      hl_value_unref (value->list.children[i]);
      if (value->list.keys != NULL)
        g_ref_string_release (value->list.keys[i]);
    }
    g_free (value->list.children);
    g_free (value->list.keys);
    GHashTable *index = atomic_load (&value->list.index);
    if (index != NULL)
      g_hash_table_unref (index);
  }
  g_free (value);
}

HlValueType hl_value_type (const HlValue *value) {
  return value != NULL ? value->type : HL_VALUE_NULL;
}

gboolean hl_value_is_number (const HlValue *value) {
  return value != NULL && value->type == HL_VALUE_NUMBER;
}

gboolean hl_value_is_string (const HlValue *value) {
  return value != NULL && value->type == HL_VALUE_STRING;
}

gboolean hl_value_is_array (const HlValue *value) {
  return value != NULL && value->type == HL_VALUE_ARRAY;
}

gboolean hl_value_is_object (const HlValue *value) {
  return value != NULL && value->type == HL_VALUE_OBJECT;
}

double hl_value_number (const HlValue *value) {
  return hl_value_is_number (value) ? value->number : NAN;
}

const char *hl_value_string (const HlValue *value) {
  return hl_value_is_string (value) ? value->text : NULL;
}

const char *hl_value_typed (const HlValue *value) {
  return hl_value_is_number (value) ? value->typed : NULL;
}

const char *hl_value_text (const HlValue *value) {
  const char *typed = hl_value_typed (value);
  return typed != NULL ? typed : hl_value_string (value);
}

gboolean hl_value_boolean (const HlValue *value) {
  return value != NULL && value->type == HL_VALUE_BOOLEAN && value->truth;
}

gsize hl_value_length (const HlValue *value) {
  return hl_value_is_array (value) || hl_value_is_object (value) ? value->list.n : 0;
}

const HlValue *hl_value_item (const HlValue *array, gsize i) {
  return hl_value_is_array (array) && i < array->list.n ? array->list.children[i] : NULL;
}

const char *hl_value_key (const HlValue *object, gsize i) {
  return hl_value_is_object (object) && i < object->list.n ? object->list.keys[i] : NULL;
}

const HlValue *hl_value_member_at (const HlValue *object, gsize i) {
  return hl_value_is_object (object) && i < object->list.n ? object->list.children[i] : NULL;
}

/* Returns the first one of keys that are alike counts, as when one goes through them. */
static GHashTable *index_of (const HlValue *object) {
  HlValue *mutable = (HlValue *)object;
  GHashTable *index = atomic_load_explicit (&mutable->list.index, memory_order_acquire);

  if (index != NULL)
    return index;
  index = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = object->list.n; i-- > 0;)
    g_hash_table_insert (index, object->list.keys[i], GSIZE_TO_POINTER (i + 1));
  GHashTable *other = NULL;
  if (atomic_compare_exchange_strong (&mutable->list.index, &other, index))
    return index;
  g_hash_table_unref (index);
  return other;
}

gssize hl_value_find_key (const HlValue *object, const char *key) {
  if (!hl_value_is_object (object))
    return -1;
  if (object->list.n > MOST_LINEAR)
    return (gssize)GPOINTER_TO_SIZE (g_hash_table_lookup (index_of (object), key)) - 1;
  /* most differ in their first letter, and pictures of large drawings compare often */
  for (gsize i = 0; i < object->list.n; i++)
    if (object->list.keys[i][0] == key[0] && strcmp (object->list.keys[i], key) == 0)
      return (gssize)i;
  return -1;
}

const HlValue *hl_value_member (const HlValue *object, const char *key) {
  gssize at = hl_value_find_key (object, key);
  return at >= 0 ? object->list.children[at] : NULL;
}

/* Returns the index meant by one part of a dotted name inside an array; -1 when it is no plain number. */
static gssize part_index (const char *part) {
  if (*part == '\0' || strlen (part) > 9)
    return -1;
  for (const char *c = part; *c != '\0'; c++)
    if (!g_ascii_isdigit (*c))
      return -1;
  return (gssize)g_ascii_strtoll (part, NULL, 10);
}

static const HlValue *child_of (const HlValue *value, const char *part) {
  if (hl_value_is_array (value)) {
    gssize i = part_index (part);
    return i >= 0 ? hl_value_item (value, (gsize)i) : NULL;
  }
  return hl_value_member (value, part);
}

/* Splits "friction.Fc" into its first part (owned) and the rest (NULL when there is none). */
static char *first_part (const char *dotted, const char **rest) {
  const char *dot = strchr (dotted, '.');

  *rest = dot != NULL ? dot + 1 : NULL;
  return dot != NULL ? g_strndup (dotted, (gsize)(dot - dotted)) : g_strdup (dotted);
}

const HlValue *hl_value_at (const HlValue *value, const char *dotted) {
  while (value != NULL && dotted != NULL) {
    g_autofree char *part = first_part (dotted, &dotted);
    value = child_of (value, part);
  }
  return value;
}

/* Copies a list with room for `n` children, of which the first `n_shared` from `from` on are shared. */
static void share_children (HlValue *copy, gsize to, const HlValue *list, gsize from, gsize n) {
  for (gsize i = 0; i < n; i++) {
    copy->list.children[to + i] = hl_value_ref (list->list.children[from + i]);
    if (copy->list.keys != NULL)
      copy->list.keys[to + i] = g_ref_string_acquire (list->list.keys[from + i]);
  }
}

/* Returns the copy of a list with child i replaced by `child` (taken). */
static HlValue *with_child (const HlValue *list, gsize i, HlValue *child) {
  HlValue *copy = list_new (list->type, list->list.n);

  share_children (copy, 0, list, 0, list->list.n);
  hl_value_unref (copy->list.children[i]);
  copy->list.children[i] = child;
  return copy;
}

static HlValue *without_child (const HlValue *list, gsize i) {
  HlValue *copy = list_new (list->type, list->list.n - 1);

  share_children (copy, 0, list, 0, i);
  share_children (copy, i, list, i + 1, list->list.n - i - 1);
  return copy;
}

HlValue *hl_value_with_member (const HlValue *object, const char *key, HlValue *member) {
  if (!hl_value_is_object (object))
    return hl_value_new_object_take (&key, &member, 1);
  gssize at = hl_value_find_key (object, key);
  if (at >= 0)
    return with_child (object, (gsize)at, member);
  HlValue *copy = list_new (HL_VALUE_OBJECT, object->list.n + 1);
  share_children (copy, 0, object, 0, object->list.n);
  copy->list.keys[object->list.n] = g_ref_string_new (key);
  copy->list.children[object->list.n] = member;
  return copy;
}

HlValue *hl_value_without_member (const HlValue *object, const char *key) {
  gssize at = hl_value_find_key (object, key);
  return at >= 0 ? without_child (object, (gsize)at) : hl_value_ref (object);
}

HlValue *hl_value_with_key_renamed (const HlValue *object, const char *key, const char *new_key) {
  gssize at = hl_value_find_key (object, key);

  if (at < 0)
    return hl_value_ref (object);
  HlValue *copy = list_new (HL_VALUE_OBJECT, object->list.n);
  share_children (copy, 0, object, 0, object->list.n);
  g_ref_string_release (copy->list.keys[at]);
  copy->list.keys[at] = g_ref_string_new (new_key);
  return copy;
}

HlValue *hl_value_with_item (const HlValue *array, gsize i, HlValue *item) {
  if (!hl_value_is_array (array) || i >= array->list.n)
    return hl_value_with_inserted (array, i, item);
  return with_child (array, i, item);
}

HlValue *hl_value_with_inserted (const HlValue *array, gsize i, HlValue *item) {
  if (!hl_value_is_array (array))
    return hl_value_new_array_take (&item, 1);
  gsize n = array->list.n;
  gsize at = MIN (i, n);
  HlValue *copy = list_new (HL_VALUE_ARRAY, n + 1);
  share_children (copy, 0, array, 0, at);
  copy->list.children[at] = item;
  share_children (copy, at + 1, array, at, n - at);
  return copy;
}

HlValue *hl_value_without_item (const HlValue *array, gsize i) {
  if (!hl_value_is_array (array) || i >= array->list.n)
    return hl_value_ref (array);
  return without_child (array, i);
}

HlValue *hl_value_with_at (const HlValue *value, const char *dotted, HlValue *leaf) {
  const char *rest;
  g_autofree char *part = first_part (dotted, &rest);
  HlValue *child = rest != NULL ? hl_value_with_at (child_of (value, part), rest, leaf) : leaf;

  if (hl_value_is_array (value) && part_index (part) >= 0)
    return hl_value_with_item (value, (gsize)part_index (part), child);
  return hl_value_with_member (value, part, child);
}

HlValue *hl_value_without_at (const HlValue *value, const char *dotted) {
  const char *rest;
  g_autofree char *part = first_part (dotted, &rest);

  if (rest == NULL && hl_value_is_array (value) && part_index (part) >= 0)
    return hl_value_without_item (value, (gsize)part_index (part));
  if (rest == NULL)
    return hl_value_without_member (value, part);
  const HlValue *child = child_of (value, part);
  if (child == NULL)
    return hl_value_ref (value);
  HlValue *changed = hl_value_without_at (child, rest);
  if (hl_value_is_array (value))
    return hl_value_with_item (value, (gsize)part_index (part), changed);
  return hl_value_with_member (value, part, changed);
}

static gboolean lists_equal (const HlValue *a, const HlValue *b) {
  if (a->list.n != b->list.n)
    return FALSE;
  for (gsize i = 0; i < a->list.n; i++) {
    if (a->type == HL_VALUE_OBJECT && strcmp (a->list.keys[i], b->list.keys[i]) != 0)
      return FALSE;
    if (!hl_value_equal (a->list.children[i], b->list.children[i]))
      return FALSE;
  }
  return TRUE;
}

gboolean hl_value_equal (const HlValue *a, const HlValue *b) {
  if (a == b)
    return TRUE;
  if (a == NULL || b == NULL || a->type != b->type)
    return FALSE;
  switch (a->type) {
  case HL_VALUE_NULL:
    return TRUE;
  case HL_VALUE_BOOLEAN:
    return a->truth == b->truth;
  case HL_VALUE_NUMBER:
    return memcmp (&a->number, &b->number, sizeof a->number) == 0 && g_strcmp0 (a->typed, b->typed) == 0;
  case HL_VALUE_STRING:
    return strcmp (a->text, b->text) == 0;
  default:
    return lists_equal (a, b);
  }
}
