package org.mscclj.cli.options;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Option;

/** The option {@code --seed} of a measurement. */
public final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the inputs. Default: a random one, which is printed.")
    private Optional<Long> seed = Optional.empty();

    /** Called by picocli. */
    public SeedOption() {}

    /** Returns the given seed, or a new random one at each call. */
    public long seed() {
        return seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1L << 32));
    }
}
