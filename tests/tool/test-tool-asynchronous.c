/* SPDX-License-Identifier: MIT */
/* Work that a tool sends away instead of holding up its window: a large linkage that follows the
 * pointer, and a large circuit that is laid out. The host here keeps what is sent until the test
 * lets it be done, so that everything may happen in between. */
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-test.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"
#include "ui/edit/tool/hl-tool.h"

#include <math.h>

#define STAGES 30
#define FEW_STAGES 3
#define REACH 0.05
#define SAME 1e-9 /* [m] */

typedef struct {
  HlTool *tool;
  GQueue sent; /* HlToolTask */
  HlDocument *committed;
  int n_commits, n_announced;
  HlSpot grip; /* the point that is dragged, as it stands at first */
} Desk;

static void commit_cb (const HlDocument *document, const char *step, gpointer data) {
  Desk *desk = data;

  g_clear_pointer (&desk->committed, hl_document_unref);
  desk->committed = hl_document_ref (document);
  desk->n_commits++;
}

static void changed_cb (gpointer data) {
  ((Desk *)data)->n_announced++;
}

static void send_cb (const HlToolTask *task, gpointer data) {
  g_queue_push_tail (&((Desk *)data)->sent, g_memdup2 (task, sizeof *task));
}

static HlSpot place_of (const HlDocument *document, const char *body) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  return hl_linkage_plan_find_point (plan, body, "middle")->at;
}

static void open_desk (Desk *desk, HlToolCanvas canvas, const HlDocument *document, gboolean can_send) {
  HlToolHost host = {
      .commit = commit_cb, .changed = changed_cb, .data = desk, .send = can_send ? send_cb : NULL};

  *desk = (Desk){.tool = hl_tool_new (canvas, &host)};
  g_queue_init (&desk->sent);
  hl_tool_set_document (desk->tool, document);
}

static void close_desk (Desk *desk) {
  hl_tool_free (desk->tool);
  g_clear_pointer (&desk->committed, hl_document_unref);
  g_assert_cmpuint (desk->sent.length, ==, 0);
}

/* Takes the document; the middle of the uppermost rising bar is what is dragged. */
static void open_lift (Desk *desk, int n_stages, gboolean can_send) {
  g_autoptr (HlDocument) document = hl_test_scissor_lift (n_stages);
  g_autofree char *bar = g_strdup_printf ("rising_%d", n_stages - 1);

  open_desk (desk, HL_TOOL_LINKAGE, document, can_send);
  desk->grip = place_of (document, bar);
}

/* Completes the oldest task. */
static void answer (Desk *desk) {
  g_autofree HlToolTask *task = g_queue_pop_head (&desk->sent);

  task->work (task->job);
  task->done (task->job);
}

static void feed (Desk *desk, HlToolEventType type, double dx, double dy) {
  hl_tool_event (desk->tool, &(HlToolEvent){.type = type,
                                            .at = {desk->grip.x + dx, desk->grip.y + dy},
                                            .reach = REACH,
                                            .button = 1,
                                            .n_press = 1});
}

static double height (const HlDocument *document) {
  return place_of (document, "rising_29").y;
}

/* Tests that one position is searched at a time, the newest request wins, and the linkage ends where it would
 * with immediate searches. */
