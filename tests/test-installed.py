#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `meson install` lays down, in a staging folder, used from there: TAP on standard output.

The program itself is the one that was built; what it needs beside it comes from the staging folder alone.
Environment: HL_BUILD_DIR, HL_PREFIX, HL_DATADIR.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# What is installed finds its library by itself.
os.environ.pop('LD_LIBRARY_PATH', None)
BUILD = Path(os.environ['HL_BUILD_DIR'])
PREFIX = os.environ['HL_PREFIX']
DATADIR = os.environ['HL_DATADIR']
APP = 'io.github.hydrolink.Hydrolink'


class Skip(Exception):
    pass


def staged(stage, path):
    return Path(str(stage) + path)


def run(stage, *arguments, **more):
    env = dict(os.environ, HL_CATALOGUES=str(staged(stage, PREFIX) / 'share/locale'),
               XDG_DATA_DIRS=f"{staged(stage, DATADIR)}:/usr/local/share:/usr/share", GSETTINGS_BACKEND='memory',
               GSK_RENDERER='cairo', GTK_A11Y='none', **more)
    return subprocess.run([str(a) for a in arguments], env=env, capture_output=True, text=True, timeout=100, check=False)


def program(stage):
    return staged(stage, PREFIX) / 'bin/hydrolink'


def example(stage):
    return staged(stage, DATADIR) / 'hydrolink/examples/four-bar.hydrolink'


def test_program_reads_an_installed_example(stage):
    done = run(stage, program(stage), 'validate', example(stage))
    assert done.returncode == 0, done.stderr
    assert run(stage, program(stage), '--version').stdout.strip(), 'no version'


def test_programs_find_the_library_beside_them(stage):
    if shutil.which('ldd') is None:
        raise Skip('there is no ldd')
    library = next(staged(stage, PREFIX).glob('lib*/**/libhydrolink.so.1'))
    companions = [next(staged(stage, PREFIX).glob(f'lib*/**/hydrolink-{name}')) for name in ('window', 'reproduce')]
    for own in (program(stage), *companions):
        said = run(stage, 'ldd', own).stdout
        found = re.search(r'libhydrolink\.so\.1 => (\S+)', said)
        assert found and Path(found.group(1)).samefile(library), said


def test_companion_is_found_beside_it(stage):
    done = run(stage, program(stage), 'reproduce', '--help')
    assert done.returncode == 0, done.stderr


def picture(stage, name, **more):
    if shutil.which('xvfb-run') is None:
        raise Skip('xvfb-run is not installed')
    out = Path(stage) / name
    done = run(stage, 'xvfb-run', '-a', '-s', '-screen 0 1600x1200x24', program(stage), 'screenshot', example(stage), '--out',
               out, '--size', '1280x800', **more)
    assert done.returncode == 0, done.stderr
    assert 'CRITICAL' not in done.stderr and 'WARNING' not in done.stderr, done.stderr
    assert out.read_bytes().startswith(b'\x89PNG')


def test_window_opens_and_speaks_german(stage):
    # no schema but the installed one, and no language but what was installed
    subprocess.run(['glib-compile-schemas', str(staged(stage, DATADIR) / 'glib-2.0/schemas')], check=True)
    picture(stage, 'english.png', LC_ALL='C.UTF-8', LANGUAGE='')
    # a locale of the test's own: none has to be installed
    if shutil.which('localedef') is None:
        raise Skip('there is no localedef')
    locales = Path(stage) / 'locales'
    locales.mkdir()
    subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', str(locales / 'de_DE.UTF-8')], capture_output=True, check=False)
    if not (locales / 'de_DE.UTF-8').exists():
        raise Skip('the locale de_DE.UTF-8 cannot be made here (package locales)')
    german = {'LOCPATH': str(locales), 'LC_ALL': 'de_DE.UTF-8', 'LANGUAGE': 'de'}
    picture(stage, 'german.png', **german)
    said = run(stage, 'gettext', '-d', 'hydrolink', 'Properties', TEXTDOMAINDIR=str(staged(stage, PREFIX) / 'share/locale'), **german).stdout
    assert said == 'Eigenschaften', said


