# python: the module for notebooks, which is in the program (what it does: tests/python.sh).
lanescope python | sed -n '1p;3p'
lanescope python | cmp - "$(dirname "$0")/../../src/python/lanescope.py" && echo "the file of the sources"
lanescope python 3
lanescope python >/dev/full
