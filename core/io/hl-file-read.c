/* SPDX-License-Identifier: MIT */
/* The kind of a file is looked at twice: before it is opened, because opening a device may do
 * something, and of what was opened, because somebody may have put another one there. */
#include "core/io/hl-file-read.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((gsize)1024 * 1024) /* bytes between two questions whether to stop */
#define MIB (1024 * 1024)

static gboolean refuse (const char *path, int why, GError **error) {
  if (why == ENOENT)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: there is no such file; check the name"), path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), path, g_strerror (why));
  return FALSE;
}

static gboolean is_regular (const char *path, const struct stat *facts, GError **error) {
  const char *format = S_ISDIR (facts->st_mode)    ? _ ("%s: is a folder; name a file in it")
                       : S_ISFIFO (facts->st_mode) ? _ ("%s: is a pipe and no file; save what it "
                                                        "gives to a file first")
                                                   : _ ("%s: is a device and no file; save what it "
                                                        "gives to a file first");

  if (S_ISREG (facts->st_mode))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, format, path);
  return FALSE;
}

gboolean hl_file_is_regular (int descriptor, const char *path, GError **error) {
  struct stat facts;

  return fstat (descriptor, &facts) == 0 ? is_regular (path, &facts, error) : refuse (path, errno, error);
}

int hl_file_open_regular (const char *path, gsize *size, GError **error) {
  struct stat facts;

  if (stat (path, &facts) != 0) {
    refuse (path, errno, error);
    return -1;
  }
  if (!is_regular (path, &facts, error))
    return -1;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    refuse (path, errno, error);
    return -1;
  }
  if (!hl_file_is_regular (descriptor, path, error) || fstat (descriptor, &facts) != 0) {
    close (descriptor);
    return -1;
  }
  if (size != NULL)
    *size = (gsize)facts.st_size;
  return descriptor;
}

static void too_large (const char *path, gsize most, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_FILE,
               _ ("%s: is larger than %d MiB, more than is read of such a file"), path, (int)(most / MIB));
}

/* To the end, which may be further away than the size said: the file may grow. */
static char *read_all (int descriptor, const char *path, gsize size, gsize most, HlFileStop stop,
                       gpointer stop_data, gsize *length, GError **error) {
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new ((guint)(size + 1));

  for (;;) {
    guint before = bytes->len;
    if (stop != NULL && stop (stop_data)) {
      g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, _ ("%s: reading was stopped"), path);
      return NULL;
    }
    g_byte_array_set_size (bytes, before + (guint)BLOCK);
    gssize n = read (descriptor, bytes->data + before, BLOCK);
    g_byte_array_set_size (bytes, before + (guint)MAX (n, 0));
    if (n == 0)
      break;
    if (n < 0 && errno != EINTR) {
      refuse (path, errno, error);
      return NULL;
    }
    if (bytes->len > most) {
      too_large (path, most, error);
      return NULL;
    }
  }
  *length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *)"", 1);
  return (char *)g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

char *hl_file_read (const char *path, gsize most, HlFileStop stop, gpointer stop_data, gsize *length,
                    GError **error) {
  gsize size = 0;
  char *text = NULL;
  int descriptor = hl_file_open_regular (path, &size, error);

  g_return_val_if_fail (most < G_MAXUINT - 2 * BLOCK, NULL);
  if (descriptor < 0)
    return NULL;
  if (size > most)
    too_large (path, most, error);
  else
    text = read_all (descriptor, path, size, most, stop, stop_data, length, error);
  close (descriptor);
  return text;
}

char *hl_file_read_place (GFile *place, gsize most, gsize *length, GError **error) {
  g_autofree char *path = g_file_get_path (place);
  g_autofree char *uri = g_file_get_uri (place);
  g_autoptr (GError) why = NULL;
  char *text = NULL;

  if (path != NULL && !g_file_has_uri_scheme (place, "resource"))
    return hl_file_read (path, most, NULL, NULL, length, error);
  if (!g_file_has_uri_scheme (place, "resource"))
    g_set_error (error, HL_ERROR, HL_ERROR_FILE,
                 _ ("%s: is not on this computer; save a copy here and open that"), uri);
  else if (!g_file_load_contents (place, NULL, &text, length, NULL, &why))
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), uri, why->message);
  return text;
}
