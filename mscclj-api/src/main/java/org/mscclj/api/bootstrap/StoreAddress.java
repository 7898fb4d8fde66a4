package org.mscclj.api.bootstrap;

import java.util.Objects;
import java.util.Optional;

/**
 * The address at which a store is served by TCP. Without encryption, any process that can listen on the network can
 * read the stored values, including the secret of a communicator, unless the communicator's options have the secret and
 * it need not be stored.
 *
 * @param address host and port
 * @param secret the secret that both sides prove to know
 * @param tls encryption; empty for none
 */
public record StoreAddress(RendezvousAddress address, String secret, Optional<TlsOptions> tls) {
    /** Checks that the secret cannot be guessed. */
    public StoreAddress {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(tls, "tls");
        GuessableSecret.refuse("secret of a store", secret);
    }

    /**
     * An address without encryption, in the format of {@link RendezvousAddress#parse}; port 0 lets the server choose a
     * port.
     */
    public static StoreAddress of(String address, String secret) {
        return new StoreAddress(RendezvousAddress.parseWithAnyPort(address), secret, Optional.empty());
    }

    /** Returns a copy with encryption. */
    public StoreAddress withTls(TlsOptions options) {
        return new StoreAddress(address, secret, Optional.of(Objects.requireNonNull(options, "tls")));
    }

    /** Without the secret, since the text may be logged. */
    @Override
    public String toString() {
        return "StoreAddress[" + address + tls.map(options -> ", " + options).orElse("") + "]";
    }
}
