/* SPDX-License-Identifier: MIT */
/* Every class of component, and every kind of body, joint, load, line and signal says its law in
 * formulas, and they are the law: at random points of random ones and along every curve. Two formulations: the text of a formula, worked out by its tree,
 * and the code that the solver calls. */
#include "core/help/hl-help-law-evaluation.h"

#include <math.h>
#include <string.h>

#include "core/hydro/actuators/hl-cylinder.h"
#include "tests/support/hl-test-component.h"
#include "tests/support/hl-test.h"

#define N_RANDOM 400
#define N_POINTS 200
#define REL 1e-12
#define NUDGE 1e-6

/* A component or another element with its formulas as trees. */
typedef struct {
  HlTestElement e; /* of a component */
  HlHelpPart part;
  GPtrArray *formulas; /* HlTerm, all of the help */
} Subject;

static void read_formulas (Subject *s, const HlComponentHelp *help) {
  s->formulas = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_term_free);
  for (int k = 0; k < help->n_formulas; k++) {
    g_autoptr (GError) error = NULL;
    g_ptr_array_add (s->formulas, hl_term_parse (help->formulas[k].text, &error));
    g_assert_no_error (error);
  }
}

static HlFluid random_oil (void) {
  return (HlFluid){.bulk_modulus = hl_test_log_uniform (5e8, 2e9),
                   .density = hl_test_uniform (800.0, 950.0),
                   .viscosity = hl_test_log_uniform (0.01, 0.1),
                   .vapour_pressure = g_test_rand_bit () ? 0.0 : hl_test_log_uniform (1e3, 5e4),
                   .air_fraction = g_test_rand_bit () ? 0.0 : hl_test_uniform (0.0, 0.05),
                   .ambient_pressure = g_test_rand_bit () ? NAN : hl_test_uniform (8e4, 1.1e5)};
}

/* Pressures near each other now and then, so that ranges of openings and laminar limits are hit. */
static void random_point (Subject *s) {
  double level = hl_test_log_uniform (1e5, 2e7);
  double spread = hl_test_log_uniform (1e3, 1e7);
  HlHelpPart *part = &s->part;

  for (int port = 0; port < HL_MOST_PORTS; port++)
    part->p[port] = fmax (100.0, level + hl_test_uniform (-spread, spread));
  hl_test_element_move (&s->e, level);
  memcpy (part->state, s->e.state, sizeof s->e.state);
  memcpy (part->signal, s->e.signal, sizeof part->signal);
  for (int k = 0; k < part->c.n_states; k++) {
    const HlStateWord *word = hl_component_word (&part->c, k, NULL);
    if (word->quantity == HL_QUANTITY_VOLUME)
      part->state[k] = 1e-3 * hl_test_uniform (-0.01, 0.4);
  }
  if (part->c.klass->is_cylinder) {
    part->length = s->e.motion[0] + 0.3 * hl_test_uniform (-0.02, 0.02);
    part->speed = s->e.motion[1];
  }
}

/* The value of the n-th formula when those before it were worked out with these numbers. */
static double value_with (const Subject *s, int n, HlTermNumbers *numbers) {
  double value = NAN;

  for (int k = 0; k <= n; k++)
    if (hl_help_part_says (&s->part, &s->part.help->formulas[k]))
      value = hl_term_work_out (g_ptr_array_index (s->formulas, (guint)k), numbers);
  return value;
}

/* sum |x df/dx| over the letters: the size of what the formula adds up. The numbers themselves are known
 * to rounding, so where those cancel (the last 1e-5 of a stroke, a friction of bristles that are nearly
 * balanced) two ways to compute the same differ by the rounding of this, however small the value is. */
