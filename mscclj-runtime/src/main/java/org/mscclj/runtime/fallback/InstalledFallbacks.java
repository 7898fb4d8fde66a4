package org.mscclj.runtime.fallback;

import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackProvider;

/** The fallbacks of this process. Nothing is loaded before a call needs one. */
public final class InstalledFallbacks {
    private InstalledFallbacks() {}

    /**
     * A fallback of a device.
     *
     * @param problem why its library cannot be used; empty if it can
     */
    record Found(FallbackProvider provider, Optional<String> problem) {
        boolean isUsable() {
            return problem.isEmpty();
        }
    }

    /** Loads providers when it is first used. */
    private static final class Holder {
        static final List<FallbackProvider> PROVIDERS =
                ProviderCatalog.installed("fallback", FallbackProvider.class).all();
    }

    /** Returns whether a fallback of a name is installed. Loads no library. */
    public static boolean has(String name) {
        return Holder.PROVIDERS.stream().anyMatch(provider -> provider.name().equals(name));
    }

    /**
     * Returns the best fallback that works on memory of a device: one that can be used, if there is one; empty if none
     * is installed for such devices.
     */
    static Optional<Found> find(BackendDevice device) {
        Optional<Found> unusable = Optional.empty();
        for (FallbackProvider provider : Holder.PROVIDERS) {
            if (provider.supports(device)) {
                switch (provider.probe()) {
                    case Availability.Available _ -> {
                        return Optional.of(new Found(provider, Optional.empty()));
                    }
                    case Availability.Unavailable unavailable ->
                        unusable =
                                unusable.or(() -> Optional.of(new Found(provider, Optional.of(unavailable.reason()))));
                }
            }
        }
        return unusable;
    }
}
