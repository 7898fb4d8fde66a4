package org.mscclj.cli.launch;

import java.time.Duration;
import java.util.List;

/**
 * What is launched.
 *
 * @param program what the command runs
 * @param command the program and its arguments
 * @param ranks number of processes
 * @param ranksPerNode ranks that count as one node
 * @param onFailure what happens to the others when one fails
 * @param prefixed whether lines start with the rank that wrote them
 */
record LaunchSettings(
        Program program, List<String> command, int ranks, int ranksPerNode, OnFailure onFailure, boolean prefixed) {
    enum Program {
        /** It is rank 0 that reads the standard input. */
        ANY,
        /**
         * This command, which reads nothing. A rank of it that fails tells why, as {@link RankFailures} expects, and
         * lets the others tell, too.
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

    /** How long the others may still go on when one has failed, if they are stopped. */
    Duration patience() {
        return program == Program.THIS_COMMAND ? TIME_TO_TELL : Duration.ZERO;
    }
}
