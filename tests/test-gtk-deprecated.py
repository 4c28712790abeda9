#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No call of GTK that versions 4.10 to 4.18 deprecate where 4.8, which the program is written for, has the successor. TAP.

The table is that of GTK's own headers (GDK_DEPRECATED_IN_4_10 to _4_18) and of its reference: what is deprecated, since when,
what takes its place, and since when there is that. What 4.8 has nothing better for stays, and is counted here by file. This is
a look at names, which any version runs; a compilation of all files of the window with GDK_VERSION_MIN_REQUIRED and MAX_ALLOWED at 4.18
on Debian 13 found the same and no more.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
OURS = (4, 8)

# Names, or their beginnings with a star; deprecated since; successor; the version that the successor came with, None: there is none.
TABLE = [
    ('gtk_widget_show gtk_widget_hide', (4, 10), 'gtk_widget_set_visible', (4, 0)),
    ('gtk_widget_get_allocation', (4, 12), 'gtk_widget_compute_bounds', (4, 0)),
    ('gtk_widget_get_allocated_width', (4, 12), 'gtk_widget_get_width', (4, 0)),
    ('gtk_widget_get_allocated_height', (4, 12), 'gtk_widget_get_height', (4, 0)),
    ('gtk_widget_get_allocated_baseline', (4, 12), 'gtk_widget_get_baseline', (4, 12)),
    ('gtk_widget_translate_coordinates', (4, 12), 'gtk_widget_compute_point', (4, 0)),
    ('gtk_widget_get_style_context', (4, 10), 'gtk_widget_add_css_class', (4, 0)),
    ('gtk_style_context_add_class gtk_style_context_remove_class gtk_style_context_has_class', (4, 10), 'gtk_widget_add_css_class', (4, 0)),
    ('gtk_style_context_add_provider gtk_style_context_remove_provider', (4, 10), 'gtk_style_context_add_provider_for_display', (4, 0)),
    ('gtk_style_context_get_color', (4, 10), 'gtk_widget_get_color', (4, 10)),
    ('gtk_style_context_lookup_color', (4, 10), 'colours of the program\'s own', (4, 0)),
    ('gtk_style_context_set_* gtk_style_context_get_* gtk_style_context_save gtk_style_context_restore gtk_style_context_to_string',
     (4, 10), 'gtk_widget_*', (4, 0)),
    ('gtk_render_*', (4, 10), 'gtk_snapshot_*', (4, 0)),
    ('gtk_snapshot_render_background gtk_snapshot_render_frame gtk_snapshot_render_focus gtk_snapshot_render_layout',
     (4, 10), 'gtk_snapshot_append_layout', (4, 0)),
    ('gtk_snapshot_render_insertion_cursor', (4, 10), None, None),
    ('gtk_css_provider_load_from_data', (4, 12), 'gtk_css_provider_load_from_string', (4, 12)),
    ('gtk_dialog_* GtkDialog GTK_DIALOG', (4, 10), 'GtkWindow', (4, 0)),
    ('gtk_message_dialog_* GtkMessageDialog GTK_MESSAGE_DIALOG', (4, 10), 'GtkAlertDialog', (4, 10)),
    ('gtk_file_chooser_* GtkFileChooser* GTK_FILE_CHOOSER*', (4, 10), 'GtkFileDialog', (4, 10)),
    ('gtk_color_button_* gtk_color_chooser_* GtkColorButton GtkColorChooser*', (4, 10), 'GtkColorDialogButton', (4, 10)),
    ('gtk_font_button_* gtk_font_chooser_* GtkFontButton GtkFontChooser*', (4, 10), 'GtkFontDialogButton', (4, 10)),
    ('gtk_app_chooser_* GtkAppChooser*', (4, 10), None, None),
    ('gtk_show_uri gtk_show_uri_full', (4, 10), 'GtkUriLauncher', (4, 10)),
    ('gtk_tree_view_* gtk_tree_selection_* gtk_tree_model_* gtk_tree_store_* gtk_tree_path_* gtk_tree_iter_* gtk_tree_row_* '
     'gtk_tree_sortable_* gtk_tree_drag_* gtk_tree_create_* gtk_tree_get_row_drag_data GtkTreeView* GtkTreeStore GtkTreeModel* '
     'GtkTreeIter GtkTreePath GtkTreeSelection', (4, 10), 'GtkColumnView', (4, 0)),
    ('gtk_list_store_* GtkListStore', (4, 10), 'GListStore', (4, 0)),
    ('gtk_cell_* GtkCell*', (4, 10), 'GtkListItemFactory', (4, 0)),
    ('gtk_icon_view_* GtkIconView', (4, 10), 'GtkGridView', (4, 0)),
    ('gtk_combo_box_* GtkComboBox GtkComboBoxText', (4, 10), 'GtkDropDown', (4, 0)),
    ('gtk_entry_completion_* gtk_entry_set_completion gtk_entry_get_completion GtkEntryCompletion', (4, 10), 'GtkListView in a GtkPopover', (4, 0)),
    ('gtk_info_bar_* GtkInfoBar', (4, 10), 'GtkRevealer with a GtkBox', (4, 0)),
    ('gtk_statusbar_* GtkStatusbar', (4, 10), 'GtkLabel', (4, 0)),
    ('gtk_assistant_* GtkAssistant*', (4, 10), 'GtkStack in a GtkWindow', (4, 0)),
    ('gtk_lock_button_* GtkLockButton', (4, 10), 'GtkButton', (4, 0)),
    ('gtk_volume_button_* GtkVolumeButton', (4, 10), 'GtkScaleButton', (4, 0)),
    ('gtk_image_new_from_pixbuf gtk_image_set_from_pixbuf', (4, 12), 'gtk_image_set_from_paintable', (4, 0)),
    ('gtk_picture_new_for_pixbuf gtk_picture_set_pixbuf', (4, 12), 'gtk_picture_set_paintable', (4, 0)),
    ('gtk_gl_area_set_use_es gtk_gl_area_get_use_es', (4, 12), 'gtk_gl_area_set_allowed_apis', (4, 12)),
    ('gtk_accessible_list_new_* gtk_test_accessible_assert_relation_*', (4, 16), 'gtk_accessible_update_relation', (4, 0)),
    ('gdk_surface_create_similar_surface', (4, 12), 'cairo_image_surface_create', (4, 0)),
    ('gdk_display_notify_startup_complete gdk_display_get_startup_notification_id', (4, 10), 'gdk_toplevel_set_startup_id', (4, 0)),
    ('gdk_display_put_event', (4, 10), None, None),
    ('gdk_gl_context_set_use_es gdk_gl_texture_new', (4, 12), 'GdkGLTextureBuilder', (4, 12)),
    ('gtk_list_item_set_focusable', (4, 12), None, None),
    # The X11 backend as a whole is deprecated, and no other backend tells where a window lies.
    ('gdk_x11_*', (4, 18), 'nothing (X11)', None),
    # The successor of the list of shortcuts is libadwaita's, which this program does not use.
    ('gtk_application_window_get_help_overlay gtk_application_window_set_help_overlay gtk_shortcuts_* GtkShortcutsWindow '
     'GtkShortcutsSection GtkShortcutsGroup GtkShortcutsShortcut', (4, 18), 'nothing (shortcuts)', None),
]
# Names with such a beginning that are as good as before: the provider of a display stands beside the class that goes, and lists
# that unfold beside the trees that go.
KEPT = ('gtk_style_context_add_provider_for_display', 'gtk_style_context_remove_provider_for_display', 'gtk_tree_list_', 'gtk_tree_expander_')
# All that 4.8 has no successor for.
REMAINS = {'GtkFileDialog', 'gtk_css_provider_load_from_string', 'nothing (X11)', 'nothing (shortcuts)'}

