package org.mscclj.cli.launch;

import java.time.Duration;
import java.util.List;

/**
 * What is launched.
 *
 * @param command the program and its arguments
 * @param ranks number of processes
 * @param ranksPerNode ranks that count as one node
 * @param input who gets the standard input
 * @param onFailure what happens to the others when one fails
 * @param patience how long the others may still go on then, if they are stopped
 * @param prefixed whether lines start with the rank that wrote them
 */
record LaunchSettings(
        List<String> command,
        int ranks,
        int ranksPerNode,
        Input input,
        OnFailure onFailure,
        Duration patience,
        boolean prefixed) {
    enum Input {
        RANK_0,
        NOBODY
    }

    enum OnFailure {
        STOP,
        KEEP_GOING
    }

    LaunchSettings {
        command = List.copyOf(command);
    }
}
