package org.mscclj.cli.launch;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/** The standard input of a process that is to read nothing. */
public final class NoInput {
    private static final Redirect NOTHING = Redirect.from(Path.of("/dev/null").toFile());

    private NoInput() {}

    /** Ends at once. */
    public static Redirect redirect() {
        return NOTHING;
    }
}
