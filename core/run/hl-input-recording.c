/* SPDX-License-Identifier: MIT */
#include "core/run/hl-input-recording.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

#define SAME_TIME 1e-6 /* of a tick */

struct _HlTape {
  double tick, end;
  GPtrArray *moves; /* HlTapeMove */
};

static void free_move (gpointer data) {
  HlTapeMove *move = data;

  g_free (move->path);
  g_free (move);
}

HlTape *hl_tape_new (double tick) {
  HlTape *tape = g_new0 (HlTape, 1);

  tape->tick = tick;
  tape->moves = g_ptr_array_new_with_free_func (free_move);
  return tape;
}

HlTape *hl_tape_copy (const HlTape *tape) {
  HlTape *copy = hl_tape_new (tape->tick);

  copy->end = tape->end;
  for (guint k = 0; k < tape->moves->len; k++) {
    const HlTapeMove *move = tape->moves->pdata[k];
    hl_tape_add (copy, move->t, move->path, move->is_number, move->value);
  }
  return copy;
}

void hl_tape_free (HlTape *tape) {
  if (tape == NULL)
    return;
  g_ptr_array_unref (tape->moves);
  g_free (tape);
}

double hl_tape_tick (const HlTape *tape) {
  return tape->tick;
}

double hl_tape_end (const HlTape *tape) {
  return tape->end;
}

void hl_tape_set_end (HlTape *tape, double t) {
  tape->end = t;
}

int hl_tape_n_moves (const HlTape *tape) {
  return (int)tape->moves->len;
}

const HlTapeMove *hl_tape_move (const HlTape *tape, int move) {
  return tape->moves->pdata[move];
}

/* Inserts a move after the last one that is not later; returns its index. */
static int insert_move (HlTape *tape, HlTapeMove *move) {
  guint at = tape->moves->len;

  while (at > 0 && ((const HlTapeMove *)tape->moves->pdata[at - 1])->t > move->t)
    at--;
  g_ptr_array_insert (tape->moves, (int)at, move);
  return (int)at;
}

void hl_tape_add (HlTape *tape, double t, const char *path, gboolean is_number, double value) {
  HlTapeMove *move = g_new (HlTapeMove, 1);

  *move = (HlTapeMove){.t = t, .path = g_strdup (path), .is_number = is_number != 0, .value = value};
  insert_move (tape, move);
}

int hl_tape_shift (HlTape *tape, int move, double t) {
  g_return_val_if_fail (move >= 0 && move < hl_tape_n_moves (tape) && isfinite (t), move);
  HlTapeMove *moved = g_ptr_array_steal_index (tape->moves, (guint)move);

  moved->t = CLAMP (t, 0.0, tape->end);
  return insert_move (tape, moved);
}

void hl_tape_remove (HlTape *tape, int move) {
  g_return_if_fail (move >= 0 && move < hl_tape_n_moves (tape));
  g_ptr_array_remove_index (tape->moves, (guint)move);
}

/* Returns the paths of all moves, or of those of levers. */
static char **paths_of (const HlTape *tape, gboolean with_numbers) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (guint k = 0; k < tape->moves->len; k++) {
    const HlTapeMove *move = tape->moves->pdata[k];
    if ((with_numbers || !move->is_number) &&
        !g_ptr_array_find_with_equal_func (paths, move->path, g_str_equal, NULL))
      g_ptr_array_add (paths, g_strdup (move->path));
  }
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

char **hl_tape_paths (const HlTape *tape) {
  return paths_of (tape, TRUE);
}

char **hl_tape_lever_paths (const HlTape *tape) {
  return paths_of (tape, FALSE);
}

/* --- playing --- */

struct _HlTapePlayer {
  HlTape *tape;
  int *inputs; /* n_levers: of the system */
  int n_levers;
  int *lever;              /* n_moves: which of them; -1: a number */
  HlParameter *parameters; /* n_moves: of numbers */
  double *stands;          /* n_levers: where each was put; NAN: never yet */
  int next, next_number;   /* move */
  double now;              /* the present tick */
};

