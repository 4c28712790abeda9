/* SPDX-License-Identifier: MIT */
/* Options of the commands: read by a table, their values strictly in the C locale. */
#include "app/cli/hl-cli-private.h"

#include "core/base/hl-unit.h"
#include "core/document/hl-quantity-path.h"

#include <math.h>
#include <string.h>

/* Parameters of the studies: paths, present values and permitted ranges. */

void hl_cli_warn_of_idle (const HlCli *cli, const char *path, HlOil oil) {
  HlPathInfo info;

  if (!hl_path_find (cli->document, path, &info, NULL) || info.type != HL_PATH_NUMBER || info.field == NULL)
    return;
  g_autofree char *text = hl_field_idle_help (info.field, oil);
  if (text != NULL)
    hl_cli_say ("warning: ‘%s’ has no effect here: %s", path, text);
}

gboolean hl_cli_parse_parameter (const HlCli *cli, const char *text, HlCliParameter *out, GError **error) {
  *out = (HlCliParameter){.low = -INFINITY, .high = INFINITY};
  out->paths = g_strsplit (text, ",", -1);
  int n = (int)g_strv_length (out->paths);
  out->parameters = g_new0 (HlParameter, n + 1);
  for (int k = 0; k < n; k++) {
    const char *path = out->paths[k];
    HlPathInfo info;
    double value;
    if (!hl_document_get_number (cli->document, path, &value, NULL, error) ||
        !hl_path_find (cli->document, path, &info, error)) {
      hl_cli_parameter_clear (out);
      return FALSE;
    }
    hl_cli_warn_of_idle (cli, path, hl_oil_model_of_points ()->bit);
    if (k == 0)
      out->value = value;
    hl_path_narrow (&info, &out->low, &out->high);
    if (hl_system_find_parameter (cli->system, path, &out->parameters[out->n]))
      out->n++;
    else
      out->shapes = TRUE;
  }
  return TRUE;
}

void hl_cli_parameter_clear (HlCliParameter *parameter) {
  g_clear_pointer (&parameter->paths, g_strfreev);
  g_clear_pointer (&parameter->parameters, g_free);
}

HlSweepParameter hl_cli_sweep_parameter (const HlCliParameter *parameter) {
  return (HlSweepParameter){.parameters = parameter->parameters,
                            .n = parameter->n,
                            .paths = (const char *const *)parameter->paths,
                            .low = parameter->low,
                            .high = parameter->high};
}

#define MOST_VALUES 1000000 /* in one LIST */

/* Options of all commands that work on a model. */
static const HlCliOption common_options[] = {
    {"set", "PATH=VALUE", "set one number of the model; repeatable", TRUE},
    {"parameter-set", "NAME", "apply a parameter set of the file first", TRUE},
    {"parameter-file", "FILE", "then apply an SSP parameter set (.ssv)", TRUE},
    {"help", NULL, "explain the command", FALSE},
    {NULL},
};

static const HlCliOption help_option[] = {
    {"help", NULL, "explain the command", FALSE},
    {NULL},
};

/* --- near misses --- */