def test_files_have_a_type_and_an_application(stage):
    if shutil.which('update-mime-database') is None:
        raise Skip('shared-mime-info is not installed')
    mime = staged(stage, DATADIR) / 'mime'
    subprocess.run(['update-mime-database', str(mime)], check=True, capture_output=True)
    assert 'application/vnd.hydrolink+json:*.hydrolink' in (mime / 'globs').read_text()
    desktop = (staged(stage, DATADIR) / 'applications' / f'{APP}.desktop').read_text()
    assert 'MimeType=application/vnd.hydrolink+json' in desktop
    for icon in (f'scalable/apps/{APP}.svg', f'symbolic/apps/{APP}-symbolic.svg'):
        assert (staged(stage, DATADIR) / 'icons/hicolor' / icon).is_file(), icon
    assert (staged(stage, DATADIR) / 'metainfo' / f'{APP}.metainfo.xml').is_file()


def png_size(path):
    head = path.read_bytes()[:24]
    assert head.startswith(b'\x89PNG\r\n'), head
    return int.from_bytes(head[16:20], 'big'), int.from_bytes(head[20:24], 'big')


def test_file_managers_get_pictures(stage):
    # as they read it: the command line of the installed file, a name without an ending, no display
    entry = (staged(stage, DATADIR) / 'thumbnailers' / f'{APP}.thumbnailer').read_text()
    assert 'MimeType=application/vnd.hydrolink+json;' in entry
    line = re.search('^Exec=(.*)$', entry, re.M).group(1).split()
    assert line[0] == re.search('^TryExec=(.*)$', entry, re.M).group(1) == 'hydrolink'
    pictures = set()
    for name in ('four-bar', 'peaucellier', 'water-hammer'):
        out = Path(stage) / 'thumbnail'
        out.unlink(missing_ok=True)
        fill = {'%i': str(example(stage).with_name(f'{name}.hydrolink')), '%o': str(out), '%s': '128'}
        done = run(stage, program(stage), *(fill.get(word, word) for word in line[1:]), DISPLAY='', WAYLAND_DISPLAY='')
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert png_size(out) == (128, 128)
        pictures.add(out.read_bytes())
    assert len(pictures) == 3
    broken = Path(stage) / 'broken.hydrolink'
    broken.write_text('{"format": "hydrolink"')
    out.unlink()
    done = run(stage, program(stage), 'thumbnail', broken, '--out', out, '--size', '128')
    assert done.returncode == 2 and 'broken.hydrolink' in done.stderr and not out.exists(), done.stderr


STARTED_BY_NAME = '''
gapplication launch {app} {model} || exit 1
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  gdbus call --session --dest {app} --object-path {path}/window/1 --method org.gtk.Actions.List 2>/dev/null && break
  sleep 1
done
gapplication action {app} quit
'''


def test_desktop_starts_it_by_its_name(stage):
    desktop = (staged(stage, DATADIR) / 'applications' / f'{APP}.desktop').read_text()
    assert 'DBusActivatable=true' in desktop
    service = (staged(stage, DATADIR) / 'dbus-1/services' / f'{APP}.service').read_text()
    assert f'Name={APP}\n' in service and f'Exec={PREFIX}/bin/hydrolink --gapplication-service' in service
    if not all(map(shutil.which, ('xvfb-run', 'dbus-run-session', 'gapplication', 'gdbus'))):
        raise Skip('no virtual display, or no bus of its own')
    # the bus looks below XDG_DATA_DIRS; what it finds there starts the program of the staging folder
    folder = Path(stage) / 'bus/dbus-1/services'
    folder.mkdir(parents=True)
    (folder / f'{APP}.service').write_text(service.replace(f'Exec={PREFIX}', f'Exec={staged(stage, PREFIX)}'))
    subprocess.run(['glib-compile-schemas', str(staged(stage, DATADIR) / 'glib-2.0/schemas')], check=True)
    env = dict(os.environ, XDG_DATA_DIRS=f"{stage}/bus:{staged(stage, DATADIR)}:/usr/share", GSETTINGS_BACKEND='memory',
               GSK_RENDERER='cairo', GTK_A11Y='none', XDG_STATE_HOME=f'{stage}/state', XDG_RUNTIME_DIR=str(stage))
    script = STARTED_BY_NAME.format(app=APP, path='/' + APP.replace('.', '/'), model=example(stage))
    done = subprocess.run(['xvfb-run', '-a', 'dbus-run-session', '--', 'sh', '-c', script], env=env, capture_output=True, text=True,
                          timeout=100, check=False)
    assert done.returncode == 0 and 'save-as' in done.stdout, done.stdout + done.stderr


