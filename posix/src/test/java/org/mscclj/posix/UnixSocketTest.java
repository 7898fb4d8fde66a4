package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {
    private final String name = "mscclj-test-" + UUID.randomUUID();

    @BeforeAll
    static void requireLinux() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    void descriptorsArePassedWithBytes(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "content");
        try (UnixSocket listening = UnixSocket.listen(name);
                UnixSocket client = UnixSocket.connect(name);
                UnixSocket accepted = listening.accept()) {
            assertTrue(accepted.isOfSameUser());
            int own = NativeFile.open(file.toString(), NativeFile.O_RDWR | NativeFile.O_CLOEXEC, 0);
            client.send(new byte[] {3, 4}, OptionalInt.of(own));
            assertEquals(0, NativeFile.close(own));

            UnixSocket.Received received = accepted.receive(2);
            assertArrayEquals(new byte[] {3, 4}, received.bytes());
            int passed = received.passed().orElseThrow();
            assertEquals("content", Files.readString(Path.of("/proc/self/fd/" + passed)));
            assertEquals(0, NativeFile.close(passed));

            accepted.send(new byte[] {5}, OptionalInt.empty());
            assertEquals(OptionalInt.empty(), client.receive(1).passed());
        }
    }

    @Test
    void aPeerThatHasClosedSendsNothing() {
        try (UnixSocket listening = UnixSocket.listen(name);
                UnixSocket client = UnixSocket.connect(name)) {
            listening.accept().close();
            assertEquals(0, client.receive(1).bytes().length);
        }
    }

    @Test
    void receivingEndsWithItsTime() {
        try (UnixSocket _ = UnixSocket.listen(name);
                UnixSocket client = UnixSocket.connect(name)) {
            client.limit(1);
            PosixException late = assertThrows(PosixException.class, () -> client.receive(1));
            assertEquals(Errno.EAGAIN, late.errno());
            assertTrue(late.getMessage().startsWith("recvmsg failed: "), late::getMessage);
        }
    }

    @Test
    void namesAreTakenOnce() {
        try (UnixSocket _ = UnixSocket.listen(name)) {
            PosixException taken = assertThrows(PosixException.class, () -> UnixSocket.listen(name));
            assertEquals("bind failed: Address already in use", taken.getMessage());
        }
        PosixException gone = assertThrows(PosixException.class, () -> UnixSocket.connect(name));
        assertEquals("connect failed: Connection refused", gone.getMessage());
    }
}
