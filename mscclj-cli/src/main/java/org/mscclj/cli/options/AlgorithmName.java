package org.mscclj.cli.options;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.NativeAlgorithms;

/**
 * An algorithm that an option names: a shipped program, or a native algorithm that the service loader finds; perhaps
 * with a number of blocks and threads, as {@code packets@8x512}.
 *
 * @param name the name for calls
 * @param program the program; empty for a native algorithm
 * @param computes the collective of a native algorithm; empty for a program
 */
public record AlgorithmName(String name, Optional<ShippedProgram> program, Optional<Collective> computes) {
    /**
     * Returns the algorithm of a name. Programs have no capitals, which are read as small letters.
     *
     * @throws InvalidArgumentException if there is none, or what follows {@code @} is no size; the message lists all
     */
    public static AlgorithmName parse(String text) {
        String name = text.strip();
        String suffix = LaunchSize.of(name).suffix();
        String base = LaunchSize.base(name);
        Optional<ShippedProgram> program = Stream.of(ShippedProgram.values())
                .filter(one -> one.label().equals(base.toLowerCase(Locale.ROOT)))
                .findFirst();
        if (program.isPresent()) {
            return new AlgorithmName(program.get().label() + suffix, program, Optional.empty());
        }
        return natives().stream()
                .filter(own -> own.name().equals(base))
                .findFirst()
                .map(own -> new AlgorithmName(base + suffix, Optional.empty(), Optional.of(own.collective())))
                .orElseThrow(() -> InvalidArgumentException.of(
                        "algorithm",
                        '"' + name + '"',
                        Stream.concat(
                                        Stream.of(ShippedProgram.values()).map(ShippedProgram::label),
                                        natives().stream().map(NativeAlgorithm::name))
                                .collect(Collectors.joining(", ", "one of ", ""))));
    }

    /** Communicators log those that cannot be created. */
    private static List<NativeAlgorithm<?>> natives() {
        return NativeAlgorithms.create((_, _) -> {});
    }
}
