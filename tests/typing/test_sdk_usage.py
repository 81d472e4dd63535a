"""A type checker knows what the SDK gives."""

from pathlib import Path

from mypy import api

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_a_type_checker_knows_the_messages_of_a_game(tmp_path: Path) -> None:
    """mypy accepts every assert_type in sdk_usage.py, and needs every one of its ignores."""
    usage = HERE / "sdk_usage.py"
    config = ROOT / "pyproject.toml"
    said, failed, code = api.run(["--config-file", str(config), "--cache-dir", str(tmp_path), str(usage)])
    assert code == 0, said + failed
