/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-page.h"

#include "core/base/hl-translation-macros.h"
#include "core/formula/hl-formula.h"
#include "core/document/hl-document.h"
#include "core/help/hl-help-law-evaluation.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-hydraulic-model.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* Returns whether a text has every one of the words, which blanks separate; case does not matter. Without
 * words: yes. */
static gboolean has_words (const char *text, const char *words) {
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *sought = g_utf8_casefold (words, -1);
  g_auto (GStrv) each = g_strsplit_set (sought, " ", -1);
  gboolean all = TRUE;

  for (int k = 0; each[k] != NULL; k++)
    all = all && strstr (folded, each[k]) != NULL;
  return all;
}

/* clang-format off */
static const HlHelpTopic topics[] = {
  {"circuit", N_ ("The circuit"),
   {N_ ("The hydraulic circuit with the symbols of ISO 1219-1. To add a symbol, take it from the palette, or double-click empty paper and type its name. To draw a line, drag from a port to another port, to a line or to an empty place."),
    N_ ("While a result is shown, the colour of a line shows its pressure, arrows show the flow, and spools have their position at the time cursor."),
    N_ ("F1 opens the page of the selected symbol, with its numbers, or the page of the tool under the pointer.")},
   "keys_draw", "theory/hydraulics.md"},
  {"linkage", N_ ("The linkage"),
   {N_ ("The linkage in metres at the time cursor. Two clicks draw a link; a number typed between them sets its length or its angle. A link that ends on an existing point is joined to it."),
    N_ ("Drag to move the linkage within its joints, strokes and stops; drag with Alt to change the geometry. The degrees of freedom and redundant constraints are shown above the drawing."),
    N_ ("When an eigenvalue is selected, both drawings show its mode shape in motion.")},
   "keys_draw", "theory/elements.md, theory/linearization.md"},
  {"plots", N_ ("The plots"),
   {N_ ("Traces of the selected run, in tabs and rows; the legend shows the values at the time cursor. Drop an element or the name of a property on a plot to add a trace."),
    N_ ("The linear response is the solution of the linear model at the working point, drawn dashed next to the nonlinear run. Where both differ, the motion is too large for the tangents of the characteristic curves."),
    N_ ("The wheel zooms the time axis, with Shift the values, with Ctrl both. A click sets the time cursor; two more cursors measure. Kept runs, other oil models and measured data are drawn next to the run in their own colours."),
    N_ ("A driven run has an input recording below its plots, with a mark for every movement of a lever, slider or switch. Marks can be dragged, removed and replayed.")},
   "keys_plots", "theory/observables.md, theory/integration.md"},
  {"locus", N_ ("The root locus"),
   {N_ ("Each branch is an eigenvalue of the linear model over the range of one slider; the cross is its present value. The real part is the decay rate (negative) or growth rate (positive) of the motion, the imaginary part its angular frequency."),
    N_ ("Marks show the value of the slider and the frequency where a branch crosses the imaginary axis. The pointer shows the same slider value on all branches, and a click sets it. Drag a pole along its branch to move the slider."),
    N_ ("A click on an eigenvalue shows its mode shape in both drawings.")},
   "keys_plots", "theory/spectra.md, theory/linearization.md"},
  {"eigenvalues", N_ ("The table of eigenvalues"),
   {N_ ("The eigenvalues of the linear model at the working point, with frequency and damping ratio. Zero eigenvalues have a name: trapped oil, or a position that is not held. Select a row to see its mode shape; Ctrl+C copies the table with all digits.")},
   "keys_run", "theory/spectra.md"},
  {"sliders", N_ ("The sliders"),
   {N_ ("A slider changes one number of the model, or several numbers together. While you drag it, eigenvalues, locus and traces follow. Ctrl+Z undoes the whole drag."),
    N_ ("You can type the number next to a slider, with a unit or as a formula. The menu of a slider sets its range. Any property can get a slider.")},
   NULL, NULL},
  {"levers", N_ ("The levers"),
   {N_ ("While you drive the machine, every input signal has a lever. Speeds and flows go up to the value in the file; the button next to a lever sets another range."),
    N_ ("Every movement is recorded with its time in the input recording of the run.")},
   "keys_run", "theory/integration.md"},
  {"time", N_ ("The time bar"),
   {N_ ("The time cursor of the selected run. Drawings, legends, properties and help pages show the values at this time.")},
   "keys_run", NULL},
  {"properties", N_ ("The properties"),
   {N_ ("All numbers of the selected element, with units; without a selection, those of the model, its simulation and its oil. Type a number with any suitable unit, or a formula of other numbers."),
    N_ ("F1 on a property opens the page of its element at this property. The menu of a row adds a slider, adds a plot, or restores the default.")},
   "keys_edit", NULL},
  {"outline", N_ ("The outline"),
   {N_ ("All elements as a list for keyboard and screen readers. The list can add, rename, connect, move and delete the elements of the drawings.")},
   "keys_outline", NULL},
  {"problems", N_ ("The problems"),
   {N_ ("Errors that prevent a computation, and warnings: the element, the reason and the remedy. A click selects the element; a button applies the remedy where it is unique.")},
   NULL, NULL},
  {"lesson", N_ ("The lesson"),
   {N_ ("A step is a text, a task or a prediction. Results that contain the answer are covered until you answer; then the model runs, and its result is drawn over your prediction."),
    N_ ("The menu restarts the lesson, and saves a report of your predictions and the results. Your progress is kept."),
    N_ ("To write a lesson, choose Record a lesson in the menu: every change and every run becomes a step.")},
   NULL, NULL},
  {"tutorial", N_ ("Tutorial: a first machine"),
   {N_ ("Linkage: choose Ground pivot, type 0; 0 and Enter, then 1; -0.5 and Enter. Choose Link, type 0; 0 and Enter, then 3 m < 0 and Enter, and press Escape: this is the bed of a tipping trailer."),
    N_ ("Cylinder: choose Cylinder, click on the second pivot and then on the bed, about 1.8 m from its hinge. Choose Force, click on the free end of the bed, and enter 200 N in the properties."),
    N_ ("Circuit: the cylinder is there already. Place a directional valve below it, and below that a flow source, a check valve, a relief valve and a tank. In the properties of the valve choose Over time and then Step for its command."),
    N_ ("Lines: drag from port to port. Pump to check valve and on to port P of the valve; relief valve to pump and tank; port T to the tank; ports A and B of the valve to ports A and B of the cylinder."),
    N_ ("Run: press F5. The pump delivers 30 L/min into a piston of 50 cm², which is 100 mm/s; the bed rises by about 5° until 1 s. Errors stand at the foot of the window, F8 goes through them."),
    N_ ("Report: save with Ctrl+S; Export, Report writes one page with drawings, plots, eigenvalues and all numbers. On the start page, Your first drawing goes through the same steps and waits for each.")},
   "keys_draw", NULL},
};
/* clang-format on */

