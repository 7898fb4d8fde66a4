package org.mscclj.runtime.selection;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.NativeAlgorithm;

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

    /** Registers all of them, in the order in which the service loader finds them. One that fails is logged. */
    @SuppressWarnings("rawtypes") // a service has no type parameters
    public static void register(AlgorithmRegistry registry) {
        for (ServiceLoader.Provider<NativeAlgorithm> provider : Holder.PROVIDERS) {
            try {
                registry.register(provider.get());
            } catch (ServiceConfigurationError | RuntimeException e) {
                LOGGER.log(Level.WARNING, "native algorithm " + provider.type().getName() + " cannot be used", e);
            }
        }
    }
}
