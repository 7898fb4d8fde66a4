package org.mscclj.interposer;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What is logged in a process whose output belongs to the program: warnings only. {@code MSCCLJ_DEBUG=selection} and a
 * configuration of {@code java.util.logging} say otherwise.
 */
final class ProgramLogs {
    static final boolean SELECTIONS = "selection".equals(System.getenv("MSCCLJ_DEBUG"));

    /** Kept, since a logger that nothing refers to loses its level. */
    private static final Logger PLATFORM = Logger.getLogger("org.mscclj");

    private ProgramLogs() {}

    static void limit() {
        boolean configured = System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null;
        if (!SELECTIONS && !configured) {
            PLATFORM.setLevel(Level.WARNING);
        }
    }
}
