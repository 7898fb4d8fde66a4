package org.mscclj.cli.run;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.measure.LaunchMethod;
import picocli.CommandLine.Option;

/** How many replays of a graph are checked. */
final class ReplayOption {
    @Option(
            names = "--replays",
            paramLabel = "N",
            description = "Check also N replays of a captured launch, each followed by a launch by itself. Default: 1"
                    + " where the backend can capture, else 0.")
    private Optional<Integer> replays = Optional.empty();

    /** For picocli. */
    ReplayOption() {}

    /**
     * The number.
     *
     * @param backend the name of the backend, which must be available
     * @throws InvalidArgumentException if it is negative, or the backend cannot capture what should be replayed
     */
    int replays(String backend) {
        boolean captures = LaunchMethod.captures(backend);
        int wanted = replays.orElse(captures ? 1 : 0);
        if (wanted < 0) {
            throw InvalidArgumentException.of("--replays", wanted, "0 or more");
        }
        if (wanted > 0 && !captures) {
            throw InvalidArgumentException.of("--replays", wanted, "0, since backend " + backend + " cannot capture");
        }
        return wanted;
    }
}
