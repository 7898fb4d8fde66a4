package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.Structures;
import org.mscclj.spi.engine.Scaling;
import org.mscclj.spi.engine.SumForm;

/** The host writes the fields of structures at the offsets of the device library. */
class DeviceStructureTest {
    private static long at(MemorySegment memory, Map<String, Long> offsets, String field) {
        return memory.get(ValueLayout.JAVA_LONG, offsets.get(field));
    }

    /** A plan for three ranks, with memory from address 1 to address 12. */
    private static Scaling scaling(DataType type, ReduceOp op) {
        return new Scaling(SumForm.of(type, op.kind(), 3), memoryAt(1), memoryAt(12), type, op, true);
    }

    /** Device memory with an address and 8 bytes, without content. */
    private static DeviceBuffer memoryAt(long address) {
        return (DeviceBuffer) Proxy.newProxyInstance(
                DeviceBuffer.class.getClassLoader(),
                new Class<?>[] {DeviceBuffer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("address")) {
                        return address;
                    }
                    if (method.getName().equals("byteSize")) {
                        return 8L;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void launchHeader() {
        Map<String, Long> offsets = Structures.offsets("mscclj/launch.cuh", "LaunchHeader");
        assertEquals(LaunchHeader.BYTES, offsets.get("end"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(LaunchHeader.BYTES, 8);
            LaunchHeader header = new LaunchHeader(memory);
            header.blocks(1);
            header.abortWord(2);
            header.counters(3);
            header.finished(4);
            header.number(5);
            header.roundShift(6);
            header.table(7);
            header.wrapBarrier(8);
            header.scratch(9, 10);
            header.peers(11);
            header.running(12);
            header.blockCount(13, true);
            header.letsNext(true);
            header.semaphores(15, 16, 17);
            assertEquals(1, at(memory, offsets, "blocks"));
            assertEquals(2, at(memory, offsets, "abortWord"));
            assertEquals(3, at(memory, offsets, "counters"));
            assertEquals(4, at(memory, offsets, "finished"));
            assertEquals(5, at(memory, offsets, "number"));
            assertEquals(6, at(memory, offsets, "roundShift"));
            assertEquals(7, at(memory, offsets, "table"));
            assertEquals(8, at(memory, offsets, "wrapBarrier"));
            assertEquals(9, at(memory, offsets, "scratch"));
            assertEquals(10, at(memory, offsets, "scratchBytes"));
            assertEquals(11, at(memory, offsets, "peers"));
            assertEquals(12, at(memory, offsets, "running"));
            assertEquals(13, memory.get(ValueLayout.JAVA_INT, offsets.get("blockCount")));
            assertEquals(1, memory.get(ValueLayout.JAVA_SHORT, offsets.get("syncsAtWrap")));
            assertEquals(1, memory.get(ValueLayout.JAVA_SHORT, offsets.get("letsNext")));
            assertEquals(15, at(memory, offsets, "semaphores"));
            assertEquals(16, at(memory, offsets, "leavers"));
            assertEquals(17, at(memory, offsets, "semaphoreCount"));
        }
    }

    @Test
    void blockState() {
        Map<String, Long> offsets = Structures.offsets("mscclj/launch.cuh", "alignas(32) BlockState");
        assertEquals(BlockState.BYTES, offsets.get("end"));
        assertEquals(BlockState.FLAG, offsets.get("flag"));
        assertEquals(BlockState.LEFT, offsets.get("left"));
        assertEquals(BlockState.ENDED, offsets.get("ended"));
        assertEquals(BlockState.BEGUN, offsets.get("begun"));
        assertEquals(BlockState.TRACE, offsets.get("trace"));
    }

    @Test
    void scaleArguments() {
        Map<String, Long> offsets = Structures.offsets("mscclj/scale.cuh", "ScaleArguments");
        assertEquals(ScaleArguments.BYTES, offsets.get("end"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ScaleArguments.BYTES, 8);
            ScaleArguments arguments = new ScaleArguments(memory);
            arguments.contribution(scaling(DataType.FLOAT32, ReduceOp.AVG), memoryAt(2));
            arguments.finished(4);
            arguments.number(5);
            arguments.state(6);
            arguments.running(7);
            arguments.abortWord(8);
            arguments.scaling(9);
            assertEquals(1, at(memory, offsets, "from"));
            assertEquals(2, at(memory, offsets, "to"));
            assertEquals(8 / Float.BYTES, at(memory, offsets, "elements"));
            assertEquals(0.25, memory.get(ValueLayout.JAVA_DOUBLE, offsets.get("factor")));
            assertEquals(4, at(memory, offsets, "finished"));
            assertEquals(5, at(memory, offsets, "number"));
            assertEquals(6, at(memory, offsets, "state"));
            assertEquals(7, at(memory, offsets, "running"));
            assertEquals(8, at(memory, offsets, "abortWord"));
            assertEquals(9, at(memory, offsets, "scaling"));
            assertEquals(0, at(memory, offsets, "factorAddress"));
            arguments.result(scaling(DataType.FLOAT32, ReduceOp.AVG), memoryAt(11));
            assertEquals(11, at(memory, offsets, "from"));
            assertEquals(12, at(memory, offsets, "to"));
            assertEquals(0.75, memory.get(ValueLayout.JAVA_DOUBLE, offsets.get("factor")));
            arguments.contribution(scaling(DataType.INT64, ReduceOp.AVG), memoryAt(2));
            assertEquals(3, at(memory, offsets, "multiple"), "the number of ranks");
            arguments.contribution(scaling(DataType.INT32, ReduceOp.premulSum(7)), memoryAt(2));
            assertEquals(7.0, memory.get(ValueLayout.JAVA_DOUBLE, offsets.get("factor")));
            assertEquals(7, at(memory, offsets, "multiple"));
            assertEquals(0, at(memory, offsets, "factorAddress"));
            arguments.contribution(scaling(DataType.INT32, ReduceOp.premulSum(memoryAt(10))), memoryAt(2));
            assertEquals(10, at(memory, offsets, "factorAddress"));
        }
    }
}
