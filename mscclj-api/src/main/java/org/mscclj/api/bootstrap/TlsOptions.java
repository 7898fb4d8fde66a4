package org.mscclj.api.bootstrap;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Encrypts bootstrap and control connections by TLS, on top of their authentication by the secret. Both stores are of
 * type PKCS #12; each rank shows the key of its own and accepts peers whose certificates the trust store vouches for.
 *
 * @param keyStore this rank's private key and certificate
 * @param trustStore certificates that peers are trusted by
 * @param password of both stores
 */
public record TlsOptions(Path keyStore, Path trustStore, String password) {
    /** Checks that nothing is null. */
    public TlsOptions {
        Objects.requireNonNull(keyStore, "keyStore");
        Objects.requireNonNull(trustStore, "trustStore");
        Objects.requireNonNull(password, "password");
    }

    /** The stores only, since this may end up in a log. */
    @Override
    public String toString() {
        return "TlsOptions[" + keyStore + ", " + trustStore + "]";
    }
}
