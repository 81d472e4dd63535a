"""Parts of a page of the docs that scripts write: what stands between two comments that name a part.

<!-- goals: written by make bench -->
...
<!-- end of goals -->
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_parts(path: Path, parts: Mapping[str, str]) -> None:
    """Replace these parts, and nothing else. Raises ValueError when the page has no place for one."""
    text = path.read_text()
    for name, part in parts.items():
        pattern = rf"(<!-- {re.escape(name)}: [^>]*-->\n)(.*?)(<!-- end of {re.escape(name)} -->)"
        found = [*re.finditer(pattern, text, re.DOTALL)]
        if len(found) != 1:
            raise ValueError(f"{path} has {len(found)} places for {name}; it needs one")
        start, end = found[0].span(2)
        text = f"{text[:start]}\n{part}\n\n{text[end:]}"
    path.write_text(text)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table. So many columns are texts, the others numbers, which stand to the right."""
    rules = ["---"] * texts + ["---:"] * (len(headings) - texts)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rules, *rows))


def measured_on(report: Mapping[str, object]) -> str:
    """When, on what, with what: a sentence."""
    machine, versions = report["machine"], report["versions"]
    assert isinstance(machine, Mapping)
    assert isinstance(versions, Mapping)
    return (
        f"Measured on {str(report['date'])[:10]} on {machine['cores']} cores of {machine['processor']}, "
        f"{machine['system']}, with a load of {machine['load']:.1f} before; "
        f"{', '.join(f'{name} {number}' for name, number in versions.items())}."
    )
