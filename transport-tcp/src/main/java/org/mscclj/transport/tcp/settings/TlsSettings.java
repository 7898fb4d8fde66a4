package org.mscclj.transport.tcp.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;

/**
 * The key store and the trust store of TLS. Both sides present a certificate, and check the other's against the trust
 * store.
 *
 * @param keyStore file with this process's key and certificate, PKCS#12
 * @param trustStore file with the certificates that are accepted, PKCS#12
 * @param password the password of both
 */
public record TlsSettings(Path keyStore, Path trustStore, String password) {
    /** Older versions are not accepted. */
    public static final String PROTOCOL = "TLSv1.3";

    static final String TLS = "MSCCLJ_TCP_TLS";
    static final String KEY_STORE = "MSCCLJ_TCP_KEY_STORE";
    static final String TRUST_STORE = "MSCCLJ_TCP_TRUST_STORE";
    static final String PASSWORD_SECRET = "MSCCLJ_TCP_STORE_SECRET";

    /** Reads the environment variables; empty if TLS is off. */
    static Optional<TlsSettings> of(Map<String, String> environment) {
        return Flag.of(environment, TLS, false)
                ? Optional.of(new TlsSettings(
                        file(environment, KEY_STORE),
                        file(environment, TRUST_STORE),
                        environment.getOrDefault(PASSWORD_SECRET, "")))
                : Optional.empty();
    }

    private static Path file(Map<String, String> environment, String variable) {
        String name = environment.getOrDefault(variable, "");
        Path file = Path.of(name);
        if (name.isBlank() || !Files.isReadable(file)) {
            throw InvalidArgumentException.of(
                    variable,
                    name.isBlank() ? "not set" : name,
                    "a readable PKCS#12 file, as " + TLS + " is 1; its password is read from " + PASSWORD_SECRET);
        }
        return file;
    }

    /** Reads the keys and certificates from their files, which is slow. */
    public SSLContext context() throws IOException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(keyStore), password.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore));
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS with " + keyStore + " and " + trustStore + ": " + e.getMessage(), e);
        }
    }

    private KeyStore load(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password.toCharArray());
        }
        return store;
    }

    @Override
    public String toString() {
        return "TLS with " + keyStore + " and " + trustStore;
    }
}