/* Returns the number of changed letters that turn one word into the other (Levenshtein distance). */
static int distance (const char *a, const char *b) {
  int n = (int)strlen (b), row[64];

  if (n >= (int)G_N_ELEMENTS (row))
    return n;
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; a[i - 1] != '\0'; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int above = row[j];
      row[j] = MIN (MIN (above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  return row[n];
}

const char *hl_cli_near_miss (const char *word, const char *const names[]) {
  const char *best = NULL;
  int least = (int)strlen (word) / 3 + 2;

  for (int k = 0; names[k] != NULL; k++) {
    int here = g_str_has_prefix (names[k], word) ? 1 : distance (word, names[k]);
    if (here < least) {
      least = here;
      best = names[k];
    }
  }
  return best;
}

/* --- options --- */

const HlCliOption *hl_cli_options_of_all (const HlCliCommand *command) {
  return command->no_file ? help_option : common_options;
}

static const HlCliOption *find_option (const HlCli *cli, const char *name) {
  for (const HlCliOption *option = cli->command->options; option->name != NULL; option++)
    if (strcmp (option->name, name) == 0)
      return option;
  for (const HlCliOption *option = hl_cli_options_of_all (cli->command); option->name != NULL; option++)
    if (strcmp (option->name, name) == 0)
      return option;
  return NULL;
}

static gboolean changes_models (const char *word) {
  for (const HlCliOption *option = common_options; option->name != NULL; option++)
    if (option->value != NULL && strcmp (option->name, word + strspn (word, "-")) == 0)
      return TRUE;
  return FALSE;
}

static void refuse_option (const HlCli *cli, const char *word, GError **error) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (cli->command->no_file && changes_models (word)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: ‘%s’ changes the numbers of a model, but there is no model here: %s",
                 cli->command->name, word, cli->command->summary);
    return;
  }

  for (const HlCliOption *option = cli->command->options; option->name != NULL; option++)
    g_ptr_array_add (names, (gpointer)option->name);
  for (const HlCliOption *option = hl_cli_options_of_all (cli->command); option->name != NULL; option++)
    g_ptr_array_add (names, (gpointer)option->name);
  g_ptr_array_add (names, NULL);
  const char *near = hl_cli_near_miss (word + strspn (word, "-"), (const char **)names->pdata);
  if (near != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: unknown option ‘%s’; perhaps ‘--%s’? See hydrolink %s --help", cli->command->name, word,
                 near, cli->command->name);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: unknown option ‘%s’; see hydrolink %s --help",
                 cli->command->name, word, cli->command->name);
}

static gboolean add_value (HlCli *cli, const HlCliOption *option, const char *value, GError **error) {
  GPtrArray *list = g_hash_table_lookup (cli->values, option->name);

  if (strcmp (option->name, "out") == 0 && strcmp (value, "-") == 0)
    return TRUE; /* standard output, as without the option */
  if (list == NULL) {
    list = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (list, NULL);
    g_hash_table_insert (cli->values, (gpointer)option->name, list);
  } else if (!option->repeatable && option->value != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s occurs twice; use it once", option->name);
    return FALSE;
  }
  g_ptr_array_insert (list, (int)list->len - 1, g_strdup (value));
  return TRUE;
}

/* Reads one option, "--name", "--name=value" or "--name" "value"; *at moves to the last argument used. */
static gboolean read_option (HlCli *cli, int argc, char **argv, int *at, GError **error) {
  const char *word = strcmp (argv[*at], "-h") == 0   ? "--help"
                     : strcmp (argv[*at], "-o") == 0 ? "--out"
                                                     : argv[*at];
  const char *equals = strchr (word, '=');
  g_autofree char *name = NULL;

  if (!g_str_has_prefix (word, "--")) {
    refuse_option (cli, word, error);
    return FALSE;
  }
  name = equals != NULL ? g_strndup (word + 2, (gsize)(equals - word - 2)) : g_strdup (word + 2);
  const HlCliOption *option = find_option (cli, name);
  if (option == NULL) {
    g_autofree char *shown = g_strconcat ("--", name, NULL);
    refuse_option (cli, shown, error);
    return FALSE;
  }
  if (option->value == NULL && equals != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s takes no value", name);
    return FALSE;
  }
  if (option->value == NULL)
    return add_value (cli, option, "", error);
  if (equals != NULL)
    return add_value (cli, option, equals + 1, error);
  if (*at + 1 >= argc || g_str_has_prefix (argv[*at + 1], "--")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s needs a value: --%s %s", name, name, option->value);
    return FALSE;
  }
  return add_value (cli, option, argv[++*at], error);
}

