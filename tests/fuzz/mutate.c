/* SPDX-License-Identifier: MIT */
/* One structural change a call: a place in the tree is drawn, every place as likely as any other,
 * and what stands there is exchanged. Without the size of a file growing: it is cut at MOST_BYTES. */
#include "tests/fuzz/mutate.h"

#include "core/io/hl-json-text.h"

#include <math.h>
#include <string.h>

#define MOST_BYTES (64 * 1024)

/* Texts that are typical of broken files: extreme numbers, structure, escapes, other encodings. */
static const char *const TOKENS[] = {
    "{",        "}",         "[",
    "]",        ",",         ":",
    "\"",       "\\",        "\\u0000",
    "\\ud800",  "null",      "true",
    "-0",       "0",         "-1",
    "1e308",    "1e-320",    "1e999",
    "NaN",      "\"id\"",    "\"ground\"",
    "\"kind\"", "\"ports\"", "\"\"",
    "\xff",     "\xc3\xa9",  "99999999999999999999",
    "0.1.2",    "\n",        "\t",
    ";",        "sep=;\n",   "\xff\xfe",
};

/* Numbers at which laws and layouts break. */
static const char *const NUMBERS[] = {
    "0",      "-0.0",
    "1",      "-1",
    "1e-9",   "-1e-9",
    "1e-320", "1e300",
    "-1e300", "3.141592653589793",
    "2",      "1e6",
    "1e-15",  "0.5",
    "1e9",    "-1.5707963267948966",
    "1e-4",   "100",
};

static guint pick (HlFuzz *fuzz, gsize n) {
  return (guint)g_rand_int_range (fuzz, 0, (gint32)MAX (n, 1));
}

/* --- bytes --- */

static void splice (GByteArray *bytes, guint at, guint length, const char *text) {
  g_autoptr (GByteArray) tail = g_byte_array_new ();

  g_byte_array_append (tail, bytes->data + at + length, bytes->len - at - length);
  g_byte_array_set_size (bytes, at);
  g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text));
  g_byte_array_append (bytes, tail->data, tail->len);
}

static gboolean is_one_of (guint8 byte, const char *set) {
  return byte != '\0' && strchr (set, byte) != NULL;
}

/* Changes the next number after a random place: the file stays valid, its content mostly not. */
static void change_number (HlFuzz *fuzz, GByteArray *bytes) {
  guint at = pick (fuzz, bytes->len);
  guint end;

  while (at < bytes->len && !(is_one_of (bytes->data[at], " [:,;\t\n") && at + 1 < bytes->len &&
                              is_one_of (bytes->data[at + 1], "-.0123456789")))
    at++;
  at = MIN (at + 1, bytes->len);
  end = at;
  while (end < bytes->len && is_one_of (bytes->data[end], "+-.0123456789eE"))
    end++;
  if (end > at)
    splice (bytes, at, end - at, NUMBERS[pick (fuzz, G_N_ELEMENTS (NUMBERS))]);
}

void hl_fuzz_mutate_bytes (HlFuzz *fuzz, GByteArray *bytes) {
  const char *token = TOKENS[pick (fuzz, G_N_ELEMENTS (TOKENS))];
  guint at = pick (fuzz, bytes->len);
  guint length = pick (fuzz, 12) + 1;
  guint n = MIN (length, bytes->len - at);

  switch (pick (fuzz, 12)) {
  case 0: /* another byte */
    if (bytes->len > 0)
      bytes->data[at] = (guint8)pick (fuzz, 256);
    break;
  case 1: /* a piece is missing */
    g_byte_array_remove_range (bytes, at, n);
    break;
  case 2: /* a piece is there twice, somewhere else */
  {
    g_autofree guint8 *piece = g_memdup2 (bytes->data + at, n);
    g_byte_array_append (bytes, piece, n);
    break;
  }
  case 3: /* a token in place of a piece */
    n = MIN (n, (guint)strlen (token));
    memcpy (bytes->data + at, token, n);
    break;
  case 4: /* a token put in */
    splice (bytes, at, 0, token);
    break;
  case 5: /* one bit */
    if (bytes->len > 0)
      bytes->data[at] ^= (guint8)(1u << pick (fuzz, 8));
    break;
  default:
    change_number (fuzz, bytes);
  }
  if (bytes->len > MOST_BYTES)
    g_byte_array_set_size (bytes, MOST_BYTES);
}

