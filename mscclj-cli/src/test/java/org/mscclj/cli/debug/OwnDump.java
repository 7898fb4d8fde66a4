package org.mscclj.cli.debug;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.cli.CommandLineRun;

/** The output of {@code mscclj debug dump} for this process. */
final class OwnDump {
    /** Less than the timeout of the ranks of a test. */
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private static final long PAUSE_NANOS = 50_000_000;

    private OwnDump() {}

    /**
     * Returns the dump. The command gives up after some seconds, for which a machine may stall: then it is run again.
     */
    static String text() {
        String process = String.valueOf(ProcessHandle.current().pid());
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            CommandLineRun dump = CommandLineRun.of("debug", "dump", process);
            if (dump.code() == 0) {
                return dump.out();
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("no dump of this process within " + TIMEOUT + ": " + dump.err());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
