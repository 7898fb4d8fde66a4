package org.mscclj.backend.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.device.BackendOptions;

/** The backend where no GPU backend is installed. {@code config/emulation/test.sh} checks it with one. */
class NcclBackendProviderTest {
    private final NcclBackendProvider provider = new NcclBackendProvider();

    @BeforeEach
    void standIn() {
        StandIn.require();
    }

    @Test
    void withoutItsDevicesItCannotBeUsed() {
        String reason = assertInstanceOf(Availability.Unavailable.class, provider.probe())
                .reason();
        assertTrue(reason.contains("backend cuda, whose devices it needs, is not installed"), reason);
        assertTrue(reason.contains("org.mscclj:mscclj-backend-cuda"), reason);
        String refusal = assertThrows(
                        UnsupportedException.class, () -> provider.open(BackendOptions.separateProcesses()))
                .getMessage();
        assertTrue(String.valueOf(refusal).contains(reason), refusal);
    }

    @Test
    void withoutItsDevicesItDeclaresNothing() {
        assertEquals(new Capabilities(Set.of(), Set.of(), 0, Set.of()), provider.capabilities());
    }

    @Test
    void rcclHasABackendOfItsOwn() {
        RcclBackendProvider rccl = new RcclBackendProvider();
        assertEquals("rccl", rccl.name());
        String reason =
                assertInstanceOf(Availability.Unavailable.class, rccl.probe()).reason();
        assertTrue(reason.contains("is NCCL, which works on GPUs of NVIDIA only; install RCCL"), reason);
        assertEquals("RCCL, on devices of backend rocm", rccl.description());
    }

    @Test
    void itsNameIsThatOfTheFallbackAndOthersAreChosenFirst() {
        assertEquals(new NcclProvider().name(), provider.name());
        assertTrue(provider.priority() < 0);
    }
}
