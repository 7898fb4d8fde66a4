package org.mscclj.conformance.suite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.group.InstalledGroups;
import org.mscclj.conformance.group.RankCommand;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;

/**
 * The options of a suite.
 *
 * @param modes where ranks live, one mode after another
 * @param depth how many cases are tried
 * @param worlds the numbers of ranks to try, for every depth; if empty, the depth determines them
 * @param seed seed of inputs and of the sample
 * @param strict whether a skip is a failure
 * @param timeout the timeout of an operation
 * @param exclusions rules that are known to be broken for now
 * @param graphs whether operations are launched by graphs, where rules are about results
 * @param busyCarriers whether virtual threads keep all carriers busy in each process with ranks
 * @param rankCommand what starts ranks that are processes
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
        boolean busyCarriers,
        RankCommand rankCommand) {
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

    /** Returns options for a covering sample in the usual modes, always with one seed. */
    public static SuiteOptions sample() {
        return new SuiteOptions(
                Mode.USUAL,
                Depth.SAMPLE,
                List.of(),
                1,
                false,
                Duration.ofSeconds(20),
                Exclusions.none(),
                false,
                false,
                RankCommand.NONE);
    }

    /**
     * Returns {@link #sample}, changed by the system properties {@code mscclj.conformance.modes} (names separated by
     * commas), {@code depth}, {@code seed}, {@code strict}, {@code busyCarriers}, {@code rankCommand}, {@code timeout}
     * (seconds) and {@code exclude} (a file).
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
        options = options.strict(flag("strict"))
                .busyCarriers(flag("busyCarriers"))
                .rankCommand(RankCommand.parse(property("rankCommand")));
        String exclude = property("exclude");
        if (!exclude.isEmpty()) {
            options = options.exclusions(Exclusions.read(Path.of(exclude)));
        }
        options = options.seed(number("seed", options.seed()));
        return options.timeout(
                Duration.ofSeconds(number("timeout", options.timeout().toSeconds())));
    }

    /**
     * Returns the duration of a soak, which the system property {@code mscclj.conformance.soak} sets in minutes; empty
     * if it is not set, and the suite checks the rules.
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

    /**
     * Returns whether all modes are checked at the same time, as the system property
     * {@code mscclj.conformance.together} says.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it is neither {@code true} nor {@code false}
     */
    public static boolean togetherFromSystemProperties() {
        return flag("together");
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

    /** Returns a copy with other modes. */
    public SuiteOptions modes(List<Mode> modes) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy with another depth. */
    public SuiteOptions depth(Depth depth) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /**
     * Returns a copy with other numbers of ranks.
     *
     * @param worlds if empty, the depth determines them
     */
    public SuiteOptions worlds(List<Integer> worlds) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy with another seed. */
    public SuiteOptions seed(long seed) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy in which skips are failures or not. */
    public SuiteOptions strict(boolean strict) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy with another timeout. */
    public SuiteOptions timeout(Duration timeout) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy with other exclusions. */
    public SuiteOptions exclusions(Exclusions exclusions) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy with or without busy carriers. */
    public SuiteOptions busyCarriers(boolean busyCarriers) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns a copy whose ranks that are processes are started by another command. */
    public SuiteOptions rankCommand(RankCommand rankCommand) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }

    /** Returns what opens groups of the installed runtime as these options say. */
    public InstalledGroups groups(String backend) {
        return new InstalledGroups(Optional.of(backend), timeout, busyCarriers, rankCommand);
    }

    /** Returns a copy that launches by graphs or not. */
    public SuiteOptions graphs(boolean graphs) {
        return new SuiteOptions(
                modes, depth, worlds, seed, strict, timeout, exclusions, graphs, busyCarriers, rankCommand);
    }
}
