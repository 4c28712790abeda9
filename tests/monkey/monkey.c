/* SPDX-License-Identifier: MIT */
/* Plays a script of input on the real windows of the real program: `monkey SCRIPT [SECONDS]`.
 * monkey.py makes such scripts from a seed and shortens one that fails.
 *
 * One step a line; a line that begins with "+" comes at once, before the program has seen the one
 * before. Numbers that name a widget do so by their remainder, places go from 0 to 1:
 *
 *   at KIND N [FX FY]    the pointer goes there, its window comes to the front
 *   click B / double / press B / release B / wheel N / drag DX DY
 *   key NAME / hold NAME / let NAME / type TEXT
 *   action N             one of the actions of the window and of the application
 *   do NAME [TEXT]                           an action of that name
 *   size N W H / place N X Y / raise N     what a window manager does to the N-th window
 *   wait MS / rest       rest: the program must come to rest, and no file of anybody be touched
 *
 * A warning or critical of GLib, a sanitizer's finding, a window that does not answer, one that
 * never comes to rest, and memory without bounds end it with a stack. */
#include "app/window/hl-application.h"
#include "app/window/hl-playback-bar.h"
#include "app/window/hl-window-private.h"
#include "tests/monkey/hl-reachable-widgets.h"
#include "tests/monkey/hl-xtest-input.h"
#include "tests/monkey/hl-hang-watchdog.h"
#include "tests/ui/window-widgets.h"
#include "ui/workbench/hl-locus-study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP_US (12 * 1000) /* what a step is given to take effect */
#define REST_S 20.0
#define MOST_REST_S 120.0
#define LOOKS 3 /* as often as it is found working for nothing, so far apart: */
#define LOOK_S 3.0
#define HANG_S 20.0 /* an instrumented program on a machine with other work */
#define MOST_BYTES 3e9
#define MOST_WINDOWS 8

typedef struct {
  HlApplication *application;
  HlXtestInput *hand;
  HlHangWatchdog *watch;
  char *home;
  int step;
  GHashTable *reached; /* names of types of widgets */
} Monkey;

/* --- messages --- */

/* Not the program's: what a display without window manager, desktop or bus makes GTK say, and what
 * GTK 4.8 says of its own dialogs. */
static const char *const allowed[] = {
    /* GTK 4.8 looks up the monitor under a popover and finds none when the window is outside of all */
    "GDK_IS_MONITOR",
    "Unable to acquire session bus",
    "Error creating IO channel for /proc/self/mountinfo",
    "Failed to load module",
    "dconf",
    "Broken accounting of active state", /* a pressed widget whose drag began elsewhere, GTK 4.8 */
    "gdk_surface_get_device_position",   /* the timer of a tooltip whose window went meanwhile */
    "_gtk_widget_find_at_coords",        /* the same, as it goes on */
    "gdk_drop_finalize", /* the data of a drop on an entry are still requested when the entry is freed */
    /* The timer of a caret finds its entry hidden, or text selected, and ends */
    "GtkText - did not receive a focus-out event",
    "GtkText - unexpected blinking selection",
    /* A menu over a window made smaller by force than it lets itself be made */
    "attempt to allocate GtkPopoverContent",
    /* GTK 4.8 shows a popover, or takes Enter in one, while its window has no focus: a window with a
     * popover that holds a label and nothing else says it */
    "gtk_widget_is_ancestor",
    /* Save over a file that is there, and the chooser gone before GTK 4.8 has looked: its question whether to replace
     * the file has no window. Its answer has no receiver */
    "gtk_window_has_group",
};

/* While a file chooser is there. */
static const char *const allowed_in_choosers[] = {
    "gtk_tree_sortable_", /* sorted while it reads its folder */
};

