"""The template, filled in."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template

TEMPLATE = Path(__file__).parent / "template"
ENDING = ".tmpl"
PROTO = "game.proto"
KUSTOMIZATION = "kustomization.yaml"
MANIFESTS = Path("deploy", "k8s", "games")


def write_game(name: str, root: Path) -> list[Path]:
    """Write a game's folder and its proto into a tree, and give the files. Raises OSError, and overwrites nothing."""
    words = _words(name)
    written = []
    for template in sorted(TEMPLATE.glob(f"*{ENDING}")):
        path = root / _place(name, template.name.removesuffix(ENDING))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(Template(template.read_text(encoding="utf-8")).substitute(words))
        written.append(path)
    return written


def list_games(root: Path) -> Path:
    """Name every game's folder in the one file that has to, and give that file: kustomize does not look for them."""
    path = root / MANIFESTS / KUSTOMIZATION
    head, resources, _ = path.read_text(encoding="utf-8").partition("resources:\n")
    games = sorted(folder.name for folder in path.parent.iterdir() if (folder / KUSTOMIZATION).is_file())
    path.write_text(head + resources + "".join(f"  - {game}\n" for game in games), encoding="utf-8")
    return path


def render_service(name: str, root: Path) -> Path:
    """Render the proto of the game's RulesService, which is every game's, and give that file.

    Raises CalledProcessError when the protos can't be rendered.
    """
    subprocess.run([sys.executable, root / "proto" / "render.py"], check=True)  # noqa: S603  our own program
    return root / _place(name, PROTO).with_name("rules_service.proto")


def _place(name: str, file: str) -> Path:
    if file == PROTO:
        return Path("proto", "monsters", name, "v1", f"{name}.proto")
    if file == KUSTOMIZATION:
        return MANIFESTS / name / file
    return Path("services", "games", name, file)


def _words(name: str) -> dict[str, str]:
    return {
        "name": name,
        "title": name.capitalize(),
        "prefix": name[0].upper(),
        "imports": "\n".join(_imports(name)),
    }


def _imports(name: str) -> Iterator[str]:
    """What the codec imports of the games' package: which line comes first depends on the name."""
    modules = {
        "services.games.codec": "Codec, Mirror",
        f"services.games.{name}.rules": "DEFAULTS, Move, Options, Position, View",
    }
    return (f"from {module} import {modules[module]}" for module in sorted(modules))
