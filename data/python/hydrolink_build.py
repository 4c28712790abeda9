# SPDX-License-Identifier: MIT
"""Build backend of the Python module (PEP 517), without other packages: a wheel with the module, the shared library, the program
`hydrolink`, and the libraries that both link beyond the C library. Library and program are those in HYDROLINK_LIBRARY and
HYDROLINK_PROGRAM, or those in build/, or they are built by Meson."""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SONAME = 'libhydrolink.so.1'
# Of the C library, which every system has, and has to have but once.
OF_THE_SYSTEM = re.compile(r'(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|mvec))\.so(\.\d+)*$')
DATE = (1980, 1, 1, 0, 0, 0)  # the same files give the same bytes


def _version():
    return re.search(r"^\s*version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'), re.M).group(1)


def _library(folder):
    """Returns the path of the library, built in the folder where there is none."""
    for place in (os.environ.get('HYDROLINK_LIBRARY'), ROOT / 'build' / 'core' / 'api' / SONAME):
        if place and Path(place).exists():
            return Path(place)
    # pip hides the packages of the system from Python, and with them those of Meson
    plain = {key: value for key, value in os.environ.items() if not key.startswith('PYTHON')}
    try:
        subprocess.run(['meson', 'setup', '--buildtype=release', folder, ROOT], check=True, env=plain)
        subprocess.run(['meson', 'compile', '-C', folder, 'hydrolink:shared_library', 'hydrolink:executable'], check=True, env=plain)
    except FileNotFoundError:
        raise SystemExit('the library of Hydrolink is not built and Meson is not installed; build it (README.md), or name a library in '
                         'HYDROLINK_LIBRARY') from None
    return Path(folder) / 'core' / 'api' / SONAME


def _program(library):
    """Returns the path of the program that belongs to the library; None: there is none, and the wheel is without it."""
    for place in (os.environ.get('HYDROLINK_PROGRAM'), library.resolve().parent.parent.parent / 'app' / 'hydrolink'):
        if place and Path(place).exists():
            return Path(place)
    return None


def _needs(library):
    """Returns what the library links, directly or not: name to path."""
    text = subprocess.run(['ldd', library], check=True, capture_output=True, encoding='utf-8').stdout
    missing = re.findall(r'(\S+) => not found', text)
    if missing:
        raise SystemExit(f'{library} needs {", ".join(missing)}, which this system does not have')
    return {name: path for name, path in re.findall(r'(\S+) => (/\S+)', text) if not OF_THE_SYSTEM.match(name)}


def _metadata():
    readme = (ROOT / 'data' / 'docs' / 'library.md').read_text(encoding='utf-8')
    return ('Metadata-Version: 2.1\nName: hydrolink\n' + f'Version: {_version()}\n' +
            'Summary: Hydraulically actuated linkages: models, exact linear models and runs\nLicense: MIT\nRequires-Python: >=3.10\n'
            'Requires-Dist: numpy\nProvides-Extra: pandas\nRequires-Dist: pandas; extra == "pandas"\n'
            'Description-Content-Type: text/markdown\n\n' + readme)


def _wheel_files(library):
    """Name to bytes of everything in the wheel, but for the record."""
    files = {f'hydrolink/{path.name}': path.read_bytes() for path in sorted((ROOT / 'data' / 'python' / 'hydrolink').iterdir())
             if path.suffix == '.py' or path.name == 'py.typed'}
    needs = _needs(library)
    # what needs another one needs more than that: loaded in this order, each finds what it needs
    order = sorted(needs, key=lambda name: (len(_needs(needs[name])), name))
    for name in order:
        files[f'hydrolink/lib/{name}'] = Path(needs[name]).read_bytes()
    files[f'hydrolink/lib/{SONAME}'] = library.read_bytes()
    program = _program(library)
    if program is not None:
        for name, path in _needs(program).items():
            files.setdefault(f'hydrolink/lib/{name}', Path(path).read_bytes())
        files['hydrolink/bin/hydrolink'] = program.read_bytes()
    files['hydrolink/lib/order'] = ('\n'.join(order) + '\n').encode()
    info = f'hydrolink-{_version()}.dist-info'
    files[f'{info}/METADATA'] = _metadata().encode()
    files[f'{info}/entry_points.txt'] = b'[console_scripts]\nhydrolink = hydrolink._program:main\n'
    files[f'{info}/licenses/LICENSE'] = (ROOT / 'LICENSE').read_bytes()
    files[f'{info}/WHEEL'] = f'Wheel-Version: 1.0\nGenerator: hydrolink_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n'.encode()
    return files


def _tag():
    return 'py3-none-' + re.sub(r'[^A-Za-z0-9]', '_', sysconfig.get_platform())


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    with tempfile.TemporaryDirectory() as folder:
        files = _wheel_files(_library(folder))
    record = f'hydrolink-{_version()}.dist-info/RECORD'
    lines = [f'{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()},{len(data)}'
             for name, data in files.items()]
    files[record] = ('\n'.join([*lines, f'{record},,']) + '\n').encode()
    name = f'hydrolink-{_version()}-{_tag()}.whl'
    with zipfile.ZipFile(Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if '.so' in path or '/bin/' in path else 0o100644) << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Writes what the repository tracks, as one archive, and returns its name."""
    stem = f'hydrolink-{_version()}'
    tracked = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z'], check=True, capture_output=True, encoding='utf-8').stdout
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / 'PKG-INFO'
        info.write_text(_metadata(), encoding='utf-8')
        with tarfile.open(Path(sdist_directory) / f'{stem}.tar.gz', 'w:gz') as archive:
            archive.add(info, f'{stem}/PKG-INFO')
            for path in filter(None, tracked.split('\0')):
                archive.add(ROOT / path, f'{stem}/{path}')
    return f'{stem}.tar.gz'