static double size_of_terms (const Subject *s, int n, double value) {
  double size = 0.0;

  for (int k = 0; k < s->part.help->n_letters; k++) {
    const HlLetter *letter = &s->part.help->letters[k];
    double x = hl_help_part_letter (&s->part, letter);
    g_autoptr (HlTermNumbers) numbers = hl_term_numbers_new ();
    if (isnan (x))
      continue;
    hl_help_part_numbers (&s->part, numbers);
    hl_term_numbers_set (numbers, letter->name, x * (1.0 + NUDGE));
    double change = fabs (value_with (s, n, numbers) - value) / NUDGE;
    size += isfinite (change) ? change : 0.0;
  }
  return size;
}

/* All formulas that hold against the law at the point; `scale`: by formula the largest |law| so far,
 * against whose rounding differences count. */
static void compare (Subject *s, const char *what, double *scale) {
  const HlComponentHelp *help = s->part.help;
  g_autoptr (HlTermNumbers) numbers = hl_term_numbers_new ();

  hl_help_part_numbers (&s->part, numbers);
  for (int k = 0; k < help->n_formulas; k++) {
    const HlFormulaText *formula = &help->formulas[k];
    if (!hl_help_part_says (&s->part, formula))
      continue;
    double value = hl_term_work_out (g_ptr_array_index (s->formulas, k), numbers);
    if (formula->given.gives == HL_GIVES_STEP || formula->given.gives == HL_GIVES_FORCE)
      continue;
    double law = hl_help_part_law (&s->part, &formula->given, NULL, NULL);
    scale[k] = fmax (scale[k], fabs (law));
    if (fabs (value - law) <= REL * (fabs (law) + scale[k]))
      continue;
    if (!(fabs (value - law) <= REL * size_of_terms (s, k, value)))
      g_error ("%s, %s: ‘%s’ gives %.17g, the law %.17g", s->part.kind->name, what, formula->text, value,
               law);
  }
}

static void random_subject (Subject *s, const char *kind) {
  HlFluid oil = random_oil ();

  hl_test_element_randomize (&s->e, kind);
  hl_help_part_init (&s->part, &s->e.c, &oil);
  s->e.c = s->part.c;
}

static void test_random (void) {
  for (int k = 0; k < hl_n_components; k++) {
    const HlComponentClass *klass = hl_components[k];
    const char *kind = klass->kind.name;
    Subject s;
    hl_test_element_init (&s.e, kind);
    read_formulas (&s, klass->help);
    for (int round = 0; round < N_RANDOM; round++) {
      double scale[100] = {0.0};
      random_subject (&s, kind);
      HlWrong wrong;
      if (s.part.c.klass->is_wrong != NULL && s.part.c.klass->is_wrong (&s.part.c, &wrong) != NULL)
        continue;
      random_point (&s);
      compare (&s, "random", scale);
    }
    g_ptr_array_unref (s.formulas);
  }
}

static void walk_curve (Subject *s, const HlCurve *curve) {
  double scale[100] = {0.0}, low, high;

  hl_help_part_range (&s->part, curve, &low, &high);
  g_assert_cmpfloat (low, <, high);
  for (int k = 0; k <= N_POINTS; k++) {
    double slope, x = low + (high - low) * k / N_POINTS;
    hl_help_part_move (&s->part, curve, x);
    hl_assert_near (hl_help_part_abscissa (&s->part, curve), x, 1e-9, 1e-9);
    double law = hl_help_part_law (&s->part, &curve->given, &curve->x, &slope);
    if (!isfinite (law))
      g_error ("%s: ‘%s’ has no value at %g", s->part.kind->name, curve->title, x);
    if (!isfinite (slope))
      g_error ("%s: ‘%s’ has no slope at %g", s->part.kind->name, curve->title, x);
    compare (s, curve->title, scale);
  }
}

