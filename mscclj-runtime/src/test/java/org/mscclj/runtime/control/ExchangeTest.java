package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.engine.AbortFlag;

class ExchangeTest {
    @Test
    void whateverARankThrowsTheOthersHearOfIt() {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), Duration.ofSeconds(5), new AbortFlag());
        CompletableFuture<Void> failing = CompletableFuture.runAsync(() -> assertThrows(
                IllegalStateException.class,
                () -> Exchange.gather(plane.ofRank(0), "something", () -> {
                    throw new IllegalStateException("no memory");
                })));
        UnsupportedException e = assertThrows(
                UnsupportedException.class, () -> Exchange.gather(plane.ofRank(1), "something", () -> new byte[0]));
        assertTrue(String.valueOf(e.getMessage()).contains("no memory"), e::getMessage);
        failing.join();
    }

    @Test
    void whatARankThrowsIsNotForgottenWhenTheOthersDoNotCome() {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), Duration.ofMillis(50), new AbortFlag());
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> Exchange.gather(plane.ofRank(0), "something", () -> {
                    throw new IllegalStateException("no memory");
                }));
        assertEquals("no memory", e.getSuppressed()[0].getMessage());
    }
}
