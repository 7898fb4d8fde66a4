package org.mscclj.cli.launch;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a launch.
 *
 * @param program the name of the program, for messages
 * @param command the program and its arguments
 * @param ranks number of processes
 * @param ranksPerNode ranks that count as one node
 * @param onFailure what happens to the other ranks when one fails
 * @param prefixed whether lines start with the rank that wrote them
 */
record LaunchSettings(
        Program program, List<String> command, int ranks, int ranksPerNode, OnFailure onFailure, boolean prefixed) {
    enum Program {
        /** Whether a rank reads the standard input: rank 0 does. */
        ANY,
        /**
         * Returns settings that run this command again, without input. A failed rank prints the reason in the form that
         * {@link RankFailures} expects, and the other ranks get time to print theirs.
         */
        THIS_COMMAND
    }

    enum OnFailure {
        STOP,
        KEEP_GOING
    }

    private static final Duration TIME_TO_TELL = Duration.ofSeconds(10);

    LaunchSettings {
        command = List.copyOf(command);
    }

    /** Returns the time that the other ranks still have after a failure before they are stopped. */
    Duration gracePeriod() {
        return program == Program.THIS_COMMAND ? TIME_TO_TELL : Duration.ZERO;
    }
}
