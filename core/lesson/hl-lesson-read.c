/* SPDX-License-Identifier: MIT */
/* The reader of lesson files, line by line. What is wrong does not end it: all problems of a file are
 * told at once. */
#include <string.h>

#include "core/base/hl-i18n.h"
#include "core/help/hl-term.h"
#include "core/lesson/hl-lesson-inline.h"
#include "core/lesson/hl-lesson-private.h"

#define MOST_STEPS 200
#define MOST_BLOCKS 400 /* of a step */
#define MOST_PROBLEMS 100
#define MARK "```"

typedef struct
{
  HlLesson *lesson;
  GPtrArray *problems;
  HlLessonStep *step; /* NULL before the first */
  int line;
  /* a paragraph, bullet or value that goes on */
  GString *text;
  HlLessonBlockKind kind;
  int text_line;
  char *fence; /* inside of one; NULL: not */
  int fence_line;
  char *key; /* in the fence, its value being `text` */
} Reader;

static void
problem (Reader *reader, const char *text)
{
  hl_lesson_problem_add (reader->problems, reader->line, "%s", text);
}

/* --- text --- */

static void
check_block (Reader *reader, const HlLessonBlock *block)
{
  g_autoptr (GError) error = NULL;

  if (block->kind == HL_LESSON_FORMULA) {
    HlTerm *term = hl_term_parse (block->text, &error);
    hl_term_free (term);
  } else if (!hl_lesson_inline_check (block->text, &error))
    g_assert (error != NULL);
  if (error != NULL)
    hl_lesson_problem_add (reader->problems, block->line, "%s", error->message);
}

static void
add_block (Reader *reader, HlLessonBlockKind kind, int line, const char *text, const char *what)
{
  GPtrArray *list;

  if (reader->step == NULL) {
    hl_lesson_problem_add (reader->problems, line,
                           _ ("text stands in steps; begin one with a line ‘# TITLE’"));
    return;
  }
  list = reader->step->task == HL_LESSON_READ ? reader->step->before : reader->step->after;
  if (list->len == MOST_BLOCKS) {
    problem (reader, _ ("the step is too long"));
    return;
  }
  HlLessonBlock *block = g_new0 (HlLessonBlock, 1);
  *block = (HlLessonBlock){kind, line, g_strdup (text), g_strdup (what)};
  g_ptr_array_add (list, block);
  check_block (reader, block);
}

static void
end_text (Reader *reader)
{
  if (reader->text == NULL)
    return;
  g_autofree char *text = g_string_free (g_steal_pointer (&reader->text), FALSE);
  add_block (reader, reader->kind, reader->text_line, g_strstrip (text), NULL);
}

static void
begin_text (Reader *reader, HlLessonBlockKind kind, const char *text)
{
  end_text (reader);
  reader->text = g_string_new (text);
  reader->kind = kind;
  reader->text_line = reader->line;
}

/* "![caption](circuit)" */
static void
read_picture (Reader *reader, const char *line)
{
  const char *middle = strstr (line, "](");
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;

  end_text (reader);
  if (end == NULL || end[1] != '\0') {
    problem (reader, _ ("a picture is written as ![caption](circuit) or ![caption](linkage)"));
    return;
  }
  g_autofree char *caption = g_strndup (line + 2, (gsize)(middle - line - 2));
  g_autofree char *what = g_strndup (middle + 2, (gsize)(end - middle - 2));
  if (strcmp (what, "circuit") != 0 && strcmp (what, "linkage") != 0)
    problem (reader, _ ("a picture is written as ![caption](circuit) or ![caption](linkage)"));
  add_block (reader, HL_LESSON_PICTURE, reader->line, caption, what);
}

static void
end_step (Reader *reader)
{
  end_text (reader);
  if (reader->step != NULL)
    hl_lesson_end_step (reader->step, reader->problems);
}

static void
begin_step (Reader *reader, const char *title)
{
  end_step (reader);
  if (*title == '\0')
    problem (reader, _ ("the step has no title"));
  if (reader->lesson->steps->len == MOST_STEPS) {
    problem (reader, _ ("the lesson is too long"));
    return;
  }
  reader->step = hl_lesson_step_new (title, reader->line);
  g_ptr_array_add (reader->lesson->steps, reader->step);
}

/* --- fences --- */

static void
end_key (Reader *reader)
{
  if (reader->key == NULL)
    return;
  g_autofree char *key = g_steal_pointer (&reader->key);
  g_autofree char *value = g_string_free (g_steal_pointer (&reader->text), FALSE);
  hl_lesson_read_key (reader->step, reader->fence, key, g_strstrip (value), reader->text_line,
                      reader->problems);
}

static void
begin_fence (Reader *reader, const char *name)
{
  end_text (reader);
  g_free (reader->fence);
  reader->fence = g_strdup (name);
  reader->fence_line = reader->line;
  if (reader->step == NULL)
    problem (reader, _ ("text stands in steps; begin one with a line ‘# TITLE’"));
  else
    hl_lesson_begin_fence (reader->step, name, reader->line, reader->problems);
}

static void
end_fence (Reader *reader)
{
  end_key (reader);
  g_clear_pointer (&reader->fence, g_free);
}

/* A line with blanks before it goes on with the value above. */
static void
read_fence_line (Reader *reader, const char *line)
{
  const char *colon = strchr (line, ':');

  if (reader->key != NULL && (*line == ' ')) {
    g_string_append_c (reader->text, ' ');
    g_string_append (reader->text, line + strspn (line, " "));
    return;
  }
  end_key (reader);
  if (*line == '\0' || *line == '#' || reader->step == NULL)
    return;
  if (colon == NULL || colon == line) {
    problem (reader, _ ("in a block stand lines ‘KEY: VALUE’"));
    return;
  }
  reader->key = g_strstrip (g_strndup (line, (gsize)(colon - line)));
  reader->text = g_string_new (colon + 1 + strspn (colon + 1, " "));
  reader->text_line = reader->line;
}