/* --- trees --- */

static gsize count_places (const HlValue *value) {
  gsize n = 0;

  for (gsize i = 0; i < hl_value_length (value); i++)
    n += 1 +
         count_places (hl_value_is_object (value) ? hl_value_member_at (value, i) : hl_value_item (value, i));
  return n;
}

/* Returns the place-th value in the tree, counted as count_places does; borrowed. */
static const HlValue *value_at (const HlValue *value, gsize *place) {
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const HlValue *child =
        hl_value_is_object (value) ? hl_value_member_at (value, i) : hl_value_item (value, i);
    if ((*place)-- == 0)
      return child;
    const HlValue *found = value_at (child, place);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static HlValue *another_number (HlFuzz *fuzz, double number) {
  double one = g_ascii_strtod (NUMBERS[pick (fuzz, G_N_ELEMENTS (NUMBERS))], NULL);

  switch (pick (fuzz, 4)) {
  case 0:
    return hl_value_new_number (one);
  case 1:
    return hl_value_new_number (-number);
  case 2:
    return hl_value_new_number (number * pow (10, g_rand_int_range (fuzz, -6, 7)));
  default:
    return hl_value_new_number (number * (1 + g_rand_double_range (fuzz, -0.5, 0.5)));
  }
}

/* Returns a replacement of a value: another value of the tree or a changed one, equally often. */
static HlValue *replacement (HlFuzz *fuzz, const HlValue *root, const HlValue *old) {
  gsize place = pick (fuzz, count_places (root));
  const HlValue *other = value_at (root, &place);

  if (hl_value_is_number (old) && pick (fuzz, 8) != 0)
    return another_number (fuzz, hl_value_number (old));
  for (int tries = 0; other != NULL && hl_value_type (other) != hl_value_type (old) && tries < 20; tries++) {
    place = pick (fuzz, count_places (root));
    other = value_at (root, &place);
  }
  switch (pick (fuzz, 12)) {
  case 0:
    return hl_value_new_null ();
  case 1:
    return hl_value_new_string ("");
  case 2:
    return hl_value_new_array ();
  case 3:
    return hl_value_new_boolean (pick (fuzz, 2) == 0);
  default:
    return hl_value_ref (other != NULL ? other : old);
  }
}

/* Returns a copy of `value` with a change at the place. */
static HlValue *changed (HlFuzz *fuzz, const HlValue *root, const HlValue *value, gsize *place) {
  gboolean is_object = hl_value_is_object (value);

  for (gsize i = 0; i < hl_value_length (value); i++) {
    const HlValue *child = is_object ? hl_value_member_at (value, i) : hl_value_item (value, i);
    const char *key = is_object ? hl_value_key (value, i) : NULL;
    gboolean here = (*place)-- == 0;
    if (here && pick (fuzz, 4) == 0)
      return is_object ? hl_value_without_member (value, key) : hl_value_without_item (value, i);
    if (here && !is_object && pick (fuzz, 3) == 0)
      return hl_value_with_inserted (value, pick (fuzz, hl_value_length (value) + 1), hl_value_ref (child));
    HlValue *next = here ? replacement (fuzz, root, child) : changed (fuzz, root, child, place);
    if (next != NULL)
      return is_object ? hl_value_with_member (value, key, next) : hl_value_with_item (value, i, next);
  }
  return NULL;
}

void hl_fuzz_mutate (HlFuzz *fuzz, GByteArray *bytes) {
  g_autoptr (HlValue) root = bytes->len > 0 && pick (fuzz, 8) != 0
                                 ? hl_json_parse ((const char *)bytes->data, bytes->len, NULL, NULL)
                                 : NULL;
  gsize n = count_places (root), place = pick (fuzz, n);
  g_autoptr (HlValue) next = n > 0 ? changed (fuzz, root, root, &place) : NULL;

  if (next == NULL) {
    hl_fuzz_mutate_bytes (fuzz, bytes);
    return;
  }
  g_autoptr (GString) text = g_string_new (NULL);
  hl_json_write (text, next);
  if (text->len > MOST_BYTES)
    return;
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (const guint8 *)text->str, (guint)text->len);
}
