/* SPDX-License-Identifier: MIT */
/* hydrolink study run: computes rows of a study until all are complete. */
#include "app/study/hl-cli-study-private.h"

#include "core/base/hl-error.h"
#include "core/linear/hl-parallel-loop.h"
#include "core/math/hl-linalg.h"
#include "core/study/hl-study-folder.h"
#include "core/study/hl-study-table.h"
#include "core/study/hl-study-row-computation.h"

#include <poll.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  const HlStudy *study;
  HlStudyWork *work;           /* made before; each process has its own copy of it */
  const HlStudyFolder *folder; /* has the list of finished rows */
  HlRowFile *file;             /* where rows go */
  int from, to;                /* rows of this shard */
  int jobs;
  /* Now and then, and when something was done; FALSE stops the work. */
  gboolean (*progress) (int n_done, int n_failed, double seconds, void *data);
  void *data;
} HlStudyCrew;

typedef struct {
  int n_done, n_failed;
  double integration; /* seconds of all processes together that went into integration */
} HlStudyCrewReported;

/* The parent alone writes the file; it sends numbers of rows down one pipe of each process and reads
 * lines from the other. A process gets some tenths of a second of work at a time, so that talking
 * costs nothing and none waits long for the last. */

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define MOST_ROWS 64           /* sent at a time */
#define WORTH_US 100000.0      /* of work at a time */
#define SYNC_US 5000000        /* between two calls of fsync () */
#define PATIENCE_MS 100        /* between two looks at a signal */
#define TALK '#'               /* begins a line that is no row */
#define MOST_CRASHES_UNDONE 50 /* one after the other, before any row is done */

typedef struct {
  pid_t pid; /* 0: none */
  int to, from;
  int rows[MOST_ROWS]; /* sent */
  int n_rows, n_back;
  gint64 sent_us;
  GString *waiting;
} Hand;

typedef struct {
  const HlStudyCrew *crew;
  HlStudyCrewReported *told;
  Hand *hands;
  int next;       /* first row that was never sent */
  GArray *again;  /* int: sent, and not come back */
  GArray *alone;  /* int: ended a process; each is sent by itself */
  double row_us;  /* approximate time of a row */
  GString *lines; /* to be written */
  gint64 began_us, synced_us;
  int n_crashes; /* since the last row that came back */
} Work;

/* Processors that this process may use. */
static int study_crew_processors (void) {
  return hl_parallel_n_processors ();
}

/* --- the process --- */

