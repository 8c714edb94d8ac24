"""Results as tests/tap.sh reads them from a program that it runs: "ok NAME" or "not ok NAME", why below."""


def true(name, holds, why=None):
    print(("ok " if holds else "not ok ") + name)
    if not holds and why is not None:
        print("# " + why)


def same(name, got, expected):
    true(name, got == expected, "got %r, not %r" % (got, expected))


def near(name, got, expected, relative=1e-9):
    true(name, abs(got - expected) <= relative * max(abs(expected), abs(got)), "got %r, not %r" % (got, expected))