static int find_input (const HlSystem *sys, const char *path) {
  for (int input = 0; input < hl_drive_n_inputs (sys); input++)
    if (strcmp (hl_drive_input_path (sys, input), path) == 0)
      return input;
  return -1;
}

/* Returns the lever of an input, made when it is the first move of it. */
static int lever_of (HlTapePlayer *player, int input) {
  for (int lever = 0; lever < player->n_levers; lever++)
    if (player->inputs[lever] == input)
      return lever;
  player->inputs[player->n_levers] = input;
  return player->n_levers++;
}

HlTapePlayer *hl_tape_player_new (const HlTape *tape, const HlSystem *sys, GError **error) {
  g_autoptr (HlTapePlayer) player = g_new0 (HlTapePlayer, 1);
  gsize n = tape->moves->len;

  player->tape = hl_tape_copy (tape);
  player->inputs = g_new0 (int, n + 1);
  player->lever = g_new0 (int, n + 1);
  player->parameters = g_new0 (HlParameter, n + 1);
  player->stands = g_new0 (double, n + 1);
  for (guint k = 0; k < n; k++) {
    const HlTapeMove *move = tape->moves->pdata[k];
    int input = move->is_number ? -1 : find_input (sys, move->path);
    gboolean is_known =
        move->is_number ? hl_system_find_parameter (sys, move->path, &player->parameters[k]) : input >= 0;
    if (!is_known) {
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   move->is_number
                       ? _ ("The recording changes the number “%s”, which this model does not have or which "
                            "cannot change during a run. Remove this movement from the recording.")
                       : _ ("The recording contains a movement of “%s”, which is not an input of this model. "
                            "Remove this movement from the recording, or add this signal to the model."),
                   move->path);
      return NULL;
    }
    player->lever[k] = input >= 0 ? lever_of (player, input) : -1;
  }
  return g_steal_pointer (&player);
}

void hl_tape_player_free (HlTapePlayer *player) {
  if (player == NULL)
    return;
  hl_tape_free (player->tape);
  g_free (player->inputs);
  g_free (player->lever);
  g_free (player->parameters);
  g_free (player->stands);
  g_free (player);
}

static bool is_due (const HlTapePlayer *player, int move) {
  return move < hl_tape_n_moves (player->tape) &&
         hl_tape_move (player->tape, move)->t <= player->now + SAME_TIME * player->tape->tick;
}

static bool play_levers (double t, double out[], void *data) {
  HlTapePlayer *player = data;

  player->now = t;
  if (t >= player->tape->end - SAME_TIME * player->tape->tick)
    return false;
  for (; is_due (player, player->next); player->next++)
    if (player->lever[player->next] >= 0)
      player->stands[player->lever[player->next]] = hl_tape_move (player->tape, player->next)->value;
  memcpy (out, player->stands, sizeof (double) * (gsize)player->n_levers);
  return true;
}

static bool play_numbers (HlSystem *own, void *data) {
  HlTapePlayer *player = data;
  bool any = false;

  for (; is_due (player, player->next_number); player->next_number++)
    if (player->lever[player->next_number] < 0) {
      hl_system_set_parameter (own, player->parameters[player->next_number],
                               hl_tape_move (player->tape, player->next_number)->value);
      any = true;
    }
  return any;
}

void hl_tape_player_attach (HlTapePlayer *player, HlDriveOptions *options) {
  for (int lever = 0; lever < player->n_levers; lever++)
    player->stands[lever] = NAN;
  player->next = player->next_number = 0;
  options->tick = player->tape->tick;
  options->inputs = player->inputs;
  options->n_levers = player->n_levers;
  options->hand = play_levers;
  options->hand_data = player;
  options->tune = play_numbers;
  options->tune_data = player;
}
