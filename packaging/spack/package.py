# Copyright (c) the lanescope authors
# SPDX-License-Identifier: MIT
"""Spack recipe of lanescope, for a repository of one's own: packages/lanescope/package.py.

The one that `make release` writes beside the tarball knows its digest. The tarball is looked for in the current folder.
"""

import os

from spack.package import *


class Lanescope(AutotoolsPackage):
    """A trace explorer for the terminal: where the time of a distributed, parallel or machine-learning run went,
    when, and why one run took longer than another."""

    manual_download = True

    license("MIT")

    version("0.1.0", sha256="@SHA256@")

    variant("isal", default=True, description="Inflate with ISA-L")

    depends_on("c", type="build")
    depends_on("pkgconfig@0.29:", type="build")
    depends_on("sqlite@3.26:")
    depends_on("zlib-api")
    depends_on("zlib@1.2.11:", when="^[virtuals=zlib-api] zlib")
    depends_on("jansson@2.11:")
    depends_on("ncurses@6.1:")
    depends_on("isa-l@2.28:", when="+isal")
    depends_on("check@0.10:", type="test")

    conflicts("%gcc@:7", msg="a compiler of C17 is needed")

    def url_for_version(self, version):
        return "file://{0}/lanescope-{1}.tar.xz".format(os.getcwd(), version)

    def configure_args(self):
        return self.with_or_without("isal")