const HlHelpTopic *hl_help_topic (int k) {
  return k >= 0 && (gsize)k < G_N_ELEMENTS (topics) ? &topics[k] : NULL;
}

const HlHelpTopic *hl_help_topic_find (const char *key) {
  for (gsize k = 0; k < G_N_ELEMENTS (topics); k++)
    if (g_strcmp0 (topics[k].key, key) == 0)
      return &topics[k];
  return NULL;
}

/* Places where a search finds words: the best place of each word, and of these the worst. */
enum { IN_NOTHING, IN_PROPERTIES, IN_TEXT, IN_SYNONYMS, IN_LABEL, N_PLACES_OF_WORDS };

static int rank_of (const char *const places[N_PLACES_OF_WORDS], const char *words) {
  g_auto (GStrv) each = g_strsplit_set (words, " ", -1);
  int least = IN_LABEL;

  for (int k = 0; each[k] != NULL; k++) {
    int best = IN_LABEL;
    while (best > IN_NOTHING && (places[best] == NULL || !has_words (places[best], each[k])))
      best--;
    least = MIN (least, best);
  }
  return least;
}

int hl_help_topic_rank (const HlHelpTopic *topic, const char *words) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; k < HL_TOPIC_MOST_LINES && topic->lines[k] != NULL; k++)
    g_string_append_printf (text, " %s", _ (topic->lines[k]));
  return rank_of ((const char *[N_PLACES_OF_WORDS]){[IN_TEXT] = text->str, [IN_LABEL] = _ (topic->label)},
                  words);
}

/* Evaluation of components for the help. Where a state rests its rate is zero: with the rate f (x, p) of a
 * state that follows at first order,
 *
 *   dx/dp = -(df/dp)/(df/dx) */

#define MOST_ROWS (HL_MOST_STATES + HL_KIND_MAX_BRANCHES)

/* The law at a point. */
typedef struct {
  double p[HL_MOST_PORTS];
  double q[HL_KIND_MAX_BRANCHES + 1], rate[HL_MOST_STATES];
  double d[MOST_ROWS * HL_MOST_LAW_COLUMNS];
  HlLaw law;
} Evaluated;

void hl_help_part_init (HlHelpPart *part, const HlComponent *c, const HlFluid *oil) {
  const HlComponentHelp *help = c->klass->help;

  memset (part, 0, sizeof *part);
  part->law = &hl_help_component_law;
  part->help = help;
  part->kind = &c->klass->kind;
  part->c = *c;
  part->oil = *oil;
  for (int port = 0; port < HL_MOST_PORTS; port++)
    part->c.node[port] = part->c.line[port] = port;
  for (int k = 0; k < HL_MOST_COMMANDS; k++)
    part->c.signal[k] = k;
  part->c.cylinder = -1;
  part->c.is_joint = false;
  hl_component_derive (&part->c, oil);
  hl_component_count (&part->c);
  for (int port = 0; port < HL_MOST_PORTS; port++)
    part->p[port] = help->p[port] > 0.0 ? help->p[port] : part->c.outside;
  for (int state = 0; state < part->c.n_states; state++) {
    int word = (int)(hl_component_word (&part->c, state, NULL) - c->klass->states);
    part->state[state] = help->state[word];
  }
  memcpy (part->signal, help->signal, sizeof part->signal);
  part->length = help->length;
  part->speed = help->speed;
}

void hl_help_part_leave_open (HlHelpPart *part, int port) {
  const HlAbsentPort *absent = &part->c.klass->absent[port];

  if (absent->reading == HL_ABSENT_AS_PORT)
    part->p[port] = part->p[absent->as];
  else if (absent->reading != HL_ABSENT_SHUT)
    part->p[port] = part->c.outside;
  else if (part->c.klass->is_cylinder)
    part->p[port] = ((const HlCylinder *)part->c.self)->vent_pressure;
}

/* Finds a state of the part; -1: it has none. */
static int find_state (const HlHelpPart *part, int word, int which) {
  for (int state = 0; state < part->c.n_states; state++) {
    int number;
    const HlStateWord *own = hl_component_word (&part->c, state, &number);
    if (own == &part->c.klass->states[word] && number == which)
      return state;
  }
  return -1;
}