static void test_newest_wins (void) {
  Desk desk, direct;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.2);
  g_assert_cmpuint (desk.sent.length, ==, 1);
  feed (&desk, HL_TOOL_MOVE, 0, 0.9);
  feed (&desk, HL_TOOL_MOVE, 0, 0.4);
  g_assert_cmpuint (desk.sent.length, ==, 1);
  g_assert_true (height (hl_tool_document (desk.tool)) == before);

  int announced = desk.n_announced;
  answer (&desk);
  g_assert_cmpint (desk.n_announced, ==, announced + 1);
  hl_assert_near (height (hl_tool_document (desk.tool)), before + 0.2, 0.0, 1e-3);
  g_assert_cmpuint (desk.sent.length, ==, 1);
  answer (&desk);
  hl_assert_near (height (hl_tool_document (desk.tool)), before + 0.4, 0.0, 1e-3);
  g_assert_cmpuint (desk.sent.length, ==, 0);
  feed (&desk, HL_TOOL_RELEASE, 0, 0.4);
  g_assert_cmpint (desk.n_commits, ==, 1);
  g_assert_false (hl_tool_is_busy (desk.tool));

  open_lift (&direct, STAGES, FALSE);
  feed (&direct, HL_TOOL_PRESS, 0, 0);
  feed (&direct, HL_TOOL_MOVE, 0, 0.2);
  feed (&direct, HL_TOOL_MOVE, 0, 0.4);
  feed (&direct, HL_TOOL_RELEASE, 0, 0.4);
  g_autoptr (HlLinkagePlan) one = hl_linkage_plan_new (desk.committed);
  g_autoptr (HlLinkagePlan) other = hl_linkage_plan_new (direct.committed);
  for (int k = 0; k < 3 * one->n_bodies; k++)
    hl_assert_near (one->x[k], other->x[k], 0.0, SAME);
  close_desk (&direct);
  close_desk (&desk);
}

/* Releases too early: the undo step is complete when the linkage has reached the released position. */
static void test_let_go (void) {
  Desk desk;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.1);
  feed (&desk, HL_TOOL_MOVE, 0, 0.3);
  feed (&desk, HL_TOOL_RELEASE, 0, 0.3);
  g_assert_cmpint (desk.n_commits, ==, 0);
  g_assert_true (hl_tool_is_busy (desk.tool));
  feed (&desk, HL_TOOL_MOVE, 0.5, -1.0); /* the drag has ended */
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 0);
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 1);
  hl_assert_near (height (desk.committed), before + 0.3, 0.0, 1e-3);
  g_assert_false (hl_tool_is_busy (desk.tool));
  close_desk (&desk);
}

/* Tests that Escape undoes the drag, whatever answers still arrive. */
static void test_escape (void) {
  Desk desk;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.3);
  feed (&desk, HL_TOOL_RELEASE, 0, 0.3);
  feed (&desk, HL_TOOL_CANCEL, 0, 0);
  g_assert_false (hl_tool_is_busy (desk.tool));
  answer (&desk);
  g_assert_true (height (hl_tool_document (desk.tool)) == before);
  g_assert_cmpint (desk.n_commits, ==, 0);
  close_desk (&desk);
}

/* Tests that the next gesture before the answer starts from the displayed pose. */
static void test_next_press (void) {
  Desk desk;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.2);
  answer (&desk);
  feed (&desk, HL_TOOL_MOVE, 0, 0.5);
  feed (&desk, HL_TOOL_RELEASE, 0, 0.5);
  feed (&desk, HL_TOOL_PRESS, 3.0, 3.0);
  g_assert_cmpint (desk.n_commits, ==, 1);
  feed (&desk, HL_TOOL_RELEASE, 3.0, 3.0);
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 1);
  hl_assert_near (height (desk.committed), before + 0.2, 0.0, 1e-3);
  g_assert_true (height (hl_tool_document (desk.tool)) == height (desk.committed));
  close_desk (&desk);
}

/* Tests that the lowest bar of a long lift reaches its dragged position, although the highest one moves a
 * hundred times as far: the term that pulls to the start does not add up over a chain. */
static void test_long_chain (void) {
  g_autoptr (HlDocument) lift = hl_test_scissor_lift (2 * STAGES);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (lift);
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, "rising_0", "middle");
  g_autoptr (HlLinkageDrag) drag = hl_linkage_drag_new (lift, point->body, point->at);
  gboolean limited;

  g_autoptr (HlDocument) dragged =
      hl_linkage_drag_to (drag, (HlSpot){point->at.x, point->at.y + 0.01}, &limited);
  hl_assert_near (place_of (dragged, "rising_0").y, point->at.y + 0.01, 0.0, 5e-4);
}

