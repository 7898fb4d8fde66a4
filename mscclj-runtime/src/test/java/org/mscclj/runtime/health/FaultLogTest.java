package org.mscclj.runtime.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Fault;
import org.mscclj.api.FaultKind;
import org.mscclj.spi.engine.AbortFlag;

class FaultLogTest {
    private static final Instant NOW = Instant.parse("2026-11-23T07:29:01Z");

    private final FaultLog log = new FaultLog(InstantSource.fixed(NOW));
    private final AbortFlag abort = new AbortFlag();

    private AutoCloseable watch() {
        return log.watch("world", 1, abort);
    }

    private static Fault fault(FaultKind kind, String reason) {
        return new Fault(NOW, "world", 1, kind, reason);
    }

    @Test
    void thereIsNoFaultAtFirst() {
        AutoCloseable _ = watch();
        assertTrue(log.health().healthy());
    }

    @Test
    void aLateLaunchIsOne() {
        AutoCloseable _ = watch();
        abort.expire("late", List.of(0));
        assertEquals(List.of(fault(FaultKind.TIMEOUT, "late")), log.health().faults());
        assertFalse(log.health().healthy());
    }

    @Test
    void aLostRankIsOneAndIsNamed() {
        AutoCloseable _ = watch();
        abort.lose(2, "it has ended");
        assertEquals(
                List.of(fault(FaultKind.RANK_LOST, "rank 2 is lost: it has ended")),
                log.health().faults());
    }

    @Test
    void aRankThatCannotGoOnIsOne() {
        AutoCloseable _ = watch();
        abort.fail("its device has failed");
        abort.set("on purpose");
        assertEquals(
                List.of(fault(FaultKind.FAILURE, "its device has failed")),
                log.health().faults());
    }

    @Test
    void whatSomebodyWantsIsNone() {
        AutoCloseable _ = watch();
        abort.set("on purpose");
        abort.expire("late", List.of(0)); // the first reason stays
        assertTrue(log.health().healthy());
    }

    @Test
    void whoSeesTheWordFindsTheFault() {
        List<Boolean> healthy = new ArrayList<>();
        abort.beforeSet(() -> healthy.add(log.health().healthy()));
        AutoCloseable _ = watch();
        abort.beforeSet(() -> healthy.add(log.health().healthy() || abort.isSet()));
        abort.expire("late", List.of());
        assertEquals(List.of(true, false), healthy);
    }

    @Test
    void aWordThatWasSetBeforeCountsOnce() {
        abort.lose(0, "it has ended");
        AutoCloseable _ = watch();
        abort.lose(2, "it has ended, too");
        assertEquals(1, log.health().faults().size());
    }

    @Test
    void whatIsClosedHasNoMoreFaultsButKeepsThoseItHad() throws Exception {
        AutoCloseable closed = watch();
        AbortFlag other = new AbortFlag();
        AutoCloseable failed = log.watch("child", 0, other);
        other.fail("its device has failed");
        failed.close();
        closed.close();
        abort.lose(0, "it has ended");
        assertEquals(
                List.of("child"),
                log.health().faults().stream().map(Fault::communicator).toList());
    }

    @Test
    void theFirstAreKeptAndTheOthersCounted() {
        for (int number = 0; number < FaultLog.KEPT + 3; number++) {
            AbortFlag one = new AbortFlag();
            AutoCloseable _ = log.watch("number " + number, 0, one);
            one.fail("on purpose");
        }
        assertEquals(FaultLog.KEPT, log.health().faults().size());
        assertEquals("number 0", log.health().faults().getFirst().communicator());
        assertEquals(3, log.health().moreFaults());
    }
}