static void evaluate (const HlHelpPart *part, Evaluated *at) {
  const HlComponent *c = &part->c;

  memset (at, 0, sizeof *at);
  memcpy (at->p, part->p, sizeof at->p);
  at->law = (HlLaw){.p = at->p,
                    .state = part->state,
                    .signal = part->signal,
                    .length = part->length,
                    .speed = part->speed,
                    .q = at->q,
                    .rate = at->rate,
                    .d = at->d,
                    .n_rows = hl_component_n_rows (c)};
  if (hl_component_n_rows (c) > 0)
    hl_component_eval (c, at->p, &at->law);
}

/* Returns the column of the law that a letter is; -1: none. */
static int column_of (const HlHelpPart *part, const HlLetter *by) {
  const HlComponent *c = &part->c;
  int state = -1;

  if (by == NULL)
    return -1;
  switch (by->source) {
  case HL_LETTER_PORT:
    return by->index;
  case HL_LETTER_STATE:
    state = find_state (part, by->index, by->which);
    return state >= 0 ? c->klass->kind.n_ports + state : -1;
  case HL_LETTER_SIGNAL:
    return c->klass->kind.n_ports + c->n_states + by->index;
  case HL_LETTER_LENGTH:
  case HL_LETTER_SPEED:
    return c->klass->is_cylinder ? hl_component_motion_column (c) + (by->source == HL_LETTER_SPEED) : -1;
  default:
    return -1;
  }
}

static double slope_of_row (const Evaluated *at, int row, int column) {
  return column >= 0 && row >= 0 && row < at->law.n_rows ? at->d[column * at->law.n_rows + row] : NAN;
}

static double output (const HlHelpPart *part, Evaluated *at, int index, int column, double *slope) {
  double d[HL_MOST_LAW_COLUMNS] = {0.0};
  HlLaw law = at->law;

  law.q = NULL;
  double value = hl_component_output (&part->c, &law, index, d);
  *slope = column >= 0 ? d[column] : NAN;
  return value;
}

static double rest_value (const HlHelpPart *part, Evaluated *at, int word, int column, double *slope) {
  int state = find_state (part, word, 0), row = part->c.n_branches + state;
  double unused;

  if (state < 0) /* it rests where it always stands */
    output (part, at, word, column, slope);
  else
    *slope = -slope_of_row (at, row, column) / slope_of_row (at, row, part->c.klass->kind.n_ports + state);
  HlLaw law = at->law;
  law.q = law.rate = &unused;
  law.d = NULL;
  return part->c.klass->rest (&part->c, &law, state >= 0 ? state : 0);
}

static double store_value (const HlHelpPart *part, gboolean is_compliance, double *slope) {
  HlStored stored;

  part->c.klass->store (&part->c, part->p[0], HL_PIECE_BY_STATE, &stored);
  *slope = is_compliance ? stored.slope : -stored.compliance;
  return is_compliance ? stored.compliance : stored.gas_volume;
}

static double law_of_component (const HlHelpPart *part, const HlGiven *given, const HlLetter *by,
                                double *slope) {
  const HlComponent *c = &part->c;
  int column = column_of (part, by), state;
  double volume, value;
  Evaluated at;

  switch (given->gives) {
  case HL_GIVES_NUMBER:
    return *hl_component_number (c, given->place);
  case HL_GIVES_FLOW:
    evaluate (part, &at);
    *slope = given->index < c->n_branches ? slope_of_row (&at, given->index, column) : 0.0;
    return at.q[given->index];
  case HL_GIVES_RATE:
    state = find_state (part, given->index, given->which);
    evaluate (part, &at);
    *slope = slope_of_row (&at, c->n_branches + state, column);
    return state >= 0 ? at.rate[state] : NAN;
  case HL_GIVES_OUTPUT:
    evaluate (part, &at);
    return output (part, &at, given->index, column, slope);
  case HL_GIVES_REST:
    evaluate (part, &at);
    return rest_value (part, &at, given->index, column, slope);
  case HL_GIVES_GAS:
  case HL_GIVES_COMPLIANCE:
    return store_value (part, given->gives == HL_GIVES_COMPLIANCE, slope);
  case HL_GIVES_HOSE:
    c->klass->hose (c, 0, &volume, &value);
    return value;
  case HL_GIVES_PRESSURE:
    *slope = 0.0;
    return c->klass->given_pressure (c);
  case HL_GIVES_OWN:
    evaluate (part, &at);
    return given->own (c, &at.law, slope);
  default:
    return NAN;
  }
}

/* Returns the field that a letter is, NULL: none. */
static const HlField *field_of_component (const HlHelpPart *part, const HlLetter *letter) {
  const HlKind *kind = &part->c.klass->kind;
  int signal = 0;

  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    if (letter->source == HL_LETTER_NUMBER && field->place == letter->place)
      return field;
    if (letter->source == HL_LETTER_SIGNAL && field->type == HL_FIELD_SIGNAL && signal++ == letter->index)
      return field;
  }
  return NULL;
}

static double value_of_component (const HlHelpPart *part, const HlLetter *letter) {
  int state;

  switch (letter->source) {
  case HL_LETTER_NUMBER:
    return *hl_component_number (&part->c, letter->place);
  case HL_LETTER_WORKED:
    return letter->of (&part->c, letter->index);
  case HL_LETTER_OIL:
    return *(const double *)(const void *)((const char *)&part->oil + letter->place - 1);
  case HL_LETTER_PORT:
    return part->p[letter->index];
  case HL_LETTER_STATE:
    state = find_state (part, letter->index, letter->which);
    return state >= 0 ? part->state[state] : NAN;
  case HL_LETTER_SIGNAL:
    return part->signal[letter->index];
  case HL_LETTER_LENGTH:
    return part->length;
  case HL_LETTER_SPEED:
    return part->speed;
  case HL_LETTER_OUTSIDE:
    return part->c.outside;
  case HL_LETTER_FREE:
    return part->free;
  default:
    return letter->value;
  }
}

