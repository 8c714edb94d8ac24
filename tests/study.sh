#!/bin/sh
# The study's question on eleven ways to write checkpoints: study/study.py makes them, computes what must come out, and asks.
. "$(dirname "$0")/study/run.sh"
script study.py