static gboolean read_whole (int fd, void *out, gsize length) {
  gsize done = 0;

  while (done < length) {
    ssize_t n = read (fd, (char *)out + done, length - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    done += (gsize)n;
  }
  return TRUE;
}

static gboolean write_whole (int fd, const char *text, gsize length) {
  while (length > 0) {
    ssize_t n = write (fd, text, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    text += n;
    length -= (gsize)n;
  }
  return TRUE;
}

static void append_line (GString *line, const HlStudy *study, int row, const double values[],
                         const char *wrong) {
  g_autoptr (GString) cells = g_string_new (NULL);

  hl_study_table_append_cells (cells, study, row, values, wrong);
  hl_row_line_append (line, cells->str);
}

static void compute_span (const HlStudyCrew *crew, int from, int to) {
  g_autofree double *values =
      g_new (double, hl_study_n_numbers (crew->study) + hl_study_n_measures (crew->study));
  g_autoptr (GString) line = g_string_new (NULL);
  int rows[MOST_ROWS], n;

  while (read_whole (from, &n, sizeof n) && read_whole (from, rows, sizeof (int) * (gsize)n)) {
    double before = hl_study_work_seconds (crew->work);
    for (int k = 0; k < n; k++) {
      g_autofree char *wrong = hl_study_work_row (crew->work, rows[k], values);
      g_string_truncate (line, 0);
      append_line (line, crew->study, rows[k], values, wrong);
      if (k == n - 1)
        g_string_append_printf (line, "%c%.0f\n", TALK, 1e6 * (hl_study_work_seconds (crew->work) - before));
      if (!write_whole (to, line->str, line->len))
        return;
    }
  }
}

/* Runs a worker process and never returns. Signals are handled by the parent. */
static void be_hand (const Work *work, pid_t parent, int from, int to) {
  signal (SIGINT, SIG_IGN);
  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
  hl_row_file_leave (work->crew->file);
  for (int k = 0; k < work->crew->jobs; k++)
    if (work->hands[k].pid != 0) {
      close (work->hands[k].to);
      close (work->hands[k].from);
    }
  if (getppid () == parent)
    compute_span (work->crew, from, to);
  _exit (0);
}

/* --- the parent --- */

static gboolean start_worker (Work *work, Hand *hand, GError **error) {
  int down[2], up[2];
  pid_t parent = getpid ();

  if (pipe (down) != 0 || pipe (up) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "no process can be started: %s", g_strerror (errno));
    return FALSE;
  }
  pid_t pid = fork ();
  if (pid == 0) {
    close (down[1]);
    close (up[0]);
    be_hand (work, parent, down[0], up[1]);
  }
  close (down[0]);
  close (up[1]);
  if (pid < 0) {
    close (down[1]);
    close (up[0]);
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "no process can be started: %s; use fewer --jobs",
                 g_strerror (errno));
    return FALSE;
  }
  hand->pid = pid;
  hand->to = down[1];
  hand->from = up[0];
  hand->n_rows = hand->n_back = 0;
  g_string_truncate (hand->waiting, 0);
  return TRUE;
}

/* Ends a worker process and returns its exit state as text. Owned by the caller. */
static char *end_worker (Hand *hand, gboolean kills) {
  int status = 0;

  if (kills)
    kill (hand->pid, SIGKILL);
  close (hand->to);
  close (hand->from);
  while (waitpid (hand->pid, &status, 0) < 0 && errno == EINTR)
    ;
  hand->pid = 0;
  if (WIFSIGNALED (status))
    return g_strdup_printf ("the process of this row ended by signal %d (%s), twice", WTERMSIG (status),
                            g_strsignal (WTERMSIG (status)));
  return g_strdup_printf ("the process of this row ended with status %d, twice", WEXITSTATUS (status));
}

static gboolean has_rows (const Work *work) {
  return work->next < work->crew->to || work->again->len > 0 || work->alone->len > 0;
}

/* Returns the next row, or -1. */
static int next_row (Work *work) {
  const HlStudyCrew *crew = work->crew;

  if (work->again->len > 0) {
    int row = g_array_index (work->again, int, work->again->len - 1);
    g_array_set_size (work->again, work->again->len - 1);
    return row;
  }
  while (work->next < crew->to && hl_study_folder_has_row (crew->folder, work->next))
    work->next++;
  return work->next < crew->to ? work->next++ : -1;
}

static void send_row (Work *work, Hand *hand) {
  const HlStudyCrew *crew = work->crew;
  int left = (crew->to - work->next) / (2 * crew->jobs), n = 0,
      most = work->row_us > 0.0 ? (int)fmin (MOST_ROWS, WORTH_US / work->row_us) : 1;

  most = MAX (1, MIN (most, left));
  while (n < most) {
    int row = next_row (work);
    if (row < 0)
      break;
    hand->rows[n++] = row;
  }
  if (n == 0 && work->alone->len > 0) {
    hand->rows[n++] = g_array_index (work->alone, int, work->alone->len - 1);
    g_array_set_size (work->alone, work->alone->len - 1);
  }
  hand->n_rows = n;
  hand->n_back = 0;
  hand->sent_us = g_get_monotonic_time ();
  /* one that is gone is noticed where it does not answer */
  if (n > 0 && write_whole (hand->to, (const char *)&n, sizeof n))
    write_whole (hand->to, (const char *)hand->rows, sizeof (int) * (gsize)n);
}