/* The curves of a new one of the kind, and of random ones. */
static void test_curves (void) {
  for (int k = 0; k < hl_n_components; k++) {
    const HlComponentClass *klass = hl_components[k];
    Subject s;
    hl_test_element_init (&s.e, klass->kind.name);
    read_formulas (&s, klass->help);
    for (int round = 0; round < 10; round++) {
      int n = 0;
      HlWrong wrong;
      HlFluid oil = random_oil ();
      if (round > 0)
        hl_test_element_randomize (&s.e, klass->kind.name);
      for (int c = 0; c < klass->help->n_curves; c++) {
        hl_help_part_init (&s.part, &s.e.c, &oil);
        if (klass->is_wrong != NULL && klass->is_wrong (&s.part.c, &wrong) != NULL)
          continue;
        if (!hl_help_part_has (&s.part, &klass->help->curves[c]))
          continue;
        walk_curve (&s, &klass->help->curves[c]);
        n++;
      }
      if (round == 0)
        g_assert_cmpint (n, >, 0);
    }
    g_ptr_array_unref (s.formulas);
  }
}

/* The tangent of a curve is the derivative of the law: against differences of a smooth stretch. */
static void check_tangents (HlHelpPart part, const HlCurve *curve) {
  double low, high, largest = 0.0;
  int n_agree = 0;

  hl_help_part_range (&part, curve, &low, &high);
  double h = 1e-5 * (high - low);
  for (int point = 1; point < 40; point++) {
    double x = low + (high - low) * (point + 0.3) / 41, slope, unused;
    hl_help_part_move (&part, curve, x);
    double middle = hl_help_part_law (&part, &curve->given, &curve->x, &slope);
    hl_help_part_move (&part, curve, x - h);
    double below = hl_help_part_law (&part, &curve->given, &curve->x, &unused);
    hl_help_part_move (&part, curve, x + h);
    double above = hl_help_part_law (&part, &curve->given, &curve->x, &unused);
    largest = fmax (largest, fmax (fabs (middle), fabs (slope) * (high - low)));
    n_agree += fabs ((above - below) / (2.0 * h) - slope) * (high - low) <= 1e-3 * largest;
  }
  /* a kink may lie within a difference here and there */
  if (n_agree < 36)
    g_error ("%s: tangent of ‘%s’ agrees at %d of 39 points", part.kind->name, curve->title, n_agree);
}

static void test_tangents (void) {
  for (int k = 0; k < hl_n_components; k++) {
    const HlComponentClass *klass = hl_components[k];
    HlFluid oil = {.bulk_modulus = 1.5e9, .density = 870.0, .viscosity = 0.04, .ambient_pressure = NAN};
    for (int c = 0; c < klass->help->n_curves; c++) {
      HlTestElement e;
      HlHelpPart part;
      hl_test_element_init (&e, klass->kind.name);
      hl_help_part_init (&part, &e.c, &oil);
      if (hl_help_part_has (&part, &klass->help->curves[c]))
        check_tangents (part, &klass->help->curves[c]);
    }
  }
}

static const HlKind *other_kind (int k);

/* A curve that is dragged goes through the pointer: the law of an element that has the found number from the start
 * gives the requested ordinate. */
static int check_shape (const HlHelpPart *part, const HlCurve *curve) {
  double low, high;
  int n = 0;

  hl_help_part_range (part, curve, &low, &high);
  for (int point = 1; point < 8; point++) {
    double x = low + (high - low) * point / 8;
    HlHelpShape shape = hl_help_shape_at (part, curve, x);
    HlHelpPart moved = *part;
    if (shape.field == NULL)
      continue;
    n++;
    hl_help_part_move (&moved, curve, x);
    double y = hl_help_part_law (&moved, &curve->given, NULL, NULL);
    /* where it is already, the number stays */
    hl_assert_near (hl_help_shape_solve (part, curve, &shape, x, y), shape.number, 1e-9, 0.0);
    /* a little further out, as long as another number can be there */
    double asked = y != 0.0 ? 1.02 * y : 1e-3;
    double number = hl_help_shape_solve (part, curve, &shape, x, asked);
    g_assert_true (hl_field_accepts (shape.field, number));
    if (part->element != NULL)
      moved.value[shape.letter->index] = number;
    else {
      *hl_component_number (&moved.c, shape.letter->place) = number;
      hl_component_derive (&moved.c, &moved.oil);
    }
    double law = hl_help_part_law (&moved, &curve->given, NULL, NULL);
    if (!(fabs (law - asked) <= fabs (y - asked) * (1.0 + 1e-9)))
      g_error ("%s: ‘%s’ at %g: %s = %g gives %g, asked was %g, it had %g", part->kind->name, curve->title, x,
               shape.field->name, number, law, asked, y);
    n += fabs (law - asked) <= 1e-9 * fabs (asked) ? 1000 : 0;
    if (part->element == NULL) {
      *hl_component_number (&moved.c, shape.letter->place) = shape.number;
      hl_component_derive (&moved.c, &moved.oil);
    }
  }
  return n;
}

