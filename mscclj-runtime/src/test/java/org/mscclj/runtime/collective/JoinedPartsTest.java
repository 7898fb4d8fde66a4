package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.work.AbortableWork;

class JoinedPartsTest {
    private static final MsccljException ABORT = new AbortedException("on purpose");

    private final List<Integer> joined = new ArrayList<>();

    /** Joins a work of three parts, of which the second and third throw. */
    private MsccljException joinThree(MsccljException failure, boolean aborted) {
        List<Work> works = List.of(
                new Part(1, null, aborted, joined),
                new Part(2, failure, aborted, joined),
                new Part(3, failure, aborted, joined));
        ReductionsWork all = new ReductionsWork(works, Duration.ofSeconds(1), 3);
        return assertThrows(MsccljException.class, all::join);
    }

    @Test
    void afterAnAbortAllPartsAreWaitedFor() {
        assertSame(ABORT, joinThree(ABORT, true));
        assertEquals(List.of(1, 2, 1, 2, 3), joined);
    }

    /** Not each for as long: what is behind something else on its stream does not end. */
    @Test
    void afterAnAbortAllPartsTogetherHaveTheTimeOfOne() {
        List<Long> nanos = new ArrayList<>();
        JoinedParts.awaitEnds(List.of(1, 2), Long.MAX_VALUE, (part, left) -> {
            nanos.add(left);
            if (part == 1) {
                LockSupport.parkNanos(left / 100);
            }
        });
        assertTrue(nanos.getFirst() <= AbortableWork.MAX_END_NANOS, nanos::toString);
        assertTrue(nanos.getLast() <= nanos.getFirst(), nanos::toString);
        nanos.clear();
        JoinedParts.awaitEnds(List.of(1), -1, (_, left) -> nanos.add(left));
        assertEquals(List.of(0L), nanos);
    }

    @Test
    void afterATimeoutNoneIsWaitedForAnyMore() {
        OperationTimeoutException late = new OperationTimeoutException("late", List.of());
        assertSame(late, joinThree(late, false));
        assertEquals(List.of(1, 2), joined);
    }

    private record Part(int number, @Nullable MsccljException thrown, boolean isAborted, List<Integer> joined)
            implements AbortableWork {
        @Override
        public void join(Duration limit) {
            joined.add(number);
            if (thrown != null) {
                throw thrown;
            }
        }

        @Override
        public void join() {
            join(Duration.ZERO);
        }

        @Override
        public boolean isInVain() {
            return false;
        }

        @Override
        public boolean isCompleted() {
            return true;
        }

        @Override
        public Duration timeout() {
            return Duration.ZERO;
        }

        @Override
        public MsccljException late(Duration waited) {
            throw new UnsupportedOperationException("it has ended");
        }

        @Override
        public void await(Stream stream) {}

        @Override
        public String algorithm() {
            return "ring";
        }

        @Override
        public long sequence() {
            return number;
        }
    }
}
