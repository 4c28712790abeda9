/* SPDX-License-Identifier: MIT */
/* HlValue: one immutable JSON tree, shared by reference count. A change makes a new tree that
 * shares every branch it did not touch, so a document's history costs only what was edited. Counts
 * are atomic: a tree may be read by several threads.
 *
 * A const argument is lent; an HlValue * argument without const is taken (the callee owns it
 * afterwards). Accessors lend, `new` and `with` give. Every accessor accepts NULL, which reads as
 * an absent value, so that chains need no checks. */
#pragma once

#include <glib.h>

typedef struct _HlValue HlValue;

typedef enum {
  HL_VALUE_NULL,
  HL_VALUE_BOOLEAN,
  HL_VALUE_NUMBER,
  HL_VALUE_STRING,
  HL_VALUE_ARRAY,
  HL_VALUE_OBJECT
} HlValueType;

/* Return new values with one reference, owned by the caller; text is copied. */
HlValue *hl_value_new_null (void);
HlValue *hl_value_new_boolean (gboolean truth);
HlValue *hl_value_new_number (double number);
HlValue *hl_value_new_string (const char *text);
HlValue *hl_value_new_array (void);
HlValue *hl_value_new_object (void);

/* Returns a number that is written otherwise in the file, as a formula ("bore/2") or with a unit ("20 MPa"):
 * for every reader the number, for the writer the text. */
HlValue *hl_value_new_typed (const char *text, double number);

/* Returns the array of n items; object of n members. The items are taken, the two C arrays and the keys are
 * lent. Keys must differ. */
HlValue *hl_value_new_array_take (HlValue *const *items, gsize n);
HlValue *hl_value_new_object_take (const char *const *keys, HlValue *const *members, gsize n);
/* Returns the array of numbers[n], which are copied. */
HlValue *hl_value_new_numbers (const double *numbers, gsize n);

/* Add or remove a reference. Values are immutable, so a reference replaces a copy; counted safely between
 * threads. NULL gives NULL. */
HlValue *hl_value_ref (const HlValue *value);
void hl_value_unref (HlValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlValue, hl_value_unref)

HlValueType hl_value_type (const HlValue *value); /* NULL: HL_VALUE_NULL */
/* Return whether a value has that type; FALSE for NULL. */
gboolean hl_value_is_number (const HlValue *value);
gboolean hl_value_is_string (const HlValue *value);
gboolean hl_value_is_array (const HlValue *value);
gboolean hl_value_is_object (const HlValue *value);

double hl_value_number (const HlValue *value);      /* NAN if it is not a number */
const char *hl_value_string (const HlValue *value); /* NULL when it is no string */
const char *hl_value_typed (const HlValue *value);  /* NULL if it is not a number kept as typed */
/* Returns the text of a string, or of a number that keeps its typed form; NULL for other values. */
const char *hl_value_text (const HlValue *value);
gboolean hl_value_boolean (const HlValue *value); /* FALSE when it is no boolean */
gsize hl_value_length (const HlValue *value);     /* items or members; 0 for everything else */

const HlValue *hl_value_item (const HlValue *array, gsize i);       /* NULL when there is none */
const char *hl_value_key (const HlValue *object, gsize i);          /* NULL when there is none */
const HlValue *hl_value_member_at (const HlValue *object, gsize i); /* NULL when there is none */
/* Returns a member by name; NULL if there is none. Borrowed. */
const HlValue *hl_value_member (const HlValue *object, const char *key);
gssize hl_value_find_key (const HlValue *object, const char *key); /* -1 = none */
/* Members by a dotted name, "friction.Fc"; a part that is a plain number picks an item of an array.
 */
const HlValue *hl_value_at (const HlValue *value, const char *dotted);

/* Copies with one change. The member keeps its place when the key exists, else it goes last. A
 * `with` on NULL or on another type starts from an empty object or array. */
HlValue *hl_value_with_member (const HlValue *object, const char *key, HlValue *member);
HlValue *hl_value_without_member (const HlValue *object, const char *key);
HlValue *hl_value_with_key_renamed (const HlValue *object, const char *key, const char *new_key);
HlValue *hl_value_with_item (const HlValue *array, gsize i, HlValue *item); /* i < length */
HlValue *hl_value_with_inserted (const HlValue *array, gsize i,
                                 HlValue *item); /* i <= length; larger appends */
HlValue *hl_value_without_item (const HlValue *array, gsize i);
HlValue *hl_value_with_at (const HlValue *value, const char *dotted,
                           HlValue *leaf); /* makes missing objects on the way */
HlValue *hl_value_without_at (const HlValue *value, const char *dotted); /* leaves emptied parents standing */

/* Returns whether types, order of members, bits of every number, and texts of typed numbers are equal. */
gboolean hl_value_equal (const HlValue *a, const HlValue *b);
