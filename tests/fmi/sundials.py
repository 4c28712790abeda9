# SPDX-License-Identifier: MIT
"""How a program of the tests is compiled and linked with this system's SUNDIALS."""
import shlex
import subprocess


def options():
    """Returns the compiler's options for CVODE with dense matrices: from version 7 on a library of its own holds what all of SUNDIALS
    shares, and where SUNDIALS is built with MPI its headers include mpi.h and its constants are MPI's (Debian 13)."""
    said = subprocess.run(['gcc', '-E', '-dM', '-include', 'sundials/sundials_config.h', '-xc', '/dev/null'], capture_output=True,
                          text=True, check=True).stdout
    defined = dict(line.split()[1:3] for line in said.splitlines() if len(line.split()) > 2)
    libraries = ['-lsundials_cvode', '-lsundials_nvecserial', '-lsundials_sunlinsoldense', '-lsundials_sunmatrixdense', '-lm']
    if int(defined['SUNDIALS_VERSION_MAJOR']) < 7:
        return libraries
    libraries.append('-lsundials_core')
    if defined.get('SUNDIALS_MPI_ENABLED') == '1':
        for kind in ('compile', 'link'):
            libraries += shlex.split(subprocess.run(['mpicc', f'-showme:{kind}'], capture_output=True, text=True, check=True).stdout)
    return libraries
