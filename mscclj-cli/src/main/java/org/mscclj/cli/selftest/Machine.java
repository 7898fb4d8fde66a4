package org.mscclj.cli.selftest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.DurationText;
import org.mscclj.cli.launch.LimitedCommand;

/**
 * What {@code mscclj info} says of this machine: how many GPUs there are, and whether benchmarks can be compared with
 * NCCL. Asked in a process of its own, since a driver may hang.
 *
 * @param log has all that was said
 * @param silence why nothing is known; empty if something is
 */
record Machine(Path log, Optional<String> silence) {
    /** What {@code mscclj perf --peer} calls NCCL, in its two ways. */
    static final List<String> PEERS = List.of("nccl", "nccl-symmetric");

    private static final Pattern AVAILABLE = Pattern.compile("^ +nccl +available: ", Pattern.MULTILINE);

    private static final Pattern GPUS =
            Pattern.compile("^ +cuda +available: (\\d{1,4}) NVIDIA GPUs?,", Pattern.MULTILINE);

    /**
     * Asks.
     *
     * @param log takes the answer
     * @param limit how long that may take
     */
    static Machine ask(Path log, Duration limit) {
        LimitedCommand.End end = LimitedCommand.run(List.of("info"), Map.of(), log, limit);
        return new Machine(
                log,
                end.inTime()
                        ? Optional.empty()
                        : Optional.of("mscclj info has not said within " + DurationText.of(limit) + " what is here; "
                                + log + " has what it did"));
    }

    /**
     * Why benchmarks cannot be compared with something, or that this is not known; empty if they can.
     *
     * @param peer one of {@link #PEERS}
     */
    Optional<String> obstacle(String peer) {
        if (silence.isPresent() || AVAILABLE.matcher(text()).find()) {
            return silence;
        }
        return Optional.of(peer + " cannot be used; " + log + " says why");
    }

    /** How many GPUs there are that can be used; 0 if that is not known. */
    int gpus() {
        Matcher gpus = GPUS.matcher(silence.isPresent() ? "" : text());
        return gpus.find() ? Integer.parseInt(gpus.group(1)) : 0;
    }

    private String text() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
