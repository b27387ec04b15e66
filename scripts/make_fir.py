#!/usr/bin/python3
"""Writes configs/meshes/fir.png: the side of a flat-sawn board of fir, its grain along the picture's width.

  scripts/make_fir.py configs/meshes

Rings are circles about a pith below the board that wanders along the grain; a ring is pale in its first half and
darkens towards its end, where it stops at once.
"""
import math
import pathlib
import sys

from PIL import Image

WIDTH, HEIGHT = 1024, 384  # of a board of 0.4 by 0.15 m
LENGTH_M = 0.4
RING_M = 0.0042
PITH_M = 0.03  # below the board's side
PALE, DARK = (222, 184, 128), (156, 92, 44)
COLOURS = 32


def wander(x, waves):
    return sum(a * math.sin(2 * math.pi * k * x / LENGTH_M + p) for a, k, p in waves)


def shade(x, y):
    """0: pale, 1: dark."""
    side = y - 0.055 - wander(x, [(0.006, 1, 0.3), (0.002, 3, 1.1)])
    depth = PITH_M + wander(x, [(0.007, 1, 2.0), (0.002, 2, 0.5)])
    ring = math.hypot(side, depth) / RING_M + 0.12 * math.sin(190 * y + 9 * math.sin(16 * x))
    part = ring - math.floor(ring)
    late = max(0.0, (part - 0.35) / 0.6)
    edge = min(1.0, (1 - part) / 0.06)
    fibre = 0.07 * math.sin(5200 * y + 3 * math.sin(31 * x)) + 0.05 * math.sin(9100 * y + 5 * math.sin(47 * x + 1))
    return min(1.0, max(0.0, 0.1 + 0.75 * min(1.0, late) ** 1.6 * edge + fibre))


def main():
    palette = bytes(
        round(a + (b - a) * k / (COLOURS - 1)) for k in range(COLOURS) for a, b in zip(PALE, DARK)
    )
    step = LENGTH_M / WIDTH
    pixels = bytes(
        round((COLOURS - 1) * shade((i + 0.5) * step, (j + 0.5) * step)) for j in range(HEIGHT) for i in range(WIDTH)
    )
    board = Image.frombytes("P", (WIDTH, HEIGHT), pixels)
    board.putpalette(palette)
    board.save(pathlib.Path(sys.argv[1]) / "fir.png", optimize=True)


if __name__ == "__main__":
    main()
