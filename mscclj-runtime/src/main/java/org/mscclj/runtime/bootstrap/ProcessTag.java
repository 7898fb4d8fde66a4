package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies a process. Distinguishes it from later processes of this host with an equal number, and from processes of
 * other hosts and containers that may share a folder.
 *
 * @param number the number of the process
 * @param start the start time of the process, in ticks of the kernel
 * @param namespace a digest of the namespace in which the process has that number, and of the start of its host; 0 if
 *     it cannot be determined
 */
record ProcessTag(long number, long start, long namespace) {
    private static final Path OWN_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long UNKNOWN = 0;
    private static final long MASK = (1L << 59) - 1;
    private static final int STATE = 0;
    private static final int START = 19;

    /** Returns the tag of this process; empty where there is no {@code /proc}. */
    static Optional<ProcessTag> own() {
        return of(ProcessHandle.current().pid());
    }

    /** Returns the tag of a running process; empty if it has ended, even if its parent has not waited for it yet. */
    private static Optional<ProcessTag> of(long number) {
        try {
            String told = Files.readString(Path.of("/proc", Long.toString(number), "stat"));
            // after the name, which may contain any character
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
            // 18 digits at most; two hosts have equal numbers with a probability of 2^-59
            return 1 + ((boot.getMostSignificantBits() ^ boot.getLeastSignificantBits() ^ namespace) & MASK);
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }

    /** Parses the result of {@link #text}; empty if the text is not one. */
    static Optional<ProcessTag> parse(String text) {
        if (!text.matches("[0-9]{1,18}-[0-9]{1,18}-[0-9]{1,18}")) {
            return Optional.empty();
        }
        long[] numbers =
                Arrays.stream(text.split("-", -1)).mapToLong(Long::parseLong).toArray();
        return Optional.of(new ProcessTag(numbers[0], numbers[1], numbers[2]));
    }

    /** Returns the three numbers as text that may be part of a file name. */
    String text() {
        return number + "-" + start + "-" + namespace;
    }

    /** Returns whether the process runs, in the namespace of this process. */
    boolean isAlive() {
        return of(number).equals(Optional.of(this));
    }

    /** Returns whether the process ran in the namespace of this process, and has ended. */
    boolean hasEnded() {
        return namespace != UNKNOWN && namespace == ownNamespace() && !isAlive();
    }

    boolean isOwn() {
        return number == ProcessHandle.current().pid();
    }
}