static double *place_of_component (HlHelpPart *part, const HlLetter *letter) {
  switch (letter->source) {
  case HL_LETTER_PORT:
    return &part->p[letter->index];
  case HL_LETTER_STATE:
    return &part->state[MAX (find_state (part, letter->index, letter->which), 0)];
  case HL_LETTER_SIGNAL:
    return &part->signal[letter->index];
  case HL_LETTER_LENGTH:
    return &part->length;
  case HL_LETTER_SPEED:
    return &part->speed;
  default:
    return &part->free;
  }
}

static gboolean has_form_component (const HlHelpPart *part, HlHolds holds, unsigned forms) {
  (void)forms;
  return holds == NULL || holds (&part->c);
}

static void range_of_component (const HlHelpPart *part, const HlCurve *curve, double *low, double *high) {
  if (curve->range != NULL)
    curve->range (&part->c, low, high);
}

const HlHelpLaw hl_help_component_law = {
    .law = law_of_component,
    .letter = value_of_component,
    .place = place_of_component,
    .field = field_of_component,
    .holds = has_form_component,
    .range = range_of_component,
};

/* Initializes the help of an element that is not a component: all numbers that its law reads form one vector. */

void hl_help_part_init_element (HlHelpPart *part, const HlElementHelp *element, const HlKind *kind) {
  memset (part, 0, sizeof *part);
  part->law = &hl_help_element_law;
  part->help = &element->words;
  part->kind = kind;
  part->element = element;
  memcpy (part->value, element->usual, sizeof part->value);
}

static const HlField *field_of (const HlHelpPart *part, const HlLetter *letter) {
  return letter->field != NULL ? hl_kind_find_field (part->kind, letter->field) : NULL;
}

static int choice_of (const HlField *field, const char *text) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);

  for (int k = 0; choices[k] != NULL; k++)
    if (g_strcmp0 (choices[k], text) == 0)
      return k;
  return 0;
}

/* Returns a field that is a letter; NAN: the element does not state it. A signal counts as what it is now. */
static double stated (const HlHelpPart *part, const HlHelpSight *sight, const HlField *field) {
  if (field->type == HL_FIELD_SIGNAL)
    return hl_sight_own (sight, field->name, hl_value_number (hl_value_member (sight->element, field->name)));
  if (field->type == HL_FIELD_CHOICE)
    return choice_of (field, hl_kind_text (part->kind, sight->element, field->name));
  return hl_kind_number (part->kind, sight->element, field->name, NULL);
}

/* Reads the numbers of the part, from the document or from a run. */
static void part_look (HlHelpPart *part, const HlHelpSight *sight) {
  for (int k = 0; k < part->help->n_letters; k++) {
    const HlField *field = field_of (part, &part->help->letters[k]);
    if (field != NULL)
      part->value[part->help->letters[k].index] = stated (part, sight, field);
  }
  if (part->element->look != NULL)
    part->element->look (sight, part->value);
}

static double law_of (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope) {
  double d[HL_MOST_VALUES];

  for (int k = 0; k < HL_MOST_VALUES; k++)
    d[k] = NAN;
  if (given->gives != HL_GIVES_VALUE)
    return NAN;
  double value = part->element->law (part->value, given->index, d);
  if (by != NULL && by->source == HL_LETTER_VALUE)
    *slope = d[by->index];
  return value;
}

static double value_of (const HlHelpPart *part, const HlLetter *letter) {
  return letter->source == HL_LETTER_VALUE  ? part->value[letter->index]
         : letter->source == HL_LETTER_FREE ? part->free
                                            : letter->value;
}

static double *place_of (HlHelpPart *part, const HlLetter *letter) {
  return letter->source == HL_LETTER_VALUE ? &part->value[letter->index] : &part->free;
}

static gboolean has_form (const HlHelpPart *part, HlHolds holds, unsigned forms) {
  (void)holds;
  return forms == 0 || part->element->form == NULL || (forms & part->element->form (part->value)) != 0;
}

static void range_of (const HlHelpPart *part, const HlCurve *curve, double *low, double *high) {
  if (part->element->range != NULL)
    part->element->range (part->value, (int)(curve - part->help->curves), low, high);
}

const HlHelpLaw hl_help_element_law = {
    .law = law_of,
    .letter = value_of,
    .place = place_of,
    .field = field_of,
    .holds = has_form,
    .range = range_of,
};

static const HlSection sections[] = {HL_SECTION_COMPONENTS, HL_SECTION_LINES, HL_SECTION_BODIES,
                                     HL_SECTION_JOINTS,     HL_SECTION_LOADS, HL_SECTION_SIGNAL};

const HlKind *hl_help_kind (int k) {
  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int n = 0; hl_schema_kind (sections[s], n) != NULL; n++)
      if (k-- == 0)
        return hl_schema_kind (sections[s], n);
  return NULL;
}

char *hl_help_kind_key (const HlKind *kind) {
  return kind->section == HL_SECTION_COMPONENTS ? g_strdup (kind->name)
         : kind->name == NULL                   ? g_strdup (hl_section_noun (kind->section))
                              : g_strdup_printf ("%s-%s", hl_section_noun (kind->section), kind->name);
}

