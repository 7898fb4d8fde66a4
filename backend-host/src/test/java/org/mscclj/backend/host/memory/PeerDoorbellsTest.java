package org.mscclj.backend.host.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.posix.PosixSupport;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

/** Who is rung: those whose memory is mapped, and not those that have been replaced. */
class PeerDoorbellsTest {
    @BeforeEach
    void supportedHere() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    void whoseMemoryIsNotMappedAnyMoreIsNotRung() {
        try (HostMemory memory = HostMemory.shared(1)) {
            for (int replacement = 0; replacement < 3; replacement++) {
                try (HostMemory peer = HostMemory.shared(1);
                        DeviceBuffer buffer = peer.allocate(64);
                        DeviceBuffer another = peer.allocate(64)) {
                    MappedMemory first = memory.map(peer.export(buffer));
                    MappedMemory second = memory.map(peer.export(another));
                    assertEquals(1, memory.scheduler().peers());
                    first.close();
                    first.close();
                    assertEquals(1, memory.scheduler().peers());
                    second.close();
                    assertEquals(0, memory.scheduler().peers());
                    memory.map(peer.export(buffer)).close();
                    assertEquals(0, memory.scheduler().peers());
                    MemoryHandle own = memory.export(memory.allocate(8));
                    memory.map(own).close();
                }
            }
        }
    }
}