static void test_shapes (void) {
  HlFluid oil = {.bulk_modulus = 1.5e9, .density = 870.0, .viscosity = 0.04, .ambient_pressure = NAN};
  const HlKind *kind;
  int n = 0;

  for (int k = 0; k < hl_n_components; k++)
    for (int c = 0; c < hl_components[k]->help->n_curves; c++) {
      HlTestElement e;
      HlHelpPart part;
      hl_test_element_init (&e, hl_components[k]->kind.name);
      hl_help_part_init (&part, &e.c, &oil);
      if (hl_help_part_has (&part, &hl_components[k]->help->curves[c]))
        n += check_shape (&part, &hl_components[k]->help->curves[c]);
    }
  for (int k = 0; (kind = other_kind (k)) != NULL; k++) {
    HlHelpPart part;
    hl_help_part_init_element (&part, hl_element_help (kind), kind);
    for (int c = 0; c < part.help->n_curves; c++)
      if (hl_help_part_has (&part, &part.help->curves[c]))
        n += check_shape (&part, &part.help->curves[c]);
  }
  g_test_message ("%d places are shaped, %d as asked", n % 1000, n / 1000);
  g_assert_cmpint (n % 1000, >, 150);
  g_assert_cmpint (n / 1000, >, 9 * (n % 1000) / 10);
}

/* Letters that a tree names. */
static gboolean names (const HlTerm *term, const char *letter) {
  if ((term->kind == HL_TERM_LETTER || term->kind == HL_TERM_CALL) && strcmp (term->text, letter) == 0)
    return TRUE;
  for (guint k = 0; k < term->parts->len; k++)
    if (names (hl_term_part (term, k), letter))
      return TRUE;
  return FALSE;
}

/* No step leads nowhere: a formula that no law gives is needed by one that some law gives. */
static void check_complete (const HlComponentHelp *help, const char *kind) {
  Subject s;
  int n_given = 0;

  g_assert_nonnull (help->sources);
  g_assert_cmpint (help->n_curves, >, 0);
  read_formulas (&s, help);
  for (guint f = 0; f < s.formulas->len; f++) {
    const HlTerm *formula = g_ptr_array_index (s.formulas, f);
    const char *given = hl_term_part (formula, 0)->text;
    gboolean is_used = FALSE;
    n_given += help->formulas[f].given.gives != HL_GIVES_STEP;
    for (guint later = f + 1; later < s.formulas->len; later++)
      is_used = is_used || names (hl_term_part (g_ptr_array_index (s.formulas, later), 1), given);
    if (help->formulas[f].given.gives == HL_GIVES_STEP && !is_used)
      g_error ("%s: nothing needs ‘%s’", kind, help->formulas[f].text);
  }
  g_assert_cmpint (n_given, >, 0);
  g_ptr_array_unref (s.formulas);
}

static void test_complete (void) {
  g_assert_cmpint (hl_n_components, >=, 24);
  for (int k = 0; k < hl_n_components; k++) {
    if (hl_components[k]->help == NULL)
      g_error ("%s has no help", hl_components[k]->kind.name);
    check_complete (hl_components[k]->help, hl_components[k]->kind.name);
  }
}

/* --- what is no component --- */

static const HlSection other_sections[] = {HL_SECTION_LINES, HL_SECTION_BODIES, HL_SECTION_JOINTS,
                                           HL_SECTION_LOADS, HL_SECTION_SIGNAL};

