"""Small faults that could be put into a file of Python: one change of its syntax tree each.

Left alone are texts, annotations, decorators, docstrings, what is imported for types only, and the
messages of errors: a test that noticed these would be a test of spelling.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.MatMult: ast.Sub,
}
EXCHANGED = {"min": "max", "max": "min", "any": "all", "all": "any", "zeros": "ones"}


@dataclass(frozen=True)
class Mutant:
    """One fault: where it stands, what stood there, what stands there now."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    what: str
    before: str
    after: str

    def applied(self, text: str) -> str:
        """Return the file's text with the fault."""
        lines = text.encode().splitlines(keepends=True)
        head = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        tail = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (head + self.after.encode() + tail).decode()


def mutants_of(root: Path, file: str) -> Iterator[Mutant]:
    """Yield every fault of a file, in the order of its text."""
    text = (root / file).read_text(encoding="utf-8")
    tree = ast.parse(text)
    found: list[Mutant] = []
    for node in _touched(tree):
        for what, new in _changes(node):
            before = ast.get_source_segment(text, node) or ""
            after = new if isinstance(new, str) else ast.unparse(new)
            if isinstance(node, ast.expr) and not isinstance(node, ast.Constant | ast.Name):
                after = f"({after})"
            found.append(
                Mutant(
                    file,
                    node.lineno,
                    node.col_offset,
                    node.end_lineno or 0,
                    node.end_col_offset or 0,
                    what,
                    before,
                    after,
                )
            )
    yield from sorted(found, key=lambda m: (m.line, m.column, m.what, m.after))


def _touched(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes that may be changed."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params", "type_comment"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                continue
            if isinstance(node, ast.Raise):
                yield node
                continue
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield node
            yield from _touched(node)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        new = COMPARED[type(node.ops[0])]()
        yield "compare", ast.Compare(node.left, [new], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield "compute", ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and or", ast.BoolOp(other, node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield "sign", node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.Name) and node.id in EXCHANGED and isinstance(node.ctx, ast.Load):
        yield "exchange", EXCHANGED[node.id]
    elif isinstance(node, ast.Attribute) and node.attr in EXCHANGED:
        yield "exchange", ast.Attribute(node.value, EXCHANGED[node.attr], ast.Load())
    elif isinstance(node, ast.Break):
        yield "loop", "continue"
    elif isinstance(node, ast.Continue):
        yield "loop", "break"
    elif isinstance(node, ast.IfExp):
        yield "condition", ast.IfExp(node.test, node.orelse, node.body)
    elif _can_be_left_out(node):
        yield "leave out", "pass"


def _can_be_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.AugAssign | ast.Raise)


def _constants(value: object) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", ast.Constant(value + 1)
    elif isinstance(value, float):
        yield "constant", ast.Constant(2.0 * value if value else 1.0)
