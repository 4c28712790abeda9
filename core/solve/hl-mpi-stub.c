/* SPDX-License-Identifier: MIT */
/* Stands in for MPI where SUNDIALS 7 is built with it (Debian 13). SUNDIALS calls MPI only for a communicator other than
 * SUN_COMM_NULL, and this program passes no other one; but the shared library of SUNDIALS loads Open MPI all the same: 23 more
 * libraries, three times the start of the program, and a handler of UCX for SIGHUP. So the archives of SUNDIALS are linked, and
 * these names with them (meson.build). None of them leaves libhydrolink, so that a program which uses MPI itself has its own. */
#include <glib.h>

/* Open MPI's constants are addresses, which are only compared. */
#define STANDS_IN_FOR_CONSTANT(name)                                                                         \
  extern const char name;                                                                                    \
  const char name = 0;
#define STANDS_IN_FOR_FUNCTION(name)                                                                         \
  int name (void);                                                                                           \
  int name (void) {                                                                                          \
    g_error ("SUNDIALS called %s () for a solver that has no communicator", #name);                          \
  }

STANDS_IN_FOR_CONSTANT (ompi_mpi_comm_null)
STANDS_IN_FOR_CONSTANT (ompi_mpi_double)
STANDS_IN_FOR_CONSTANT (ompi_mpi_long)
STANDS_IN_FOR_FUNCTION (MPI_Abort)
STANDS_IN_FOR_FUNCTION (MPI_Comm_dup)
STANDS_IN_FOR_FUNCTION (MPI_Comm_free)
STANDS_IN_FOR_FUNCTION (MPI_Comm_rank)
STANDS_IN_FOR_FUNCTION (MPI_Comm_size)
STANDS_IN_FOR_FUNCTION (MPI_Op_create)
STANDS_IN_FOR_FUNCTION (MPI_Op_free)
STANDS_IN_FOR_FUNCTION (MPI_Reduce)
STANDS_IN_FOR_FUNCTION (MPI_Type_commit)
STANDS_IN_FOR_FUNCTION (MPI_Type_create_resized)
STANDS_IN_FOR_FUNCTION (MPI_Type_create_struct)
STANDS_IN_FOR_FUNCTION (MPI_Type_free)
STANDS_IN_FOR_FUNCTION (MPI_Type_get_extent)