char *hl_help_letter_words (const HlHelpPage *page, const HlHelpLetter *letter) {
  if (letter->label != NULL)
    return g_strdup (_ (letter->label));
  if (letter->letter->source == HL_LETTER_PORT)
    return g_strdup_printf (_ ("Pressure at %s"), page->kind->ports[letter->letter->index]);
  if (letter->letter->source == HL_LETTER_STATE) {
    const char *state = page->part->c.klass->states[letter->letter->index].name;
    const HlField *start = hl_kind_find_field (page->kind, state); /* its value at t = 0 */
    return g_strdup_printf (_ ("State %s"), start != NULL ? _ (start->label) : state);
  }
  return g_strdup ("");
}

/* Finds the quantity that the tables of the element state. */
static gboolean stated_quantity (const HlHelpPage *page, const HlHelpFormula *formula, HlQuantity *quantity) {
  static const HlQuantity quantities[] = {
      [HL_GIVES_FLOW] = HL_QUANTITY_FLOW,         [HL_GIVES_GAS] = HL_QUANTITY_VOLUME,
      [HL_GIVES_HOSE] = HL_QUANTITY_COMPLIANCE,   [HL_GIVES_COMPLIANCE] = HL_QUANTITY_COMPLIANCE,
      [HL_GIVES_PRESSURE] = HL_QUANTITY_PRESSURE, [HL_GIVES_FORCE] = HL_QUANTITY_FORCE,
  };
  const HlComponentHelp *help = page->part->help;
  const HlGiven *given = &formula->text->given;

  if (given->gives == HL_GIVES_VALUE) {
    *quantity = page->part->element->results[given->index];
    return *quantity != HL_QUANTITY_NONE;
  }
  if (given->gives == HL_GIVES_STEP || given->gives == HL_GIVES_NUMBER)
    return FALSE;
  for (int k = 0; k < help->n_curves; k++) {
    const HlGiven *other = &help->curves[k].given;
    *quantity = help->curves[k].y_quantity;
    if (other->gives == given->gives && other->index == given->index && other->own == given->own)
      return TRUE;
  }
  for (int k = 0; k < page->kind->n_outputs && given->gives == HL_GIVES_OUTPUT; k++) {
    *quantity = page->kind->outputs[k].quantity;
    if (page->kind->outputs[k].reads == HL_READS_LAW && page->kind->outputs[k].part == given->index)
      return TRUE;
  }
  if (given->gives == HL_GIVES_FORCE && page->part->c.klass->is_rotary) {
    *quantity = HL_QUANTITY_TORQUE;
    return TRUE;
  }
  if ((gsize)given->gives >= G_N_ELEMENTS (quantities))
    return FALSE;
  *quantity = quantities[given->gives];
  return *quantity != HL_QUANTITY_NONE;
}

/* --- dimensions of formulas --- */

#define MOST_NESTING 16 /* of formulas in each other, and of their parts */
#define NO_DIMENSION ((HlDimension){0})
#define MOST_LETTERS 4 /* of a function */

/* The letters of a function that is called, and the dimensions of what it is called with. */
typedef struct {
  const HlTerm *left; /* NULL: no function */
  HlDimension dimensions[MOST_LETTERS];
} Scope;

static gboolean find_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *term, int depth,
                                HlDimension *dimension);

/* Returns the formula of the page that defines a letter or a function; NULL: none. */
static const HlTerm *find_definition (const HlHelpPage *page, HlTermKind kind, const char *name) {
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlTerm *formula = g_array_index (page->formulas, HlHelpFormula, k).term;
    const HlTerm *left = hl_term_part (formula, 0);
    if (left->kind == kind && strcmp (left->text, name) == 0)
      return formula;
  }
  return NULL;
}

static gboolean letter_dimension (const HlHelpPage *page, const Scope *scope, const char *text, int depth,
                                  HlDimension *dimension) {
  gsize length = strcspn (text, "'");
  g_autofree char *name = g_strndup (text, length);
  gboolean is_known = strcmp (name, "pi") == 0;
  const HlTerm *formula = find_definition (page, HL_TERM_LETTER, name);

  *dimension = NO_DIMENSION;
  for (guint k = 0; scope->left != NULL && k < scope->left->parts->len; k++)
    if (strcmp (hl_term_part (scope->left, k)->text, name) == 0) {
      *dimension = scope->dimensions[k];
      return TRUE;
    }
  for (guint k = 0; !is_known && k < page->letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
    is_known = strcmp (letter->letter->name, name) == 0;
    if (is_known)
      *dimension = hl_dimension_of (letter->quantity);
  }
  dimension->second -= (double)strlen (text + length);
  return is_known || (text[length] == '\0' && formula != NULL &&
                      find_dimension (page, &(Scope){NULL}, hl_term_part (formula, 1), depth, dimension));
}

/* Terms that are added or compared: all the same, but for plain numbers. */
static gboolean common_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *term, guint step,
                                  int depth, HlDimension *dimension) {
  gboolean has_one = FALSE;

  *dimension = NO_DIMENSION;
  for (guint k = 0; k < term->parts->len; k += step) {
    const HlTerm *part = hl_term_part (term, k);
    HlDimension own;
    if (part->kind == HL_TERM_NUMBER)
      continue;
    if (!find_dimension (page, scope, part, depth, &own) ||
        (has_one && !hl_dimension_agrees (own, *dimension)))
      return FALSE;
    *dimension = own;
    has_one = TRUE;
  }
  return TRUE;
}

static gboolean power_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *term, int depth,
                                 HlDimension *dimension) {
  const HlTerm *exponent = hl_term_part (term, 1);

  if (!find_dimension (page, scope, hl_term_part (term, 0), depth, dimension))
    return FALSE;
  if (exponent->kind == HL_TERM_NUMBER)
    *dimension = hl_dimension_product (*dimension, exponent->value, NO_DIMENSION, 0);
  return exponent->kind == HL_TERM_NUMBER || hl_dimension_is_none (*dimension);
}

