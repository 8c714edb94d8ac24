#!/bin/sh
# Hosts that number their processes alike: study/hosts.py asks every saved query for the same figures as where numbers differ.
. "$(dirname "$0")/study/run.sh"
script hosts.py