static gboolean is_allowed (const char *message) {
  for (gsize i = 0; i < G_N_ELEMENTS (allowed); i++)
    if (strstr (message, allowed[i]) != NULL)
      return TRUE;
  if (strstr (message, "attempt to allocate") != NULL && gtk_is_initialized () &&
      hl_reachable_widgets_is_in_cut_popover (message))
    return TRUE;
  gboolean is_of_chooser = FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (allowed_in_choosers); i++)
    is_of_chooser = is_of_chooser || strstr (message, allowed_in_choosers[i]) != NULL;
  GListModel *all = is_of_chooser && gtk_is_initialized () ? gtk_window_get_toplevels () : NULL;
  for (guint i = 0; all != NULL && i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);
    if (GTK_IS_FILE_CHOOSER (window))
      return TRUE;
  }
  return FALSE;
}

static GLogWriterOutput write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                                   gpointer data) {
  const char *message = "", *domain = "";

  for (gsize i = 0; i < n_fields; i++) {
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      message = fields[i].value;
    if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
      domain = fields[i].value;
  }
  if (!(level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)))
    return G_LOG_WRITER_HANDLED;
  if (is_allowed (message))
    return G_LOG_WRITER_HANDLED;
  const char *grade = level & G_LOG_LEVEL_WARNING ? "WARNING" : "CRITICAL";
  g_autofree char *where = gtk_is_initialized () ? hl_reachable_widgets_describe (message) : NULL;
  hl_hang_watchdog_fail ("%s-%s: %s%s%s", domain, grade, message, where != NULL ? "\n" : "",
                         where != NULL ? where : "");
}

/* --- time --- */

static void beat (Monkey *self) {
  hl_hang_watchdog_beat (self->watch, self->step);
}

static void let_run (Monkey *self, gint64 microseconds) {
  gint64 until = g_get_monotonic_time () + microseconds;

  do {
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (300);
    beat (self);
  } while (g_get_monotonic_time () < until);
}

/* Returns the phase of an animation or of a mode's animation. */
static double phase_of (Monkey *self) {
  double phase = 0;

  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self->application)); at != NULL;
       at = at->next)
    if (HL_IS_WINDOW (at->data))
      phase += hl_locus_study_mode_phase (hl_workbench_locus (hl_window_workbench (at->data)));
  return phase;
}

static gboolean is_busy (Monkey *self) {
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self->application)); at != NULL;
       at = at->next)
    if (HL_IS_WINDOW (at->data) &&
        (!hl_window_is_settled (at->data) || hl_time_bar_is_playing (window_part (at->data, "time_bar"))))
      return TRUE;
  return FALSE;
}

