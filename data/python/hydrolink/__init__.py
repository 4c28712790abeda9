# SPDX-License-Identifier: MIT
"""Hydraulically actuated linkages: models, exact linear models and runs, by the library of Hydrolink.

    import hydrolink
    m = hydrolink.open("four-bar.hydrolink")
    m["cyl.friction.scale"] = 0.1
    A, B, C, D = m.linearize()
    r = m.simulate(t_end=4)
    r["t"], r["phi2"]
    m.root_locus("cyl.friction.scale", 0.01, 1)["eigenvalues"]

Numbers are in SI. What fails raises hydrolink.Error with a sentence that names the element. Threads
that share a model wait for each other: give each a copy() of its own.
"""

from ._commands import study_plot, study_statistics
from ._library import Error, version
from ._linear import Linear
from ._model import Model, open, parse
from ._program import Answer
from ._run import Run
from ._state import State
from ._table import Table

__all__ = ['Answer', 'Error', 'Linear', 'Model', 'Run', 'State', 'Table', 'open', 'parse', 'study_plot', 'study_statistics', 'version']
__version__ = version()
