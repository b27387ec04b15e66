#!/usr/bin/python3
"""Do two pictures show the same? Files also hold a text of what they were made of. usage: same_pixels.py A.png B.png"""
import sys

from PIL import Image

first, second = (Image.open(name).convert("RGB") for name in sys.argv[1:3])
sys.exit(0 if first.size == second.size and first.tobytes() == second.tobytes() else 1)
