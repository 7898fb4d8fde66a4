package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tells a process of this host from later ones with the same number.
 *
 * @param number of the process
 * @param start when it started, in the kernel's ticks
 */
record ProcessTag(long number, long start) {
    private static final int STATE = 0;
    private static final int START = 19;

    /** That of this process; empty where there is no {@code /proc}. */
    static Optional<ProcessTag> own() {
        return of(ProcessHandle.current().pid());
    }

    /** That of a process which runs; empty if it has ended, even if its parent has not looked yet. */
    private static Optional<ProcessTag> of(long number) {
        try {
            String told = Files.readString(Path.of("/proc", Long.toString(number), "stat"));
            // behind the name, which may hold anything
            String[] fields = told.substring(told.lastIndexOf(')') + 2).split(" ", -1);
            boolean ended = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return ended ? Optional.empty() : Optional.of(new ProcessTag(number, Long.parseLong(fields[START])));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Reads what {@link #text} wrote; empty if it is something else. */
    static Optional<ProcessTag> parse(String text) {
        if (!text.matches("[0-9]{1,18} [0-9]{1,18}")) {
            return Optional.empty();
        }
        int space = text.indexOf(' ');
        return Optional.of(
                new ProcessTag(Long.parseLong(text.substring(0, space)), Long.parseLong(text.substring(space + 1))));
    }

    String text() {
        return number + " " + start;
    }

    boolean isAlive() {
        return of(number).equals(Optional.of(this));
    }

    boolean isOwn() {
        return number == ProcessHandle.current().pid();
    }
}
