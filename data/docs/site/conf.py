# SPDX-License-Identifier: MIT
"""Sphinx's settings for the site that ./dev docs makes of these pages (out/site/)."""
import os

project = 'Hydrolink'
version = release = os.environ.get('HL_SITE_VERSION', '')
copyright = 'Hydrolink, MIT licence'  # pylint: disable=redefined-builtin
extensions = ['myst_parser', 'sphinx.ext.autodoc', 'sphinx.ext.napoleon']
myst_heading_anchors = 3
# an equation is a block of plain text, and so is a file
highlight_language = 'none'
suppress_warnings = ['myst.header']
autodoc_member_order = 'bysource'
autodoc_typehints = 'signature'
napoleon_google_docstring = False
html_theme = 'furo'
html_title = 'Hydrolink'
html_show_sphinx = False
html_copy_source = False
html_extra_path = ['extra']