gboolean hl_cli_parse (HlCli *cli, int argc, char **argv, GError **error) {
  static const HlCliOption words = {HL_CLI_WORDS, "WORD", NULL, TRUE};
  gboolean only_files = FALSE;

  for (int at = 0; at < argc; at++) {
    if (!g_utf8_validate (argv[at], -1, NULL) && argv[at][0] == '-') {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "argument %d is not UTF-8", at + 2);
      return FALSE;
    }
    if (!only_files && strcmp (argv[at], "--") == 0)
      only_files = TRUE;
    else if (!only_files && argv[at][0] == '-' && argv[at][1] != '\0') {
      if (!read_option (cli, argc, argv, &at, error))
        return FALSE;
    } else if (cli->command->takes_words && (cli->command->no_file || cli->file != NULL))
      add_value (cli, &words, argv[at], error);
    else if (cli->file == NULL)
      cli->file = argv[at];
    else {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s takes one file, but there are ‘%s’ and ‘%s’",
                   cli->command->name, cli->file, argv[at]);
      return FALSE;
    }
  }
  if (cli->command->no_file && cli->file != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s takes no file: hydrolink %s %s", cli->command->name,
                 cli->command->name, cli->command->usage);
    return FALSE;
  }
  if (cli->file == NULL && !cli->command->no_file && !hl_cli_has (cli, "help")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s needs a file: hydrolink %s %s", cli->command->name,
                 cli->command->name, cli->command->usage);
    return FALSE;
  }
  return TRUE;
}

gboolean hl_cli_has (const HlCli *cli, const char *option) {
  return g_hash_table_contains (cli->values, option);
}

const char *const *hl_cli_texts (const HlCli *cli, const char *option) {
  static const char *const none[] = {NULL};
  const GPtrArray *list = g_hash_table_lookup (cli->values, option);

  return list != NULL ? (const char *const *)list->pdata : none;
}

const char *hl_cli_text (const HlCli *cli, const char *option) {
  const GPtrArray *list = g_hash_table_lookup (cli->values, option);

  return list != NULL ? g_ptr_array_index (list, list->len - 2) : NULL;
}

/* --- values --- */

gboolean hl_cli_parse_number (const char *text, const char *what, double *value, GError **error) {
  char *end = NULL;

  /* the C library would also take 0x10, inf and nan */
  *value = g_ascii_strtod (text, &end);
  if (*text != '\0' && *end == '\0' && isfinite (*value) && !g_ascii_isspace (*text) &&
      strpbrk (text, "xX") == NULL)
    return TRUE;
  if (strchr (text, ',') != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: ‘%s’ is not a number; use a decimal point", what,
                 text);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: ‘%s’ is not a finite number; write one such as 0.5 or 1e-3", what, text);
  return FALSE;
}

gboolean hl_cli_parse_quantity (const char *text, const char *what, HlQuantity quantity, double *value,
                                GError **error) {
  char *end = NULL;
  int n;

  g_ascii_strtod (text, &end);
  if (end == text || *end == '\0' || quantity == HL_QUANTITY_NONE || strpbrk (text, "xX,") != NULL)
    return hl_cli_parse_number (text, what, value, error);
  if (hl_unit_parse (text, quantity, hl_quantity_units (quantity, &n), value, NULL, error))
    return TRUE;
  g_prefix_error (error, "%s: ", what);
  return FALSE;
}

/* Returns what an option's number is, by the word for it in the help. */
static HlQuantity quantity_of_option (const HlCliOption *option) {
  static const struct {
    const char *value;
    HlQuantity quantity;
  } known[] = {{"S", HL_QUANTITY_TIME},
               {"TIME", HL_QUANTITY_TIME},
               {"F", HL_QUANTITY_FREQUENCY},
               {"RATE", HL_QUANTITY_RATE}};

  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (strcmp (option->value, known[k].value) == 0)
      return known[k].quantity;
  return HL_QUANTITY_NONE;
}

gboolean hl_cli_number_of (const HlCli *cli, const char *option, HlQuantity quantity, double *value,
                           GError **error) {
  const char *text = hl_cli_text (cli, option);
  g_autofree char *what = g_strconcat ("--", option, NULL);

  return text == NULL || hl_cli_parse_quantity (text, what, quantity, value, error);
}

gboolean hl_cli_number (const HlCli *cli, const char *option, double *value, GError **error) {
  /* several commands share a reader of options that some of them do not have */
  return !hl_cli_has (cli, option) ||
         hl_cli_number_of (cli, option, quantity_of_option (find_option (cli, option)), value, error);
}

gboolean hl_cli_positive (const HlCli *cli, const char *option, double *value, GError **error) {
  if (!hl_cli_number (cli, option, value, error))
    return FALSE;
  if (!hl_cli_has (cli, option) || *value > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s must be greater than 0, not %s", option,
               hl_cli_text (cli, option));
  return FALSE;
}

