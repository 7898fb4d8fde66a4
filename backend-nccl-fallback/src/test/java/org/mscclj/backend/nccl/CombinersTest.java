package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.backend.nccl.ffm.StandIn.Fault;
import org.mscclj.backend.nccl.ffm.StandIn.Kind;
import org.mscclj.spi.fallback.FallbackCommunicator;

class CombinersTest {
    private final StandInDevice device = new StandInDevice("cuda");

    private void reduce(FallbackCommunicator communicator) {
        DeviceBuffer input = device.allocate(Integer.BYTES);
        DeviceBuffer output = device.allocate(Integer.BYTES);
        input.segment().set(JAVA_INT, 0, 21);
        communicator.enqueue(
                Collective.ALLREDUCE, input, output, DataType.INT32, ReduceOp.premulSum(2), 0, device.createStream());
        assertEquals(42, output.segment().get(JAVA_INT, 0));
    }

    /** The caller must not take the call for one that was not enqueued. */
    @Test
    void aSumThatIsNotFreedDoesNotFailItsCall() {
        StandIn standIn = StandIn.variant("combiners");
        NcclProvider provider = new NcclProvider(standIn.library(), standIn::nccl);
        try (FallbackCommunicator communicator =
                provider.open(device, provider.createId(), 0, 1, Duration.ofSeconds(30))) {
            standIn.inject("ncclRedOpDestroy", Fault.FAIL, 2, 1);
            reduce(communicator);
            assertEquals(1, standIn.live(Kind.OPERATIONS));
            assertTrue(communicator.failure().isEmpty());
            reduce(communicator);
            assertEquals(1, standIn.live(Kind.OPERATIONS));
        }
    }
}
