package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, within a time limit, until processes that are no children have started or ended. */
final class ProcessEnds {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private ProcessEnds() {}

    /** Returns the id of the process that writes it to a file. */
    static long pid(Path file) {
        assertTrue(soon(() -> read(file).endsWith("\n")), file + " was not written");
        return Long.parseLong(read(file).strip());
    }

    /** The process ends soon. */
    static void assertGone(long pid) {
        assertTrue(soon(() -> !isAlive(pid)), "process " + pid + " is still there");
    }

    /** A process that has ended may wait for its parent to notice. */
    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()
                && !read(Path.of("/proc", Long.toString(pid), "stat")).contains(") Z ");
    }

    /** Whether a process is stopped, by a signal. */
    static boolean isStopped(long pid) {
        return read(Path.of("/proc", Long.toString(pid), "stat")).contains(") T ");
    }

    /** Whether a condition holds before long. */
    static boolean soon(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(10_000_000);
        }
        return true;
    }

    /** Empty if the file does not exist, for example since the process has ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
