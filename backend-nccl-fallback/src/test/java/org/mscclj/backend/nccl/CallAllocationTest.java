package org.mscclj.backend.nccl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** Calls allocate nothing, once the VM has compiled the code: they are repeated until a whole round does not. */
@Timeout(120)
class CallAllocationTest {
    private static final int CALLS = 2_000;
    private static final int CALLS_WITH_LIMIT = 200;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MAX_ROUNDS = 600;

    /** Far below one byte a call. */
    private static final long NOISE_BYTES = 1_024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final StandInDevice device = new StandInDevice("cuda");
    private final org.mscclj.api.device.Stream stream = device.createStream();
    private final DeviceBuffer input = device.allocate(4);
    private final DeviceBuffer output = device.allocate(4);

    @TestFactory
    Stream<DynamicTest> aCallAllocatesNothing() {
        return Stream.of(Duration.ZERO, LIMIT).flatMap(this::calls);
    }

    private Stream<DynamicTest> calls(Duration limit) {
        TransferCall transfer = TransferCall.batch().send(input, 0).receive(output, 0);
        ReduceScatterCall parts = new ReduceScatterCall(List.of(input), output, DataType.INT32, ReduceOp.SUM);
        Stream<DynamicTest> collectives = Stream.of(
                        Collective.ALLREDUCE,
                        Collective.REDUCESCATTER,
                        Collective.ALLGATHER,
                        Collective.ALLTOALL,
                        Collective.BROADCAST,
                        Collective.REDUCE,
                        Collective.SCATTER,
                        Collective.GATHER)
                .map(collective -> test(limit, collective.label(), communicator -> enqueue(communicator, collective)));
        return Stream.concat(
                collectives,
                Stream.of(
                        test(limit, "transfer", communicator -> communicator.transfer(transfer, stream)),
                        test(limit, "parts", communicator -> communicator.reduceScatter(parts, stream))));
    }

    private void enqueue(FallbackCommunicator communicator, Collective collective) {
        ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
        communicator.enqueue(collective, input, output, DataType.INT32, op, 0, stream);
    }

    private DynamicTest test(Duration limit, String name, Consumer<FallbackCommunicator> call) {
        return DynamicTest.dynamicTest(name + (limit.isZero() ? "" : " with a limit"), () -> {
            NcclProvider provider = new NcclProvider(StandIn.require().library(), StandIn.require()::nccl);
            try (FallbackCommunicator communicator = limit.isZero()
                    ? provider.open(device, provider.createId(), 0, 1)
                    : provider.open(device, provider.createId(), 0, 1, limit)) {
                int calls = limit.isZero() ? CALLS : CALLS_WITH_LIMIT; // NCCL has a thread for each of the latter
                long allocated = Long.MAX_VALUE;
                for (int round = 0; round < MAX_ROUNDS && allocated >= NOISE_BYTES; round++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < calls; i++) {
                        call.accept(communicator);
                    }
                    allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
                }
                assertTrue(allocated < NOISE_BYTES, allocated + " bytes for " + calls + " calls");
            }
        });
    }
}