static double worked_seconds (void) {
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A loop that never waits for an event eats the processor, but for a long run, a drive and what
 * moves by itself. It is judged when it has worked for half of the time: others may have had the
 * processor meanwhile. What was worked for may have ended just then, so one looks again. */
static void rest (Monkey *self) {
  gint64 began = g_get_monotonic_time (), until = began + (gint64)(REST_S * 1e6);
  gint64 latest = began + (gint64)(MOST_REST_S * 1e6);
  double worked = worked_seconds ();
  double phase = phase_of (self);
  int n_waits = 0, n_calls = 0, n_looks = 0;

  hl_xtest_input_let_go (self->hand);
  while (n_waits < 20) {
    n_calls++;
    if (!g_main_context_iteration (NULL, FALSE)) {
      n_waits++;
      g_usleep (1000);
    }
    beat (self);
    gint64 now = g_get_monotonic_time ();
    if (now < until || (now < latest && worked_seconds () - worked < 0.5 * REST_S))
      continue;
    if (is_busy (self) || phase_of (self) != phase)
      return;
    if (++n_looks == LOOKS)
      hl_hang_watchdog_fail ("the loop of events has not come to rest for %g s: %d calls, %d waits",
                             1e-6 * (double)(now - began), n_calls, n_waits);
    until = now + (gint64)(LOOK_S * 1e6);
    latest = MAX (latest, until);
  }
}

/* --- no file of anybody --- */

static gboolean is_at_home (Monkey *self, GFile *folder) {
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;
  return path == NULL || g_str_has_prefix (path, self->home);
}

/* Choosers of files stay in the folder that was made for this and are answered at once. What is in
 * them is GTK's own, which crashes in 4.8 when it is pressed and typed in and goes at the same time;
 * where there is a portal it is not even a part of this program. */
static void answer_choosers (Monkey *self) {
  g_autoptr (GPtrArray) windows = hl_reachable_widgets_windows ();
  g_autoptr (GFile) home = g_file_new_for_path (self->home);

  for (guint i = 0; i < windows->len; i++) {
    if (!GTK_IS_FILE_CHOOSER (windows->pdata[i]) || !GTK_IS_DIALOG (windows->pdata[i]))
      continue;
    GtkFileChooser *chooser = windows->pdata[i];
    g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (chooser);
    gboolean accepts = is_at_home (self, folder) && self->step % 3 != 0;
    if (!is_at_home (self, folder))
      gtk_file_chooser_set_current_folder (chooser, home, NULL);
    gtk_dialog_response (GTK_DIALOG (chooser), accepts ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL);
    return; /* which may have closed others */
  }
}

/* --- steps --- */

static GtkWindow *nth_window (guint n) {
  g_autoptr (GPtrArray) windows = hl_reachable_widgets_windows ();
  return windows->len > 0 ? windows->pdata[n % windows->len] : NULL;
}

static HlWindow *present_window (Monkey *self) {
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self->application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data))
      return at->data;
  return NULL;
}

static void at (Monkey *self, const char *kind, guint which, double fx, double fy) {
  graphene_point_t point;
  int x, y;
  GtkWidget *widget = hl_reachable_widgets_find (kind, which, fx, fy, &point);

  if (widget == NULL)
    return;
  for (GtkWidget *above = widget; above != NULL; above = gtk_widget_get_parent (above))
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (above), "Hl"))
      g_hash_table_add (self->reached, g_strdup (G_OBJECT_TYPE_NAME (above)));
  GtkNative *native = gtk_widget_get_native (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  if (GTK_IS_WINDOW (root) && !GTK_IS_POPOVER (native))
    hl_xtest_input_raise (self->hand, GTK_WINDOW (root));
  if (hl_xtest_input_origin (self->hand, native, &x, &y))
    hl_xtest_input_move (self->hand, x + (int)point.x, y + (int)point.y);
}

/* Returns a parameter for an action. */
static GVariant *parameter_for (const GVariantType *type, guint n) {
  static const char *const texts[] = {"plot:0", "circuit", "linkage", "2:bar", "hybrid",       "quasistatic",
                                      "lumped", "run",     "all",     "",      "nothing of it"};

  if (type == NULL)
    return NULL;
  if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    return g_variant_new_string (texts[n % G_N_ELEMENTS (texts)]);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_new_boolean (n % 2);
  return NULL;
}