static gboolean function_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *call, int depth,
                                    HlDimension *dimension) {
  const HlTerm *formula = find_definition (page, HL_TERM_CALL, call->text);
  Scope own = {formula != NULL ? hl_term_part (formula, 0) : NULL};

  if (formula == NULL || own.left->parts->len != call->parts->len || call->parts->len > MOST_LETTERS)
    return FALSE;
  for (guint k = 0; k < call->parts->len; k++)
    if (!find_dimension (page, scope, hl_term_part (call, k), depth, &own.dimensions[k]))
      return FALSE;
  return find_dimension (page, &own, hl_term_part (formula, 1), depth, dimension);
}

static gboolean call_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *term, int depth,
                                HlDimension *dimension) {
  static const char *const pure[] = {"sign", "exp", "ln", "tanh", "sin", "cos", "atan", NULL};
  static const char *const same[] = {"abs", "pos", "turn", "min", "max", NULL};

  *dimension = NO_DIMENSION;
  if (g_strv_contains (pure, term->text))
    return TRUE;
  if (g_strv_contains (same, term->text))
    return common_dimension (page, scope, term, 1, depth, dimension);
  if (strcmp (term->text, "cases") == 0) /* value and condition in turn */
    return common_dimension (page, scope, term, 2, depth, dimension);
  if (strcmp (term->text, "sqrt") != 0)
    return function_dimension (page, scope, term, depth, dimension);
  if (!find_dimension (page, scope, hl_term_part (term, 0), depth, dimension))
    return FALSE;
  *dimension = hl_dimension_product (*dimension, 0.5, NO_DIMENSION, 0);
  return TRUE;
}

/* Finds the dimension of a term; FALSE: a letter is unknown, or parts do not agree. */
static gboolean find_dimension (const HlHelpPage *page, const Scope *scope, const HlTerm *term, int depth,
                                HlDimension *dimension) {
  gboolean is_fraction = term->kind == HL_TERM_FRACTION;

  if (depth == MOST_NESTING)
    return FALSE;
  switch (term->kind) {
  case HL_TERM_LETTER:
    return letter_dimension (page, scope, term->text, depth + 1, dimension);
  case HL_TERM_SUM:
    return common_dimension (page, scope, term, 1, depth + 1, dimension);
  case HL_TERM_MINUS:
  case HL_TERM_GROUP:
    return find_dimension (page, scope, hl_term_part (term, 0), depth + 1, dimension);
  case HL_TERM_POWER:
    return power_dimension (page, scope, term, depth + 1, dimension);
  case HL_TERM_CALL:
    return call_dimension (page, scope, term, depth + 1, dimension);
  case HL_TERM_PRODUCT:
  case HL_TERM_FRACTION:
    *dimension = NO_DIMENSION;
    for (guint k = 0; k < term->parts->len; k++) {
      HlDimension own;
      if (!find_dimension (page, scope, hl_term_part (term, k), depth + 1, &own))
        return FALSE;
      *dimension = hl_dimension_product (*dimension, 1, own, is_fraction && k > 0 ? -1 : 1);
    }
    return TRUE;
  default:
    *dimension = NO_DIMENSION;
    return TRUE;
  }
}

gboolean hl_help_formula_dimension (const HlHelpPage *page, const HlHelpFormula *formula,
                                    HlDimension *dimension) {
  return find_dimension (page, &(Scope){NULL}, hl_term_part (formula->term, 1), 0, dimension);
}

gboolean hl_help_formula_quantity (const HlHelpPage *page, const HlHelpFormula *formula,
                                   HlQuantity *quantity) {
  HlDimension dimension;

  if (stated_quantity (page, formula, quantity))
    return TRUE;
  if (!hl_help_formula_dimension (page, formula, &dimension) || hl_dimension_is_none (dimension))
    return FALSE;
  if (hl_dimension_quantity (dimension, quantity))
    return TRUE;
  dimension.radian = 0; /* an angle times a radius is a length */
  return !hl_dimension_is_none (dimension) && hl_dimension_quantity (dimension, quantity);
}

char *hl_help_field_range (const HlField *field, const HlUnit *unit) {
  g_autofree char *range =
      field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL ? hl_field_range_text (field) : NULL;
  GString *text = g_string_new (range);

  if (field->choices != NULL) {
    g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
    for (int k = 0; choices[k] != NULL; k++)
      g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", hl_schema_word (choices[k]));
  }
  if (field->need == HL_NEED_DEFAULT && isfinite (field->fallback) && field->type == HL_FIELD_NUMBER) {
    g_autofree char *number = hl_unit_format_full (
        unit != NULL ? unit : hl_quantity_default_unit (field->quantity), field->fallback, 4);
    g_string_append_printf (text, _ ("%sdefault %s"), text->len > 0 ? "; " : "", number);
  }
  return g_string_free (text, FALSE);
}

/* --- what it is made of --- */

/* Returns the numbers that a new element of the kind has. */
static HlValue *new_element (const HlKind *kind) {
  HlValue *element = hl_value_new_object ();

  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    gboolean starts =
        field->need == HL_NEED_REQUIRED || (field->need == HL_NEED_GROUP && field->alternative == 0);
    if (!starts || (field->type != HL_FIELD_NUMBER && field->type != HL_FIELD_SIGNAL))
      continue;
    HlValue *next = hl_value_with_at (element, field->name, hl_value_new_number (field->start));
    hl_value_unref (element);
    element = next;
  }
  return element;
}

