package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerFaultsTest {
    private final AbortFlag abort = new AbortFlag();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Peers that answer, or not, after they have said something. */
    private ControlPlane peers(Runnable saying) {
        return (ControlPlane) Proxy.newProxyInstance(
                ControlPlane.class.getClassLoader(), new Class<?>[] {ControlPlane.class}, (_, method, arguments) -> {
                    assertEquals("launchesOf", method.getName());
                    assertEquals(List.of(3), arguments[0]);
                    assertFalse(abort.isSet());
                    saying.run();
                    return Map.of();
                });
    }

    private void awaitEnd() throws InterruptedException {
        abort.whenSet(ended::countDown);
        ended.await();
    }

    @Test
    void aPeerThatSaysNothingIsLost() throws InterruptedException {
        new PeerFaults(peers(() -> {}), abort).failed(OptionalInt.of(3), "it broke");
        awaitEnd();
        assertEquals(OptionalInt.of(3), abort.lostRank());
        assertEquals(Optional.of("it broke"), abort.reason());
    }

    @Test
    void aPeerThatHasAbortedIsNotLost() throws InterruptedException {
        new PeerFaults(peers(() -> abort.set("the peer wants that")), abort).failed(OptionalInt.of(3), "it broke");
        awaitEnd();
        assertEquals(Optional.of(AbortCause.REQUESTED), abort.cause());
        assertEquals(Optional.of("the peer wants that"), abort.reason());
    }

    @Test
    void whatFailsOnThisSideIsNoLoss() {
        new PeerFaults(peers(() -> {}), abort).failed(OptionalInt.empty(), "a trigger is bad");
        assertEquals(Optional.of(AbortCause.FAILED), abort.cause());
    }
}
