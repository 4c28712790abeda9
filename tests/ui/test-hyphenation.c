/* SPDX-License-Identifier: MIT */
/* Where German words may be broken, against the dictionary. */
#include "ui/paint/base/hl-drawing-text.h"

#include <string.h>

static void check (const char *text, const char *expected) {
  g_autofree char *broken = hl_syllables_german (text);
  g_auto (GStrv) parts = g_strsplit (broken, "\u00AD", -1);
  g_autofree char *shown = g_strjoinv ("-", parts);

  g_assert_cmpstr (shown, ==, expected);
}

/* As the dictionary has them; breaks that leave fewer than three letters are not taken. */
static void test_words (void) {
  check ("Trägheitsmoment", "Träg-heits-moment");
  check ("Kolbendurchmesser", "Kol-ben-durch-mes-ser");
  check ("Volumenstrom", "Volu-men-strom");
  check ("Wandsteifigkeit", "Wand-stei-fig-keit");
  check ("Geschwindigkeit", "Geschwin-dig-keit");
  check ("Anfangsdruck", "Anfangs-druck");
  check ("Schlauchvolumen", "Schlauch-volu-men");
}

/* Short words, other letters, signs and nothing at all stay. */
static void test_others (void) {
  check ("Druck", "Druck");
  check ("", "");
  check ("x = 3.5 m/s²", "x = 3.5 m/s²");
  check ("Punkt a, Punkt b", "Punkt a, Punkt b");
  check ("БольшоеДавлениеМасла", "БольшоеДавлениеМасла");
  check ("ccccccccccccccccccccc", "ccccccccccccccccccccc");
  g_autofree char *long_word = g_strnfill (5000, 'a');
  check (long_word, long_word);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hyphenation/as-the-dictionary-has-them", test_words);
  g_test_add_func ("/hyphenation/what-has-none", test_others);
  return g_test_run ();
}