static void add_formulas (HlHelpPage *page) {
  const HlComponentHelp *help = page->part->help;

  for (int k = 0; k < help->n_formulas; k++) {
    HlHelpFormula formula = {.text = &help->formulas[k]};
    if (page->id != NULL && !hl_help_part_says (page->part, formula.text))
      continue;
    HlTerm *term = hl_term_parse (formula.text->text, NULL);
    g_return_if_fail (term != NULL);
    formula.term = term;
    g_ptr_array_add (page->terms, term);
    g_array_append_val (page->formulas, formula);
  }
}

static gboolean names (const HlTerm *term, const char *letter) {
  gboolean has = term->kind == HL_TERM_LETTER && strcmp (term->text, letter) == 0;

  for (guint k = 0; k < term->parts->len && !has; k++)
    has = names (hl_term_part (term, k), letter);
  return has;
}

/* Letters used by the formulas; the result of a formula is not listed. */
static void add_letters (HlHelpPage *page) {
  const HlComponentHelp *help = page->part->help;

  for (int k = 0; k < help->n_letters; k++) {
    const HlLetter *letter = &help->letters[k];
    gboolean is_named = FALSE;
    for (guint f = 0; f < page->terms->len && !is_named; f++)
      is_named = names (g_ptr_array_index (page->terms, f), letter->name);
    HlHelpLetter row = {.letter = letter,
                        .label = hl_help_part_label (page->part, letter),
                        .quantity = hl_help_part_quantity (page->part, letter)};
    if (is_named)
      g_array_append_val (page->letters, row);
  }
}

/* Returns an element of the document, or the signal "ELEMENT.FIELD" of one. A signal that is a plain number
 * counts as written out. */
static const HlValue *find_element (HlHelpPage *page) {
  const char *dot = strchr (page->id, '.');

  if (page->kind->section != HL_SECTION_SIGNAL || dot == NULL)
    return hl_document_find (page->document, page->id, NULL, NULL);
  g_autofree char *owner = g_strndup (page->id, (gsize)(dot - page->id));
  const HlValue *signal = hl_value_at (hl_document_find (page->document, owner, NULL, NULL), dot + 1);
  if (!hl_value_is_number (signal))
    return signal;
  hl_value_unref (page->made);
  HlValue *empty = hl_value_new_object ();
  page->made = hl_value_with_at (empty, "value", hl_value_new_number (hl_value_number (signal)));
  hl_value_unref (empty);
  return page->made;
}

static HlHelpPart *component_part (HlHelpPage *page) {
  const HlComponentClass *klass = hl_component_class (page->kind->name);
  HlFluid oil = hl_fluid_read (page->document);

  if (klass->help == NULL)
    return NULL;
  page->self = g_malloc0 (klass->size + 1);
  HlComponent component = {.klass = klass, .self = page->self};
  HlHelpPart *part = g_new0 (HlHelpPart, 1);
  hl_component_read (&component, page->element);
  hl_help_part_init (part, &component, &oil);
  return part;
}

/* Returns the part: a kind is evaluated at a typical point, an element at the values of its document until a
 * point is set. */
static HlHelpPart *element_part (HlHelpPage *page) {
  const HlElementHelp *element = hl_element_help (page->kind);
  HlHelpSight sight = {.document = page->document, .element = page->element, .id = page->id, .t = 0.0};

  if (element == NULL)
    return NULL;
  HlHelpPart *part = g_new0 (HlHelpPart, 1);
  hl_help_part_init_element (part, element, page->kind);
  if (page->id != NULL)
    part_look (part, &sight);
  return part;
}

HlHelpPage *hl_help_page_new (const HlKind *kind, const HlDocument *document, const char *id) {
  HlHelpPage *page = g_new0 (HlHelpPage, 1);
  page->kind = kind;
  page->id = g_strdup (id);
  page->document = document != NULL ? hl_document_ref (document) : NULL;
  page->terms = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_term_free);
  page->formulas = g_array_new (FALSE, TRUE, sizeof (HlHelpFormula));
  page->letters = g_array_new (FALSE, TRUE, sizeof (HlHelpLetter));
  page->made = new_element (kind);
  page->element = id != NULL ? find_element (page) : page->made;
  page->part = kind->section == HL_SECTION_COMPONENTS ? component_part (page) : element_part (page);
  if (page->part == NULL)
    return page;
  add_formulas (page);
  add_letters (page);
  hl_help_page_work_out (page);
  return page;
}

void hl_help_page_free (HlHelpPage *page) {
  if (page == NULL)
    return;
  g_free (page->id);
  if (page->document != NULL)
    hl_document_unref ((HlDocument *)page->document);
  hl_value_unref (page->made);
  g_free (page->self);
  g_free (page->part);
  g_array_unref (page->formulas);
  g_array_unref (page->letters);
  g_ptr_array_unref (page->terms);
  g_free (page);
}

void hl_help_page_look (HlHelpPage *page, double (*read) (void *data, const char *id, const char *name),
                        void *data, double t) {
  HlHelpSight sight = {.document = page->document,
                       .element = page->element,
                       .id = page->id,
                       .read = read,
                       .data = data,
                       .t = t};

  if (page->part == NULL || page->part->element == NULL || page->id == NULL)
    return;
  part_look (page->part, &sight);
  hl_help_page_work_out (page);
}

