package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Tells a process of this host from later ones with the same number, and from those of other hosts and containers,
 * which may share a folder.
 *
 * @param number of the process
 * @param start when it started, in the kernel's ticks
 * @param namespace in which it has that number, and the start of its host; 0 if that cannot be known
 */
record ProcessTag(long number, long start, long namespace) {
    private static final Path OWN_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long UNKNOWN = 0;
    private static final long MASK = (1L << 59) - 1;
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
            return ended
                    ? Optional.empty()
                    : Optional.of(new ProcessTag(number, Long.parseLong(fields[START]), ownNamespace()));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static long ownNamespace() {
        try {
            long namespace = (Long) Files.getAttribute(OWN_NAMESPACE, "unix:ino");
            UUID boot = UUID.fromString(Files.readString(BOOT).strip());
            // 18 digits at most; two hosts have the same number with a probability of 2^-59
            return 1 + ((boot.getMostSignificantBits() ^ boot.getLeastSignificantBits() ^ namespace) & MASK);
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }

    /** Reads what {@link #text} wrote; empty if it is something else. */
    static Optional<ProcessTag> parse(String text) {
        if (!text.matches("[0-9]{1,18}-[0-9]{1,18}-[0-9]{1,18}")) {
            return Optional.empty();
        }
        long[] numbers =
                Arrays.stream(text.split("-", -1)).mapToLong(Long::parseLong).toArray();
        return Optional.of(new ProcessTag(numbers[0], numbers[1], numbers[2]));
    }

    /** The three numbers, as part of the name of a file can be. */
    String text() {
        return number + "-" + start + "-" + namespace;
    }

    /** Whether it runs, in this process's namespace. */
    boolean isAlive() {
        return of(number).equals(Optional.of(this));
    }

    /** Whether it ran in this process's namespace, and does not run any more. */
    boolean hasEnded() {
        return namespace != UNKNOWN && namespace == ownNamespace() && !isAlive();
    }

    boolean isOwn() {
        return number == ProcessHandle.current().pid();
    }
}
