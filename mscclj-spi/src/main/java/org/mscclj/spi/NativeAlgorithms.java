package org.mscclj.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import org.mscclj.api.NativeAlgorithm;

/** The native algorithms that the {@link ServiceLoader} finds. */
public final class NativeAlgorithms {
    private NativeAlgorithms() {}

    /** Finds the providers when it is first used. */
    @SuppressWarnings("rawtypes") // a service has no type parameters
    private static final class Holder {
        static final List<ServiceLoader.Provider<NativeAlgorithm>> PROVIDERS =
                ServiceLoader.load(NativeAlgorithm.class, NativeAlgorithms.class.getClassLoader()).stream()
                        .toList();
    }

    /** An algorithm with the name by which it is sorted. */
    private record Named(String name, NativeAlgorithm<?> algorithm) {}

    /**
     * Returns a new object of each algorithm, in the order of names: the service loader may find them in another order
     * on each rank, and calls go to the first one that serves them.
     *
     * @param broken receives the class and the failure of each algorithm that cannot be created
     */
    public static List<NativeAlgorithm<?>> create(BiConsumer<String, Throwable> broken) {
        return create(Holder.PROVIDERS, broken);
    }

    @SuppressWarnings("rawtypes") // a service has no type parameters
    static List<NativeAlgorithm<?>> create(
            List<ServiceLoader.Provider<NativeAlgorithm>> providers, BiConsumer<String, Throwable> broken) {
        List<Named> created = new ArrayList<>();
        for (ServiceLoader.Provider<NativeAlgorithm> provider : providers) {
            try {
                NativeAlgorithm<?> algorithm = provider.get();
                created.add(new Named(algorithm.name(), algorithm));
            } catch (ServiceConfigurationError | RuntimeException e) {
                broken.accept(provider.type().getName(), e);
            }
        }
        return created.stream()
                .sorted(Comparator.comparing(Named::name))
                .<NativeAlgorithm<?>>map(Named::algorithm)
                .toList();
    }
}
