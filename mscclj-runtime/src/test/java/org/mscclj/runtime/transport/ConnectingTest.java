package org.mscclj.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/** Rank 0 connects to rank 1 over a transport that waits for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectingTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    private final AbortFlag abort = new AbortFlag();
    private final ControlPlane control = new LocalControlPlane(Nodes.one(2), LIMIT, abort).ofRank(0);

    /** An end whose peer does not answer. */
    private static class Waiting implements TransportEndpoint {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public byte[] describe() {
            return new byte[0];
        }

        @Override
        public TransportConnection connect(byte[] peerEndpoint) {
            throw new UnsupportedOperationException("no limit is given");
        }

        @Override
        public TransportConnection connect(byte[] peerEndpoint, Duration limit) {
            begun.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new InvalidArgumentException("the connection is closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private TransportConnection connect(TransportEndpoint endpoint) {
        try (Backend backend = HostRank.openBackend();
                BackendDevice device = backend.openDevice(0);
                RankLinks links = new RankLinks("rank 0 of test", device, LIMIT, abort, FaultHandler.of(abort))) {
            return links.connect(control, endpoint, new byte[0], 1, "slow", Deadline.after(LIMIT));
        }
    }

    @Test
    void aTimeoutNamesTheRank() {
        OperationTimeoutException late = new OperationTimeoutException("it did not answer", List.of());
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> connect(new Waiting() {
                    @Override
                    public TransportConnection connect(byte[] peerEndpoint, Duration limit) {
                        throw late;
                    }
                }));
        assertEquals(List.of(1), e.missingRanks());
        assertEquals(
                "rank 0 of test waited in vain to connect to rank 1 over transport slow: it did not answer",
                e.getMessage());
        assertSame(late, e.getCause());
    }

    @Test
    void anAbortEndsTheWaitWhichOthersCanSee() throws Exception {
        Waiting endpoint = new Waiting();
        Thread aborting = Thread.ofPlatform().start(() -> {
            try {
                endpoint.begun.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertEquals(List.of(1), control.openCall().orElseThrow().awaited());
            abort.set("on purpose");
        });
        AbortedException e = assertThrows(AbortedException.class, () -> connect(endpoint));
        assertEquals("connect to rank 1 over transport slow: the communicator was aborted: on purpose", e.getMessage());
        aborting.join();
        assertEquals(Optional.empty(), control.openCall());
    }
}
