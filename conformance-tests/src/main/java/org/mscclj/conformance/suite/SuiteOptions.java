package org.mscclj.conformance.suite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;

/**
 * How the suite runs.
 *
 * @param modes where ranks shall live, one after another
 * @param depth how much is tried
 * @param worlds the numbers of ranks to try, whatever the depth; if none, as the depth says
 * @param seed of inputs and of the sample
 * @param strict whether a skip is a failure
 * @param timeout what an operation may take
 * @param exclusions rules that are known to be broken for now
 * @param graphs whether operations are launched by graphs, where rules are about results
 * @param busyCarriers whether virtual threads keep all carriers busy in each process with ranks
 */
public record SuiteOptions(
        List<Mode> modes,
        Depth depth,
        List<Integer> worlds,
        long seed,
        boolean strict,
        Duration timeout,
        Exclusions exclusions,
        boolean graphs,
        boolean busyCarriers) {
    private static final String PREFIX = "mscclj.conformance.";

    /** Copies the lists. */
    public SuiteOptions {
        modes = List.copyOf(modes);
        worlds = List.copyOf(worlds);
        if (modes.isEmpty()) {
            throw InvalidArgumentException.of("modes", "none", "one or more of " + List.of(Mode.values()));
        }
        for (int world : worlds) {
            if (world < 1) {
                throw InvalidArgumentException.of("worlds", world, "numbers of ranks, from 1");
            }
        }
    }

    /** A covering sample in all modes, with the same seed every time. */
    public static SuiteOptions sample() {
        return new SuiteOptions(
                List.of(Mode.values()),
                Depth.SAMPLE,
                List.of(),
                1,
                false,
                Duration.ofSeconds(20),
                Exclusions.none(),
                false,
                false);
    }

    /**
     * {@link #sample}, changed by the system properties {@code mscclj.conformance.modes} (names separated by commas),
     * {@code depth}, {@code seed}, {@code strict}, {@code busyCarriers}, {@code timeout} (seconds) and {@code exclude}
     * (a file).
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if one has a bad value
     */
    public static SuiteOptions fromSystemProperties() {
        SuiteOptions options = sample();
        String modes = property("modes");
        if (!modes.isEmpty()) {
            options = options.modes(Arrays.stream(modes.split(","))
                    .map(String::strip)
                    .map(Mode::parse)
                    .toList());
        }
        String depth = property("depth");
        if (!depth.isEmpty()) {
            options = options.depth(Depth.parse(depth));
        }
        options = options.strict(flag("strict")).busyCarriers(flag("busyCarriers"));
        String exclude = property("exclude");
        if (!exclude.isEmpty()) {
            options = options.exclusions(Exclusions.read(Path.of(exclude)));
        }
        options = options.seed(number("seed", options.seed()));
        return options.timeout(
                Duration.ofSeconds(number("timeout", options.timeout().toSeconds())));
    }

    /**
     * How long the system property {@code mscclj.conformance.soak} wants random cases to be tried, which has minutes;
     * empty if it wants the rules to be checked.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it has a bad value
     */
    public static Optional<Duration> soakFromSystemProperties() {
        long minutes = number("soak", 0);
        if (minutes < 0) {
            throw InvalidArgumentException.of(
                    PREFIX + "soak", minutes, "minutes, from 1; 0 or nothing checks the rules");
        }
        return minutes == 0 ? Optional.empty() : Optional.of(Duration.ofMinutes(minutes));
    }

    private static String property(String name) {
        return System.getProperty(PREFIX + name, "");
    }

    private static boolean flag(String name) {
        return switch (property(name)) {
            case "", "false" -> false;
            case "true" -> true;
            case String text -> throw InvalidArgumentException.of(PREFIX + name, text, "true or false");
        };
    }

    private static long number(String name, long otherwise) {
        String text = property(name);
        try {
            return text.isEmpty() ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(PREFIX + name + " is \"" + text + "\"; allowed: a whole number", e);
        }
    }

    /** With other modes. */
    public SuiteOptions modes(List<Mode> modes) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With another depth. */
    public SuiteOptions depth(Depth depth) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /**
     * With other numbers of ranks.
     *
     * @param worlds none: as the depth says
     */
    public SuiteOptions worlds(List<Integer> worlds) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With another seed. */
    public SuiteOptions seed(long seed) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With or without skips as failures. */
    public SuiteOptions strict(boolean strict) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With another timeout. */
    public SuiteOptions timeout(Duration timeout) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With other exclusions. */
    public SuiteOptions exclusions(Exclusions exclusions) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** With or without busy carriers. */
    public SuiteOptions busyCarriers(boolean busyCarriers) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }

    /** Launched by graphs, or not. */
    public SuiteOptions graphs(boolean graphs) {
        return new SuiteOptions(modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers);
    }
}
