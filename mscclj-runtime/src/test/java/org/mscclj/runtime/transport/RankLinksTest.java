package org.mscclj.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.transport.ConnectionListener;

class RankLinksTest {
    @Test
    void aConnectionThatFailsAbortsAndNamesThePeer() {
        AbortFlag abort = new AbortFlag();
        try (Backend backend = HostRank.openBackend();
                BackendDevice device = backend.openDevice(0);
                RankLinks links =
                        new RankLinks("rank 3 of test", device, Duration.ofSeconds(5), abort, FaultHandler.of(abort))) {
            ConnectionListener listener = links.listener(7, "tcp", links.proxy());
            listener.progressed();
            assertEquals(Optional.empty(), abort.reason());
            listener.failed("it broke");
            assertEquals(
                    Optional.of("rank 3 of test lost rank 7, which it reached by transport tcp: it broke"),
                    abort.reason());
            assertEquals(OptionalInt.of(7), abort.lostRank());
        }
    }
}
