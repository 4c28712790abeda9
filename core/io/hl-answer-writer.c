/* SPDX-License-Identifier: MIT */
/* The answer of a command as text, JSON or CSV. The values are kept as the list of calls that
 * named them, which is their order in JSON: an object or a list, what follows up to its close, a
 * value. */
#include "core/io/hl-answer-writer.h"

#include "core/io/hl-csv-table.h"

#include <math.h>

typedef enum {
  HL_ANSWER_NODE_OBJECT,
  HL_ANSWER_NODE_LIST,
  HL_ANSWER_NODE_CLOSE,
  HL_ANSWER_NODE_NUMBER,
  HL_ANSWER_NODE_NUMBERS,
  HL_ANSWER_NODE_INTEGER,
  HL_ANSWER_NODE_BOOL,
  HL_ANSWER_NODE_TEXT
} HlAnswerNodeKind;

typedef struct {
  HlAnswerNodeKind kind;
  const char *key; /* of the answer's texts; NULL: an item of a list */
  union {
    double number;
    long integer;
    const char *text; /* of the answer's texts; NULL: null */
    struct {
      const double *values; /* n, of the answer's numbers */
      int n;
    } list;
  } value;
} HlAnswerNode;

typedef struct {
  char *title, *unit;
  const double *values; /* n, of the answer's numbers; or */
  char **texts;         /* n, owned */
  int n;
} HlAnswerColumn;

struct _HlAnswer {
  GArray *nodes;   /* HlAnswerNode */
  GArray *columns; /* HlAnswerColumn */
  GStringChunk *texts;
  GPtrArray *numbers; /* arrays of double */
  GString *page;
  gboolean hides_units; /* in CSV */
};

/* An answer as JSON, CSV or text, all at once or row by row. */

#define PIECE 65536 /* bytes that are written at once */

/* --- JSON --- */

typedef struct {
  GString *out;
  gboolean is_first; /* nothing stands before the next item of the present object or list */
  int depth;
  char brackets[64]; /* that close what is open */
  HlAnswerSink sink; /* NULL: all stays in `out` */
  gpointer data;
} Writer;

static gboolean pass_on (Writer *writer, gsize most) {
  if (writer->sink == NULL || writer->out->len <= most)
    return TRUE;
  gboolean goes_on = writer->sink (writer->out->str, writer->data);
  g_string_truncate (writer->out, 0);
  return goes_on;
}

