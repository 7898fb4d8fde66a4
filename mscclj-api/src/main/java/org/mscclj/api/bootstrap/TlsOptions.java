package org.mscclj.api.bootstrap;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Encrypts bootstrap and control connections by TLS, on top of their authentication by the secret. Both stores are of
 * type PKCS #12; each rank presents its own key and accepts peers whose certificates the trust store trusts.
 *
 * @param keyStore this rank's private key and certificate
 * @param trustStore trusted certificates of peers
 * @param password of both stores
 */
public record TlsOptions(Path keyStore, Path trustStore, String password) {
    /** Checks that nothing is null. */
    public TlsOptions {
        Objects.requireNonNull(keyStore, "keyStore");
        Objects.requireNonNull(trustStore, "trustStore");
        Objects.requireNonNull(password, "password");
    }

    /** The stores only, since the text may be logged. */
    @Override
    public String toString() {
        return "TlsOptions[" + keyStore + ", " + trustStore + "]";
    }
}
