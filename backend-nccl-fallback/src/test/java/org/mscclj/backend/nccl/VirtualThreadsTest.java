package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** Groups of calls are state of a thread of the system, which several virtual threads use in turn. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualThreadsTest {
    private static final int COMMUNICATORS = 8;
    private static final int ROUNDS = 100;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StandInDevice device = new StandInDevice("cuda");

    private void exchange(FallbackCommunicator communicator, int number) {
        DeviceBuffer input = device.allocate(Integer.BYTES);
        DeviceBuffer output = device.allocate(Integer.BYTES);
        for (int round = 0; round < ROUNDS; round++) {
            input.segment().set(JAVA_INT, 0, number + round);
            communicator.enqueue(
                    Collective.ALLTOALL, input, output, DataType.INT32, ReduceOp.NOP, 0, device.createStream());
            assertEquals(number + round, output.segment().get(JAVA_INT, 0));
            Thread.yield();
        }
    }

    @Test
    void aGroupHasTheCallsOfItsOwnCommunicatorOnly() {
        StandIn standIn = StandIn.variant("virtual-threads");
        NcclProvider provider = new NcclProvider(standIn.library(), standIn::nccl);
        List<FallbackCommunicator> communicators = new ArrayList<>();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int number = 0; number < COMMUNICATORS; number++) {
            FallbackCommunicator communicator = provider.open(device, provider.createId(), 0, 1, LIMIT);
            communicators.add(communicator);
            int first = number * ROUNDS;
            ends.add(CompletableFuture.runAsync(() -> exchange(communicator, first), Thread::startVirtualThread));
        }
        ends.forEach(CompletableFuture::join);
        communicators.forEach(FallbackCommunicator::close);
        assertEquals(0, standIn.depth());
    }
}
