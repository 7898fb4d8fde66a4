package org.mscclj.cli.selftest;

import java.util.Locale;

/** The kinds of parts, in the order in which they run. */
enum PartKind {
    INFO(1),
    PLANS(7),
    CONFORMANCE(9),
    PERF(4),
    STRESS(6);

    private final int share;

    PartKind(int share) {
        this.share = share;
    }

    /** Share of the total time, relative to the other kinds. */
    int share() {
        return share;
    }

    /** Returns the name on the command line and in tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
