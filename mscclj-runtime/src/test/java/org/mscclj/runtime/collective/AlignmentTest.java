package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * One rank passes misaligned memory: what the ranks set up together all of them refuse, and the communicator goes on.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AlignmentTest {
    private static final int BYTES = 256;

    private static LocalGroup open(boolean comparing) {
        return LocalGroup.open(LocalGroupOptions.ranks(2)
                .backend("host")
                .compareCalls(comparing)
                .timeout(Duration.ofSeconds(20)));
    }

    /** The memory of rank 1 begins in the middle of an element. */
    private static DeviceBuffer part(Communicator communicator, DeviceBuffer whole) {
        return whole.slice(communicator.rank() == 1 ? 2 : 0, BYTES);
    }

    private static void assertRefused(Runnable call) {
        String message = String.valueOf(
                assertThrows(InvalidArgumentException.class, call::run).getMessage());
        assertTrue(message.contains("rank 1: the input is at address 0x"), message);
        assertTrue(message.contains("2 bytes after a multiple of 4"), message);
        assertTrue(message.contains("multiples of 4, the bytes of a float32 element"), message);
    }

    private static void sum(Communicator communicator, DeviceBuffer memory) {
        DeviceBuffer element = memory.slice(0, Float.BYTES);
        element.segment().set(ValueLayout.JAVA_FLOAT, 0, communicator.rank() + 1f);
        communicator.allReduce(element, element, DataType.FLOAT32, ReduceOp.SUM).join();
        assertEquals(3f, element.segment().get(ValueLayout.JAVA_FLOAT, 0));
    }

    @Test
    void collectiveIsRefusedOnAllRanks() {
        try (LocalGroup group = open(false)) {
            group.run(communicator -> {
                try (DeviceBuffer input = communicator.allocate(2 * BYTES);
                        DeviceBuffer output = communicator.allocate(BYTES)) {
                    CollectiveCall call = CollectiveCall.allReduce(part(communicator, input), output, DataType.FLOAT32);
                    assertRefused(() -> communicator.execute(call));
                    assertRefused(() -> communicator.prepare(call));
                    sum(communicator, output);
                }
            });
        }
    }

    @Test
    void planIsRefusedOnAllRanks() {
        try (LocalGroup group = open(false)) {
            group.run(communicator -> {
                try (DeviceBuffer input = communicator.allocate(2 * BYTES);
                        DeviceBuffer output = communicator.allocate(BYTES)) {
                    PlanCall call = PlanCall.of(
                            ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, 2)),
                            part(communicator, input),
                            output,
                            DataType.FLOAT32);
                    assertRefused(() -> communicator.execute(call));
                    assertRefused(() -> communicator.prepare(call));
                    sum(communicator, output);
                }
            });
        }
    }

    @Test
    void reductionOfPartsIsRefusedOnAllRanks() {
        try (LocalGroup group = open(false)) {
            group.run(communicator -> {
                try (DeviceBuffer input = communicator.allocate(2 * BYTES);
                        DeviceBuffer output = communicator.allocate(2 * BYTES)) {
                    List<DeviceBuffer> parts = List.of(output.slice(BYTES, BYTES), part(communicator, input));
                    String message = String.valueOf(assertThrows(
                                    InvalidArgumentException.class,
                                    () -> communicator.execute(communicator
                                            .variable()
                                            .reduceScatter(
                                                    parts, output.slice(0, BYTES), DataType.FLOAT32, ReduceOp.SUM)))
                            .getMessage());
                    assertTrue(message.contains("rank 1: the input for rank 1 is at address 0x"), message);
                    sum(communicator, output);
                }
            });
        }
    }

    @Test
    void partsThatAreComparedAreRefusedOnAllRanks() {
        try (LocalGroup group = open(true)) {
            group.run(communicator -> {
                try (DeviceBuffer input = communicator.allocate(2 * BYTES);
                        DeviceBuffer output = communicator.allocate(2 * BYTES)) {
                    List<Long> counts = List.of(16L, 16L);
                    TransferCall call = communicator
                            .variable()
                            .allToAll(part(communicator, input), counts, output, counts, DataType.FLOAT32);
                    String message = String.valueOf(
                            assertThrows(InvalidArgumentException.class, () -> communicator.execute(call))
                                    .getMessage());
                    assertTrue(message.contains("rank 1: what it sends to rank"), message);
                    sum(communicator, output);
                }
            });
        }
    }

    /** Bytes begin anywhere, whatever they are elements of to their owner. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void bytesAtOddAddressesAreTaken(int shift) {
        try (LocalGroup group = open(false)) {
            group.run(communicator -> {
                try (DeviceBuffer input = communicator.allocate(2 * BYTES);
                        DeviceBuffer output = communicator.allocate(2 * BYTES)) {
                    int peer = 1 - communicator.rank();
                    input.segment().fill((byte) (communicator.rank() + 1));
                    communicator
                            .execute(TransferCall.batch()
                                    .send(input.slice(shift, BYTES), peer)
                                    .receive(output.slice(8 - shift, BYTES), peer))
                            .join();
                    assertEquals(peer + 1, output.segment().get(ValueLayout.JAVA_BYTE, 8 - shift + BYTES - 1));
                    communicator
                            .allReduce(
                                    input.slice(shift, BYTES), output.slice(shift, BYTES), DataType.UINT8, ReduceOp.SUM)
                            .join();
                    assertEquals(3, output.segment().get(ValueLayout.JAVA_BYTE, shift));
                    communicator
                            .allReduce(input.slice(shift, 0), output.slice(shift, 0), DataType.FLOAT64, ReduceOp.SUM)
                            .join();
                }
            });
        }
    }
}