static void press_key (Desk *desk, HlToolKey key) {
  hl_tool_event (desk->tool, &(HlToolEvent){.type = HL_TOOL_KEY, .key = key, .grid = 0.1});
}

/* Tests arrow keys on a large linkage: nothing is solved in the window's thread, a key before the answer
 * moves it on, and it ends where a small one would. */
static void test_keys (void) {
  Desk desk, direct;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  hl_tool_select_one (desk.tool, "rising_29");
  press_key (&desk, HL_TOOL_KEY_UP);
  press_key (&desk, HL_TOOL_KEY_UP);
  press_key (&desk, HL_TOOL_KEY_DOWN);
  press_key (&desk, HL_TOOL_KEY_UP);
  g_assert_cmpuint (desk.sent.length, ==, 1);
  g_assert_cmpint (desk.n_commits, ==, 0);
  g_assert_true (height (hl_tool_document (desk.tool)) == before);
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 0);
  hl_assert_near (height (hl_tool_document (desk.tool)), before + 0.1, 0.0, 1e-3);
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 1);
  hl_assert_near (height (desk.committed), before + 0.2, 0.0, 1e-3);
  g_assert_false (hl_tool_is_busy (desk.tool));

  open_lift (&direct, STAGES, FALSE);
  hl_tool_select_one (direct.tool, "rising_29");
  press_key (&direct, HL_TOOL_KEY_UP);
  g_assert_cmpint (direct.n_commits, ==, 1);
  press_key (&direct, HL_TOOL_KEY_UP);
  g_assert_cmpint (direct.n_commits, ==, 2);
  hl_assert_near (height (direct.committed), height (desk.committed), 0.0, 1e-3);
  close_desk (&direct);
  close_desk (&desk);
}

/* Tests that Escape undoes a nudge, and that any other gesture starts from the displayed pose. */
static void test_keys_end (void) {
  Desk desk;

  open_lift (&desk, STAGES, TRUE);
  double before = height (hl_tool_document (desk.tool));
  hl_tool_select_one (desk.tool, "rising_29");
  press_key (&desk, HL_TOOL_KEY_UP);
  feed (&desk, HL_TOOL_CANCEL, 0, 0);
  answer (&desk);
  g_assert_cmpint (desk.n_commits, ==, 0);
  g_assert_true (height (hl_tool_document (desk.tool)) == before);

  hl_tool_select_one (desk.tool, "rising_29");
  press_key (&desk, HL_TOOL_KEY_UP);
  press_key (&desk, HL_TOOL_KEY_UP);
  answer (&desk);
  press_key (&desk, HL_TOOL_KEY_DELETE);
  g_assert_cmpint (desk.n_commits, ==, 2);
  g_assert_false (hl_document_find (desk.committed, "rising_29", NULL, NULL) != NULL);
  answer (&desk); /* of a linkage that is gone */
  g_assert_cmpint (desk.n_commits, ==, 2);
  close_desk (&desk);
}

/* Removes the canvas during a task. */
static void test_gone (void) {
  Desk desk;

  open_lift (&desk, STAGES, TRUE);
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.3);
  g_autofree HlToolTask *task = g_queue_pop_head (&desk.sent);
  close_desk (&desk);
  task->work (task->job);
  task->drop (task->job);
}

/* Tests that a small linkage moves immediately with the pointer. */
static void test_small (void) {
  Desk desk;

  open_lift (&desk, FEW_STAGES, TRUE);
  HlSpot before = desk.grip;
  feed (&desk, HL_TOOL_PRESS, 0, 0);
  feed (&desk, HL_TOOL_MOVE, 0, 0.05);
  hl_assert_near (place_of (hl_tool_document (desk.tool), "rising_2").y, before.y + 0.05, 0.0, 1e-3);
  feed (&desk, HL_TOOL_RELEASE, 0, 0.05);
  g_assert_cmpint (desk.n_commits, ==, 1);
  close_desk (&desk);
}

