package org.mscclj.runtime.natives;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.NativeAlgorithms;

/**
 * The native algorithms that the service loader finds. Every communicator gets objects of its own, since they have
 * contexts for one communicator.
 */
public final class InstalledNatives {
    private static final System.Logger LOGGER = System.getLogger(InstalledNatives.class.getName());

    private InstalledNatives() {}

    /**
     * Requires that an algorithm is found.
     *
     * @param algorithm its name, perhaps with a launch size
     * @param collective what it has to compute
     * @throws InvalidArgumentException if it is neither found nor a shipped program, computes something else, or does
     *     not take the size
     */
    public static void require(String algorithm, Collective collective) {
        List<NativeAlgorithm<?>> found = created();
        NativeAlgorithm<?> named = found.stream()
                .filter(one -> one.name().equals(LaunchSize.base(algorithm)))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "the algorithm",
                        PlainText.quote(algorithm),
                        Stream.concat(
                                        Stream.of(ShippedProgram.values()).map(ShippedProgram::label),
                                        found.stream().map(NativeAlgorithm::name))
                                .collect(Collectors.joining(", ", "one of ", ""))));
        if (named.collective() != collective) {
            throw InvalidArgumentException.of(
                    "the algorithm", algorithm + ", which computes " + named.collective(), "one for " + collective);
        }
        named.allowedArguments()
                .refusal(LaunchSize.of(algorithm), NativeArguments.NONE)
                .ifPresent(refusal -> {
                    throw new InvalidArgumentException("algorithm " + algorithm + " is refused: " + refusal);
                });
    }

    /** Registers all of them, in the order of names, which is the same on all ranks. One that fails is logged. */
    public static void register(AlgorithmRegistry registry) {
        for (NativeAlgorithm<?> algorithm : created()) {
            try {
                registry.register(algorithm);
            } catch (RuntimeException e) {
                logUnusable(algorithm.getClass().getName(), e);
            }
        }
    }

    private static List<NativeAlgorithm<?>> created() {
        return NativeAlgorithms.create(InstalledNatives::logUnusable);
    }

    private static void logUnusable(String type, Throwable failure) {
        LOGGER.log(Level.WARNING, "native algorithm " + type + " cannot be used", failure);
    }
}
