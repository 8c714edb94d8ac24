#!/bin/sh
set -eu
./configure --prefix="$PREFIX"
make -j"${CPU_COUNT:-1}"
make check
make install
