package org.mscclj.cli.options;

import java.util.List;
import java.util.Optional;
import org.mscclj.cli.options.MessageSizes.Size;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options {@code --size} and {@code --count}. */
public final class SizeOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--size",
            paramLabel = "SIZE[,SIZE...]",
            description = "Message sizes in bytes, with K, M or G: the output's for allgather, the input's otherwise."
                    + " Default: 1M,"
                    + " or the closest size that the plan accepts.")
    private Optional<String> sizes = Optional.empty();

    @Option(names = "--count", paramLabel = "N[,N...]", description = "Instead of --size: elements of one slice.")
    private Optional<String> counts = Optional.empty();

    /** Called by picocli. */
    public SizeOptions() {}

    /**
     * Returns the sizes of one plan.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the plan does not accept one
     */
    public List<Size> of(MessageSizes plan) {
        requireOne();
        return sizes.map(plan::ofSizes).or(() -> counts.map(plan::ofCounts)).orElseGet(() -> List.of(plan.ofDefault()));
    }

    /** Returns the sizes that the plan accepts; if it accepts none of them, its default. */
    public List<Size> fitting(MessageSizes plan) {
        requireOne();
        List<Size> fitting = sizes.map(plan::fittingSizes)
                .or(() -> counts.map(plan::fittingCounts))
                .orElse(List.of());
        return fitting.isEmpty() ? List.of(plan.ofDefault()) : fitting;
    }

    private void requireOne() {
        if (sizes.isPresent() && counts.isPresent()) {
            throw Usage.wrong(spec, "--size and --count are both given; give only one of them");
        }
    }
}
