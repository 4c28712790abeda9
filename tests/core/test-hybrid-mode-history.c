/* SPDX-License-Identifier: MIT */
/* The ledger and the graph of modes of a run, against the golden events and against what must hold
 * for every graph. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static HlModeHistory *history_of (const HlSystem *sys, double *t_end) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlModeHistory *history = hl_mode_history_new (sys);
  HlSimStats stats;
  HlFault fault = {0};

  options.model = HL_MODEL_HYBRID;
  hl_mode_history_attach (history, &options);
  g_assert_cmpint (hl_simulate (sys, &options, &stats, &fault), ==, HL_OK);
  hl_mode_history_end (history, stats.t_reached);
  *t_end = stats.t_reached;
  return history;
}

static int compare_times (gconstpointer a, gconstpointer b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Where the mode may change: the times of the ledger between 0 and t_end, rising. */
static GArray *change_times (const HlModeHistory *history, double t_end) {
  const GArray *ledger = hl_mode_history_ledger (history);
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  double begin = 0.0;

  g_array_append_val (times, begin);
  for (guint k = 0; k < ledger->len; k++)
    g_array_append_val (times, g_array_index (ledger, HlLedgerEntry, k).t);
  g_array_append_val (times, t_end);
  g_array_sort (times, compare_times);
  return times;
}

/* Queries by mode and by time agree, the times add up, and every visit but the first follows a transition. */
static void check_graph (const HlModeHistory *history, double t_end) {
  const GArray *modes = hl_mode_history_modes (history);
  g_autoptr (GArray) times = change_times (history, t_end);
  const GArray *transitions = hl_mode_history_transitions (history);
  double dwell = 0.0;
  int n_visits = 0, n_transitions = 0;

  for (guint k = 0; k < modes->len; k++) {
    const HlVisitedMode *mode = &g_array_index (modes, HlVisitedMode, k);
    double own = 0.0;
    int n_own = 0; /* those that take no time are not seen */
    bool is_in = false;
    for (guint i = 1; i < times->len; i++) {
      double from = g_array_index (times, double, i - 1), to = g_array_index (times, double, i);
      if (to == from)
        continue;
      bool was_in = is_in;
      is_in = hl_mode_history_mode_at (history, 0.5 * (from + to)) == (int)k;
      n_own += is_in && !was_in;
      own += is_in ? to - from : 0.0;
    }
    g_assert_cmpint (n_own, <=, mode->n_visits);
    hl_assert_near (own, mode->dwell, 0.0, 1e-12);
    dwell += mode->dwell;
    n_visits += mode->n_visits;
    for (guint other = 0; other < k; other++) {
      const HlVisitedMode *before = &g_array_index (modes, HlVisitedMode, other);
      g_assert_false (g_strv_equal ((const char *const *)mode->closed, (const char *const *)before->closed) &&
                      g_strv_equal ((const char *const *)mode->stops, (const char *const *)before->stops));
    }
  }
  for (guint k = 0; k < transitions->len; k++) {
    const HlTransition *transition = &g_array_index (transitions, HlTransition, k);
    n_transitions += transition->count;
    g_assert_cmpint (transition->from, !=, transition->to);
    g_assert_cmpstr (transition->cause, !=, "");
  }
  hl_assert_near (dwell, t_end, 0.0, 1e-9);
  g_assert_cmpint (n_transitions, ==, n_visits - 1);
  g_assert_cmpint (hl_mode_history_mode_at (history, -1.0), ==, -1);
}

/* NULL: none. */
static const HlLedgerEntry *find_entry (const HlModeHistory *history, double t, const char *text) {
  const GArray *ledger = hl_mode_history_ledger (history);

  for (guint k = 0; k < ledger->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *own = hl_ledger_entry_text (entry);
    if (fabs (entry->t - t) < 1e-6 && strcmp (own, text) == 0)
      return entry;
  }
  return NULL;
}

