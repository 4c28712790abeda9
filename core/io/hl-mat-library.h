/* SPDX-License-Identifier: MIT */
/* The library of MAT files, loaded when the first is written: what it brings along, for kinds of
 * files that are never written here, is a third of the instructions of a program's start. */
#pragma once

#include <glib.h>
#include <matio.h>

typedef struct {
  typeof (&Mat_CreateVer) create_file;
  typeof (&Mat_Close) close;
  typeof (&Mat_VarCreate) create;
  typeof (&Mat_VarSetCell) set_cell;
  typeof (&Mat_VarWrite) write;
  typeof (&Mat_VarFree) free;
} HlMatLibrary;

/* It stays loaded. NULL and HL_ERROR_FILE with the loader's words when it is missing. From any
 * thread. */
const HlMatLibrary *hl_mat_library (GError **error);
