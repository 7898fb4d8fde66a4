package org.mscclj.cli.launch;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/** The empty standard input of a process. */
public final class NoInput {
    private static final Redirect NOTHING = Redirect.from(Path.of("/dev/null").toFile());

    private NoInput() {}

    /** Returns the end of the stream. */
    public static Redirect redirect() {
        return NOTHING;
    }
}
