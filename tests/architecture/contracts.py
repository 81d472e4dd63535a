"""A contract for .importlinter that import-linter has not: packages that import nothing but what is named.

A list of what is forbidden forgets something: there are more ways to the clock, to the network and to the operating
system's random numbers than anybody remembers.
"""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application.contract_utils import AlertLevel, remove_ignored_imports_and_report
from importlinter.domain.helpers import module_expressions_to_modules


class AllowedContract(Contract):
    """Each of `packages` imports its own modules, and those of the packages in `allowed`.

    `ignore_imports` are the exceptions. A package that isn't ours is meant by its first name: `collections` is
    `collections.abc`, too.
    """

    type_name = "allowed"
    packages: Any = fields.SetField(subfield=fields.ModuleExpressionField())
    allowed: Any = fields.SetField(subfield=fields.StringField())
    ignore_imports: Any = fields.SetField(subfield=fields.ImportExpressionField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - import-linter's
        """Look at every import of every module of the packages."""
        removal = remove_ignored_imports_and_report(graph, self.ignore_imports, AlertLevel.ERROR)
        found = []
        for package in sorted(module.name for module in module_expressions_to_modules(graph, self.packages)):
            for importer in sorted({package, *graph.find_descendants(package)}):
                for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                    if not any(_lies_in(imported, allowed) for allowed in (package, *self.allowed)):
                        lines = graph.get_import_details(importer=importer, imported=imported)
                        found.append((importer, imported, [line["line_number"] for line in lines]))
        return ContractCheck(
            kept=not found,
            metadata={"found": found},
            warnings=removal.warnings,
            ignored_import_count=removal.ignored_import_count,
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Say each import that isn't allowed, with its lines."""
        for importer, imported, lines in check.metadata["found"]:
            output.print(f"{importer} is not allowed to import {imported} (line {', '.join(map(str, lines))})")
        output.new_line()


def _lies_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")
