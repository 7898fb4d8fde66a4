package org.mscclj.runtime.natives;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
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

/**
 * The native algorithms that the service loader finds. Every communicator gets objects of its own, since they have
 * contexts for one communicator.
 */
public final class InstalledNatives {
    private static final System.Logger LOGGER = System.getLogger(InstalledNatives.class.getName());

    private InstalledNatives() {}

    /** Finds the providers when it is first used. */
    @SuppressWarnings("rawtypes") // a service has no type parameters
    private static final class Holder {
        static final List<ServiceLoader.Provider<NativeAlgorithm>> PROVIDERS =
                ServiceLoader.load(NativeAlgorithm.class, InstalledNatives.class.getClassLoader()).stream()
                        .toList();
    }

    /**
     * Requires that an algorithm is found.
     *
     * @param algorithm its name, perhaps with a launch size
     * @param collective what it has to compute
     * @throws InvalidArgumentException if it is neither found nor a shipped program, computes something else, or does
     *     not take the size
     */
    public static void require(String algorithm, Collective collective) {
        List<NativeAlgorithm<?>> found = new ArrayList<>();
        register(found::add);
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

    /** Registers all of them, in the order in which the service loader finds them. One that fails is logged. */
    public static void register(AlgorithmRegistry registry) {
        register(registry::register);
    }

    @SuppressWarnings("rawtypes") // a service has no type parameters
    private static void register(Consumer<NativeAlgorithm<?>> registering) {
        for (ServiceLoader.Provider<NativeAlgorithm> provider : Holder.PROVIDERS) {
            try {
                registering.accept(provider.get());
            } catch (ServiceConfigurationError | RuntimeException e) {
                LOGGER.log(Level.WARNING, "native algorithm " + provider.type().getName() + " cannot be used", e);
            }
        }
    }
}
