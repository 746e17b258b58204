"""The pieces of a drawing as SVG: each is a string of elements, placed by its square's corner."""

from __future__ import annotations

from solver.games.martians.board.components import Circle, Token

UNIT = 40
"""Width of a square."""

TOKENS = {
    Token.LIFE: ("life", "L"),
    Token.BULLET: ("bullet", "B"),
    Token.FUEL: ("fuel", "F"),
    Token.FERTILIZER: ("fertilizer", "Z"),
    Token.DYNAMITE: ("dynamite", "D"),
}
"""Class and letter of each token."""

PAWN_SPOTS = ((8, 9), (8, 21), (20, 31), (8, 32), (32, 31), (20, 9))
"""Where the first, second ... pawn of a square stands."""

STYLE = """
.mb{--paper:#ffffff;--ink:#1f2328;--soft:#59636e;--ground:#eceff2;--road:#8c959f;--line:#ffffff;
--named:#f6dfc0;--unnamed:#c3b3a5;--house:#cfe3ff;--field:#d3e8b9;--crop:#7d9a3c;--wall:#3a2f27;
--martian:#1a7f37;--eye:#ffffff;--token:#ffffff;--chip:#1f2328}
@media (prefers-color-scheme:dark){.mb{--paper:#0d1117;--ink:#e6edf3;--soft:#9da7b1;
--ground:#1c2128;--road:#565f69;--line:#d5dbe1;--named:#5c4630;--unnamed:#3a322c;--house:#27415f;
--field:#2f4423;--crop:#a5c261;--wall:#d9c9b8;--martian:#4ac26b;--eye:#0d1117;--token:#f0f3f6;
--chip:#1f2328}}
.mb text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;
fill:var(--ink)}
.mb .paper{fill:var(--paper)}.mb .ground{fill:var(--ground)}.mb .road{fill:var(--road)}
.mb .named{fill:var(--named)}.mb .unnamed{fill:var(--unnamed)}.mb .house{fill:var(--house)}
.mb .field{fill:var(--field)}.mb .edge{fill:none;stroke:var(--soft);stroke-width:1;opacity:.6}
.mb .wall{stroke:var(--wall);stroke-width:3;stroke-linecap:square}
.mb .line{stroke:var(--line);stroke-width:2}
.mb .door{stroke:var(--line);stroke-width:5}
.mb .open{fill:var(--soft)}.mb .axis{font-size:11px;fill:var(--soft);text-anchor:middle}
.mb .name{font-weight:600;text-anchor:middle;paint-order:stroke;
stroke:var(--paper);stroke-width:2.5px;stroke-linejoin:round}
.mb .martian{fill:var(--martian)}.mb .eye{fill:var(--eye)}
.mb .crop{fill:none;stroke:var(--crop);stroke-width:2}.mb .disk{fill:var(--crop)}
.mb .icon{fill:none;stroke:var(--line);stroke-width:1.5}.mb .icon-dot{fill:var(--line)}
.mb .token{fill:var(--token);stroke:var(--chip);stroke-width:1}
.mb .life{fill:#ffb3b3}.mb .bullet{fill:#d7d9dc}.mb .fuel{fill:#ff8f7a}
.mb .fertilizer{fill:#9be08a}.mb .dynamite{fill:#9cc4ff}
.mb .mark{font-size:10px;font-weight:700;text-anchor:middle;fill:var(--chip)}
.mb .pawn{stroke:#ffffff;stroke-width:1.5}.mb .seat{font-size:10px;font-weight:700;
text-anchor:middle;fill:#ffffff}
.mb .p1{fill:#b3261e}.mb .p2{fill:#0b57d0}.mb .p3{fill:#8a3ffc}.mb .p4{fill:#8a5a00}
.mb .p5{fill:#00697a}.mb .p6{fill:#3d3d3d}
.mb .words{font-size:13px}.mb .head{font-size:15px;font-weight:600}.mb .small{font-size:12px;
fill:var(--soft)}
""".strip()


def martian(x: int, y: int) -> str:
    """Return a Martian's head."""
    return (
        f'<path class="martian" d="M{x + 20} {y + 30}c-6 -3 -9 -9 -9 -13a9 8 0 0 1 18 0'
        'c0 4 -3 10 -9 13z"/>'
        f'<ellipse class="eye" cx="{x + 16}" cy="{y + 18}" rx="2.2" ry="3.4"'
        f' transform="rotate(-25 {x + 16} {y + 18})"/>'
        f'<ellipse class="eye" cx="{x + 24}" cy="{y + 18}" rx="2.2" ry="3.4"'
        f' transform="rotate(25 {x + 24} {y + 18})"/>'
    )


def token(x: int, y: int, face: Token | None) -> str:
    """Return a token in the upper right of a square; None is face-down."""
    kind, letter = TOKENS[face] if face else ("", "?")
    classes = f"token {kind}".strip()
    return (
        f'<rect class="{classes}" x="{x + 25}" y="{y + 3}" width="12" height="12" rx="3"/>'
        f'<text class="mark" x="{x + 31}" y="{y + 12.5}">{letter}</text>'
    )


def pawn(x: int, y: int, seat: int, place: int = 0) -> str:
    """Return a pawn with the number of its seat, the `place`-th of its square."""
    dx, dy = PAWN_SPOTS[place]
    return (
        f'<circle class="pawn p{seat}" cx="{x + dx}" cy="{y + dy}" r="6.5"/>'
        f'<text class="seat" x="{x + dx}" y="{y + dy + 3.5}">{seat}</text>'
    )


def crop_circle(x: int, y: int, shows: Circle) -> str:
    """Return a crop circle token under what stands on it."""
    rings = "".join(
        f'<circle class="crop" cx="{x + 20}" cy="{y + 20}" r="{radius}"/>' for radius in (17, 13)
    )
    if shows is Circle.EMPTY:
        return rings
    if shows is Circle.FACE_DOWN:
        return rings + token(x, y, None)
    return (
        f'{rings}<path class="disk" d="M{x + 12} {y + 31}a8 8 0 0 1 16 0z"/>'
        f'<ellipse class="disk" cx="{x + 20}" cy="{y + 33}" rx="17" ry="5"/>'
        f'<rect class="token" x="{x + 25}" y="{y + 3}" width="12" height="12" rx="3"/>'
        f'<text class="mark" x="{x + 31}" y="{y + 12.5}">S</text>'
    )


def icon(x: int, y: int) -> str:
    """Return a Martian icon in the lower right of a square."""
    return (
        f'<circle class="icon" cx="{x + 32}" cy="{y + 32}" r="5"/>'
        f'<circle class="icon-dot" cx="{x + 32}" cy="{y + 32}" r="1.8"/>'
    )
