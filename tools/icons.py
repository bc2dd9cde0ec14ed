"""`python -m tools.icons`: writes the PNG icons of the pages from `icon.svg`.

Browsers install an app only if it has icons of 192 and 512 pixels. A maskable icon fills its square
and keeps the sign within the middle, because systems cut it to a circle or another shape.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from pictures.raster import rastered

FOLDER = Path(__file__).parent.parent / "api" / "static" / "site"
SVG = "http://www.w3.org/2000/svg"
SAFE = 0.7
"""The size of the sign on a maskable icon; what is cut off leaves a circle of 0.8."""


def icons() -> dict[str, bytes]:
    """Return the content of each file."""
    sign = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    return {
        "icon-192.png": rastered(sign, 192),
        "icon-512.png": rastered(sign, 512),
        "icon-maskable-512.png": rastered(_maskable(sign), 512),
    }


def _maskable(sign: str) -> str:
    """Return the sign made smaller, on a square of its background without round corners."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(sign)  # noqa: S314  # our own
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    background, *drawn = list(root)
    del background.attrib["rx"]
    shift = (1 - SAFE) / 2
    place = f"translate({width * shift} {height * shift}) scale({SAFE})"
    group = ET.SubElement(root, f"{{{SVG}}}g", {"transform": place})
    for part in drawn:
        root.remove(part)
        group.append(part)
    return ET.tostring(root, encoding="unicode")


def main() -> None:
    """Write the icons."""
    for name, content in icons().items():
        (FOLDER / name).write_bytes(content)
        sys.stdout.write(f"{name}: {len(content)} bytes\n")


if __name__ == "__main__":
    main()