static void note_line (Work *work, Hand *hand, const char *line, gsize length) {
  if (*line == TALK) {
    work->told->integration += 1e-6 * g_ascii_strtod (line + 1, NULL);
    return;
  }
  gint64 now = g_get_monotonic_time ();
  double took = (double)(now - hand->sent_us) / (hand->n_back + 1);
  work->row_us = work->row_us > 0.0 ? 0.9 * work->row_us + 0.1 * took : took;
  g_string_append_len (work->lines, line, (gssize)length + 1);
  work->told->n_done++;
  work->told->n_failed += line[length - 1] != ',';
  work->n_crashes = 0;
  hand->n_back++;
}

/* Handles an ended process: its row is tried alone, or has failed. */
static gboolean note_end (Work *work, Hand *hand, GHashTable *tried, GError **error) {
  const HlStudy *study = work->crew->study;
  g_autofree char *why = end_worker (hand, TRUE);

  if (hand->n_back < hand->n_rows) {
    int row = hand->rows[hand->n_back];
    if (g_hash_table_contains (tried, GINT_TO_POINTER (row + 1))) {
      int n = hl_study_n_numbers (study) + hl_study_n_measures (study);
      g_autofree double *values = g_new (double, n);
      hl_study_values (study, row, values);
      for (int k = hl_study_n_numbers (study); k < n; k++)
        values[k] = NAN;
      append_line (work->lines, study, row, values, why);
      work->told->n_done++;
      work->told->n_failed++;
    } else {
      g_hash_table_add (tried, GINT_TO_POINTER (row + 1));
      g_array_append_val (work->alone, row);
    }
    g_array_append_vals (work->again, hand->rows + hand->n_back + 1,
                         (guint)(hand->n_rows - hand->n_back - 1));
  }
  if (++work->n_crashes > MOST_CRASHES_UNDONE) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 "%d processes in succession ended without a finished row: %s; use fewer --jobs, or check "
                 "one run with hydrolink simulate",
                 work->n_crashes, why);
    return FALSE;
  }
  return !has_rows (work) || start_worker (work, hand, error);
}

static gboolean read_lines (Work *work, Hand *hand, GHashTable *tried, GError **error) {
  char piece[65536];
  ssize_t n = read (hand->from, piece, sizeof piece);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (n <= 0)
    return note_end (work, hand, tried, error);
  g_string_append_len (hand->waiting, piece, n);
  gsize start = 0;
  for (const char *end;
       (end = memchr (hand->waiting->str + start, '\n', hand->waiting->len - start)) != NULL;) {
    const char *line = hand->waiting->str + start;
    note_line (work, hand, line, (gsize)(end - line));
    start += (gsize)(end - line) + 1;
  }
  g_string_erase (hand->waiting, 0, (gssize)start);
  return TRUE;
}

static gboolean save_lines (Work *work, GError **error) {
  gint64 now = g_get_monotonic_time ();

  if (work->lines->len == 0)
    return TRUE;
  if (!hl_row_file_append (work->crew->file, work->lines->str, work->lines->len, error))
    return FALSE;
  g_string_truncate (work->lines, 0);
  if (now - work->synced_us > SYNC_US) {
    hl_row_file_sync (work->crew->file);
    work->synced_us = now;
  }
  return TRUE;
}

/* Polls all worker processes once; *is_done: no rows are left. */
static gboolean poll_workers (Work *work, struct pollfd fds[], GHashTable *tried, gboolean *is_done,
                              GError **error) {
  int jobs = work->crew->jobs, n_busy = 0;

  for (int k = 0; k < jobs; k++) {
    Hand *hand = &work->hands[k];
    if (hand->pid == 0 && has_rows (work) && !start_worker (work, hand, error))
      return FALSE;
    if (hand->pid != 0 && hand->n_back == hand->n_rows)
      send_row (work, hand);
    gboolean is_busy = hand->pid != 0 && hand->n_back < hand->n_rows;
    fds[k] = (struct pollfd){.fd = is_busy ? hand->from : -1, .events = POLLIN};
    n_busy += is_busy;
  }
  *is_done = n_busy == 0;
  if (n_busy == 0)
    return TRUE;
  int n = poll (fds, (nfds_t)jobs, PATIENCE_MS);
  for (int k = 0; n > 0 && k < jobs; k++)
    if (fds[k].revents != 0 && !read_lines (work, &work->hands[k], tried, error))
      return FALSE;
  return TRUE;
}

