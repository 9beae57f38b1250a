"""Draws what a terminal program printed as an SVG: terminal.py TITLE < output.ansi > picture.svg"""
import io
import re
import sys

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

THEME = TerminalTheme(
    (13, 17, 23), (230, 237, 243),
    [(72, 79, 88), (255, 123, 114), (63, 185, 80), (210, 153, 34), (88, 166, 255), (188, 140, 255), (57, 197, 207), (177, 186, 196)],
    [(110, 118, 129), (255, 161, 152), (86, 211, 100), (227, 179, 65), (121, 192, 255), (210, 168, 255), (86, 212, 221), (255, 255, 255)],
)


def main() -> None:
    printed = sys.stdin.read().replace("\r\n", "\n").rstrip("\n")
    text = Text.from_ansi(printed)
    width = max(len(line) for line in text.plain.splitlines())
    console = Console(record=True, width=width + 1, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(text, no_wrap=True)
    svg = console.export_svg(title=sys.argv[1], theme=THEME, unique_id="terminal")
    # The picture must not load fonts from elsewhere: the reader's own monospace serves.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S).replace("Fira Code, monospace", "monospace")
    sys.stdout.write(re.sub(r"[ \t]+\n", "\n", svg))


main()
