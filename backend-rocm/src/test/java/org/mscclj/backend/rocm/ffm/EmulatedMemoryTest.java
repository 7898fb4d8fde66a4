package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.rocm.EmulatedRocm;
import org.mscclj.backend.rocm.RocmBackendProvider;
import org.mscclj.backend.rocm.driver.RocmDriver;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.MappedMemory;

/** Memory of this backend and of other software, as peers map it. */
class EmulatedMemoryTest {
    @BeforeAll
    static void build() throws IOException, InterruptedException {
        EmulatedRocm.require();
    }

    /** Allocates in each way, and says what a peer may do. */
    static final class Memories {
        private static final long BYTES = 1 << 20;

        private Memories() {}

        public static void main(String[] arguments) {
            StringJoiner said = new StringJoiner("; ");
            try (Backend backend = new RocmBackendProvider().open(BackendOptions.threads())) {
                List<BackendDevice> devices = backend.openDevices(List.of(0, 1));
                try (BackendDevice own = devices.getFirst();
                        BackendDevice peer = devices.getLast();
                        DeviceBuffer allocated = own.allocate(BYTES);
                        MappedMemory mapped = peer.map(own.export(allocated))) {
                    said.add("mapped " + mapped.byteSize());
                    own.makeCurrent();
                    said.add("uncached " + adopted(own, peer, HipMemory.UNCACHED));
                    said.add("fine-grained " + adopted(own, peer, HipMemory.FINE_GRAINED));
                    said.add("ordinary " + adopted(own, peer, 0));
                }
            }
            System.out.println(said);
        }

        private static String adopted(BackendDevice own, BackendDevice peer, int flags) {
            long address = allocate(flags);
            try (DeviceBuffer buffer = own.adoptMemory(address, BYTES, () -> {});
                    MappedMemory mapped = peer.map(own.export(buffer))) {
                return "mapped " + mapped.byteSize();
            } catch (UnsupportedException e) {
                return "refused" + (e.getMessage().contains("between kernels only") ? "" : ": " + e.getMessage());
            } finally {
                int _ = HipMemory.INSTANCE.free(address);
            }
        }

        private static long allocate(int flags) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = arena.allocate(JAVA_LONG);
                int _ = HipLibrary.call("hipExtMallocWithFlags", ADDRESS, JAVA_LONG, JAVA_INT)
                        .call(address, BYTES, flags);
                return address.get(JAVA_LONG, 0);
            }
        }
    }

    @Test
    void ordinaryMemoryOfOtherSoftwareIsRefused() throws IOException, InterruptedException {
        assertEquals(
                "mapped 1048576; uncached mapped 1048576; fine-grained mapped 1048576; ordinary refused",
                EmulatedRocm.vm(Memories.class));
    }

    /** Asks for what fails, and says what other software of the thread sees. */
    static final class Expected {
        private Expected() {}

        public static void main(String[] arguments) {
            RocmDriver.INSTANCE.require();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment range = arena.allocate(JAVA_LONG);
                int failed = HipLibrary.call("hipMemGetAddressRange", ADDRESS, ADDRESS, JAVA_LONG)
                        .call(range, range, 8L);
                int seen = HipLibrary.call("hipGetLastError").call();
                boolean coherent = RocmDriver.INSTANCE.memory().isCoherent(8);
                int after = HipLibrary.call("hipGetLastError").call();
                System.out.println((failed != 0) + " " + (seen == failed) + " " + coherent + " " + after);
            }
        }
    }

    @Test
    void anExpectedErrorIsForgotten() throws IOException, InterruptedException {
        assertEquals("true true false 0", EmulatedRocm.vm(Expected.class));
    }
}