static gboolean work_on (Work *work, GError **error) {
  const HlStudyCrew *crew = work->crew;
  g_autofree struct pollfd *fds = g_new0 (struct pollfd, crew->jobs);
  g_autoptr (GHashTable) tried = g_hash_table_new (NULL, NULL);

  for (gboolean is_done = FALSE; !is_done;) {
    gboolean ok = poll_workers (work, fds, tried, &is_done, error);
    GError **place = ok ? error : NULL; /* the first error stands */
    if (!save_lines (work, place) || !ok)
      return FALSE;
    double seconds = 1e-6 * (double)(g_get_monotonic_time () - work->began_us);
    if (!crew->progress (work->told->n_done, work->told->n_failed, seconds, crew->data)) {
      g_set_error_literal (error, HL_ERROR, HL_ERROR_CANCELLED, "stopped");
      return FALSE;
    }
  }
  return TRUE;
}

/* Computes the rows that are not done; comes back when they are, or when `progress` said so
 * (HL_ERROR_CANCELLED), or the file cannot be written (HL_ERROR_FAILED); reported: its progress. */
static gboolean study_crew_run (const HlStudyCrew *crew, HlStudyCrewReported *told, GError **error) {
  Work work = {.crew = crew, .told = told, .next = crew->from};

  *told = (HlStudyCrewReported){0};
  hl_linalg_use_one_thread ();
  signal (SIGPIPE, SIG_IGN); /* a process that is gone is noticed where it is read */
  work.hands = g_new0 (Hand, crew->jobs);
  for (int k = 0; k < crew->jobs; k++)
    work.hands[k].waiting = g_string_new (NULL);
  work.again = g_array_new (FALSE, FALSE, sizeof (int));
  work.alone = g_array_new (FALSE, FALSE, sizeof (int));
  work.lines = g_string_new (NULL);
  work.began_us = work.synced_us = g_get_monotonic_time ();
  gboolean ok = work_on (&work, error);
  for (int k = 0; k < crew->jobs; k++) {
    if (work.hands[k].pid != 0)
      g_free (end_worker (&work.hands[k], !ok)); /* idle ones go by themselves */
    g_string_free (work.hands[k].waiting, TRUE);
  }
  hl_row_file_sync (crew->file);
  g_free (work.hands);
  g_array_unref (work.again);
  g_array_unref (work.alone);
  g_string_free (work.lines, TRUE);
  return ok;
}

#define MOST_JOBS 1024
#define BAR_US 200000
#define LINES_US 10000000
#define JSON_US 1000000
#define BAR_WIDTH 24

typedef enum { PROGRESS_BAR, PROGRESS_LINES, PROGRESS_JSON, PROGRESS_NONE } ProgressForm;

typedef struct {
  ProgressForm form;
  int n_rows;   /* of the shard */
  int n_before; /* done before this run */
  int n_failed_before;
  gint64 shown_us;
  gboolean has_shown;
} Progress;

/* Returns a duration as text, "3 min 20 s". Owned by the caller. */
static char *duration (double seconds) {
  if (!(seconds < 1e8))
    return g_strdup ("?");
  int s = (int)ceil (seconds);
  if (s < 60)
    return g_strdup_printf ("%d s", s);
  if (s < 3600)
    return g_strdup_printf ("%d min %d s", s / 60, s % 60);
  return g_strdup_printf ("%d h %d min", s / 3600, s / 60 % 60);
}

