package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;

/**
 * A launch that cannot begin yet, as its stream waits for something else: here for a launch of another communicator
 * that the peer has not made.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbortBehindOtherWorkTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void whoJoinsIsToldSoonAfterAnAbort() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                Communicator aborted =
                        communicator.split(List.of(0, 1), "aborted").orElseThrow();
                DeviceBuffer memory = communicator.allocate(64);
                DeviceBuffer other = aborted.allocate(64);
                try (Stream stream = communicator.device().createStream();
                        PreparedOperation ahead =
                                communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT32));
                        PreparedOperation behind = aborted.prepare(CollectiveCall.allReduce(other, DataType.INT32))) {
                    if (communicator.rank() == 0) {
                        ahead.launch(stream);
                        behind.launch(stream);
                        communicator.barrier();
                        long start = System.nanoTime();
                        assertThrows(AbortedException.class, () -> behind.join(LIMIT));
                        Duration waited = Duration.ofNanos(System.nanoTime() - start);
                        assertTrue(waited.compareTo(LIMIT.dividedBy(4)) < 0, waited.toString());
                        assertFalse(behind.isCompleted(), "its buffers are in use");
                        communicator.barrier();
                    } else {
                        communicator.barrier();
                        aborted.abort("on purpose");
                        communicator.barrier();
                        ahead.launch(stream);
                    }
                    ahead.join(LIMIT);
                }
                communicator.barrier();
            });
        }
    }
}
