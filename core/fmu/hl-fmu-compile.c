/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-export.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"

const HlFmuPlatform hl_fmu_platforms[] = {
#if defined __linux__ && defined __x86_64__
    {"x86_64-linux", "linux64", ".so", {"cc", "gcc", "clang"}, "gcc"},
#elif defined __linux__ && defined __aarch64__
    {"aarch64-linux", NULL, ".so", {"cc", "gcc", "clang"}, "gcc"},
#endif
    {HL_FMU_WINDOWS, "win64", ".dll", {"x86_64-w64-mingw32-gcc"}, "gcc-mingw-w64-x86-64"},
    {NULL, NULL, NULL, {NULL}, NULL}};

/* Returns the platform of this machine. */
const HlFmuPlatform *hl_fmu_own_platform (void) {
  return g_str_has_suffix (hl_fmu_platforms[0].name, "-linux") ? &hl_fmu_platforms[0] : NULL;
}

const HlFmuPlatform *hl_fmu_platform_find (const char *name) {
  for (int k = 0; hl_fmu_platforms[k].name != NULL; k++)
    if (strcmp (hl_fmu_platforms[k].name, name) == 0)
      return &hl_fmu_platforms[k];
  return NULL;
}

/* Finds a compiler; NULL: there is none. Owned by the caller. */
static char *find_compiler (const HlFmuPlatform *platform) {
  char *path = NULL;

  for (int k = 0; platform->compilers[k] != NULL && path == NULL; k++)
    path = g_find_program_in_path (platform->compilers[k]);
  return path;
}

gboolean hl_fmu_platform_has_compiler (const HlFmuPlatform *platform) {
  g_autofree char *path = find_compiler (platform);

  return path != NULL;
}

static gboolean write_file (const char *folder, const char *name, const char *text, gssize length,
                            GError **error) {
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_set_contents (path, text, length, error);
}

static gboolean lay_out (const char *folder, GHashTable *files, GError **error) {
  GHashTableIter iter;
  gpointer name, bytes;

  for (int k = 0; hl_fmu_kept[k].name != NULL; k++)
    if (g_str_has_suffix (hl_fmu_kept[k].name, ".h") &&
        !write_file (folder, hl_fmu_kept[k].name, hl_fmu_kept[k].text, -1, error))
      return FALSE;
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &bytes)) {
    gsize n;
    const char *text = g_bytes_get_data (bytes, &n);
    if (!write_file (folder, name, text, (gssize)n, error))
      return FALSE;
  }
  return TRUE;
}

static void clear_folder (const char *folder) {
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

static void set_stopped (GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, _ ("stopped while the FMU was being compiled"));
}

#define MOST_BYTES ((gsize)256 * 1024 * 1024) /* of what a compiler makes */
#define MOST_DESCRIPTORS 1024                 /* that may be open where the compiler is started */
#define PERIOD_US 10000                       /* between two looks for a cancellation */

/* --- the process between this program and the compiler ---
 *
 * Waits for the compiler, and then removes the folder. Kills the process group of the compiler when this
 * program requests it or has ended in any way. After fork () only async-signal-safe functions are called. */

typedef struct {
  const char *folder;
  pid_t program; /* this one */
} Guard;

static volatile sig_atomic_t guarded; /* leader of the compiler's group */

static void end_group_cb (int number) {
  (void)number;
  kill ((pid_t)-guarded, SIGKILL);
}

static void wait_and_leave (const Guard *guard, pid_t compiler) {
  struct sigaction action = {.sa_handler = end_group_cb};
  int status = 0;

  guarded = (sig_atomic_t)compiler;
  setpgid (compiler, compiler);
  sigemptyset (&action.sa_mask);
  sigaction (SIGTERM, &action, NULL);
  /* also the pipe that reports to the program whether the compiler has started */
  for (int descriptor = 3; descriptor < MOST_DESCRIPTORS; descriptor++)
    close (descriptor);
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != guard->program)
    kill (getpid (), SIGTERM);
  while (waitpid (compiler, &status, 0) < 0 && errno == EINTR)
    ;
  if (getppid () != guard->program)
    execl ("/bin/rm", "rm", "-rf", "--", guard->folder, (char *)NULL);
  _exit (WIFEXITED (status) ? WEXITSTATUS (status) : EXIT_FAILURE);
}

/* Starts the compiler from an intermediate process: the child is the intermediate process, and its child the
 * compiler. */
static void become_compiler_cb (gpointer data) {
  const Guard *guard = data;

  setpgid (0, 0);
  pid_t compiler = fork ();
  if (compiler > 0)
    wait_and_leave (guard, compiler);
  setpgid (0, 0);
}