static void show_progress (Progress *progress, int n_done, int n_failed, double seconds) {
  int done = progress->n_before + n_done, failed = progress->n_failed_before + n_failed;
  double rate = seconds > 0.0 ? n_done / seconds : 0.0,
         left = rate > 0.0 ? (progress->n_rows - done) / rate : INFINITY;
  g_autofree char *rest = duration (left);
  g_autofree char *speed = hl_cli_pretty (rate, 3);

  switch (progress->form) {
  case PROGRESS_BAR: {
    char bar[BAR_WIDTH + 1];
    int full = (int)((gint64)BAR_WIDTH * done / MAX (progress->n_rows, 1));
    for (int k = 0; k < BAR_WIDTH; k++)
      bar[k] = k < full ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf (stderr, "\r[%s] %d/%d  %s rows/s  %s left  %d failed \x1b[K", bar, done, progress->n_rows, speed,
             rest, failed);
    break;
  }
  case PROGRESS_LINES:
    hl_cli_say ("%d of %d rows, %s rows/s, %s left, %d failed", done, progress->n_rows, speed, rest, failed);
    break;
  case PROGRESS_JSON: {
    g_autofree char *seconds_left = isfinite (left) ? hl_cli_pretty (left, 3) : g_strdup ("null");
    fprintf (stderr, "{\"done\": %d, \"rows\": %d, \"failed\": %d, \"rate\": %s, \"left\": %s}\n", done,
             progress->n_rows, failed, speed, seconds_left);
    break;
  }
  default:
    return;
  }
  progress->has_shown = TRUE;
}

static gboolean note_progress (int n_done, int n_failed, double seconds, void *data) {
  Progress *progress = data;
  gint64 now = g_get_monotonic_time ();
  gint64 period = progress->form == PROGRESS_BAR    ? BAR_US
                  : progress->form == PROGRESS_JSON ? JSON_US
                                                    : LINES_US;

  if (progress->shown_us == 0)
    progress->shown_us = now;
  if (now - progress->shown_us >= period) {
    show_progress (progress, n_done, n_failed, seconds);
    progress->shown_us = now;
  }
  return !hl_cli_is_stopped ();
}

static gboolean ask_progress (const HlCli *cli, Progress *progress, GError **error) {
  static const char *const forms[] = {"bar", "lines", "json", "none", NULL};
  int form = isatty (STDERR_FILENO) != 0 ? PROGRESS_BAR : PROGRESS_LINES;

  if (!hl_cli_choice (cli, "progress", forms, &form, error))
    return FALSE;
  progress->form = (ProgressForm)form;
  return TRUE;
}

static char *heading_of (const HlStudy *study, const HlStudyWork *work) {
  int n = hl_study_n_numbers (study), n_measures = hl_study_n_measures (study);
  g_autofree const char **units = g_new0 (const char *, n + n_measures + 1);

  for (int k = 0; k < n; k++)
    units[k] = hl_study_work_unit_of_number (work, k);
  for (int k = 0; k < n_measures; k++)
    units[n + k] = hl_study_work_unit (work, k);
  return hl_study_table_heading (study, units, units + n);
}

/* Computes the rows of this shard. */
static gboolean compute_rows (const HlCli *cli, HlStudyCrew *crew, HlStudyFolder *folder, GError **error) {
  Progress progress = {.n_rows = crew->to - crew->from};
  HlStudyCrewReported told;

  if (!ask_progress (cli, &progress, error))
    return FALSE;
  for (int row = crew->from; row < crew->to; row++)
    progress.n_before += hl_study_folder_has_row (folder, row);
  if (progress.n_before == progress.n_rows)
    return TRUE;
  if (progress.n_before > 0)
    hl_cli_say ("%d of %d rows already exist", progress.n_before, progress.n_rows);
  if (hl_study_folder_n_bad (folder) > 0)
    hl_cli_say ("warning: %d damaged lines were removed; their rows are computed again",
                hl_study_folder_n_bad (folder));
  crew->jobs = MIN (crew->jobs, progress.n_rows - progress.n_before);
  crew->progress = note_progress;
  crew->data = &progress;
  hl_cli_hold_signals ();
  gint64 began = g_get_monotonic_time ();
  gboolean ok = study_crew_run (crew, &told, error);
  double seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
  if (progress.has_shown && progress.form == PROGRESS_BAR)
    fputs ("\r\x1b[K", stderr);
  g_autofree char *wall = hl_cli_pretty (seconds, 4);
  g_autofree char *pure = hl_cli_pretty (told.integration, 4);
  if (progress.form != PROGRESS_NONE && told.n_done > 0)
    hl_cli_say ("%d rows in %s s on %d processes; %s s of integration; %d failed", told.n_done, wall,
                crew->jobs, pure, told.n_failed);
  if (!ok && error != NULL && g_error_matches (*error, HL_ERROR, HL_ERROR_CANCELLED)) {
    g_clear_error (error);
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "stopped by %s after %d of %d rows, which are kept: repeat the command to continue",
                 hl_cli_stopped_by (), progress.n_before + told.n_done, progress.n_rows);
  } else if (!ok)
    g_prefix_error (error, "after %d of %d rows, which are kept: ", progress.n_before + told.n_done,
                    progress.n_rows);
  return ok;
}

