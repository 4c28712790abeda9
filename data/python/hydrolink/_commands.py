# SPDX-License-Identifier: MIT
"""What the command line can, as methods of a model."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy

from ._program import Answer, ask_program, call_program, number, numbers, options, vary
from ._run import Run
from ._table import Table

_Path = 'str | os.PathLike[str]'


def _list(given):
    """One text, or several."""
    return [given] if isinstance(given, (str, os.PathLike, Run)) else list(given)


def _joined(paths):
    return paths if isinstance(paths, str) else ','.join(paths)


def _complex(re, im):
    return numpy.asarray(re, dtype=float) + 1j * numpy.asarray(im, dtype=float)


class Commands:
    """Analyses by the program of the same release; numbers are the same as those of the command line, to the last bit."""

    if TYPE_CHECKING:
        def to_text(self) -> str: ...

    def command(self, name: str, *arguments: Any, **named: Any) -> Answer:
        """Any command of the program with this model as its FILE, and its --json: `m.command("modes", closed="relief")`."""
        return ask_program(name, self.to_text(), [None, *arguments, *options(named)])

    # --- eigenvalues ---

    def root_locus(self, parameter: str | Sequence[str], from_: float | str, to: float | str, points: int = 100, scale: str = 'linear',
                   within: float | None = None) -> Answer:
        """Eigenvalues over a parameter, sorted into branches.

        Parameters
        ----------
        parameter
            A path; several get the same value.
        from_, to, points, scale
            Range of the parameter; "linear" or "log".
        within
            Only branches that come this near to the origin [1/s].

        Returns
        -------
        Answer
            "values" (n), "eigenvalues" (n × branches, complex), "branches", "crossings" of the imaginary axis.
        """
        answer = self.command('root-locus', parameter=_joined(parameter), from_=from_, to=to, points=points, scale=scale, within=within)
        answer['eigenvalues'] = numpy.array([_complex(branch['re'], branch['im']) for branch in answer['branches']]).T
        return answer

    def sensitivity(self, *parameters: str) -> Answer:
        """Derivatives of the eigenvalues by parameters; without one by the sliders of the file.

        Returns
        -------
        Answer
            "eigenvalues" (complex), "derivatives": path to an array (complex; NaN where there is none), "parameters": kinks and errors.
        """
        answer = self.command('sensitivity', parameter=list(parameters))
        answer['eigenvalues'] = numpy.array([complex(value['re'], value['im']) for value in answer['eigenvalues']])
        answer['derivatives'] = {entry['path']: _complex(entry['d_re'], entry['d_im']) for entry in answer['parameters']}
        return answer

    def stability_map(self, x: Mapping[str, Any], y: Mapping[str, Any]) -> Answer:
        """Growth rate and damping over two parameters, {path: values}, and the boundary of stability.

        Returns
        -------
        Answer
            "growth" and "damping_ratio" (y × x), "boundary", "x", "y".
        """
        (path_x, values_x), = x.items()
        (path_y, values_y), = y.items()
        return self.command('stability-map', x=f'{path_x}={numbers(values_x)}', y=f'{path_y}={numbers(values_y)}')

    def frequency_response(self, input: str | None = None, output: str | None = None, frequencies: Any = None, *,  # pylint: disable=redefined-builtin
                           cut: str | None = None, from_: float | str | None = None, to: float | str | None = None, points: int | None = None,
                           scale: str | None = None, gain: float | None = None, oil: str | None = None, at: float | None = None) -> Answer:
        """Complex response of an output to a signal or to the pressure of a pump; with `cut` the open loop there.

        Parameters
        ----------
        input, output
            Paths, or the id of a probe.
        frequencies
            In Hz; without them `points` between `from_` and `to`, which lie around the eigenvalues unless given.
        cut
            Instead of both: the output signal of a controller.

        Returns
        -------
        Answer
            "frequency_hz", "response" (complex), margins.
        """
        answer = self.command('frequency-response', input=input, output=output, cut=cut,
                              frequencies=None if frequencies is None else numbers(frequencies), from_=from_, to=to, points=points,
                              scale=scale, gain=gain, model=oil, at=at)
        answer['response'] = _complex(answer['re'], answer['im'])
        return answer

    # --- many runs ---

    def sweep(self, parameters: Mapping[str, Any], measures: str | Sequence[str], **run: Any) -> Table:
        """Runs every combination of the values, and measures the probes.

        Parameters
        ----------
        parameters
            {path: values}.
        measures
            "max:phi2", of min, max, last, rms, settling.
        **run
            As of simulate(): t_end, every, rtol, oil, integrator.
        """
        answer = self.command('sweep', parameter=[f'{path}={numbers(values)}' for path, values in parameters.items()],
                              measure=_list(measures), **_run_options(run))
        rows = numpy.array(answer['rows'], dtype=float).reshape(len(answer['rows']), len(answer['columns']))
        return Table({column['name']: rows[:, k] for k, column in enumerate(answer['columns'])},
                     {column['name']: column['unit'] for column in answer['columns']}, answer.notes)

    def study(self, folder: _Path, vary: Mapping[str, Any], measures: str | Sequence[str], design: str = 'lhs:100', seed: int = 0,  # pylint: disable=redefined-outer-name
              jobs: int | None = None) -> Table:
        """Thousands of runs on all processors; the same call goes on where one was stopped.

        Parameters
        ----------
        folder
            Of the study; study_statistics(folder) and study_plot(folder, ...) read it.
        vary
            {path: (from, to)}, (from, to, "log"), or a list of values.
        measures
            "max:phi2" ...
        design
            "grid:N", "random:N", "lhs:N", "sobol:N", "oat:N" or "saltelli:N".
        """
        notes = call_program(['study', 'run'], self.to_text(), [None, *_vary(vary), *options(
            {'design': design, 'seed': seed, 'measure': _list(measures), 'out': os.fspath(folder), 'jobs': jobs, 'progress': 'none'})])[1]
        return Table.of_csv((Path(folder) / 'results.csv').read_text(encoding='utf-8'), notes)

    def fit(self, measured: Any, vary: Mapping[str, Any], starts: int | None = None, seed: int | None = None,  # pylint: disable=redefined-outer-name
            jobs: int | None = None, offset: float | None = None, plot: _Path | None = None, points: _Path | None = None) -> Answer:
        """Fits numbers of the model to measured data, with 95 % intervals and correlations.

        Parameters
        ----------
        measured
            A CSV file ("t [s],phi2 [deg]"), a Run, or a list of these.
        vary
            {path: (from, to)}.
        plot, points
            Files to write: a picture (.svg, .pdf, .png), and the points (.csv).
        """
        with tempfile.TemporaryDirectory(prefix='hydrolink-') as folder:
            files = []
            for k, given in enumerate(_list(measured)):
                files.append(os.fspath(given) if not isinstance(given, Run) else str(Path(folder) / f'{k}.csv'))
                if isinstance(given, Run):
                    given.save(files[-1])
            return ask_program('fit', self.to_text(), [None, *_vary(vary), *options(
                {'measured': files, 'starts': starts, 'seed': seed, 'jobs': jobs, 'offset': offset, 'plot': plot, 'points': points})])

    def optimize(self, vary: Mapping[str, Any], minimize: str | Sequence[str] = (), maximize: str | Sequence[str] = (),  # pylint: disable=redefined-outer-name
                 limits: str | Sequence[str] = (), method: str | None = None, runs: int | None = None, tolerance: float | None = None,
                 front: int | None = None, seed: int | None = None, history: _Path | None = None) -> Answer:
        """Chooses numbers between bounds so that a measure is best while others keep their limits ("max:p1<=2e7")."""
        return ask_program('optimize', self.to_text(), [None, *_vary(vary), *options(
            {'minimize': _list(minimize), 'maximize': _list(maximize), 'limit': _list(limits), 'method': method, 'runs': runs,
             'tolerance': tolerance, 'front': front, 'seed': seed, 'history': history})])

    # --- oil models ---

    def compare_oils(self, t_end: float | str | None = None, every: float | str | None = None, **run: Any) -> Answer:
        """Runs the model with all three oil models: differences of the probes, cost, what each leaves out."""
        return self.command('compare-models', **_run_options({'t_end': t_end, 'every': every, **run}))

    def force_map(self, actuator: str, velocity: Any, **named: Any) -> Answer:
        """Force of an actuator over its velocity in the quasistatic oil model; options of `hydrolink quasistatic`."""
        return self.command('quasistatic', actuator=actuator, velocity=numbers(velocity), **named)

    def modes(self, closed: str | Iterable[str] = (), stop: str | Iterable[str] = ()) -> Answer:
        """The hybrid oil model in one mode: constraints, rank, reduced mass."""
        return self.command('modes', closed=_joined(closed) or None, stop=_joined(stop) or None)

    # --- files ---

    def findings(self) -> list[dict[str, Any]]:
        """Problems of the model with place, remedy and the change that mends them, as `hydrolink validate --json`."""
        return ask_program('validate', self.to_text(), [None], may_be=(0, 2))['findings']

    def export_fmu(self, path: _Path, fmi: int = 3, oil: str | None = None, inputs: Sequence[str] = (), hoses: Sequence[str] = (),
                   platforms: str | Sequence[str] | None = None, sources_only: bool = False) -> list[str]:
        """Writes the model as an FMU (.fmu), or as a system with its parameter sets (.ssp).

        Parameters
        ----------
        fmi
            2 or 3.
        inputs, hoses
            Signals that become inputs; ports and lines to which oil comes from outside.
        platforms
            "x86_64-linux", "x86_64-windows"; None: this machine.

        Returns
        -------
        list of str
            Notes of the export.
        """
        return call_program('export-fmu', self.to_text(), [None, *options(
            {'out': os.path.abspath(os.fspath(path)), 'fmi': fmi, 'model': oil, 'input': list(inputs), 'hose': list(hoses),
             'platforms': None if platforms is None else _joined(platforms), 'sources_only': sources_only})], name=Path(path).stem)[1]

    def report(self, folder: _Path, **run: Any) -> Answer:
        """Writes every plot, circuit, linkage and eigenvalues as SVG and PNG, the results, and report.md into a folder."""
        return self.command('report', out=os.path.abspath(os.fspath(folder)), **_run_options(run))

    def figure(self, path: _Path, what: str = 'plot-1', **run: Any) -> None:
        """Writes one figure of a report to FILE.svg or FILE.png: "linkage", "circuit", "eigenvalues", "plot-1" ..."""
        ending = Path(path).suffix
        if ending not in ('.svg', '.png'):
            raise ValueError(f'{path}: a figure ends in .svg or .png')
        with tempfile.TemporaryDirectory(prefix='hydrolink-') as folder:
            self.report(folder, **run)
            found = Path(folder) / f'{what}{ending}'
            if not found.exists():
                names = sorted(p.stem for p in Path(folder).glob('*' + ending))
                raise ValueError(f'there is no figure {what!r} of this model; there is {", ".join(names)}')
            shutil.copyfile(found, path)


def _run_options(named):
    """Those of simulate(), as the command line calls them."""
    given = dict(named)
    if 'oil' in given:
        given['model'] = given.pop('oil')
    return {key: number(value) if isinstance(value, float) else value for key, value in given.items()}


_vary = vary


def study_statistics(folder: _Path) -> Answer:
    """Mean, deviation, quantiles of each measure of a study; of a saltelli design its sensitivities."""
    return ask_program(['study', 'statistics'], None, [os.fspath(folder)])


def study_plot(folder: _Path, path: _Path, kind: str = 'scatter') -> None:
    """Draws a study: "scatter", "histogram", "surface", "pareto" or "tornado", to FILE.svg or .png."""
    call_program(['study', 'plot'], None, [os.fspath(folder), *options({'kind': kind, 'out': os.fspath(path)})])