static void put_text (GString *out, const char *value) {
  g_string_append_c (out, '"');
  for (const char *c = value; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((unsigned char)*c < 0x20 || *c == 0x7f)
      g_string_append_printf (out, "\\u%04x", (unsigned)*c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

/* Writes a number; -0 as 0. */
static void put_number (GString *out, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == 0.0) { /* of a large matrix half the entries, and printing is slow */
    g_string_append_c (out, '0');
    return;
  }
  g_string_append (out, isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.17g", value) : "null");
}

/* Writes the comma after the preceding item, and the key. Members of the outermost object and lists below
 * them begin a line. */
static void begin_item (Writer *writer, const char *key, gboolean opens) {
  gboolean new_line = writer->depth == 1 || (writer->depth == 2 && opens);

  if (!writer->is_first)
    g_string_append_c (writer->out, ',');
  if (new_line)
    g_string_append_printf (writer->out, "\n%*s", 2 * writer->depth, "");
  else if (!writer->is_first)
    g_string_append_c (writer->out, ' ');
  writer->is_first = FALSE;
  if (key == NULL)
    return;
  put_text (writer->out, key);
  g_string_append (writer->out, ": ");
}

static void open_bracket (Writer *writer, const char *key, char open, char close) {
  begin_item (writer, key, TRUE);
  g_string_append_c (writer->out, open);
  writer->is_first = TRUE;
  g_assert (writer->depth < (int)sizeof writer->brackets);
  writer->brackets[writer->depth++] = close;
}

static void close_bracket (Writer *writer) {
  writer->is_first = FALSE;
  writer->depth--;
  g_string_append_printf (writer->out, writer->depth == 0 ? "\n%c\n" : "%c", writer->brackets[writer->depth]);
}

static gboolean put_numbers (Writer *writer, const HlAnswerNode *node) {
  open_bracket (writer, node->key, '[', ']');
  for (int k = 0; k < node->value.list.n; k++) {
    begin_item (writer, NULL, FALSE);
    put_number (writer->out, node->value.list.values[k]);
    if (!pass_on (writer, PIECE))
      return FALSE;
  }
  close_bracket (writer);
  return TRUE;
}

static gboolean put_node (Writer *writer, const HlAnswerNode *node) {
  switch (node->kind) {
  case HL_ANSWER_NODE_OBJECT:
    open_bracket (writer, node->key, '{', '}');
    return TRUE;
  case HL_ANSWER_NODE_LIST:
    open_bracket (writer, node->key, '[', ']');
    return TRUE;
  case HL_ANSWER_NODE_CLOSE:
    close_bracket (writer);
    return TRUE;
  case HL_ANSWER_NODE_NUMBERS:
    return put_numbers (writer, node);
  default:
    break;
  }
  begin_item (writer, node->key, FALSE);
  if (node->kind == HL_ANSWER_NODE_NUMBER)
    put_number (writer->out, node->value.number);
  else if (node->kind == HL_ANSWER_NODE_INTEGER)
    g_string_append_printf (writer->out, "%ld", node->value.integer);
  else if (node->kind == HL_ANSWER_NODE_BOOL)
    g_string_append (writer->out, node->value.integer != 0 ? "true" : "false");
  else if (node->value.text == NULL)
    g_string_append (writer->out, "null");
  else
    put_text (writer->out, node->value.text);
  return pass_on (writer, PIECE);
}

/* Writes the values up to the end of the answer's own values. */
static gboolean put_values (const HlAnswer *self, Writer *writer) {
  open_bracket (writer, NULL, '{', '}');
  for (guint k = 0; k < self->nodes->len; k++)
    if (!put_node (writer, &g_array_index (self->nodes, HlAnswerNode, k)))
      return FALSE;
  return TRUE;
}

static gboolean write_json (const HlAnswer *self, Writer *writer) {
  if (!put_values (self, writer))
    return FALSE;
  close_bracket (writer);
  return pass_on (writer, 0);
}

/* --- CSV --- */

static void put_header (const HlAnswer *self, GString *out) {
  for (guint k = 0; k < self->columns->len; k++) {
    const HlAnswerColumn *column = &g_array_index (self->columns, HlAnswerColumn, k);
    g_autofree char *title = column->unit != NULL && !self->hides_units
                                 ? g_strdup_printf ("%s [%s]", column->title, column->unit)
                                 : NULL;
    if (k > 0)
      g_string_append_c (out, ',');
    hl_table_append_text (out, title != NULL ? title : column->title);
  }
  g_string_append_c (out, '\n');
}

static void put_cell (GString *out, const HlAnswerCell *cell, gboolean is_first) {
  if (!is_first)
    g_string_append_c (out, ',');
  if (cell->text != NULL) {
    hl_table_append_text (out, cell->text);
    return;
  }
  hl_table_append_numbers (out, &cell->number, 1);
  g_string_truncate (out, out->len - 1); /* the line continues */
}

static gboolean write_csv (const HlAnswer *self, Writer *writer) {
  int n_rows = 0;

  put_header (self, writer->out);
  for (guint k = 0; k < self->columns->len; k++)
    n_rows = MAX (n_rows, g_array_index (self->columns, HlAnswerColumn, k).n);
  for (int row = 0; row < n_rows; row++) {
    for (guint k = 0; k < self->columns->len; k++) {
      const HlAnswerColumn *column = &g_array_index (self->columns, HlAnswerColumn, k);
      HlAnswerCell cell = {NAN, NULL};
      if (row < column->n && column->texts != NULL)
        cell.text = column->texts[row];
      else if (row < column->n)
        cell.number = column->values[row];
      put_cell (writer->out, &cell, k == 0);
    }
    g_string_append_c (writer->out, '\n');
    if (!pass_on (writer, PIECE))
      return FALSE;
  }
  return pass_on (writer, 0);
}

/* --- writing --- */

static gboolean write_all (const HlAnswer *self, HlAnswerFormat format, Writer *writer) {
  switch (format) {
  case HL_ANSWER_JSON:
    return write_json (self, writer);
  case HL_ANSWER_CSV:
    return write_csv (self, writer);
  case HL_ANSWER_TEXT:
    break;
  }
  g_string_append_len (writer->out, self->page->str, (gssize)self->page->len);
  return pass_on (writer, 0);
}

gboolean hl_answer_write (const HlAnswer *self, HlAnswerFormat format, HlAnswerSink sink, gpointer data) {
  g_autoptr (GString) out = g_string_new (NULL);
  Writer writer = {.out = out, .is_first = TRUE, .sink = sink, .data = data};

  return write_all (self, format, &writer);
}

char *hl_answer_to_text (const HlAnswer *self, HlAnswerFormat format) {
  GString *out = g_string_new (NULL);
  Writer writer = {.out = out, .is_first = TRUE};

  write_all (self, format, &writer);
  return g_string_free (out, FALSE);
}

void hl_answer_append_head (const HlAnswer *self, HlAnswerFormat format, GString *out) {
  Writer writer = {.out = out, .is_first = TRUE};

  if (format != HL_ANSWER_JSON) {
    put_header (self, out);
    return;
  }
  put_values (self, &writer);
  open_bracket (&writer, "columns", '[', ']');
  for (guint k = 0; k < self->columns->len; k++) {
    const HlAnswerColumn *column = &g_array_index (self->columns, HlAnswerColumn, k);
    open_bracket (&writer, NULL, '{', '}');
    begin_item (&writer, "name", FALSE);
    put_text (out, column->title);
    begin_item (&writer, "unit", FALSE);
    if (column->unit != NULL)
      put_text (out, column->unit);
    else
      g_string_append (out, "null");
    close_bracket (&writer);
  }
  close_bracket (&writer);
  open_bracket (&writer, "rows", '[', ']');
}

void hl_answer_append_row (const HlAnswer *self, HlAnswerFormat format, GString *out,
                           const HlAnswerCell cells[], gboolean is_first) {
  Writer writer = {.out = out, .is_first = is_first, .depth = 2};

  if (format == HL_ANSWER_JSON)
    open_bracket (&writer, NULL, '[', ']');
  for (guint k = 0; k < self->columns->len; k++) {
    if (format != HL_ANSWER_JSON)
      put_cell (out, &cells[k], k == 0);
    else {
      begin_item (&writer, NULL, FALSE);
      if (cells[k].text != NULL)
        put_text (out, cells[k].text);
      else
        put_number (out, cells[k].number);
    }
  }
  if (format == HL_ANSWER_JSON)
    close_bracket (&writer);
  else
    g_string_append_c (out, '\n');
}

void hl_answer_append_foot (const HlAnswer *self, HlAnswerFormat format, GString *out, gboolean is_complete,
                            const HlAnswer *more) {
  Writer writer = {.out = out, .depth = 2, .brackets = "}]"};

  if (format != HL_ANSWER_JSON)
    return;
  close_bracket (&writer);
  begin_item (&writer, "complete", FALSE);
  g_string_append (out, is_complete ? "true" : "false");
  for (guint k = 0; more != NULL && k < more->nodes->len; k++)
    put_node (&writer, &g_array_index (more->nodes, HlAnswerNode, k));
  close_bracket (&writer);
}

static void clear_column (gpointer data) {
  HlAnswerColumn *column = data;
  g_free (column->title);
  g_free (column->unit);
  g_strfreev (column->texts);
}

HlAnswer *hl_answer_new (void) {
  HlAnswer *self = g_new0 (HlAnswer, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (HlAnswerNode));
  self->columns = g_array_new (FALSE, FALSE, sizeof (HlAnswerColumn));
  g_array_set_clear_func (self->columns, clear_column);
  self->texts = g_string_chunk_new (1024);
  self->numbers = g_ptr_array_new_with_free_func (g_free);
  self->page = g_string_new (NULL);
  return self;
}

void hl_answer_free (HlAnswer *self) {
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->columns);
  g_string_chunk_free (self->texts);
  g_ptr_array_unref (self->numbers);
  g_string_free (self->page, TRUE);
  g_free (self);
}

/* --- named values --- */

static HlAnswerNode *add_node (HlAnswer *self, HlAnswerNodeKind kind, const char *key) {
  /* keys come again and again */
  HlAnswerNode node = {.kind = kind,
                       .key = key != NULL ? g_string_chunk_insert_const (self->texts, key) : NULL};

  g_array_append_val (self->nodes, node);
  return &g_array_index (self->nodes, HlAnswerNode, self->nodes->len - 1);
}

void hl_answer_open_object (HlAnswer *self, const char *key) {
  add_node (self, HL_ANSWER_NODE_OBJECT, key);
}

void hl_answer_open_list (HlAnswer *self, const char *key) {
  add_node (self, HL_ANSWER_NODE_LIST, key);
}

void hl_answer_close (HlAnswer *self) {
  add_node (self, HL_ANSWER_NODE_CLOSE, NULL);
}

void hl_answer_number (HlAnswer *self, const char *key, double value) {
  add_node (self, HL_ANSWER_NODE_NUMBER, key)->value.number = value;
}

void hl_answer_integer (HlAnswer *self, const char *key, long value) {
  add_node (self, HL_ANSWER_NODE_INTEGER, key)->value.integer = value;
}

void hl_answer_bool (HlAnswer *self, const char *key, gboolean value) {
  add_node (self, HL_ANSWER_NODE_BOOL, key)->value.integer = value;
}

void hl_answer_string (HlAnswer *self, const char *key, const char *value) {
  add_node (self, HL_ANSWER_NODE_TEXT, key)->value.text =
      value != NULL ? g_string_chunk_insert_const (self->texts, value) : NULL;
}

void hl_answer_strings (HlAnswer *self, const char *key, const char *const values[], int n) {
  hl_answer_open_list (self, key);
  for (int k = 0; n < 0 ? values[k] != NULL : k < n; k++)
    hl_answer_string (self, NULL, values[k]);
  hl_answer_close (self);
}

/* Returns a copy of n numbers that are `stride` apart, one behind the other; the answer's. */
static const double *copy_numbers (HlAnswer *self, const double values[], int n, int stride) {
  double *copy = g_new (double, MAX (n, 1));

  for (int k = 0; k < n; k++)
    copy[k] = values[(gsize)k * (gsize)stride];
  g_ptr_array_add (self->numbers, copy);
  return copy;
}

static void add_numbers (HlAnswer *self, const char *key, const double own[], int n) {
  HlAnswerNode *node = add_node (self, HL_ANSWER_NODE_NUMBERS, key);

  node->value.list.values = own;
  node->value.list.n = n;
}

void hl_answer_numbers (HlAnswer *self, const char *key, const double values[], int n, int stride) {
  add_numbers (self, key, copy_numbers (self, values, n, stride), n);
}

void hl_answer_matrix (HlAnswer *self, const char *key, const double values[], int rows, int columns) {
  hl_answer_open_list (self, key);
  for (int row = 0; row < rows; row++)
    hl_answer_numbers (self, NULL, values + row, columns, rows);
  hl_answer_close (self);
}

/* --- the table --- */

void hl_answer_column (HlAnswer *self, const char *key, const char *title, const char *unit,
                       const double values[], int n, int stride) {
  const double *own = copy_numbers (self, values, n, stride);
  HlAnswerColumn column = {g_strdup (title), g_strdup (unit), own, NULL, n};

  if (key != NULL)
    add_numbers (self, key, own, n);
  if (title != NULL)
    g_array_append_val (self->columns, column);
  else
    clear_column (&column);
}

void hl_answer_text_column (HlAnswer *self, const char *title, const char *const values[], int n) {
  HlAnswerColumn column = {g_strdup (title), NULL, NULL, g_new0 (char *, n + 1), n};

  for (int k = 0; k < n; k++)
    column.texts[k] = g_strdup (values[k]);
  g_array_append_val (self->columns, column);
}

void hl_answer_row_column (HlAnswer *self, const char *title, const char *unit) {
  hl_answer_column (self, NULL, title, unit, NULL, 0, 1);
}

void hl_answer_hide_units (HlAnswer *self) {
  self->hides_units = TRUE;
}

GString *hl_answer_page (HlAnswer *self) {
  return self->page;
}