static gboolean finish_study (HlCli *cli, HlStudyFolder *folder, const HlStudy *study, const char *out,
                              GError **error) {
  gboolean is_whole;

  if (!hl_study_folder_finish (folder, &is_whole, error))
    return FALSE;
  int n_failed = hl_study_folder_n_failed (folder), n = hl_study_n_rows (study);
  if (is_whole)
    hl_cli_say ("%s/%s: %d rows, %d of them failed", out, HL_STUDY_RESULTS, n, n_failed);
  else
    hl_cli_say ("%d of %d rows of the study exist", hl_study_folder_n_done (folder), n);
  if (hl_cli_has (cli, "strict") && n_failed > 0)
    cli->status = HL_CLI_FAILED;
  return TRUE;
}

void hl_cli_study_clear (HlCliStudy *begun) {
  g_clear_pointer (&begun->folder, hl_study_folder_free);
  g_clear_pointer (&begun->work, hl_study_work_free);
  g_clear_pointer (&begun->study, hl_study_free);
}

gboolean hl_cli_study_begin (const HlCli *cli, HlCliStudy *begun, GError **error) {
  const char *file = hl_cli_study_word (cli, 0), *out = hl_cli_text (cli, "out");

  if (file == NULL || out == NULL || hl_cli_study_word (cli, 1) != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "write hydrolink study %s FILE --out DIR, with one study or model as FILE",
                 hl_cli_texts (cli, HL_CLI_WORDS)[0]);
    return FALSE;
  }
  begun->study = hl_cli_study_read (cli, file, error);
  if (begun->study != NULL)
    begun->work = hl_study_work_new (begun->study, hl_cli_study_say, NULL, error);
  if (begun->work == NULL)
    return FALSE;
  g_autofree char *heading = heading_of (begun->study, begun->work);
  begun->folder = hl_study_folder_open (out, begun->study, heading, error);
  return begun->folder != NULL;
}

gboolean hl_cli_study_run (HlCli *cli, GError **error) {
  HlStudyCrew crew = {.jobs = study_crew_processors ()};
  g_auto (HlCliStudy) begun = {NULL, NULL, NULL};
  int part, of;

  if (!hl_cli_count (cli, "jobs", &crew.jobs, MOST_JOBS, error) ||
      !hl_cli_study_shard (cli, &part, &of, error) || !hl_cli_study_begin (cli, &begun, error))
    return FALSE;
  g_autoptr (HlRowFile) rows =
      hl_study_folder_open_shard (begun.folder, part, of, &crew.from, &crew.to, error);
  if (rows == NULL || !hl_study_folder_scan (begun.folder, error))
    return FALSE;
  crew.study = begun.study;
  crew.work = begun.work;
  crew.folder = begun.folder;
  crew.file = rows;
  return compute_rows (cli, &crew, begun.folder, error) &&
         finish_study (cli, begun.folder, begun.study, hl_cli_text (cli, "out"), error);
}