/* Tests that the layout of a large circuit arrives later with threads, and immediately without. */
static void test_sheets (void) {
  g_autoptr (HlDocument) document = hl_test_cylinders_on_pump (60);
  g_autoptr (HlCircuitSheet) own = hl_circuit_sheet_new (document);
  Desk desk;

  open_desk (&desk, HL_TOOL_CIRCUIT, document, TRUE);
  g_assert_null (hl_tool_sheet_or_wait (desk.tool));
  g_assert_null (hl_tool_sheet_or_wait (desk.tool));
  g_assert_cmpuint (desk.sent.length, ==, 1);
  int announced = desk.n_announced;
  answer (&desk);
  g_assert_cmpint (desk.n_announced, ==, announced + 1);
  HlCircuitSheet *sheet = hl_tool_sheet_or_wait (desk.tool);
  g_assert_nonnull (sheet);
  g_assert_cmpint (sheet->layout->n_symbols, ==, own->layout->n_symbols);
  for (int k = 0; k < own->layout->n_symbols; k++) {
    hl_assert_near (sheet->layout->symbols[k].place.x, own->layout->symbols[k].place.x, 0.0, 0.0);
    hl_assert_near (sheet->layout->symbols[k].place.y, own->layout->symbols[k].place.y, 0.0, 0.0);
  }
  close_desk (&desk);

  open_desk (&desk, HL_TOOL_CIRCUIT, document, TRUE);
  g_assert_null (hl_tool_sheet_or_wait (desk.tool));
  g_assert_nonnull (hl_tool_sheet (desk.tool));
  answer (&desk);
  close_desk (&desk);
}

/* Tests that an undone step finds its sheet again. */
static void test_undone (void) {
  g_autoptr (HlDocument) document = hl_test_cylinders_on_pump (60);
  Desk desk;

  open_desk (&desk, HL_TOOL_CIRCUIT, document, TRUE);
  HlCircuitSheet *first = hl_circuit_sheet_ref (hl_tool_sheet (desk.tool));
  hl_tool_select_one (desk.tool, "throttle_7");
  hl_tool_event (desk.tool, &(HlToolEvent){.type = HL_TOOL_KEY, .key = HL_TOOL_KEY_RIGHT, .grid = 2});
  g_assert_cmpint (desk.n_commits, ==, 1);
  g_assert_true (hl_tool_sheet (desk.tool) != first);
  hl_tool_set_document (desk.tool, document);
  g_assert_true (hl_tool_sheet_or_wait (desk.tool) == first);
  hl_circuit_sheet_free (first);
  close_desk (&desk);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-asynchronous/the-newest-place-wins", test_newest_wins);
  g_test_add_func ("/tool-asynchronous/let-go-before-it-is-there", test_let_go);
  g_test_add_func ("/tool-asynchronous/escape-takes-it-back", test_escape);
  g_test_add_func ("/tool-asynchronous/who-goes-on-takes-what-is-shown", test_next_press);
  g_test_add_func ("/tool-asynchronous/arrow-keys-send-it-on", test_keys);
  g_test_add_func ("/tool-asynchronous/arrow-keys-end", test_keys_end);
  g_test_add_func ("/tool-asynchronous/a-long-chain-does-not-lag", test_long_chain);
  g_test_add_func ("/tool-asynchronous/the-canvas-goes", test_gone);
  g_test_add_func ("/tool-asynchronous/a-small-linkage-is-moved-at-once", test_small);
  g_test_add_func ("/tool-asynchronous/a-large-circuit-is-laid-out-elsewhere", test_sheets);
  g_test_add_func ("/tool-asynchronous/undone-steps-keep-their-sheets", test_undone);
  return g_test_run ();
}
