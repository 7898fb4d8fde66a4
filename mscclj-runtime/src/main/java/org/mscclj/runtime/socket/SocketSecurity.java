package org.mscclj.runtime.socket;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.protection.WireProtection;

/** Encrypts connections by TLS, or leaves them unencrypted. Both sides present certificates. */
public final class SocketSecurity {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String EXPORTER = "EXPORTER-mscclj-proof";
    private static final int EXPORTED_BYTES = 32;

    private final @Nullable SSLContext context;

    private final WireProtection protection;

    private SocketSecurity(@Nullable SSLContext context, WireProtection protection) {
        this.context = context;
        this.protection = protection;
    }

    /**
     * Returns the security that the options request.
     *
     * @throws InvalidArgumentException if a store cannot be read
     */
    public static SocketSecurity of(Optional<TlsOptions> options) {
        return of(options, WireProtection.ofProcess());
    }

    /**
     * Returns the security that the options request. The protection decides which connections without TLS are sealed.
     */
    static SocketSecurity of(Optional<TlsOptions> options, WireProtection protection) {
        return new SocketSecurity(options.map(SocketSecurity::context).orElse(null), protection);
    }

    /** Returns whether frames of a connection must be sealed; TLS protects its frames already. */
    boolean seals(InetAddress local, InetAddress remote) {
        return context == null && protection.seals(local, remote);
    }

    /**
     * Returns data that both ends of a TLS connection know of it, and no process between them knows; empty without TLS.
     */
    byte[] channel(Socket socket) throws IOException {
        return socket instanceof SSLSocket secured && secured.getSession() instanceof ExtendedSSLSession session
                ? session.exportKeyingMaterialData(EXPORTER, new byte[0], EXPORTED_BYTES)
                : new byte[0];
    }

    private static SSLContext context(TlsOptions options) {
        char[] password = options.password().toCharArray();
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(options.keyStore(), password), password);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(options.trustStore(), password));
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new InvalidArgumentException(
                    options + " cannot be used: " + e + "; allowed: two PKCS #12 stores with the given password", e);
        }
    }

    private static KeyStore load(Path file, char[] password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        return store;
    }

    Socket connecting(Socket socket) throws IOException {
        return secured(socket, true);
    }

    Socket accepting(Socket socket) throws IOException {
        return secured(socket, false);
    }

    private Socket secured(Socket socket, boolean client) throws IOException {
        if (context == null) {
            return socket;
        }
        SSLSocket secured = (SSLSocket) context.getSocketFactory()
                .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
        secured.setUseClientMode(client);
        if (!client) {
            secured.setNeedClientAuth(true);
        }
        secured.setEnabledProtocols(new String[] {PROTOCOL});
        secured.startHandshake();
        return secured;
    }
}
