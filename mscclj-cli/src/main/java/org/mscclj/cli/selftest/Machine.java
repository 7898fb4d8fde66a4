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
import java.util.regex.Pattern;
import org.mscclj.api.error.DurationText;
import org.mscclj.cli.launch.LimitedCommand;

/**
 * The output of {@code mscclj info} about this machine: the number of GPUs, and whether benchmarks can be compared with
 * NCCL or RCCL. It runs in a child process, since a driver may hang.
 *
 * @param log the file with the whole output
 * @param silence why there is no output; empty if there is
 */
record Machine(Path log, Optional<String> silence) {
    /** The names of NCCL and RCCL for {@code mscclj perf --peer}. */
    static final List<String> PEERS = List.of("nccl", "nccl-symmetric", "rccl", "rccl-symmetric");

    private static final Pattern AVAILABLE = Pattern.compile("^ +([nr]ccl) +available: ", Pattern.MULTILINE);

    private static final Pattern GPUS =
            Pattern.compile("^ +(\\w+) +available: (\\d{1,4}) (?:NVIDIA|AMD) GPUs?,", Pattern.MULTILINE);

    /**
     * Runs {@code mscclj info}.
     *
     * @param log receives the output
     * @param limit the time limit
     */
    static Machine ask(Path log, Duration limit) {
        LimitedCommand.End end = LimitedCommand.run(List.of("info"), Map.of(), log, limit);
        return new Machine(
                log,
                end.inTime()
                        ? Optional.empty()
                        : Optional.of("mscclj info has not answered within " + DurationText.of(limit) + "; see " + log
                                + " for its output"));
    }

    /**
     * Returns why benchmarks cannot be compared with a peer, or that this is unknown; empty if they can.
     *
     * @param peer one of {@link #PEERS}
     */
    Optional<String> obstacle(String peer) {
        if (silence.isPresent()
                || AVAILABLE.matcher(text()).results().anyMatch(line -> peer.startsWith(line.group(1)))) {
            return silence;
        }
        return Optional.of(peer + " cannot be used; " + log + " says why");
    }

    /**
     * Returns the number of usable GPUs of a backend; 0 if it is unknown.
     *
     * @param backend its name; empty for the best one
     */
    int gpus(Optional<String> backend) {
        return GPUS.matcher(silence.isPresent() ? "" : text())
                .results()
                .filter(line -> backend.map(line.group(1)::equals).orElse(true))
                .mapToInt(line -> Integer.parseInt(line.group(2)))
                .findFirst()
                .orElse(0);
    }

    private String text() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
