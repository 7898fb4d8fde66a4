package org.mscclj.cli.selftest;

import java.util.Locale;

/** What a part is about, in the order in which parts run. */
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

    /** Of the time, in proportion to the others. */
    int share() {
        return share;
    }

    /** As the command line and tables have it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