ROWS = [(name, row[1:]) for row in TABLE for name in row[0].split()]
WHOLE = {name: row for name, row in ROWS if not name.endswith('*')}
BEGINNINGS = {name[:-1]: row for name, row in ROWS if name.endswith('*')}
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|<!--.*?-->', re.S)
WORD = re.compile(r'\b(?:gtk|gdk|Gtk|GTK)\w+')


def found_in(text):
    """(name, since, successor, version) of what is deprecated there."""
    for name in sorted(set(WORD.findall(COMMENT.sub('', text)))):
        row = WHOLE.get(name) or next((row for start, row in BEGINNINGS.items() if name.startswith(start)), None)
        if row is not None and not name.startswith(KEPT):
            yield (name, *row)


def sources():
    for folder in ('app', 'ui', 'resources'):
        for path in sorted((TOP / folder).rglob('*')):
            if path.suffix in ('.c', '.h', '.ui'):
                yield path.relative_to(TOP).as_posix(), path.read_text(encoding='utf-8')


def the_look_sees():
    seen = {name for name, *_ in found_in('gtk_widget_show (w); x = gtk_dialog_new (); <object class="GtkComboBoxText"> '
                                          '/* gtk_statusbar_new */ gtk_tree_list_row_get_item (r); gtk_tree_view_new ();'
                                          ' gtk_style_context_add_provider_for_display (d, p, 1);')}
    assert seen == {'gtk_widget_show', 'gtk_dialog_new', 'GtkComboBoxText', 'gtk_tree_view_new'}, seen


def nothing_deprecated_where_the_program_could_do_without():
    wrong = [f'{path}: {name} is deprecated since 4.{since[1]}: {successor}' for path, text in sources()
             for name, since, successor, version in found_in(text) if version is not None and version <= OURS]
    assert not wrong, '; '.join(wrong)


def what_remains_is_known():
    """Whoever goes to a later GTK finds where it stands."""
    left = {}
    for path, text in sources():
        for name, since, successor, version in found_in(text):
            if version is None or version > OURS:
                left.setdefault(path, {}).setdefault(successor, []).append(name)
    for path, of in left.items():
        for successor, names in of.items():
            print(f'# {path}: {len(names)} names, {names[-1]} for one: {successor}, which 4.8 does not have')
    here = {successor for of in left.values() for successor in of}
    assert here == REMAINS, here


CHECKS = [the_look_sees, nothing_deprecated_where_the_program_could_do_without, what_remains_is_known]
failures = 0
print(f'1..{len(CHECKS)}')
for number, check in enumerate(CHECKS, 1):
    try:
        check()
        print(f'ok {number} - {check.__name__}')
    except AssertionError as error:
        failures += 1
        print(f'not ok {number} - {check.__name__}: {error}')
sys.exit(failures > 0)
