"""Drawings for notebooks: loop nests as HTML, and the cost ledgers of schedule steps as SVG. They need no other package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from .cost import BlockCosts, Costs, Figure, Ledger

#: The colour of each kind of loop; axes of a GPU have the last one.
KINDS = {"serial": "#6b7280", "unroll": "#b45309", "vectorize": "#1d4ed8", "parallel": "#15803d", "bound": "#7e22ce"}
#: The colour of each memory.
MEMORIES = {"global": "#dc8a3c", "shared": "#8f6fc1", "local": "#4c9a6a"}

LOOP = re.compile(r"( *)(\S+) (\S+) in (.+)")
BLOCK = re.compile(r"( *)([^\s\[]+)(\[.*)")

#: The height of a row, the width of the names, and that of the other columns, in pixels.
ROW = 24
LEFT = 190
COLUMN = 210
#: The length of texts, in characters.
LONGEST = 30


class Drawing:
    """An SVG image that notebooks show. `str(drawing)` is its text."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._svg


def nest_html(nest: str) -> str:
    """The text of a nest, which `Schedule.show` returns, as HTML; the kinds of loops are marked by colours."""
    lines = "\n".join(_nest_line(line) for line in nest.splitlines())
    style = "line-height:1.5;background:#fff;color:#111;padding:8px"
    return f'<pre class="loopwright-nest" style="{style}">{lines}</pre>'


def _nest_line(line: str) -> str:
    if loop := LOOP.fullmatch(line):
        indent, kind, name, extent = loop.groups()
        word = kind if kind in KINDS else "bound"
        style = f"background:{KINDS[word]};color:#fff;border-radius:3px;padding:0 4px"
        mark = f'<span class="loop {word}" style="{style}">{escape(kind)}</span>'
        return f"{indent}{mark} <b>{escape(name)}</b> in {escape(extent)}"
    if block := BLOCK.fullmatch(line):
        indent, name, rest = block.groups()
        return f'{indent}<span class="block" style="color:#be123c">{escape(name)}</span>{escape(rest)}'
    return escape(line)


def draw_ledgers(steps: Mapping[str, Ledger]) -> Drawing:
    """Draws the ledgers of several states of a schedule: a row for each, under its name.

    The columns are the bytes that are loaded and stored, by memory; the footprint in global memory; the operations per byte of global
    memory that is accessed; and the parallel iterations and lanes around the block with the most operations. The bars of a column
    have one scale. A formula has no bar.
    """
    for name, ledger in steps.items():
        if not isinstance(ledger, Ledger):
            raise TypeError(f"{name}: found {type(ledger).__name__}, expected a Ledger, as Schedule.cost() returns")
    rows = [(name, ledger.total, _main_block(ledger.blocks)) for name, ledger in steps.items()]
    width, height = LEFT + 3 * COLUMN + 130, ROW * (len(rows) + 2) + 8
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    titles = ("bytes accessed", "global footprint", "flops per byte accessed", "parallel, lanes")
    parts += [_text(LEFT + COLUMN * i, 0, title, "bold") for i, title in enumerate(titles)]
    accessed = [[_accessed(total, memory) for memory in MEMORIES] for _, total, _ in rows]
    footprints = [total.memory["global"].footprint for _, total, _ in rows]
    intensities = [total.intensity.accessed for _, total, _ in rows]
    most = max((_number(sum(map(_number, of))) for of in accessed), default=0)
    for i, (name, _, block) in enumerate(rows):
        parts.append(_text(8, i + 1, name))
        parts += _stacked(i + 1, accessed[i], most)
        parts += _bar(1, i + 1, footprints, _bytes(footprints[i]), MEMORIES["global"])
        parts += _bar(2, i + 1, intensities, str(intensities[i]), "#64748b")
        if block is not None:
            parts.append(_text(LEFT + 3 * COLUMN, i + 1, f"{block.parallel}, {block.lanes}"))
    for i, (memory, colour) in enumerate(MEMORIES.items()):
        x, y = LEFT + 80 * i, ROW * (len(rows) + 1) + 8
        parts.append(f'<rect x="{x}" y="{y}" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(x + 14, len(rows) + 1, memory))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="loopwright-ledger" width="{width}" height="{height}" '
    style = 'role="img" font-family="sans-serif" font-size="12" fill="#111">'
    return Drawing(head + style + "<title>Cost ledger of each step</title>" + "".join(parts) + "</svg>")


def _main_block(blocks: Iterable[BlockCosts]) -> BlockCosts | None:
    """The block with the most operations on floats; if these are formulas, the first block."""
    return max(blocks, key=lambda block: _number(block.float_ops), default=None)


def _accessed(costs: Costs, memory: str) -> Figure:
    """The bytes that are loaded from a memory and stored to it."""
    parts = [it for it in (costs.memory[memory].loads, costs.memory[memory].stores) if it.value != 0]
    if len(parts) == 1:
        return parts[0]
    if not all(isinstance(it.value, int) for it in parts):
        return Figure(" + ".join(map(str, parts)), "exact")
    is_exact = all(it.is_exact for it in parts)
    return Figure(sum(it.value for it in parts), "exact" if is_exact else "at_most")


def _stacked(row: int, figures: list[Figure], most: float) -> list[str]:
    """The bar of bytes by memory, and their texts."""
    x, parts, texts = LEFT, [], []
    for figure, colour in zip(figures, MEMORIES.values()):
        if figure.value == 0:
            continue
        width = _width(figure, most)
        parts.append(f'<rect x="{x:.1f}" y="{ROW * row + 4}" width="{width:.1f}" height="16" fill="{colour}"/>')
        x += width
        texts.append(_bytes(figure))
    return [*parts, _text(x + 4, row, " + ".join(texts) or "0")]


def _bar(column: int, row: int, figures: list[Figure], text: str, colour: str) -> list[str]:
    """The bar of one of the figures of a column."""
    x, width = LEFT + COLUMN * column, _width(figures[row - 1], max(map(_number, figures)))
    bar = f'<rect x="{x}" y="{ROW * row + 4}" width="{width:.1f}" height="16" fill="{colour}"/>'
    return [bar, _text(x + width + 4, row, text)]


def _width(figure: Figure, most: float) -> float:
    return _number(figure) / most * COLUMN * 0.45 if most else 0


def _number(figure: Figure | float) -> float:
    """The number of a figure, or 0 for a formula."""
    value = figure.value if isinstance(figure, Figure) else figure
    return value if isinstance(value, (int, float)) else 0


def _bytes(figure: Figure) -> str:
    """A number of bytes in the largest unit that gives at least 1."""
    if not isinstance(figure.value, int):
        return str(figure)
    value, unit = float(figure.value), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return ("" if figure.is_exact else "<= ") + f"{value:.3g} {unit}"


def _text(x: float, row: int, text: str, weight: str = "normal") -> str:
    """A text; a long one is cut, and shown in full under the pointer."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"
    title = "" if short == text else f"<title>{escape(text)}</title>"
    return f'<text x="{x:.1f}" y="{ROW * row + 17}" font-weight="{weight}">{escape(short)}{title}</text>'
