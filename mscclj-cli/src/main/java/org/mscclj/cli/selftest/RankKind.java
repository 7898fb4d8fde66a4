package org.mscclj.cli.selftest;

import java.util.Locale;

/** The kind of ranks: threads or processes. */
enum RankKind {
    THREADS,
    PROCESSES;

    /** Returns the name on the command line and in tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