/* The k-th kind of element that is no component; NULL behind the last one. */
static const HlKind *other_kind (int k) {
  for (gsize s = 0; s < G_N_ELEMENTS (other_sections); s++)
    for (int n = 0; hl_schema_kind (other_sections[s], n) != NULL; n++)
      if (k-- == 0)
        return hl_schema_kind (other_sections[s], n);
  return NULL;
}

static int n_choices (const HlField *field) {
  int n = 1;

  for (const char *at = field->choices; *at != '\0'; at++)
    n += *at == '|';
  return n;
}

/* A number that the field takes; where it has a default that means another form, sometimes that. */
static double random_number (const HlField *field, double usual) {
  double size = usual != 0.0 && isfinite (usual) ? usual : 1.0;
  double value = size * hl_test_uniform (-2.0, 2.0);

  if (field != NULL && field->type == HL_FIELD_CHOICE)
    return g_test_rand_int_range (0, n_choices (field));
  if (field != NULL && field->need == HL_NEED_DEFAULT && g_test_rand_int_range (0, 4) == 0)
    return field->fallback;
  if (field != NULL && field->min_bound != HL_BOUND_NONE)
    return fabs (value) + 1e-3 * fabs (size);
  return value;
}

static void read_other (Subject *s, const HlKind *kind) {
  const HlElementHelp *element = hl_element_help (kind);

  if (element == NULL)
    g_error ("a %s %s has no help", hl_section_noun (kind->section), kind->name != NULL ? kind->name : "");
  hl_help_part_init_element (&s->part, element, kind);
  read_formulas (s, s->part.help);
}

/* Numbers of the element and of its motion: those that cannot be below 0 stay above. */
static void random_other (Subject *s) {
  const HlElementHelp *element = s->part.element;

  for (int k = 0; k < element->words.n_letters; k++) {
    const HlLetter *letter = &element->words.letters[k];
    const HlField *field = letter->field != NULL ? hl_kind_find_field (s->part.kind, letter->field) : NULL;
    double *x = &s->part.value[letter->index], usual = element->usual[letter->index];
    if (letter->field != NULL && field == NULL)
      g_error ("%s: no field ‘%s’", s->part.kind->name, letter->field);
    *x = random_number (field, usual);
    if (letter->quantity == HL_QUANTITY_PRESSURE || letter->quantity == HL_QUANTITY_MODULUS ||
        letter->quantity == HL_QUANTITY_VOLUME || letter->quantity == HL_QUANTITY_COMPLIANCE)
      *x = fabs (*x) + 1e-3 * fabs (usual);
  }
  for (int k = 0; k < element->words.n_letters; k++)
    if (strcmp (element->words.letters[k].name, "n") == 0) /* exponent of a gas */
      s->part.value[element->words.letters[k].index] = hl_test_uniform (1.0, 1.7);
  if (s->part.kind->section == HL_SECTION_LINES && g_test_rand_bit ())
    s->part.value[0] = hl_test_log_uniform (10.0, 2000.0); /* with vapour */
  if (g_strcmp0 (s->part.kind->name, "spring") == 0)
    s->part.value[0] = fabs (s->part.value[0]); /* its length */
  if (g_strcmp0 (s->part.kind->name, "table") == 0)
    s->part.value[2] = s->part.value[1] + fabs (s->part.value[2]); /* its times rise */
}

static void test_others_random (void) {
  const HlKind *kind;

  for (int k = 0; (kind = other_kind (k)) != NULL; k++) {
    Subject s;
    read_other (&s, kind);
    for (int round = 0; round < N_RANDOM; round++) {
      double scale[100] = {0.0};
      random_other (&s);
      compare (&s, "random", scale);
    }
    g_ptr_array_unref (s.formulas);
  }
}