/* Starts the compiler with its temporary files in the folder, and its output in the file `said`. */
static gboolean start_compiler (const char *folder, const char *const line[], GPid *child, GError **error) {
  g_autofree char *said = g_build_filename (folder, "said", NULL);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "TMPDIR", folder, TRUE);
  Guard guard = {folder, getpid ()};
  int out = g_open (said, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  if (out < 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", said, g_strerror (errno));
    return FALSE;
  }
  gboolean began = g_spawn_async_with_fds (folder, (char **)line, environment,
                                           G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                           become_compiler_cb, &guard, child, -1, -1, out, error);
  close (out);
  return began;
}

/* Waits for a child process and stores its exit status; returns FALSE if the export was stopped. */
static gboolean wait_for (GPid child, HlFmuStop is_stopped, gpointer data, int *status) {
  gboolean goes_on = TRUE;

  while (waitpid (child, status, WNOHANG) == 0) {
    if (goes_on && is_stopped != NULL && is_stopped (data)) {
      kill (-child, SIGTERM);
      goes_on = FALSE;
    }
    g_usleep (PERIOD_US);
  }
  g_spawn_close_pid (child);
  return goes_on;
}

/* Compiles the sources with -frandom-seed, no time in the file and names relative to the folder: the same
 * sources give the same bytes. Windows provides its C library, but not that of the compiler. */
static GBytes *run_compiler (const char *compiler, const char *folder, const HlFmuPlatform *platform,
                             HlFmuStop is_stopped, gpointer data, GError **error) {
  gboolean is_windows = strcmp (platform->ending, ".dll") == 0;
  const char *const line[] = {compiler,
                              "-std=c99",
                              "-O2",
                              "-ffp-contract=off",
                              "-fno-math-errno",
                              "-fno-trapping-math",
                              is_windows ? "-static-libgcc" : "-fPIC",
                              "-shared",
                              "-fvisibility=default",
                              "-frandom-seed=hydrolink",
                              is_windows ? "-Wl,--no-insert-timestamp" : "-Wl,--build-id=none",
                              "-s",
                              "-DFMI3_OVERRIDE_FUNCTION_PREFIX",
                              "-DFMI2_OVERRIDE_FUNCTION_PREFIX",
                              "-DHL_FMU_BINARY",
                              "-I.",
                              "-o",
                              "model.so",
                              "all.c",
                              "-lm",
                              NULL};
  g_autofree char *path = g_build_filename (folder, "model.so", NULL);
  gsize n;
  GPid child;
  int status = 0;

  if (!start_compiler (folder, line, &child, error))
    return NULL;
  if (!wait_for (child, is_stopped, data, &status)) {
    set_stopped (error);
    return NULL;
  }
  if (!g_spawn_check_wait_status (status, NULL)) {
    g_autofree char *from = g_build_filename (folder, "said", NULL);
    g_autofree char *said = hl_file_read (from, MOST_BYTES, NULL, NULL, &n, NULL);
    /* the first error; lines before it say which file includes which */
    char *first = said != NULL && strstr (said, "error: ") != NULL ? strstr (said, "error: ") : said;
    while (first != NULL && first > said && first[-1] != '\n')
      first--;
    char *end = first != NULL ? strchr (first, '\n') : NULL;
    if (end != NULL)
      *end = '\0';
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s cannot compile the sources: %s"), compiler,
                 first != NULL ? first : "");
    return NULL;
  }
  char *bytes = hl_file_read (path, MOST_BYTES, NULL, NULL, &n, error);
  return bytes != NULL ? g_bytes_new_take (bytes, n) : NULL;
}

GBytes *hl_fmu_compile (GHashTable *files, const HlFmuPlatform *platform, HlFmuStop is_stopped, gpointer data,
                        GError **error) {
  g_autofree char *compiler = find_compiler (platform);
  GBytes *binary = NULL;

  if (compiler == NULL) {
    g_autofree char *names = g_strjoinv (", ", (char **)platform->compilers);
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 _ ("no C compiler for %s found (%s); install the package %s"), platform->name, names,
                 platform->package);
    return NULL;
  }
  /* from here on there is something to put away */
  if (is_stopped != NULL && is_stopped (data)) {
    set_stopped (error);
    return NULL;
  }
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-fmu-XXXXXX", error);
  if (folder == NULL)
    return NULL;
  if (lay_out (folder, files, error))
    binary = run_compiler (compiler, folder, platform, is_stopped, data, error);
  clear_folder (folder);
  return binary;
}
