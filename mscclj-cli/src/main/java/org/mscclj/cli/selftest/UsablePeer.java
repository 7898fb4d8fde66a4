package org.mscclj.cli.selftest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.cli.launch.LimitedCommand;
import org.mscclj.cli.options.Durations;

/** Whether benchmarks can be compared with NCCL here, by what {@code mscclj info} says: in a process of its own, since a driver may hang. */
final class UsablePeer {
    /** What {@code mscclj perf --peer} calls it, in its two ways. */
    static final List<String> NAMES = List.of("nccl", "nccl-symmetric");

    private static final Pattern AVAILABLE = Pattern.compile("^ +nccl +available: ", Pattern.MULTILINE);

    private static final Pattern GPUS =
            Pattern.compile("^ +cuda +available: (\\d{1,4}) NVIDIA GPUs", Pattern.MULTILINE);

    private UsablePeer() {}

    /**
     * Asks.
     *
     * @param name one of {@link #NAMES}
     * @param log takes the answer
     * @param limit how long that may take
     * @return why it cannot be used, or that this is not known; empty if it can
     */
    static Optional<String> obstacle(String name, Path log, Duration limit) {
        LimitedCommand.End end = LimitedCommand.run(List.of("info"), log, limit);
        if (!end.inTime()) {
            return Optional.of("mscclj info has not said within " + Durations.text(limit) + " whether " + name
                    + " can be used; " + log + " has what it did");
        }
        return AVAILABLE.matcher(text(log)).find()
                ? Optional.empty()
                : Optional.of(name + " cannot be used; " + log + " says why");
    }

    /**
     * How many ranks NCCL takes here, which wants a GPU for each.
     *
     * @param log what {@link #obstacle} has written, when there was none
     */
    static int mostRanks(Path log) {
        Matcher gpus = GPUS.matcher(text(log));
        return gpus.find() ? Integer.parseInt(gpus.group(1)) : 0;
    }

    private static String text(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