static const HlLedgerEntry *entry_at (const HlModeHistory *history, double t, const char *text) {
  const HlLedgerEntry *entry = find_entry (history, t, text);

  if (entry == NULL)
    g_error ("no \"%s\" at %.9f s", text, t);
  return entry;
}

/* The golden name of a stop or line as the drawing names it: see hybrid.json. */
static char *text_of_golden (const char *event) {
  static const struct {
    const char *golden, *text;
  } words[] = {{"open q1", "check1 opens"},
               {"close q1", "check1 closes"},
               {"open relief", "relief opens"},
               {"close relief", "relief closes"},
               {"hit x1:hi", "cyl1 hits its upper stop"},
               {"hit x2:hi", "cyl2 hits its upper stop"},
               {"hit x1:lo", "cyl1 hits its lower stop"},
               {"hit x2:lo", "cyl2 hits its lower stop"},
               {"leave x1:hi", "cyl1 leaves its upper stop"},
               {"leave x2:hi", "cyl2 leaves its upper stop"},
               {"leave x2:lo", "cyl2 leaves its lower stop"}};

  for (gsize k = 0; k < G_N_ELEMENTS (words); k++)
    if (strcmp (words[k].golden, event) == 0)
      return g_strdup (words[k].text);
  g_error ("golden event \"%s\" has no name here", event);
}

/* Each golden event stands in the ledger at its time, and the impulses of stops and valves that
 * caused an impact are the golden ones. */
static void test_two_cylinders (void) {
  HlTestModel model = hl_test_model_load ("hybrid-two-cylinders.hydrolink");
  json_t *json = hl_test_golden_json ("hybrid.json");
  json_t *events = hl_test_json_at (json, "trajectories.two_cylinders.events");
  double t_end;
  HlModeHistory *history = history_of (model.sys, &t_end);
  int n_events = 0, n_impulses = 0;

  check_graph (history, t_end);
  for (size_t k = 0; k < json_array_size (events); k++) {
    json_t *one = json_array_get (events, k);
    const char *kind = json_string_value (json_object_get (one, "kind"));
    double t = json_number_value (json_object_get (one, "t"));
    if (strcmp (kind, "event") == 0)
      for (size_t i = 0; i < json_array_size (json_object_get (one, "event")); i++) {
        g_autofree char *text =
            text_of_golden (json_string_value (json_array_get (json_object_get (one, "event"), i)));
        entry_at (history, t, text);
        n_events++;
      }
    /* what caused an impact got the golden impulse */
    static const char *const causes[][2] = {{"F:x1:hi", "cyl1 hits its upper stop"},
                                            {"F:x2:hi", "cyl2 hits its upper stop"},
                                            {"D:dump", "dump is closed by its command"}};
    for (gsize c = 0; strcmp (kind, "impact") == 0 && c < G_N_ELEMENTS (causes); c++) {
      const HlLedgerEntry *entry = find_entry (history, t, causes[c][1]);
      if (entry == NULL)
        continue;
      json_t *golden = json_object_get (json_object_get (one, "impulse"), causes[c][0]);
      hl_assert_near (entry->impulse, json_number_value (golden), 1e-5, 0.0);
      n_impulses++;
    }
  }
  g_test_message ("%d golden events, %d impulses, %u modes", n_events, n_impulses,
                  hl_mode_history_modes (history)->len);
  g_assert_cmpint (n_events, >, 10);
  g_assert_cmpint (n_impulses, >, 3);
  hl_mode_history_unref (history);
  hl_test_model_clear (&model);
  json_decref (json);
}

static void test_regeneration (void) {
  HlTestModel model = hl_test_model_load ("hybrid-regeneration.hydrolink");
  double t_end;
  HlModeHistory *history = history_of (model.sys, &t_end);

  check_graph (history, t_end);
  hl_mode_history_unref (history);
  hl_test_model_clear (&model);
}

