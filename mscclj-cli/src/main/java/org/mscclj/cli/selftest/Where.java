package org.mscclj.cli.selftest;

import java.util.Locale;

/** Where ranks live. */
enum Where {
    THREADS,
    PROCESSES;

    /** As the command line and tables have it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
