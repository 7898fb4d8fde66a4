package org.mscclj.api.bootstrap;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a store is served by TCP. Without encryption, whoever can listen on the network reads what is stored: the
 * secret of a communicator too, unless it is in the communicator's options and need not be stored.
 *
 * @param address host and port
 * @param secret what both sides prove to know
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
     * An address without encryption; the text is what {@link RendezvousAddress#parse} reads; port 0 lets the server
     * choose.
     */
    public static StoreAddress of(String address, String secret) {
        return new StoreAddress(RendezvousAddress.parseWithAnyPort(address), secret, Optional.empty());
    }

    /** The same with encryption. */
    public StoreAddress withTls(TlsOptions options) {
        return new StoreAddress(address, secret, Optional.of(Objects.requireNonNull(options, "tls")));
    }

    /** Without the secret, since this may end up in a log. */
    @Override
    public String toString() {
        return "StoreAddress[" + address + tls.map(options -> ", " + options).orElse("") + "]";
    }
}
