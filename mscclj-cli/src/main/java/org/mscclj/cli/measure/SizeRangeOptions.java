package org.mscclj.cli.measure;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the sizes of messages that are measured. */
public final class SizeRangeOptions {
    @Option(names = "-b", paramLabel = "SIZE", description = "The smallest size in bytes, with K, M or G. Default: 1K.")
    private String from = "1K";

    @Option(
            names = "-e",
            paramLabel = "SIZE",
            description = "The largest size. Default: 64M, or that of -b if it is larger.")
    private Optional<String> to = Optional.empty();

    @Option(names = "-f", paramLabel = "N", description = "Factor between sizes. Default: 2.")
    private int factor = 2;

    /** Called by picocli. */
    public SizeRangeOptions() {}

    /**
     * Returns the sizes.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if they are none
     */
    public SizeRange range() {
        return SizeRange.parse(from, to, factor);
    }
}