static int compare_names (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void do_action (Monkey *self, guint n) {
  HlWindow *window = present_window (self);
  GActionGroup *groups[] = {G_ACTION_GROUP (window), G_ACTION_GROUP (self->application)};

  if (window == NULL)
    return;
  GActionGroup *group = groups[n % 7 == 0];
  g_auto (GStrv) names = g_action_group_list_actions (group);
  guint n_names = g_strv_length (names);
  qsort (names, n_names, sizeof *names, compare_names);
  const char *name = names[n / 7 % n_names];
  if (!g_action_group_get_action_enabled (group, name))
    return;
  const GVariantType *type = g_action_group_get_action_parameter_type (group, name);
  GVariant *parameter = parameter_for (type, n / 7 / n_names);
  if (type == NULL || parameter != NULL)
    g_action_group_activate_action (group, name, parameter);
}

/* Activates an action by its name, with a text if it takes one. */
static void do_named (Monkey *self, const char *name, const char *text) {
  HlWindow *window = present_window (self);
  GActionGroup *groups[] = {G_ACTION_GROUP (window), G_ACTION_GROUP (self->application)};

  for (guint i = 0; window != NULL && i < G_N_ELEMENTS (groups); i++) {
    if (!g_action_group_has_action (groups[i], name) || !g_action_group_get_action_enabled (groups[i], name))
      continue;
    const GVariantType *type = g_action_group_get_action_parameter_type (groups[i], name);
    if ((type == NULL) == (text == NULL))
      g_action_group_activate_action (groups[i], name, text != NULL ? g_variant_new_string (text) : NULL);
    return;
  }
}

static double number_of (char **words, guint index, double otherwise) {
  return index < g_strv_length (words) ? g_ascii_strtod (words[index], NULL) : otherwise;
}

static guint count_of (char **words, guint index) {
  return index < g_strv_length (words) ? (guint)g_ascii_strtoull (words[index], NULL, 10) : 0;
}

static void do_pointer (Monkey *self, const char *verb, char **words) {
  guint button = (guint)number_of (words, 1, 1);

  if (strcmp (verb, "double") == 0) {
    for (int i = 0; i < 4; i++)
      hl_xtest_input_button (self->hand, 1, i % 2 == 0);
  } else if (strcmp (verb, "wheel") == 0) {
    int n = (int)number_of (words, 1, 1);
    for (int i = 0; i < 2 * ABS (n); i++)
      hl_xtest_input_button (self->hand, n < 0 ? 4 : 5, i % 2 == 0);
  } else if (strcmp (verb, "drag") == 0) {
    hl_xtest_input_drag (self->hand, (int)number_of (words, 1, 0), (int)number_of (words, 2, 0), 4);
  } else {
    if (strcmp (verb, "release") != 0)
      hl_xtest_input_button (self->hand, button, TRUE);
    if (strcmp (verb, "press") != 0)
      hl_xtest_input_button (self->hand, button, FALSE);
  }
}

static void do_window (Monkey *self, const char *verb, char **words) {
  GtkWindow *window = nth_window (count_of (words, 1));
  int a = (int)number_of (words, 2, 0), b = (int)number_of (words, 3, 0);

  if (window == NULL)
    return;
  if (strcmp (verb, "raise") == 0)
    hl_xtest_input_raise (self->hand, window);
  else if (strcmp (verb, "size") == 0)
    hl_xtest_input_resize (self->hand, window, MAX (a, 1), MAX (b, 1));
  else
    hl_xtest_input_place (self->hand, window, a, b);
}

/* Closes all windows during work, as at the end of a session. */
static void close_all (Monkey *self) {
  GList *window;

  hl_xtest_input_let_go (self->hand);
  while ((window = gtk_application_get_windows (GTK_APPLICATION (self->application))) != NULL) {
    gtk_window_destroy (window->data);
    let_run (self, 200 * 1000);
  }
}

static void perform (Monkey *self, const char *line) {
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const char *verb = words[0] != NULL ? words[0] : "";
  const char *rest_of_line = strchr (line, ' ') != NULL ? strchr (line, ' ') + 1 : "";

  if (strcmp (verb, "at") == 0)
    at (self, words[1], count_of (words, 2), number_of (words, 3, 0.5), number_of (words, 4, 0.5));
  else if (strcmp (verb, "key") == 0)
    hl_xtest_input_key (self->hand, rest_of_line);
  else if (strcmp (verb, "type") == 0)
    hl_xtest_input_type (self->hand, rest_of_line);
  else if (strcmp (verb, "hold") == 0 || strcmp (verb, "let") == 0)
    hl_xtest_input_hold (self->hand, rest_of_line, strcmp (verb, "hold") == 0);
  else if (strcmp (verb, "action") == 0)
    do_action (self, count_of (words, 1));
  else if (strcmp (verb, "do") == 0 && words[1] != NULL)
    do_named (self, words[1], words[2]);
  else if (strcmp (verb, "size") == 0 || strcmp (verb, "place") == 0 || strcmp (verb, "raise") == 0)
    do_window (self, verb, words);
  else if (strcmp (verb, "wait") == 0)
    let_run (self, (gint64)(1e3 * number_of (words, 1, 0)));
  else if (strcmp (verb, "rest") == 0)
    rest (self);
  else if (strcmp (verb, "leave") == 0)
    close_all (self);
  else if (*verb != '\0' && *verb != '#')
    do_pointer (self, verb, words);
}

/* --- windows --- */

/* Keeps at least one window open, and not too many. */
static void keep_windows (Monkey *self) {
  g_autoptr (GPtrArray) windows = hl_reachable_widgets_windows ();

  if (present_window (self) == NULL) {
    hl_xtest_input_let_go (self->hand);
    g_application_activate (G_APPLICATION (self->application));
    let_run (self, 300 * 1000);
  } else if (windows->len > MOST_WINDOWS) {
    gtk_window_close (windows->pdata[windows->len - 1]);
  }
  answer_choosers (self);
}

static void play (Monkey *self, char **lines, double seconds) {
  gint64 end = g_get_monotonic_time () + (gint64)(seconds * 1e6);

  for (; lines[self->step] != NULL && g_get_monotonic_time () < end; self->step++) {
    const char *line = lines[self->step];
    gboolean hasty = *line == '+';
    printf ("%d %s\n", self->step + 1, line);
    fflush (stdout);
    beat (self);
    if (!hasty) {
      gdk_display_sync (gdk_display_get_default ());
      let_run (self, STEP_US);
      keep_windows (self);
    }
    perform (self, hasty ? line + 1 : line);
  }
  printf ("at the end: resting\n");
  fflush (stdout);
  rest (self);
}

/* Prints the parts of the program that the pointer was on. */
static void say_reached (Monkey *self) {
  g_autofree char **names = (char **)g_hash_table_get_keys_as_array (self->reached, NULL);

  qsort (names, g_strv_length (names), sizeof *names, compare_names);
  g_autofree char *list = g_strjoinv (" ", names);
  printf ("reached: %s\n", list);
}

int main (int argc, char **argv) {
  Monkey self = {.home = g_strdup (g_get_home_dir ())};
  g_autofree char *text = NULL;

  if (argc < 2 || !g_file_get_contents (argv[1], &text, NULL, NULL)) {
    fprintf (stderr, "usage: monkey SCRIPT [SECONDS]\n");
    return 2;
  }
  if (!g_str_has_prefix (self.home, g_get_tmp_dir ())) {
    fprintf (stderr, "monkey: HOME must lie below %s: it writes files there\n", g_get_tmp_dir ());
    return 2;
  }
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_log_set_writer_func (write_log, NULL, NULL);
  g_set_prgname ("hydrolink");
  /* the hand first: the window manager is looked up at the beginning */
  if ((self.hand = hl_xtest_input_new ()) == NULL || !gtk_init_check ()) {
    fprintf (stderr, "monkey: no display with XTEST\n");
    return 77;
  }
  self.reached = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.application = hl_application_new (FALSE);
  g_application_register (G_APPLICATION (self.application), NULL, NULL);
  g_application_hold (G_APPLICATION (self.application));
  self.watch = hl_hang_watchdog_new (HANG_S, MOST_BYTES);
  g_application_activate (G_APPLICATION (self.application));
  let_run (&self, 500 * 1000);
  play (&self, lines, argc > 2 ? g_ascii_strtod (argv[2], NULL) : 1e6);
  printf ("at the end: closing\n");
  fflush (stdout);
  close_all (&self);
  say_reached (&self);
  printf ("%d steps, %.0f MB\n", self.step, hl_hang_watchdog_bytes () / 1e6);
  hl_hang_watchdog_free (self.watch);
  g_hash_table_unref (self.reached);
  hl_xtest_input_free (self.hand);
  g_free (self.home);
  return 0;
}