static void test_others_curves (void) {
  const HlKind *kind;

  for (int k = 0; (kind = other_kind (k)) != NULL; k++) {
    Subject s;
    read_other (&s, kind);
    for (int round = 0; round < 20; round++) {
      int n = 0;
      if (round > 0)
        random_other (&s);
      HlHelpPart point = s.part;
      for (int c = 0; c < s.part.help->n_curves; c++) {
        s.part = point;
        if (!hl_help_part_has (&s.part, &s.part.help->curves[c]))
          continue;
        walk_curve (&s, &s.part.help->curves[c]);
        n++;
      }
      if (n == 0)
        g_error ("%s: a form has no curve", kind->name);
    }
    g_ptr_array_unref (s.formulas);
  }
}

static void test_others_tangents (void) {
  const HlKind *kind;

  for (int k = 0; (kind = other_kind (k)) != NULL; k++) {
    HlHelpPart part;
    hl_help_part_init_element (&part, hl_element_help (kind), kind);
    for (int c = 0; c < part.help->n_curves; c++)
      if (hl_help_part_has (&part, &part.help->curves[c]))
        check_tangents (part, &part.help->curves[c]);
  }
}

static void test_others_complete (void) {
  const HlKind *kind;
  int n = 0;

  for (; (kind = other_kind (n)) != NULL; n++) {
    Subject s;
    read_other (&s, kind);
    g_ptr_array_unref (s.formulas);
    check_complete (&hl_element_help (kind)->words, kind->name);
  }
  g_assert_cmpint (n, >=, 27);
}

static double work_out (const char *text) {
  g_autoptr (HlTermNumbers) numbers = hl_term_numbers_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTerm) term = hl_term_parse (text, &error);

  g_assert_no_error (error);
  hl_term_numbers_set (numbers, "x", 3.0);
  hl_term_numbers_set (numbers, "a_1", 0.5);
  return hl_term_work_out (term, numbers);
}

static void test_values (void) {
  hl_assert_near (work_out ("y = 2 x^2 / 9"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = 12 / x / 2"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = 12 / x a_1"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = -(x - 1) + 4"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = cases(1, x < 2, 2, x <= 3, 5)"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = max(pos(-x), min(2, x))"), 2.0, 1e-15, 0);
  hl_assert_near (work_out ("y = 4^(1 / 2)"), 2.0, 1e-15, 0);
  g_assert_true (isnan (work_out ("y = z + 1")));
  g_assert_true (isnan (work_out ("y = sqrt(1, 2)")));
}

static void test_wrong (void) {
  static const char *const wrong[] = {"",           "y",         "y = ",    "y = (x",
                                      "y = sqrt(x", "= x",       "y = x ^", "y = x + * 2",
                                      "y = x)",     "y = x = 2", "y = 2 $", "y = f(x,)"};

  for (gsize k = 0; k < G_N_ELEMENTS (wrong); k++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_term_parse (wrong[k], &error));
    g_assert_nonnull (error);
  }
  g_autofree char *deep = g_strnfill (5000, '(');
  g_autoptr (GError) error = NULL;
  g_assert_null (hl_term_parse_side (deep, &error));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help-formulas/are-worked-out", test_values);
  g_test_add_func ("/help-formulas/wrong-ones-are-refused", test_wrong);
  g_test_add_func ("/help-formulas/every-class-has-help", test_complete);
  g_test_add_func ("/help-formulas/agree-with-the-law-at-random-points", test_random);
  g_test_add_func ("/help-formulas/agree-with-the-law-along-every-curve", test_curves);
  g_test_add_func ("/help-formulas/tangents-are-the-slopes-of-the-law", test_tangents);
  g_test_add_func ("/help-formulas/curves-that-are-dragged-go-where-they-should", test_shapes);
  g_test_add_func ("/help-formulas/every-other-kind-has-help", test_others_complete);
  g_test_add_func ("/help-formulas/of-other-kinds-agree-with-the-law-at-random-points", test_others_random);
  g_test_add_func ("/help-formulas/of-other-kinds-agree-with-the-law-along-every-curve", test_others_curves);
  g_test_add_func ("/help-formulas/of-other-kinds-have-tangents-of-the-law", test_others_tangents);
  return g_test_run ();
}
