package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;

/** Encrypted control connections. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTest {
    private static final String PASSWORD = "password";

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeKeys() throws Exception {
        keytool("-genkeypair", "-keystore", "keys.p12", "-alias", "own", "-keyalg", "EC", "-dname", "CN=rank");
        keytool("-exportcert", "-keystore", "keys.p12", "-alias", "own", "-file", "rank.crt");
        keytool("-importcert", "-keystore", "trust.p12", "-alias", "rank", "-file", "rank.crt", "-noprompt");
        keytool("-genkeypair", "-keystore", "other.p12", "-alias", "own", "-keyalg", "EC", "-dname", "CN=stranger");
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    private static TlsOptions tls(String keys) {
        return new TlsOptions(folder.resolve(keys), folder.resolve("trust.p12"), PASSWORD);
    }

    private static CommunicatorOptions options(int rank, int size, UniqueId id) {
        return CommunicatorOptions.rank(rank, size).uniqueId(id).timeout(Duration.ofSeconds(30));
    }

    @Test
    void ranksMeetEncrypted() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(3, rank -> {
            try (Communicator communicator =
                    Communicator.open(options(rank, 3, id).tls(tls("keys.p12")))) {
                for (int i = 0; i < 10; i++) {
                    communicator.barrier();
                }
            }
        });
    }

    @Test
    void ranksWithoutATrustedKeyAreRefused() throws Exception {
        UniqueId id = UniqueId.create();
        try (RankThreads.Running running = new RankThreads.Running()) {
            running.start(
                    0,
                    rank -> Bootstrap.connect(options(0, 2, id).tls(tls("keys.p12")), Duration.ofSeconds(5))
                            .values()
                            .forEach(socket -> assertTrue(socket.toString().contains("SSL"), socket::toString)));
            assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(
                            options(1, 2, id).timeout(Duration.ofSeconds(1)).tls(tls("other.p12")),
                            Duration.ofSeconds(5)));
            assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(options(1, 2, id).timeout(Duration.ofSeconds(1)), Duration.ofMillis(500)));
            running.start(1, rank -> Bootstrap.connect(options(1, 2, id).tls(tls("keys.p12")), Duration.ofSeconds(5)));
            running.join();
        }
    }

    /**
     * A process between two ranks that has a certificate of the same authority passes their proofs on: they hold for
     * another TLS connection.
     */
    @Test
    void aTrustedCertificateIsNoWayBetweenTwoRanks() throws Exception {
        UniqueId id = UniqueId.create();
        int port = id.address().ports().first();
        try (RankThreads.Running running = new RankThreads.Running();
                SSLServerSocket between = (SSLServerSocket)
                        context().getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            running.start(
                    0,
                    rank -> assertThrows(
                            OperationTimeoutException.class,
                            () -> Bootstrap.connect(
                                    options(0, 2, id)
                                            .timeout(Duration.ofSeconds(8))
                                            .tls(tls("keys.p12")),
                                    Duration.ofSeconds(5))));
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> passOn(between, id.address().host(), port));
            UniqueId changed =
                    new UniqueId(RendezvousAddress.parse("127.0.0.1:" + between.getLocalPort()), id.secret());
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> Bootstrap.connect(
                            options(1, 2, changed)
                                    .timeout(Duration.ofSeconds(6))
                                    .tls(tls("keys.p12")),
                            Duration.ofSeconds(5)));
            assertTrue(String.valueOf(e.getMessage()).contains("a third party is between"), e::getMessage);
            running.join();
        }
    }

    private static SSLContext context() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(folder.resolve("keys.p12").toFile(), PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(KeyStore.getInstance(folder.resolve("trust.p12").toFile(), PASSWORD.toCharArray()));
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static void passOn(SSLServerSocket between, String host, int port) {
        while (!between.isClosed()) {
            try {
                Socket near = between.accept();
                Socket far = context().getSocketFactory().createSocket(host, port);
                Thread.ofPlatform().daemon().start(() -> copy(near, far));
                Thread.ofPlatform().daemon().start(() -> copy(far, near));
            } catch (GeneralSecurityException | IOException _) {
                return; // the test is over
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // an end has closed
        }
    }

    @Test
    void aStoreThatCannotBeReadIsNamed() {
        UniqueId id = UniqueId.create();
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> Bootstrap.connect(options(1, 2, id).tls(tls("missing.p12")), Duration.ofSeconds(1)));
        assertTrue(String.valueOf(e.getMessage()).contains("missing.p12"), e::getMessage);
    }
}
