/* SPDX-License-Identifier: MIT */
/* What the commands share: their table, the parsed line, the model, and output in the C locale.
 * Errors are GErrors of HL_ERROR; the dispatcher prints them and turns their code into the exit
 * status. */
#pragma once

#include "app/hl-cli.h"
#include "core/analysis/hl-compile.h"
#include "core/analysis/hl-linear-model.h"
#include "core/analysis/hl-simulate.h"
#include "core/analysis/hl-sweep-point.h"
#include "core/document/hl-document.h"
#include "core/document/hl-error.h"

#include <stdio.h>

#define HL_CLI_OK 0
#define HL_CLI_FAILED 1 /* the work itself failed */
#define HL_CLI_USAGE 2  /* bad usage or a bad file */

/* --- the line --- */

typedef struct
{
  const char *name;  /* "t-end", without the dashes; NULL ends a table */
  const char *value; /* what stands for the value in the help, "S"; NULL = a flag */
  const char *help;
  gboolean repeatable;
} HlCliOption;

typedef struct _HlCli HlCli;

typedef struct
{
  const char *name;
  const char *usage;   /* behind the name: "FILE [--json]" */
  const char *summary; /* one line for the list of commands */
  const char *text;    /* paragraph of its own help */
  const HlCliOption *options;
  gboolean no_file; /* works on no model file */
  gboolean (*run) (HlCli *cli, GError **error);
} HlCliCommand;

struct _HlCli
{
  const HlCliCommand *command;
  GHashTable *values;   /* option name to GPtrArray of texts */
  const char *file;     /* as given */
  HlDocument *document; /* written by hl_cli_load */
  HlSystem *system;     /* written by hl_cli_compile */
  int status;           /* exit status of a command that ran to its end */
};

/* Options that every command takes; what is left of them for one that works on no file. */
extern const HlCliOption hl_cli_common_options[];
extern const HlCliOption hl_cli_help_option[];

/* Reads argv behind the command into cli->values and cli->file. */
gboolean hl_cli_parse (HlCli *cli, int argc, char **argv, GError **error);

gboolean hl_cli_has (const HlCli *cli, const char *option);
/* The last value given, or NULL; borrowed. */
const char *hl_cli_text (const HlCli *cli, const char *option);
/* All values in order, NULL-terminated, never NULL; borrowed. */
const char *const *hl_cli_texts (const HlCli *cli, const char *option);
/* Leave *value alone when the option is absent. Positive: zero and less are refused. */
gboolean hl_cli_number (const HlCli *cli, const char *option, double *value, GError **error);
gboolean hl_cli_positive (const HlCli *cli, const char *option, double *value, GError **error);
gboolean hl_cli_count (const HlCli *cli, const char *option, int *value, int most, GError **error);
/* Index of the value among names (NULL-terminated) into *value. */
gboolean hl_cli_choice (
    const HlCli *cli, const char *option, const char *const names[], int *value, GError **error);
/* FALSE and a message when the option is missing. */
gboolean hl_cli_require (const HlCli *cli, const char *option, GError **error);

/* Strict number in the C locale, finite; `what` starts the message. */
gboolean hl_cli_parse_number (const char *text, const char *what, double *value, GError **error);
/* LIST: "A:B:N", "log:A:B:N" or numbers with commas. Array of double, NULL on failure. */
GArray *hl_cli_parse_list (const char *text, const char *what, GError **error);
/* "‘linearize’", the one of the names that looks most like a mistyped one; NULL = none does. */
const char *hl_cli_near_miss (const char *word, const char *const names[]);

/* --- the model (hl-cli-model.c) --- */

/* Reads the file, applies --parameter-set and --set. */
gboolean hl_cli_load (HlCli *cli, GError **error);
/* Structural check of the loaded document; prints every finding on standard error. */
gboolean hl_cli_check (HlCli *cli, GError **error);
/* Loads and compiles; prints every finding on standard error. */
gboolean hl_cli_compile (HlCli *cli, GError **error);
/* "PATH=VALUE" onto a document. */
HlDocument *hl_cli_with_setting (const HlDocument *document, const char *text, GError **error);
/* Compiles a changed document without a word; NULL and the first error. */
HlSystem *hl_cli_compile_quietly (const HlDocument *document, GError **error);
/* SI unit of a path, "1" when unknown; borrowed. */
const char *hl_cli_unit_of (const HlDocument *document, const char *path);
/* HL_ERROR_FAILED in the words of a fault. */
void hl_cli_set_fault (GError **error, const HlSystem *sys, const HlFault *fault);

/* A parameter of a study: "PATH" or "PATH,PATH", which get the same value (hl-cli-parameter.c). */
typedef struct
{
  char **paths;
  HlParameter *parameters; /* n: those that the compiled system can change */
  int n;
  gboolean shapes;  /* some path shapes the model: every value is compiled anew */
  double value;     /* what stands at the first path */
  double low, high; /* what all of them may be */
} HlCliParameter;