/* Formulas that hold for other numbers have no value here. */
void hl_help_page_work_out (HlHelpPage *page) {
  g_autoptr (HlTermNumbers) numbers = hl_term_numbers_new ();

  if (page->part == NULL)
    return;
  hl_help_part_numbers (page->part, numbers);
  for (guint k = 0; k < page->letters->len; k++) {
    HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
    letter->value = hl_help_part_letter (page->part, letter->letter);
  }
  for (guint k = 0; k < page->formulas->len; k++) {
    HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    formula->value =
        hl_help_part_says (page->part, formula->text) ? hl_term_work_out (formula->term, numbers) : NAN;
  }
}

/* --- what it says --- */

GPtrArray *hl_help_page_curves (const HlHelpPage *page) {
  GPtrArray *curves = g_ptr_array_new ();
  const HlComponentHelp *help = page->part != NULL ? page->part->help : NULL;

  for (int k = 0; help != NULL && k < help->n_curves; k++)
    if (hl_help_part_has (page->part, &help->curves[k]))
      g_ptr_array_add (curves, (gpointer)&help->curves[k]);
  return curves;
}

/* Returns the fields that the oil model ignores, "Set pressure, Opening range". */
static char *idle_fields (const HlKind *kind, HlOil oil) {
  GString *text = g_string_new (NULL);

  for (int k = 0; k < kind->n_fields; k++)
    if (hl_field_is_idle (&kind->fields[k], oil))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", _ (kind->fields[k].label));
  return g_string_free (text, FALSE);
}

char *hl_help_page_oil (const HlHelpPage *page, int oil) {
  const HlOilModel *model = hl_oil_models[oil];
  GString *text = g_string_new (NULL);
  HlPassage passages[HL_MOST_PASSAGES];
  const char *said = NULL;
  int n = 0, n_by_law = 0;

  if (page->part != NULL && page->part->c.klass->passages != NULL)
    n = page->part->c.klass->passages (&page->part->c, passages);
  if (model->takes == NULL)
    g_string_append (text, page->part != NULL ? _ ("The formulas above, without simplification.")
                                              : _ ("Without simplification."));
  else if (n == 0 && page->part != NULL && page->part->c.klass->given_pressure != NULL)
    g_string_append (text, _ ("Prescribes this pressure of its line."));
  else if (n == 0 && page->part != NULL && page->part->c.klass->is_cylinder)
    g_string_append (text, _ ("Areas, stroke and friction are used."));
  else if (n == 0)
    g_string_append (text, _ ("No oil flows through it in this model."));
  for (int k = 0; k < n && model->takes != NULL; k++) {
    const char *why, *mend, *sentence = model->takes (&passages[k], &why, &mend);
    n_by_law += model->reads_law != NULL && model->reads_law (&passages[k]);
    if ((why != NULL ? why : sentence) == said)
      continue;
    said = why != NULL ? why : sentence;
    if (why != NULL)
      g_string_append_printf (text, _ ("%sNot supported: %s; %s."), text->len > 0 ? " " : "", _ (why),
                              _ (mend));
    else
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", _ (sentence));
  }
  g_autofree char *idle = idle_fields (page->kind, model->bit);
  if (*idle != '\0' && (n == 0 || n_by_law < n))
    g_string_append_printf (text, _ (" Not used: %s."), idle);
  return g_string_free (text, FALSE);
}

char *hl_help_page_states (const HlHelpPage *page) {
  GString *text = g_string_new (NULL);
  int n = page->part != NULL ? page->part->c.n_states : 0;

  if (page->part != NULL && page->part->element != NULL)
    g_string_append (text, page->part->element->states != NULL ? page->part->element->states : "");
  for (int state = 0; state < n; state++) {
    char room[HL_STATE_NAME_ROOM];
    const HlStateWord *word = hl_component_word (&page->part->c, state, NULL);
    g_string_append_printf (text, "%s%s [%s]", text->len > 0 ? ", " : "",
                            hl_component_state_name (&page->part->c, state, room),
                            hl_quantity_si (word->quantity));
  }
  if (text->len > 0)
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return NULL;
}

char *hl_help_page_ports (const HlHelpPage *page) {
  GString *text = g_string_new (NULL);

  for (int port = 0; port < page->kind->n_ports; port++)
    if (page->id == NULL || hl_kind_has_port (page->kind, page->element, port))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", page->kind->ports[port]);
  if (text->len > 0)
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return NULL;
}

const char *hl_help_page_sources (const HlHelpPage *page) {
  if (page->part != NULL)
    return page->part->help->sources;
  return "theory/elements.md";
}

static void append_words (GString *text, const char *words) {
  if (words != NULL && *words != '\0')
    g_string_append_printf (text, "%s\n", _ (words));
}

const HlKind *hl_help_signal_kind (const HlHelpPage *page, const HlField *field) {
  const HlValue *signal =
      field->type == HL_FIELD_SIGNAL && page->id != NULL ? hl_value_at (page->element, field->name) : NULL;

  return signal != NULL ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;
}

int hl_help_kind_rank (const HlKind *kind, const char *words) {
  g_autoptr (GString) label = g_string_new (kind->name), fields = g_string_new (NULL);

  g_string_append_c (label, ' ');
  append_words (label, kind->label);
  for (int k = 0; k < kind->n_fields; k++) {
    append_words (fields, kind->fields[k].name);
    append_words (fields, kind->fields[k].label);
    append_words (fields, kind->fields[k].help);
  }
  return rank_of (
      (const char *[N_PLACES_OF_WORDS]){[IN_PROPERTIES] = fields->str,
                                        [IN_TEXT] = kind->help != NULL ? _ (kind->help) : NULL,
                                        [IN_SYNONYMS] = kind->also != NULL ? _ (kind->also) : NULL,
                                        [IN_LABEL] = label->str},
      words);
}
