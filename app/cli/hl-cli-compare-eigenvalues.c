/* SPDX-License-Identifier: MIT */
/* Comparison of the eigenvalues of the three hydraulic models: linearize --oils, root-locus --oils. */
#include "app/cli/hl-cli-private.h"
#include "core/oil/hl-hydraulic-model-eigenvalues.h"

#include <math.h>

#define WIDTH 28

static void put_values (HlAnswer *out, const char *key, const HlOilValue values[], int n, const char *why) {
  hl_answer_open_object (out, key);
  hl_answer_string (out, "why_not", why);
  hl_answer_open_list (out, "eigenvalues");
  for (int k = 0; k < n; k++) {
    hl_answer_open_object (out, NULL);
    hl_answer_number (out, "re", values[k].re);
    hl_answer_number (out, "im", values[k].im);
    hl_answer_bool (out, "null", values[k].null);
    hl_answer_integer (out, "limit", values[k].partner + 1);
    hl_answer_number (out, "apart", values[k].apart);
    hl_answer_bool (out, "same", values[k].apart <= HL_SAME_EIGENVALUE);
    hl_answer_close (out);
  }
  hl_answer_close (out);
  hl_answer_close (out);
}

static void put_lumped (HlAnswer *out, const HlOilSpectra *s) {
  hl_answer_open_list (out, hl_oil_spectra_names ().lumped);
  for (int k = 0; k < s->n_lumped; k++) {
    const HlLumpedValue *value = &s->lumped[k];
    hl_answer_open_object (out, NULL);
    hl_answer_number (out, "re", value->re);
    hl_answer_number (out, "im", value->im);
    hl_answer_bool (out, "null", value->null);
    hl_answer_string (out, "fate", hl_oil_fate_word (value->fate));
    hl_answer_integer (out, "limit", value->partner + 1);
    hl_answer_number (out, "order", value->order);
    hl_answer_string (out, "state", value->fate == HL_FATE_SURVIVES ? NULL : value->state);
    hl_answer_close (out);
  }
  hl_answer_close (out);
}

void hl_cli_put_oils (HlAnswer *out, const HlOilSpectra *s) {
  hl_answer_open_object (out, "oils");
  put_lumped (out, s);
  hl_answer_open_object (out, "limit");
  hl_answer_numbers (out, "re", s->limit->re, s->limit->n_finite, 1);
  hl_answer_numbers (out, "im", s->limit->im, s->limit->n_finite, 1);
  hl_answer_integer (out, "n_constraint", s->limit->n_half);
  hl_answer_integer (out, "n_follows", s->limit->n_whole);
  hl_answer_integer (out, "n_trapped", s->limit->n_undetermined);
  hl_answer_close (out);
  put_values (out, hl_oil_spectra_names ().hybrid, s->hybrid, s->n_hybrid, s->hybrid_why);
  hl_answer_bool (out, "hybrid_at_its_start", s->hybrid_is_elsewhere);
  hl_answer_strings (out, "lines_giving_way", (const char *const *)s->soft, s->n_soft);
  put_values (out, hl_oil_spectra_names ().quasi, s->quasi, s->n_quasi, s->quasi_why);
  hl_answer_close (out);
}

/* Returns an eigenvalue as text, "-1.2 + 3.4i". */
static char *value_text (double re, double im, gboolean null) {
  g_autofree char *a = hl_cli_pretty (re, 6), *b = hl_cli_pretty (fabs (im), 6);

  if (null)
    return g_strdup ("0");
  return im == 0.0 ? g_strdup (a) : g_strdup_printf ("%s %c %si", a, im < 0.0 ? '-' : '+', b);
}

/* Returns the eigenvalue of a list that has this partner; "" where there is none. */
static char *partner_text (const HlOilValue values[], int n, int partner) {
  for (int k = 0; k < n && partner >= 0; k++)
    if (values[k].partner == partner && values[k].apart <= HL_SAME_EIGENVALUE)
      return value_text (values[k].re, values[k].im, values[k].null);
  return g_strdup ("");
}

static void append_alone (GString *page, const char *name, const HlOilValue values[], int n) {
  gboolean any = FALSE;

  for (int k = 0; k < n; k++) {
    if (values[k].apart <= HL_SAME_EIGENVALUE)
      continue;
    g_autofree char *text = value_text (values[k].re, values[k].im, values[k].null);
    g_string_append_printf (page, "%s%s", any ? ", " : name, text);
    any = TRUE;
  }
  if (any)
    g_string_append_c (page, '\n');
}

static void put_page (GString *page, const HlOilSpectra *s) {
  hl_cli_append_cell (page, "lumped [1/s]", WIDTH, TRUE);
  hl_cli_append_cell (page, "in stiff oil", WIDTH, TRUE);
  hl_cli_append_cell (page, hl_oil_spectra_names ().hybrid, WIDTH, TRUE);
  g_string_append (page, "quasistatic\n");
  for (int k = 0; k < s->n_lumped; k++) {
    const HlLumpedValue *value = &s->lumped[k];
    g_autofree char *own = value_text (value->re, value->im, value->null);
    g_autofree char *limit =
        value->partner >= 0 ? value_text (s->limit->re[value->partner], s->limit->im[value->partner], FALSE)
                            : g_strdup (hl_oil_fate_text (value->fate));
    g_autofree char *hybrid = partner_text (s->hybrid, s->n_hybrid, value->partner);
    g_autofree char *quasi = partner_text (s->quasi, s->n_quasi, value->partner);
    hl_cli_append_cell (page, own, WIDTH, TRUE);
    hl_cli_append_cell (page, limit, WIDTH, TRUE);
    hl_cli_append_cell (page, hybrid, WIDTH, TRUE);
    g_string_append_printf (page, "%s%s%s%s\n", quasi, value->partner < 0 ? "(" : "",
                            value->partner < 0 && value->state != NULL ? value->state : "",
                            value->partner < 0 ? ")" : "");
  }
  append_alone (page, "Only in the hybrid model: ", s->hybrid, s->n_hybrid);
  append_alone (page, "Only in the quasistatic model: ", s->quasi, s->n_quasi);
  if (s->hybrid_is_elsewhere)
    g_string_append (
        page,
        "The hybrid model has no mode for this state; its eigenvalues are those at the start of its run.\n");
  if (s->n_soft > 0) {
    g_autofree char *ids = g_strjoinv (", ", s->soft);
    g_string_append_printf (page,
                            "In the hybrid model the oil of %s is compressible here: its pressure stays "
                            "a state.\n",
                            ids);
  }
  if (s->hybrid_why != NULL)
    g_string_append_printf (page, "Hybrid: %s\n", s->hybrid_why);
  if (s->quasi_why != NULL)
    g_string_append_printf (page, "Quasistatic: %s\n", s->quasi_why);
}

HlOilSpectra *hl_cli_oils (const HlCli *cli, HlStart start, const HlPoint *point, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlOilSpectra *s = hl_oil_spectra_new (cli->system, start, point, &fault);

  if (s == NULL)
    hl_cli_set_fault (error, cli->system, &fault);
  return s;
}

gboolean hl_cli_print_oils (const HlCli *cli, const HlPoint *point, GError **error) {
  HlOilSpectra *s = hl_cli_oils (cli, HL_START_FROM_MODEL, point, error);
  g_autoptr (HlAnswer) answer = hl_answer_new ();

  if (s == NULL)
    return FALSE;
  hl_cli_put_oils (answer, s);
  put_page (hl_answer_page (answer), s);
  gboolean done = hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
  hl_oil_spectra_free (s);
  return done;
}
