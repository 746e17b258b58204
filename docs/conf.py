"""How the documentation is built: ``sphinx-build -W docs docs/_build``."""

from typing import Any

import solver

project = "should-i-roll"
author = "The should-i-roll authors"
project_copyright = author
version = release = solver.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_click",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = False

smartquotes = False  # a command is pasted as it stands
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # numpydoc's parameters say what the types are for
autodoc_member_order = "bysource"
autosummary_generate = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
intersphinx_mapping = {}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"should-i-roll {release}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["tables.css"]


def _examples(_app: Any, _command: Any, lines: list[str]) -> None:
    """Show the examples of a command's help as commands that can be copied."""
    found: list[str] = []
    within = False
    for line in lines:
        text = line.removeprefix("|").strip()
        if line.startswith("|") and text.startswith(("should-i-roll", "$ ")):
            if not within:
                found += ["", ".. code-block:: console", ""]
            found.append(f"    $ {text.removeprefix('$ ')}")
            within = True
            continue
        if within:
            found.append("")
        within = False
        found.append(text if line.startswith("| Example") else line)
    lines[:] = found


def setup(app: Any) -> None:
    """Connect what is above to Sphinx."""
    app.connect("sphinx-click-process-description", _examples)
