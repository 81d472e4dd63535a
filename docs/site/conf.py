"""How `make docs` makes a site of the Markdown files of this tree. The files stay where they are, and readable alone.

pages.py       lists of links become the site's navigation; links to what is no page become plain text
contract.py    the protos, rendered
commands.py    the command line, rendered
docstrings.py  where the SDK's docstrings stand
picture.py     the picture in the README, which is committed
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

project = "Lair"
author = "the authors of Lair"
copyright = "the authors of Lair, under the Apache License 2.0"  # noqa: A001  Sphinx calls it so
root_doc = "docs/README"
extensions = ["myst_parser", "sphinx.ext.autodoc", "pages", "contract", "commands", "docstrings"]
include_patterns = ["*.md", "**/*.md"]
exclude_patterns = [
    *("build", ".*", "**/node_modules", "proto/gen", "docs/site", "services", "tests", "deploy"),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

default_role = "py:obj"
smartquotes = False
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Lair"
html_copy_source = False
html_additional_pages = {"index": "index.html"}
templates_path = ["templates"]
html_theme_options = {"navigation_with_keys": True}
