package org.mscclj.runtime.provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.fallback.FallbackProvider;
import org.mscclj.spi.transport.TransportProvider;

/**
 * The providers of one kind, best first. Immutable. If a provider cannot be loaded, the catalog lists it with the
 * reason, and the other providers still work.
 *
 * @param <P> the kind
 */
public final class ProviderCatalog<P extends Provider> {
    private final String kind;
    private final List<P> providers;
    private final List<ProviderStatus> broken;

    private ProviderCatalog(String kind, List<P> providers, List<ProviderStatus> broken) {
        this.kind = kind;
        this.providers = providers.stream()
                .sorted(Comparator.comparingInt(Provider::priority).reversed().thenComparing(Provider::name))
                .toList();
        this.broken = List.copyOf(broken);
    }

    /** Creates a catalog of the given providers, for tests. */
    static <P extends Provider> ProviderCatalog<P> of(String kind, List<P> providers) {
        return new ProviderCatalog<>(kind, providers, List.of());
    }

    /**
     * Returns all providers that the service loader finds.
     *
     * @param kind used in messages, for example {@code backend}
     * @param service {@link BackendProvider}, {@link TransportProvider}, {@link FallbackProvider} or
     *     {@link org.mscclj.spi.multicast.MulticastProvider}
     */
    public static <P extends Provider> ProviderCatalog<P> installed(String kind, Class<P> service) {
        List<P> providers = new ArrayList<>();
        List<ProviderStatus> broken = new ArrayList<>();
        Iterator<ServiceLoader.Provider<P>> found =
                ServiceLoader.load(service, ProviderCatalog.class.getClassLoader()).stream()
                        .iterator();
        while (true) {
            String name = "(unknown)";
            try {
                if (!found.hasNext()) {
                    break;
                }
                ServiceLoader.Provider<P> next = found.next();
                name = next.type().getName();
                providers.add(next.get());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(new ProviderStatus(
                        name,
                        Integer.MIN_VALUE,
                        "cannot be loaded",
                        Optional.of("the provider cannot be loaded: " + e.getMessage()
                                + "; check that its artifact and the libraries it needs have matching versions")));
            }
        }
        return new ProviderCatalog<>(kind, providers, broken);
    }

    private static ProviderStatus status(Provider provider) {
        Optional<String> reason = switch (ProviderCode.probe(provider)) {
            case Availability.Available available -> Optional.empty();
            case Availability.Unavailable unavailable -> Optional.of(unavailable.reason());
        };
        return new ProviderStatus(
                provider.name(),
                provider.priority(),
                reason.isEmpty() ? provider.description() : provider.name(),
                reason);
    }

    /** Returns every provider and whether it can be used, best first. */
    public List<ProviderStatus> statuses() {
        return Stream.concat(providers.stream().map(ProviderCatalog::status), broken.stream())
                .toList();
    }

    /**
     * Makes all providers check their variables.
     *
     * @throws InvalidArgumentException if a variable has a bad value; the exception names the variable and the allowed
     *     values
     */
    public void requireValid(Map<String, String> environment) {
        for (P provider : providers) {
            ProviderCode.requireValid(provider, environment);
        }
    }

    /** Returns all providers that are loaded, whether or not they can be used, best first. */
    public List<P> all() {
        return providers;
    }

    /** Returns the providers that can be used, best first. */
    public List<P> available() {
        return providers.stream().filter(ProviderCatalog::isAvailable).toList();
    }

    private static boolean isAvailable(Provider provider) {
        return ProviderCode.probe(provider) instanceof Availability.Available;
    }

    /**
     * Returns the provider of the given name, or the best one that can be used. Probes no other provider, since a probe
     * may start a driver.
     *
     * @throws UnsupportedException if there is none; the exception lists the installed providers, and why each of the
     *     rest cannot be used
     */
    public P find(Optional<String> name) {
        return find(name, any -> true);
    }

    /**
     * Returns the provider of the given name, or the best one that suits and can be used.
     *
     * @param suits whether a provider that is not named is suitable, by what it declares
     * @throws UnsupportedException if there is none; the exception lists the installed providers, and why each of the
     *     rest cannot be used
     */
    public P find(Optional<String> name, Predicate<P> suits) {
        return providers.stream()
                .filter(provider -> name.map(provider.name()::equals).orElseGet(() -> suits.test(provider)))
                .filter(ProviderCatalog::isAvailable)
                .findFirst()
                .orElseThrow(() -> new UnsupportedException(refusal(name)));
    }

    private String refusal(Optional<String> name) {
        StringBuilder text = new StringBuilder(
                name.map(wanted -> kind + " " + wanted + " is not available").orElse("no " + kind + " is available"));
        List<ProviderStatus> statuses = statuses();
        if (statuses.isEmpty()) {
            return text.append("; none is installed: add one, for example org.mscclj:mscclj-backend-host, to the"
                            + " class path or"
                            + " module path")
                    .toString();
        }
        text.append("; installed: ");
        for (int i = 0; i < statuses.size(); i++) {
            ProviderStatus status = statuses.get(i);
            text.append(i == 0 ? "" : "; ")
                    .append(status.name())
                    .append(status.unavailable()
                            .map(reason -> " (not usable: " + reason + ")")
                            .orElse(" (usable)"));
        }
        return text.toString();
    }
}
