package org.mscclj.cli.run;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.measure.LaunchMethod;
import picocli.CommandLine.Option;

/** The option for the number of checked replays of a graph. */
final class ReplayOption {
    @Option(
            names = "--replays",
            paramLabel = "N",
            description = "Also check N replays of a captured launch, each followed by an eager launch. Default: 1"
                    + " where the backend can capture, else 0.")
    private Optional<Integer> replays = Optional.empty();

    /** Called by picocli. */
    ReplayOption() {}

    /**
     * Returns the number of replays.
     *
     * @param backend the name of the backend, which must be available
     * @throws InvalidArgumentException if it is negative, or positive and the backend cannot capture
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