gboolean hl_cli_count (const HlCli *cli, const char *option, int *value, int most, GError **error) {
  const char *text = hl_cli_text (cli, option);
  gint64 number;

  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_signed (text, 10, 1, most, &number, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s must be a whole number from 1 to %d", option, most);
    return FALSE;
  }
  *value = (int)number;
  return TRUE;
}

gboolean hl_cli_choice (const HlCli *cli, const char *option, const char *const names[], int *value,
                        GError **error) {
  const char *text = hl_cli_text (cli, option);

  if (text == NULL)
    return TRUE;
  for (int k = 0; names[k] != NULL; k++)
    if (strcmp (text, names[k]) == 0) {
      *value = k;
      return TRUE;
    }
  g_autofree char *all = g_strjoinv (", ", (char **)names);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s cannot be ‘%s’; use one of %s", option, text, all);
  return FALSE;
}

gboolean hl_cli_oil (const HlCli *cli, gboolean is_linear, const HlOilModel **oil, GError **error) {
  const char *names[HL_N_OIL_MODELS + 1] = {NULL};
  const HlOilModel *models[HL_N_OIL_MODELS];
  int n = 0, chosen = -1;

  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (!is_linear || hl_oil_models[k]->has_points || hl_oil_models[k]->has_modes) {
      models[n] = hl_oil_models[k];
      names[n++] = hl_oil_models[k]->name;
    }
  if (!hl_cli_choice (cli, "model", names, &chosen, error))
    return FALSE;
  *oil = chosen >= 0 ? models[chosen] : *oil;
  return TRUE;
}

gboolean hl_cli_require (const HlCli *cli, const char *option, GError **error) {
  if (hl_cli_has (cli, option))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s needs --%s %s; see hydrolink %s --help",
               cli->command->name, option, find_option (cli, option)->value, cli->command->name);
  return FALSE;
}

/* Parses "A:B:N": N values from A to B, spaced by a constant ratio if `is_log`, otherwise by a constant
 * difference. */
static gboolean parse_range (char **parts, const char *text, const char *what, HlQuantity quantity,
                             gboolean is_log, GArray *list, GError **error) {
  double from, to;
  gint64 n;

  if (!hl_cli_parse_quantity (parts[0], what, quantity, &from, error) ||
      !hl_cli_parse_quantity (parts[1], what, quantity, &to, error))
    return FALSE;
  if (!g_ascii_string_to_signed (parts[2], 10, 1, MOST_VALUES, &n, NULL) || (n == 1 && from != to)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: the last part of ‘%s’ must be the number of values, from 2 to %d", what, text,
                 MOST_VALUES);
    return FALSE;
  }
  if (is_log && !(from * to > 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: the ends of ‘%s’ must have the same sign; choose ends above 0", what, text);
    return FALSE;
  }
  for (int k = 0; k < n; k++) {
    double share = n > 1 ? k / (double)(n - 1) : 0.0;
    double value = k == n - 1 ? to : is_log ? from * pow (to / from, share) : from + (to - from) * share;
    g_array_append_val (list, value);
  }
  return TRUE;
}

GArray *hl_cli_parse_list (const char *text, const char *what, HlQuantity quantity, GError **error) {
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) range = g_strsplit (text, ":", -1);
  gboolean is_log = g_strcmp0 (range[0], "log") == 0;
  guint n_parts = g_strv_length (range);

  if (n_parts == (is_log ? 4 : 3))
    return parse_range (range + is_log, text, what, quantity, is_log, list, error) ? g_steal_pointer (&list)
                                                                                   : NULL;
  if (n_parts != 1) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: ‘%s’ is not a list; write A:B:N, log:A:B:N or numbers with commas", what, text);
    return NULL;
  }
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  for (int k = 0; parts[k] != NULL; k++) {
    double value;
    if (!hl_cli_parse_quantity (parts[k], what, quantity, &value, error))
      return NULL;
    g_array_append_val (list, value);
  }
  return g_steal_pointer (&list);
}