/* --- front matter --- */

static void
read_front_line (Reader *reader, const char *line)
{
  HlLesson *lesson = reader->lesson;
  const char *colon = strchr (line, ':');
  const struct
  {
    const char *key;
    char **value;
  } keys[] = {{"title", &lesson->title},
              {"model", &lesson->model},
              {"language", &lesson->language},
              {"about", &lesson->about},
              {"time", &lesson->time}};

  if (*line == '\0' || *line == '#')
    return;
  g_autofree char *key =
      colon != NULL ? g_strstrip (g_strndup (line, (gsize)(colon - line))) : g_strdup (line);
  for (guint k = 0; k < G_N_ELEMENTS (keys); k++) {
    if (colon == NULL || strcmp (key, keys[k].key) != 0)
      continue;
    if (*keys[k].value != NULL)
      hl_lesson_problem_add (reader->problems, reader->line, _ ("‘%s’ stands here twice"), key);
    g_free (*keys[k].value);
    *keys[k].value = g_strstrip (g_strdup (colon + 1));
    if (keys[k].value == &lesson->model)
      lesson->model_line = reader->line;
    return;
  }
  hl_lesson_problem_add (reader->problems, reader->line,
                         _ ("there is no ‘%s’ at the head of a lesson; there are title, model, "
                            "language, about and time"),
                         key);
}

/* --- lines --- */

static void
read_line (Reader *reader, const char *line)
{
  if (reader->fence != NULL && strcmp (line, MARK) == 0)
    end_fence (reader);
  else if (reader->fence != NULL)
    read_fence_line (reader, line);
  else if (g_str_has_prefix (line, MARK))
    begin_fence (reader, line + strlen (MARK) + strspn (line + strlen (MARK), " "));
  else if (line[0] == '#' && (line[1] == ' ' || line[1] == '\0'))
    begin_step (reader, line + 1 + strspn (line + 1, " "));
  else if (line[0] == '$' && line[1] == ' ') {
    end_text (reader);
    add_block (reader, HL_LESSON_FORMULA, reader->line, line + 2, NULL);
  } else if (g_str_has_prefix (line, "!["))
    read_picture (reader, line);
  else if ((line[0] == '-' || line[0] == '*') && line[1] == ' ')
    begin_text (reader, HL_LESSON_BULLET, line + 2);
  else if (*line == '\0')
    end_text (reader);
  else if (reader->text != NULL) {
    g_string_append_c (reader->text, ' ');
    g_string_append (reader->text, line + strspn (line, " "));
  } else
    begin_text (reader, HL_LESSON_PARAGRAPH, line + strspn (line, " "));
}

/* The lines between two "---" at the begin; returns how many lines that are. */
static int
read_front (Reader *reader, char **lines)
{
  int n = 0;

  if (lines[0] == NULL || strcmp (lines[0], "---") != 0) {
    reader->line = 1;
    problem (reader, _ ("a lesson begins with a line ‘---’ and its title and model"));
    return 0;
  }
  for (n = 1; lines[n] != NULL && strcmp (lines[n], "---") != 0; n++) {
    reader->line = n + 1;
    read_front_line (reader, lines[n]);
  }
  reader->line = 1;
  if (lines[n] == NULL)
    problem (reader, _ ("the head of the lesson is not closed by a second line ‘---’"));
  return lines[n] != NULL ? n + 1 : n;
}

static void
check_whole (Reader *reader)
{
  HlLesson *lesson = reader->lesson;

  reader->line = 1;
  if (lesson->title == NULL || *lesson->title == '\0')
    problem (reader, _ ("the lesson has no title"));
  if (lesson->model == NULL || *lesson->model == '\0')
    problem (reader, _ ("the lesson names no model"));
  if (lesson->steps->len == 0)
    problem (reader, _ ("the lesson has no step"));
  if (lesson->language == NULL)
    lesson->language = g_strdup ("en");
}

static void
read_lines (Reader *reader, char **lines)
{
  for (int k = read_front (reader, lines);
       lines[k] != NULL && reader->problems->len < MOST_PROBLEMS; k++) {
    reader->line = k + 1;
    read_line (reader, g_strchomp (lines[k]));
  }
  if (reader->fence != NULL) {
    hl_lesson_problem_add (reader->problems, reader->fence_line, _ ("the block ‘%s’ is not closed"),
                           reader->fence);
    end_fence (reader);
  }
  end_step (reader);
  check_whole (reader);
}

HlLesson *
hl_lesson_parse (const char *text, gsize length, GPtrArray *problems)
{
  Reader reader = {.lesson = g_new0 (HlLesson, 1), .problems = problems};
  guint before = problems->len;

  reader.lesson->steps = g_ptr_array_new_with_free_func (hl_lesson_step_free);
  const char *wrong;
  if (!g_utf8_validate (text, (gssize)length, &wrong)) {
    int line = 1;
    for (const char *at = text; at < wrong; at++)
      line += *at == '\n';
    hl_lesson_problem_add (problems, line, _ ("it is no text in UTF-8"));
  } else {
    g_autofree char *copy = g_strndup (text, length);
    g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
    for (int k = 0; lines[k] != NULL; k++)
      g_strchomp (lines[k]);
    read_lines (&reader, lines);
  }
  g_free (reader.key);
  if (problems->len == before)
    return reader.lesson;
  hl_lesson_free (reader.lesson);
  return NULL;
}
