/* SPDX-License-Identifier: MIT */
/* Components under the eyes of the help. Where a state rests its rate is zero: with the rate f (x, p) of a state that follows at first order,
 *
 *   dx/dp = -(df/dp)/(df/dx) */
#include "core/help/hl-help-part.h"

#include <math.h>
#include <string.h>

#include "core/hydro/hl-cylinder.h"

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

/* -1: it has no such state. */
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

/* Column of the law that a letter is; -1: none. */
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

static double rest (const HlHelpPart *part, Evaluated *at, int word, int column, double *slope) {
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

static double store (const HlHelpPart *part, gboolean is_compliance, double *slope) {
  HlStored stored;

  part->c.klass->store (&part->c, part->p[0], HL_PIECE_BY_STATE, &stored);
  *slope = is_compliance ? stored.slope : -stored.compliance;
  return is_compliance ? stored.compliance : stored.gas_volume;
}

static double law_of (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope) {
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
    return rest (part, &at, given->index, column, slope);
  case HL_GIVES_GAS:
  case HL_GIVES_COMPLIANCE:
    return store (part, given->gives == HL_GIVES_COMPLIANCE, slope);
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

/* The field that a letter is, NULL: none. */
static const HlField *field_of (const HlHelpPart *part, const HlLetter *letter) {
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

static double value_of (const HlHelpPart *part, const HlLetter *letter) {
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

static double *place_of (HlHelpPart *part, const HlLetter *letter) {
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

static gboolean has_form (const HlHelpPart *part, HlHolds holds, unsigned forms) {
  (void)forms;
  return holds == NULL || holds (&part->c);
}

static void range_of (const HlHelpPart *part, const HlCurve *curve, double *low, double *high) {
  if (curve->range != NULL)
    curve->range (&part->c, low, high);
}

const HlHelpLaw hl_help_component_law = {
    .law = law_of,
    .letter = value_of,
    .place = place_of,
    .field = field_of,
    .holds = has_form,
    .range = range_of,
};
