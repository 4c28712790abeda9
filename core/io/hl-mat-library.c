/* SPDX-License-Identifier: MIT */
#include "core/io/hl-mat-library.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-mat-name.h"

#include <dlfcn.h>

/* POSIX has a function's address come as an object's. */
#define FIND(member, name) (*(void **)&library.member = dlsym (handle, #name)) != NULL

const HlMatLibrary *hl_mat_library (GError **error) {
  static HlMatLibrary library;
  static GMutex loading;
  static gboolean is_loaded;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&loading);

  if (!is_loaded) {
    void *handle = dlopen (HL_MAT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_loaded = handle != NULL && FIND (create_file, Mat_CreateVer) && FIND (close, Mat_Close) &&
                FIND (create, Mat_VarCreate) && FIND (set_cell, Mat_VarSetCell) &&
                FIND (write, Mat_VarWrite) && FIND (free, Mat_VarFree);
  }
  if (is_loaded)
    return &library;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("MAT files need the library matio: %s"), dlerror ());
  return NULL;
}
