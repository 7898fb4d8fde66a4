package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** Calls on a stream that the caller names. */
class StreamOfCallTest {
    private static final int RANKS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Plan PLAN = ShippedProgram.SCRATCH.plan(
            ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true));

    /** Every kind of call. */
    private enum Kind {
        COLLECTIVE,
        PLAN_CALL,
        TRANSFER,
        REDUCTION,
        BARRIER,
        WINDOW;

        Work execute(Communicator communicator, DeviceBuffer buffer, Window window, Stream stream) {
            int peer = 1 - communicator.rank();
            return switch (this) {
                case COLLECTIVE -> communicator.execute(CollectiveCall.allReduce(buffer, DataType.INT32), stream);
                case PLAN_CALL -> communicator.execute(PlanCall.of(PLAN, buffer, buffer, DataType.INT32), stream);
                case TRANSFER ->
                    communicator.execute(
                            TransferCall.batch().send(buffer.slice(0, 64), peer).receive(buffer.slice(64, 64), peer),
                            stream);
                case REDUCTION ->
                    communicator.execute(
                            communicator
                                    .variable()
                                    .reduceScatter(
                                            List.of(buffer.slice(0, 64), buffer.slice(64, 64)),
                                            buffer.slice(128, 64),
                                            DataType.INT32,
                                            ReduceOp.SUM),
                            stream);
                case BARRIER -> communicator.execute(BarrierCall.STREAMS, stream);
                case WINDOW -> window.execute(WindowCall.put(buffer.slice(0, 64), peer, 0), stream);
            };
        }
    }

    /** The call runs behind earlier work of the named stream, and not of the communicator's own. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void runsBehindTheWorkOfItsStream(Kind kind) {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(256);
                        DeviceBuffer source = communicator.device().allocate(256);
                        Window window = communicator.openWindow(communicator.allocate(64), LIMIT);
                        Stream stream = communicator.device().createStream()) {
                    kind.execute(communicator, buffer, window, communicator.stream())
                            .join(LIMIT);
                    source.segment().setAtIndex(ValueLayout.JAVA_INT, 0, 5);
                    source.segment().setAtIndex(ValueLayout.JAVA_INT, 16, 6);
                    stream.copy(source, buffer);
                    Work work = kind.execute(communicator, buffer, window, stream);
                    stream.synchronize(LIMIT);
                    assertTrue(work.isCompleted(), "the stream has waited for it");
                    work.join(LIMIT);
                    communicator.barrier();
                    switch (kind) {
                        case COLLECTIVE, PLAN_CALL ->
                            assertEquals(10, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 0));
                        case TRANSFER -> assertEquals(5, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 16));
                        case REDUCTION ->
                            assertEquals(
                                    communicator.rank() == 0 ? 10 : 12,
                                    buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 32));
                        case WINDOW -> assertEquals(5, window.memory().segment().getAtIndex(ValueLayout.JAVA_INT, 0));
                        case BARRIER -> {}
                    }
                    communicator.barrier();
                }
            });
        }
    }

    /** A known call goes to whatever stream is named, also to one that is closed at once. */
    @Test
    void aStreamMayBeClosedWhenTheCallHasReturned() {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(64)) {
                    CollectiveCall sum = CollectiveCall.allReduce(buffer, DataType.INT32);
                    buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 3, 1);
                    for (int i = 0; i < 5; i++) {
                        Work work;
                        try (Stream stream = communicator.device().createStream();
                                Event before = communicator.device().createEvent()) {
                            communicator.stream().record(before);
                            stream.await(before);
                            work = communicator.execute(sum, stream);
                        }
                        work.join(LIMIT);
                        communicator.execute(sum).join(LIMIT);
                    }
                    assertEquals(1 << 10, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 3));
                }
            });
        }
    }
}
