package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Encrypted connections, with a certificate that signs itself. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void makeKey() throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process keytool = new ProcessBuilder((tool
                                + " -genkeypair -alias rank -keyalg EC -dname CN=rank -storetype PKCS12"
                                + " -storepass changeit"
                                + " -keystore " + folder.resolve("rank.p12"))
                        .split(" "))
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
    }

    /** Ports that the system chooses, encryption, and a given timeout. */
    private static TcpSettings settings(Duration timeout) {
        TcpSettings usual = settings();
        return new TcpSettings(
                usual.ports(),
                usual.networkInterface(),
                usual.lanes(),
                timeout,
                usual.tls(),
                usual.protection(),
                usual.keepAlive());
    }

    private static TcpSettings settings() {
        String store = folder.resolve("rank.p12").toString();
        return TcpSettings.of(Map.of(
                "MSCCLJ_TCP_TLS",
                "1",
                "MSCCLJ_TCP_KEY_STORE",
                store,
                "MSCCLJ_TCP_TRUST_STORE",
                store,
                "MSCCLJ_TCP_STORE_SECRET",
                "changeit"));
    }

    @Test
    void writesAndSignalsArriveEncrypted() {
        byte[] noise = new byte[3 << 20];
        new SplittableRandom(7).nextBytes(noise);
        List<Side> sides = Side.pair(settings(), noise.length);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            left.buffer.copyFrom(MemorySegment.ofArray(noise));
            for (int round = 1; round <= 5; round++) {
                left.connection.write(left.memory, 64, left.peerMemory, 64, noise.length - 64);
                long last = left.connection.signal(left.peerMemory, 0);
                right.awaitCounter(round);
                assertEquals(
                        -1,
                        right.buffer
                                .segment()
                                .asSlice(64)
                                .mismatch(MemorySegment.ofArray(noise).asSlice(64)));
                left.awaitCompleted(last);
                right.awaitCompleted(right.connection.signal(right.peerMemory, 8));
            }
        }
    }

    /** What follows the greeting at once is decrypted together with its end, and no socket tells of it any more. */
    @Test
    void operationsPostedBeforeThePeerConnectedArrive() {
        for (int round = 0; round < 20; round++) {
            try (Side left = new Side(settings(), 64);
                    Side right = new Side(settings(), 64)) {
                TcpEndpoint leftEnd = (TcpEndpoint) left.transport.createEndpoint(right.transport.describeAddress());
                TcpEndpoint rightEnd = (TcpEndpoint) right.transport.createEndpoint(left.transport.describeAddress());
                boolean leftConnects = EndpointDescription.decode(leftEnd.describe())
                        .connectsTo(EndpointDescription.decode(rightEnd.describe()));
                Side waiting = leftConnects ? right : left;
                Side connecting = leftConnects ? left : right;
                waiting.connect(leftConnects ? rightEnd : leftEnd, (leftConnects ? leftEnd : rightEnd).describe());
                long posted =
                        waiting.connection.signal(waiting.transport.importMemory(connecting.memory.describe()), 0);
                connecting.connect(leftConnects ? leftEnd : rightEnd, (leftConnects ? rightEnd : leftEnd).describe());
                connecting.awaitCounter(1);
                waiting.awaitCompleted(posted);
            }
        }
    }

    @Test
    void unencryptedConnectionsAreRejected() throws Exception {
        // an unauthenticated socket that sends no handshake has half of that
        try (Side side = new Side(settings(Duration.ofSeconds(1)), 64);
                TransportEndpoint end = side.transport.createEndpoint(side.transport.describeAddress())) {
            EndpointDescription description = EndpointDescription.decode(end.describe());
            try (RawPeer plain = new RawPeer(description)) {
                assertFalse(plain.greet(description.id(), description.token()));
            }
            try (Side other = new Side(TcpSettings.DEFAULTS, 64)) {
                assertFalse(other.transport.reaches(side.transport.describeAddress()));
            }
        }
    }
}