/* After hl_cli_compile (); to be cleared when it succeeded. */
gboolean
hl_cli_parse_parameter (const HlCli *cli, const char *text, HlCliParameter *out, GError **error);
void hl_cli_parameter_clear (HlCliParameter *parameter);
/* Borrows from it. */
HlSweepParameter hl_cli_sweep_parameter (const HlCliParameter *parameter);

/* --- long work (hl-cli-wait.c) --- */

typedef struct
{
  double total, done;
  gint64 began_us, shown_us;
  gboolean is_watched, has_shown;
} HlCliWait;

/* From here on Ctrl+C asks for a stop; a second one ends the program. */
void hl_cli_wait_begin (HlCliWait *wait, double total);
/* The work stands at `done` of the total; false: somebody asked for a stop. */
bool hl_cli_wait_at (double done, void *wait);
/* A cancel callback that counts its calls. */
bool hl_cli_wait_cancel (void *wait);
/* FALSE when the work was stopped. */
gboolean hl_cli_wait_end (HlCliWait *wait);
void hl_cli_set_stopped (GError **error, double done, double total);

/* --- output (hl-cli-output.c) --- */

/* To the file that --out names, in one step, or to standard output. */
gboolean hl_cli_deliver (const HlCli *cli, const char *text, GError **error);

/* Bytes to a stream as they are, whatever the locale; HL_ERROR_FAILED when it cannot be written. */
gboolean hl_cli_write (FILE *stream, const char *text, GError **error);
/* A message on standard error: "hydrolink: text". */
void hl_cli_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* A number for people: `digits` significant digits, C locale. Owned by the caller. */
char *hl_cli_pretty (double value, int digits);
/* Appends text and blanks up to a width counted in characters; left: text first. */
void hl_cli_append_cell (GString *out, const char *text, int width, gboolean left);

/* JSON in the order it is written; numbers with 17 significant digits, NAN as null. */
typedef struct
{
  GString *text;
  gboolean is_first; /* nothing stands before the next item of the present object or list */
  int depth;
} HlJsonOut;

HlJsonOut *hl_json_out_new (void);
void hl_json_out_free (HlJsonOut *out);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlJsonOut, hl_json_out_free)

/* key NULL: an item of a list. open, close: '{' '}' or '[' ']'. */
void hl_json_out_open (HlJsonOut *out, const char *key, char bracket);
void hl_json_out_close (HlJsonOut *out, char bracket);
void hl_json_out_number (HlJsonOut *out, const char *key, double value);
void hl_json_out_integer (HlJsonOut *out, const char *key, long value);
void hl_json_out_bool (HlJsonOut *out, const char *key, gboolean value);
void hl_json_out_text (HlJsonOut *out, const char *key, const char *value);
void hl_json_out_null (HlJsonOut *out, const char *key);
/* n numbers, `stride` apart. */
void hl_json_out_numbers (HlJsonOut *out, const char *key, const double value[], int n, int stride);
/* Column-major rows x columns as a list of rows. */
void
hl_json_out_matrix (HlJsonOut *out, const char *key, const double value[], int rows, int columns);

/* Answers of commands that `report` writes as well. Owned by the caller. */
char *hl_cli_linearization_json (const HlLinearization *lin);
/* A title, then n rows with their names; value: n x columns, column-major. */
void hl_cli_append_matrix (
    GString *text, const char *title, const double value[], char *const rows[], int n, int columns);
/* Eigenvalues for people, one a line, and what the null ones are. */
char *hl_cli_eigenvalue_table (const HlLinearization *lin);
/* linearize --model hybrid: the mode at a time, 0 = the one a run starts in
 * (hl-cli-linearize-hybrid.c). */
gboolean hl_cli_linearize_hybrid (HlCli *cli, double time, GError **error);
/* The same as a model of one output. NULL with an error; owned by the caller. */
HlLinearModel *
hl_cli_hybrid_model (const HlCli *cli, double time, const HlObservable *output, GError **error);
/* State with the largest participation in an eigenvalue. */
int hl_cli_strongest_state (const HlLinearization *lin, int eigenvalue);
char *hl_cli_stats_json (const HlSimStats *stats);

/* --- the commands --- */

extern const HlCliCommand hl_cli_validate;
extern const HlCliCommand hl_cli_equilibrium;
extern const HlCliCommand hl_cli_linearize;
extern const HlCliCommand hl_cli_simulate;
extern const HlCliCommand hl_cli_root_locus;
extern const HlCliCommand hl_cli_sensitivity;
extern const HlCliCommand hl_cli_stability_map;
extern const HlCliCommand hl_cli_frequency_response;
extern const HlCliCommand hl_cli_sweep;
extern const HlCliCommand hl_cli_quasistatic;
extern const HlCliCommand hl_cli_modes;
extern const HlCliCommand hl_cli_report;
extern const HlCliCommand hl_cli_reproduce;
extern const HlCliCommand hl_cli_screenshot;