def test_paths_in_the_manual_are_there(stage):
    page = (staged(stage, DATADIR) / 'man/man1/hydrolink.1').read_text()
    paths = re.findall(re.escape(DATADIR) + r'[\w./-]*\w', page)
    assert paths, 'it names no installed file'
    for path in paths:
        assert staged(stage, path).exists(), path
    assert not re.search(r'@[A-Z]+@', page), 'a path was left open'


def test_pages_and_completions_are_there(stage):
    data = staged(stage, DATADIR)
    for path in ('doc/hydrolink/format.md', 'doc/hydrolink/help/index.html', 'doc/hydrolink/help/cylinder.html',
                 'doc/hydrolink/theory/README.md', 'hydrolink/hydrolink.schema.json',
                 'bash-completion/completions/hydrolink', 'zsh/site-functions/_hydrolink',
                 'fish/vendor_completions.d/hydrolink.fish'):
        assert (data / path).is_file(), path


def test_other_programs_link_with_the_library(stage):
    if shutil.which('gcc') is None or shutil.which('pkg-config') is None:
        raise Skip('no compiler')
    place = next(staged(stage, PREFIX).glob('lib*/**/pkgconfig/hydrolink.pc'))
    source = Path(stage) / 'other.c'
    source.write_text('#include <hydrolink.h>\n#include <stdio.h>\n'
                      'int main (int n, char **v)\n{\n  char *error = NULL;\n  HydrolinkModel *m = hydrolink_open (v[1], &error);\n'
                      '  puts (m != NULL ? hydrolink_name (m) : error);\n  hydrolink_close (m);\n  return m == NULL;\n}\n')
    env = dict(os.environ, PKG_CONFIG_PATH=str(place.parent), PKG_CONFIG_SYSROOT_DIR=str(stage))
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'hydrolink'], env=env, capture_output=True, text=True, check=True)
    for compiler, language in (('gcc', 'c'), ('g++', 'c++')):
        if shutil.which(compiler) is None:
            continue
        subprocess.run([compiler, '-Wall', '-Werror', '-x', language, str(source), '-x', 'none', '-o', str(Path(stage) / 'other'),
                        *flags.stdout.split()], check=True)
        done = run(stage, Path(stage) / 'other', example(stage), LD_LIBRARY_PATH=str(place.parent.parent))
        assert done.returncode == 0 and 'four-bar' in done.stdout, compiler + done.stdout + done.stderr


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith('test_')]
    failed = 0
    print(f'1..{len(tests)}')
    with tempfile.TemporaryDirectory() as stage:
        done = subprocess.run(['meson', 'install', '-C', str(BUILD), '--no-rebuild', '--quiet', '--destdir', stage],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f'Bail out! meson install: {done.stdout[-500:]} {done.stderr[-500:]}')
            return 1
        for number, (name, test) in enumerate(tests, 1):
            said = name.removeprefix('test_').replace('_', '-')
            try:
                test(stage)
                print(f'ok {number} /installed/{said}')
            except Skip as why:
                print(f'ok {number} /installed/{said} # SKIP {why}')
            except Exception as error:  # a test that breaks is one that fails
                failed = 1
                print(f'not ok {number} /installed/{said}')
                print('# ' + f'{type(error).__name__}: {error}'.replace('\n', '\n# '))
            sys.stdout.flush()
    return failed


if __name__ == '__main__':
    sys.exit(main())
