package org.mscclj.conformance.suite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/** Finds the provider of a backend, which declares its capabilities. */
public final class InstalledBackend {
    private InstalledBackend() {}

    /**
     * Returns what a backend declares for ranks of this host: if ranks share no devices, they are not more than
     * devices.
     */
    public static Capabilities onThisHost(BackendProvider provider) {
        Capabilities declared = provider.capabilities();
        if (provider.sharesDevices()) {
            return declared;
        }
        try (Backend backend = provider.open(BackendOptions.threads())) {
            int most = Math.min(declared.maxRanks(), backend.deviceCount().orElse(declared.maxRanks()));
            return new Capabilities(
                    declared.dataTypes(), declared.reduceOps(), most, declared.features(), declared.exclusions());
        }
    }

    /**
     * Returns the provider of a backend.
     *
     * @param name its name; empty for the best available one
     * @throws UnsupportedException if there is no usable provider; the message lists the installed ones
     */
    public static BackendProvider find(Optional<String> name) {
        return find(name, any -> true);
    }

    /**
     * Returns the provider of a backend.
     *
     * @param name its name; empty for the best available one that is suitable
     * @param suits whether a backend is suitable by its declarations; not applied to a named backend
     * @throws UnsupportedException if there is no usable provider; the message lists the installed ones
     */
    public static BackendProvider find(Optional<String> name, Predicate<Capabilities> suits) {
        List<BackendProvider> all = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (var found = ServiceLoader.load(BackendProvider.class, BackendProvider.class.getClassLoader()).stream()
                        .iterator();
                found.hasNext(); ) {
            ServiceLoader.Provider<BackendProvider> next = found.next();
            try {
                all.add(next.get());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(next.type().getName() + " (cannot be loaded: " + e.getMessage() + ")");
            }
        }
        return all.stream()
                .sorted(Comparator.comparingInt(Provider::priority).reversed().thenComparing(Provider::name))
                .filter(provider -> name.isPresent()
                        ? provider.name().equals(name.get())
                        : suits.test(provider.capabilities()) && provider.probe() instanceof Availability.Available)
                .filter(provider -> {
                    if (provider.probe() instanceof Availability.Unavailable unavailable) {
                        throw new UnsupportedException(
                                "backend " + provider.name() + " cannot be used here: " + unavailable.reason());
                    }
                    return true;
                })
                .findFirst()
                .orElseThrow(() -> new UnsupportedException("backend " + name.orElse("of any name")
                        + " is not installed; installed: "
                        + all.stream().map(Provider::name).toList() + (broken.isEmpty() ? "" : ", " + broken)
                        + "; put its artifact on the class path or module path"));
    }
}
