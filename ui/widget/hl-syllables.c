/* SPDX-License-Identifier: MIT */
/* The rule of German schools: of the consonants between two vowels the last one begins the next
 * syllable, with those that are spoken as one. That is right for simple words and mostly for
 * compounds; what lies wrong by a letter still reads better than a break at any letter. */
#include "ui/widget/hl-syllables.h"

#include <string.h>

#define LEAST_WORD 10    /* letters: shorter words fit into a row */
#define LEAST_SYLLABLE 3 /* letters on either side */
#define MOST_WORD 64
#define SOFT_HYPHEN 0x00AD

/* Longest first. */
static const char *const openings[] = {
    "schl", "schm", "schn", "schr", "schw", "str", "spr", "sch", "ch", "ck", "ph", "th", "qu", "br",
    "dr",   "fr",   "gr",   "kr",   "pr",   "tr",  "bl",  "fl",  "gl", "kl", "pl", "sp", "zw", "kn"};

static gboolean is_vowel (gunichar letter) {
  return g_utf8_strchr ("aeiouyäöü", -1, letter) != NULL;
}

/* Where the syllable begins whose vowel is at `vowel`; `after` is that of the one before. */
static int opening (const gunichar word[], int after, int vowel) {
  for (gsize k = 0; k < G_N_ELEMENTS (openings); k++) {
    int n = (int)strlen (openings[k]), at = vowel - n;
    gboolean same = at > after;
    for (int i = 0; same && i < n; i++)
      same = word[at + i] == (gunichar)openings[k][i];
    if (same)
      return at;
  }
  /* "Wand-steife", but "Kos-ten" */
  if (vowel - 3 > after && word[vowel - 2] == 's' && word[vowel - 1] == 't')
    return vowel - 2;
  return vowel - 1;
}

static void append_word (GString *out, const gunichar word[], const gunichar low[], int n) {
  gboolean breaks[MOST_WORD + 1] = {FALSE};
  int before = -1, last = 0;

  for (int k = 0; n >= LEAST_WORD && n <= MOST_WORD && k < n; k++) {
    if (!is_vowel (low[k]))
      continue;
    if (before >= 0 && k - before > 1) {
      int at = opening (low, before, k);
      if (at - last >= LEAST_SYLLABLE && n - at >= LEAST_SYLLABLE) {
        breaks[at] = TRUE;
        last = at;
      }
    }
    before = k;
  }
  for (int k = 0; k < n; k++) {
    if (n <= MOST_WORD && breaks[k])
      g_string_append_unichar (out, SOFT_HYPHEN);
    g_string_append_unichar (out, word[k]);
  }
}

char *hl_syllables_german (const char *text) {
  GString *out = g_string_new (NULL);
  glong length;
  g_autofree gunichar *letters = g_utf8_to_ucs4_fast (text, -1, &length);
  g_autofree gunichar *low = g_new (gunichar, (gsize)length + 1);

  for (glong k = 0; k < length; k++)
    low[k] = g_unichar_tolower (letters[k]);
  for (glong k = 0; k < length;) {
    glong end = k;
    while (end < length && g_unichar_isalpha (letters[end]))
      end++;
    append_word (out, &letters[k], &low[k], (int)(end - k));
    if (end < length)
      g_string_append_unichar (out, letters[end++]);
    k = end;
  }
  return g_string_free (out, FALSE);
}

char *hl_syllables_break (const char *text) {
  return g_str_has_prefix (g_get_language_names ()[0], "de") ? hl_syllables_german (text) : g_strdup (text);
}
