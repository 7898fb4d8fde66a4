package org.mscclj.runtime.fallback;

import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackProvider;

/** The fallbacks of this process. Nothing is loaded before a call needs one. */
final class InstalledFallbacks {
    private InstalledFallbacks() {}

    /** The fallback of a device, or the reason why there is none. */
    sealed interface Found {
        /** A fallback that can be used. */
        record Usable(FallbackProvider provider) implements Found {}

        /**
         * No fallback.
         *
         * @param reason why an installed one cannot be used; empty if none is installed for such devices
         */
        record None(Optional<String> reason) implements Found {}
    }

    /** Loads providers when it is first used. */
    private static final class Holder {
        static final List<FallbackProvider> PROVIDERS =
                ProviderCatalog.installed("fallback", FallbackProvider.class).all();
    }

    /** Returns whether a fallback of a name is installed. Loads no library. */
    static boolean has(String name) {
        return Holder.PROVIDERS.stream().anyMatch(provider -> provider.name().equals(name));
    }

    /** Returns the best fallback that works on memory of a device. */
    static Found find(BackendDevice device) {
        Optional<String> reason = Optional.empty();
        for (FallbackProvider provider : Holder.PROVIDERS) {
            if (provider.supports(device)) {
                switch (provider.probe()) {
                    case Availability.Available _ -> {
                        return new Found.Usable(provider);
                    }
                    case Availability.Unavailable unavailable ->
                        reason = reason.or(() -> Optional.of(provider.name() + ": " + unavailable.reason()));
                }
            }
        }
        return new Found.None(reason);
    }
}
