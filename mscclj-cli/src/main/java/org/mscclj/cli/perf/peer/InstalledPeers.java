package org.mscclj.cli.perf.peer;

import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.spi.Availability;
import org.mscclj.spi.fallback.FallbackProvider;

/** The libraries that {@code --peer} can name. */
public final class InstalledPeers {
    /** The names, for help and messages. */
    public static final String NAMES = "mpi, nccl, nccl-symmetric, rccl or rccl-symmetric";

    private static final String SYMMETRIC = "-symmetric";

    private InstalledPeers() {}

    /**
     * Returns the peer of a name, without starting it.
     *
     * @param example one of the calls to time
     * @param notes receives notes
     * @throws InvalidArgumentException if there is no such peer, it is not installed, or it does not support the call;
     *     the message says what to do
     */
    public static Peer find(String name, CheckedCall example, Consumer<String> notes) {
        if (name.equals("mpi")) {
            MpiPeer.require(example);
            return new MpiPeer();
        }
        boolean symmetric = name.endsWith(SYMMETRIC);
        String library = symmetric ? name.substring(0, name.length() - SYMMETRIC.length()) : name;
        FallbackProvider provider =
                provider(library).orElseThrow(() -> InvalidArgumentException.of("--peer", name, NAMES));
        if (provider.probe() instanceof Availability.Unavailable unavailable) {
            throw new InvalidArgumentException(
                    "--peer is " + name + ", which cannot be used here: " + unavailable.reason());
        }
        LibraryPeer.require(provider, name, example);
        return new LibraryPeer(provider, symmetric, notes);
    }

    private static Optional<FallbackProvider> provider(String name) {
        return ServiceLoader.load(FallbackProvider.class, InstalledPeers.class.getClassLoader()).stream()
                .flatMap(provider -> loaded(provider).stream())
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }

    /** A library that cannot be loaded is reported by {@code mscclj info}. */
    private static Optional<FallbackProvider> loaded(ServiceLoader.Provider<FallbackProvider> provider) {
        try {
            return Optional.of(provider.get());
        } catch (ServiceConfigurationError | LinkageError e) {
            return Optional.empty();
        }
    }
}
