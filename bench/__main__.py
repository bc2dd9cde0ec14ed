"""`python -m bench [NAME …]`: ratios measured in one run, since machines are noisy."""

import sys
from collections.abc import Callable, Iterable

from bench import boards, engine, trails

PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "engine": engine.run,
    "boards": boards.run,
    "trails": trails.run,
}


def main(names: list[str]) -> None:
    """Run these parts, or all of them."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"There is no bench “{unknown[0]}”; there are: {', '.join(PARTS)}.")
    for name in names or PARTS:
        for line in PARTS[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