/* A weight pulls a piston away from its oil, p = p_tank - (weight swing) / area: below zero while
 * the pull is larger than the tank's pressure can push, between times known in closed form. */
static void test_cavitation (void) {
  static const char drawing[] =
      "{'format': 'hydrolink', 'version': 1, 'name': 'pull', 'gravity': [0, 0],"
      " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
      " 'ground': {'points': {'base': [0, 0]}},"
      " 'bodies': [{'id': 'mass', 'points': {'rod': [0, 0]}, 'mass': 100, 'inertia': 1,"
      "   'pose': [1.5, 0, 0]}],"
      " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'mass.rod',"
      "   'axis': 0}],"
      " 'loads': [{'id': 'pull', 'kind': 'force', 'point': 'mass.rod', 'direction': [1, 0],"
      "   'signal': {'kind': 'sine', 'amplitude': 1000, 'frequency_hz': 1}}],"
      " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
      "  {'id': 'pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
      "  {'id': 'valve', 'kind': 'metering-valve', 'area': 1e-3, 'opening': 0, 'dp_lim': 0},"
      "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1e-3,"
      "   'base': 'ground.base', 'rod': 'mass.rod', 'stroke': 1, 'c1': 1}],"
      " 'lines': [{'id': 'T', 'ports': ['tank.T', 'valve.A', 'cyl.B']},"
      "  {'id': 'M', 'ports': ['valve.B', 'pipe.A'], 'volume': 1e-4},"
      "  {'id': 'H', 'ports': ['pipe.B', 'cyl.A'], 'volume': 1e-4}],"
      " 'simulation': {'t_end': 1, 'every': 0.01, 'rtol': 1e-9, 'model': 'hybrid',"
      "   'start': 'as-given'}}";
  g_autofree char *text = g_strdelimit (g_strdup (drawing), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  double t_end;
  HlModeHistory *history = history_of (model.sys, &t_end);
  /* p A = p_tank A_rod - 1000 sin (2 pi t) */
  double begin = asin (0.1) / (2.0 * G_PI);

  check_graph (history, t_end);
  hl_assert_near (entry_at (history, begin, "H cavitates")->t, begin, 0.0, 1e-6);
  hl_assert_near (entry_at (history, 0.5 - begin, "H is filled again")->t, 0.5 - begin, 0.0, 1e-6);
  g_assert_cmpuint (hl_mode_history_modes (history)->len, ==, 1);
  hl_mode_history_unref (history);
  hl_test_model_clear (&model);
}

/* Every event in words, as a person reads them in the ledger. */
static void test_words (void) {
  static const struct {
    HlSimEventKind kind;
    gboolean upper;
    const char *text, *unit;
  } words[] = {{HL_SIM_CLOSES, FALSE, "v closes", "Pa s"},
               {HL_SIM_OPENS, FALSE, "v opens", "Pa s"},
               {HL_SIM_HITS_STOP, TRUE, "v hits its upper stop", "N s"},
               {HL_SIM_HITS_STOP, FALSE, "v hits its lower stop", "N s"},
               {HL_SIM_LEAVES_STOP, TRUE, "v leaves its upper stop", "N s"},
               {HL_SIM_LEAVES_STOP, FALSE, "v leaves its lower stop", "N s"},
               {HL_SIM_IS_SHUT, FALSE, "v is closed by its command", "Pa s"},
               {HL_SIM_IS_OPENED, FALSE, "v is opened by its command", "Pa s"},
               {HL_SIM_CAVITATES, FALSE, "v cavitates", "Pa s"},
               {HL_SIM_FILLS, FALSE, "v is filled again", "Pa s"},
               {HL_SIM_TEARS, FALSE, "cavitation begins in v", "Pa s"},
               {HL_SIM_GIVES_WAY, FALSE, "the oil in v is compressible from now on", "Pa s"}};

  for (gsize k = 0; k < G_N_ELEMENTS (words); k++) {
    char id[] = "v";
    HlLedgerEntry entry = {.kind = words[k].kind, .upper = words[k].upper, .id = id};
    g_autofree char *text = hl_ledger_entry_text (&entry);
    g_assert_cmpstr (text, ==, words[k].text);
    g_assert_cmpstr (hl_ledger_entry_unit (&entry), ==, words[k].unit);
  }

  char *closed[] = {(char *)"relief", (char *)"check1", NULL};
  char *stops[] = {(char *)"cyl1:upper", (char *)"cyl2:lower", NULL}, *none[] = {NULL};
  HlHybridStop touched[] = {{.upper = true}, {.upper = false}};
  const HlVisitedMode both = {.closed = closed,
                              .n_closed = 2,
                              .stops = stops,
                              .touched = touched,
                              .n_touched = 2},
                      shut = {.closed = closed, .n_closed = 2, .stops = none},
                      at_stops = {.closed = none, .stops = stops, .touched = touched, .n_touched = 2},
                      open = {.closed = none, .stops = none};
  g_autofree char *a = hl_visited_mode_text (&both), *b = hl_visited_mode_text (&shut),
                  *c = hl_visited_mode_text (&at_stops), *d = hl_visited_mode_text (&open);
  g_assert_cmpstr (a, ==, "relief, check1 closed; cyl1 at its upper stop; cyl2 at its lower stop");
  g_assert_cmpstr (b, ==, "relief, check1 closed");
  g_assert_cmpstr (c, ==, "cyl1 at its upper stop; cyl2 at its lower stop");
  g_assert_cmpstr (d, ==, "all valves open, all pistons free");
}

static bool at_once (void *data) {
  return true;
}

/* A run of its own to a time goes the way of the long one. One that is stopped, or breaks off
 * before, has no such place. */
static void test_until (void) {
  HlTestModel model = hl_test_model_load ("hybrid-two-cylinders.hydrolink");
  HlFault fault = {.entity = -1, .time = NAN};
  double t_end = 0.0;
  g_autoptr (HlModeHistory) whole = history_of (model.sys, &t_end);
  double half = 0.5 * t_end;
  g_autoptr (HlModeHistory) until = hl_mode_history_until (model.sys, half, NULL, NULL, &fault);
  g_autoptr (HlModeHistory) again = hl_mode_history_ref (until);

  g_assert_true (again == until && hl_mode_history_system (until) == model.sys);
  const HlVisitedMode *last = hl_mode_history_last (until);
  g_assert_nonnull (last);
  hl_assert_near (hl_visited_mode_place (last).t, half, 1e-12, 0.0);
  /* the same way as that of the long run: as many modes, and the same one at the end */
  const HlVisitedMode *there = &g_array_index (hl_mode_history_modes (whole), HlVisitedMode,
                                               (guint)hl_mode_history_mode_at (whole, half));
  g_assert_true (g_strv_equal ((const char *const *)last->closed, (const char *const *)there->closed));
  g_assert_true (g_strv_equal ((const char *const *)last->stops, (const char *const *)there->stops));
  for (guint k = 0; k < hl_mode_history_ledger (until)->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (hl_mode_history_ledger (until), HlLedgerEntry, k);
    g_autofree char *text = hl_ledger_entry_text (entry);
    g_assert_nonnull (find_entry (whole, entry->t, text));
  }
  g_assert_null (hl_mode_history_until (model.sys, half, at_once, NULL, &fault));
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-mode-history/two-cylinders", test_two_cylinders);
  g_test_add_func ("/hybrid-mode-history/regeneration", test_regeneration);
  g_test_add_func ("/hybrid-mode-history/cavitation", test_cavitation);
  g_test_add_func ("/hybrid-mode-history/words", test_words);
  g_test_add_func ("/hybrid-mode-history/until", test_until);
  return g_test_run ();
}
