package org.mscclj.backend.nccl;

import java.util.EnumSet;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Exclusion;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/**
 * NCCL as a backend: devices, memory, streams, graphs, point-to-point and windows are those of the GPU backend for
 * which the library is, and the library serves all collectives. It runs no plans. It is used only where a program names
 * it.
 */
public class NcclBackendProvider implements BackendProvider {
    private static final String HOST_ID = "NCCL_HOSTID";

    private static final int PRIORITY = -100;

    private final NcclProvider library;

    /** Called by the service loader. */
    public NcclBackendProvider() {
        this(new NcclProvider());
    }

    /** A backend whose collectives a library serves. */
    NcclBackendProvider(NcclProvider library) {
        this.library = library;
    }

    @Override
    public String name() {
        return library.name();
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public String description() {
        return library.description() + ", on devices of backend " + library.backend();
    }

    @Override
    public Availability probe() {
        if (library.probe() instanceof Availability.Unavailable missing) {
            return missing;
        }
        Optional<BackendProvider> devices = devices();
        if (devices.isEmpty()) {
            return Availability.unavailable(
                    "backend " + library.backend() + ", whose devices it needs, is not installed or cannot be loaded;"
                            + " add org.mscclj:mscclj-backend-" + library.backend());
        }
        return devices.get().probe() instanceof Availability.Unavailable missing
                ? Availability.unavailable("backend " + library.backend() + ", whose devices it needs, cannot be used: "
                        + missing.reason())
                : Availability.available();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Averages are not declared, since NCCL has none of integers whose sum wraps, and its averages of float16
     * overflow where their result does not. NCCL serves the other ones.
     */
    @Override
    public Capabilities capabilities() {
        if (!(probe() instanceof Availability.Available)) {
            return new Capabilities(Set.of(), Set.of(), 0, Set.of());
        }
        Capabilities collectives = library.capabilities();
        Set<ReduceOp.Kind> operations = EnumSet.copyOf(collectives.reduceOps());
        operations.remove(ReduceOp.Kind.AVG);
        Set<Exclusion> exclusions = collectives.exclusions().stream()
                .filter(one -> operations.contains(one.op()))
                .collect(Collectors.toSet());
        Capabilities devices = requireDevices().capabilities();
        Set<Feature> features = EnumSet.copyOf(devices.features());
        features.removeAll(Set.of(Feature.PLANS, Feature.MULTICAST));
        return new Capabilities(
                collectives.dataTypes(),
                operations,
                Math.min(collectives.maxRanks(), devices.maxRanks()),
                features,
                exclusions);
    }

    /**
     * Usually false: NCCL refuses a communicator in which a GPU has two ranks of a host. Ranks with values of
     * {@code NCCL_HOSTID} of their own count as ranks of different hosts, which NCCL connects by sockets.
     */
    @Override
    public boolean sharesDevices() {
        return System.getenv(HOST_ID) != null;
    }

    @Override
    public Backend open(BackendOptions options) {
        if (probe() instanceof Availability.Unavailable missing) {
            throw new UnsupportedException("backend " + name() + " cannot be used: " + missing.reason());
        }
        return requireDevices().open(options);
    }

    private BackendProvider requireDevices() {
        return devices().orElseThrow(() -> new IllegalStateException("the probe has found a backend"));
    }

    /** Returns the backend for which the library is; empty if it is not installed, or cannot be loaded. */
    private Optional<BackendProvider> devices() {
        return ServiceLoader.load(BackendProvider.class, BackendProvider.class.getClassLoader()).stream()
                .filter(provider -> !NcclBackendProvider.class.isAssignableFrom(provider.type()))
                .flatMap(NcclBackendProvider::loaded)
                .filter(provider -> provider.name().equals(library.backend()))
                .findFirst();
    }

    private static Stream<BackendProvider> loaded(ServiceLoader.Provider<BackendProvider> provider) {
        try {
            return Stream.of(provider.get());
        } catch (ServiceConfigurationError | LinkageError _) { // the list of backends has it, with the reason
            return Stream.empty();
        }
    }
}
