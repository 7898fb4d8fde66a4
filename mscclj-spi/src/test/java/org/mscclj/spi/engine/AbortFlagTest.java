package org.mscclj.spi.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;

class AbortFlagTest {
    private final AbortFlag flag = new AbortFlag();
    private final List<String> log = new ArrayList<>();

    private static Runnable throwing(Error error) {
        return () -> {
            throw error;
        };
    }

    @Test
    void everyActionRunsAlthoughOneFails() {
        flag.whenSet(() -> log.add("first"));
        flag.whenSet(throwing(new InternalError("no thread can be started")));
        flag.whenSet(() -> {
            throw new IllegalStateException("broken");
        });
        flag.whenSet(() -> log.add("the device's word"));
        flag.set("on purpose");
        assertEquals(List.of("first", "the device's word"), log);
        flag.whenSet(throwing(new InternalError("no thread can be started")));
        flag.whenSet(() -> log.add("late"));
        assertEquals("late", log.getLast());
    }

    @Test
    void itIsSetAlthoughAWitnessFails() {
        flag.beforeSet(throwing(new StackOverflowError()));
        flag.beforeSet(() -> log.add("witness, set: " + flag.isSet()));
        flag.whenSet(() -> log.add("action, set: " + flag.isSet()));
        flag.set("on purpose");
        assertEquals(List.of("witness, set: false", "action, set: true"), log);
        assertTrue(flag.isSet());
        assertEquals("on purpose", flag.reason().orElseThrow());
    }

    @Test
    void aWitnessSeesWhyBeforeAnybodyKnows() {
        Runnable forgotten = () -> log.add("forgotten");
        flag.beforeSet(forgotten);
        flag.beforeSet(() -> log.add(flag.cause() + ", " + flag.reason() + ", set: " + flag.isSet()));
        flag.forget(forgotten);
        flag.fail("its device has failed");
        assertEquals(List.of("Optional[FAILED], Optional[its device has failed], set: false"), log);
    }

    @Test
    void aDeviceThatHasFailedIsThrownWithItsCode() {
        flag.fail("rank 1: its device has failed", new BackendException("misaligned address", 716, "MISALIGNED"));
        flag.fail("later");
        BackendException thrown = assertInstanceOf(BackendException.class, flag.exception("allreduce"));
        assertEquals(716, thrown.code());
        assertEquals("MISALIGNED", thrown.symbol());
        assertTrue(String.valueOf(thrown.getMessage()).contains("rank 1: its device has failed"), thrown::toString);
    }

    @Test
    void theCauseTellsWhatHasSetIt() {
        assertEquals(Optional.empty(), flag.cause());
        flag.fail("its device has failed");
        flag.set("on purpose");
        assertEquals(Optional.of(AbortCause.FAILED), flag.cause());
        assertInstanceOf(AbortedException.class, flag.exception("allreduce"));
        AbortFlag requested = new AbortFlag();
        requested.set("on purpose");
        assertEquals(Optional.of(AbortCause.REQUESTED), requested.cause());
        AbortFlag late = new AbortFlag();
        late.expire("late", List.of());
        assertEquals(Optional.of(AbortCause.LATE), late.cause());
        AbortFlag lost = new AbortFlag();
        lost.lose(1, "it has ended");
        assertEquals(Optional.of(AbortCause.RANK_LOST), lost.cause());
    }

    @Test
    void actionsRunOnceAndTheFirstReasonStays() {
        flag.whenSet(() -> log.add("once"));
        Runnable forgotten = () -> log.add("forgotten");
        flag.whenSet(forgotten);
        flag.forget(forgotten);
        flag.lose(3, "it has ended");
        flag.set("on purpose");
        assertEquals(List.of("once"), log);
        assertEquals(3, flag.lostRank().orElseThrow());
        assertEquals("it has ended", flag.reason().orElseThrow());
    }

    @Test
    void aFollowerIsSetForTheSameReason() {
        AbortFlag follower = flag.follower();
        follower.whenSet(() -> log.add("follower: " + follower.reason().orElseThrow()));
        flag.fail("rank 1: its device has failed", new BackendException("misaligned address", 716, "MISALIGNED"));
        assertEquals(List.of("follower: rank 1: its device has failed"), log);
        assertEquals(Optional.of(AbortCause.FAILED), follower.cause());
        assertEquals(
                716,
                assertInstanceOf(BackendException.class, follower.exception("wait"))
                        .code());
        AbortFlag late = new AbortFlag();
        AbortFlag ofLate = late.follower();
        late.expire("late", List.of(3));
        assertEquals(Optional.of(List.of(3)), ofLate.missingRanks());
        assertTrue(flag.follower().isSet(), "a follower of what is set");
    }

    @Test
    void aFollowerMayBeSetAloneAndKeepsItsReason() {
        AbortFlag follower = flag.follower();
        follower.lose(2, "it has closed");
        assertFalse(flag.isSet());
        flag.set("on purpose");
        assertEquals(Optional.of("it has closed"), follower.reason());
        assertEquals(2, follower.lostRank().orElseThrow());
    }
}
