package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;

/** Memory that ranks register after it was allocated. */
class RegisteredMemoryTest {
    private static final int RANKS = 3;

    private static void run(LocalGroup.RankTask task) {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(task);
        }
    }

    @Test
    void peersAccessItAsTheyAccessAllocatedMemory() {
        run(communicator -> {
            try (DeviceBuffer memory = communicator.device().allocate(4096)) {
                CollectiveCall direct =
                        CollectiveCall.allReduce(memory, DataType.INT32).algorithm("direct");
                assertThrows(UnsupportedException.class, () -> communicator.execute(direct));
                communicator.register(memory);
                memory.segment().setAtIndex(ValueLayout.JAVA_INT, 7, communicator.rank());
                Work work = communicator.execute(direct);
                work.join();
                assertEquals("direct", work.algorithm());
                assertEquals(3, memory.segment().getAtIndex(ValueLayout.JAVA_INT, 7));
            }
        });
    }

    @Test
    void noPartIsRegisteredTwice() {
        run(communicator -> {
            try (DeviceBuffer memory = communicator.device().allocate(4096);
                    DeviceBuffer other = communicator.device().allocate(4096)) {
                communicator.register(memory.slice(1024, 1024));
                for (DeviceBuffer part :
                        new DeviceBuffer[] {memory, memory.slice(0, 1025), memory.slice(1500, 4), memory.slice(2047, 9)
                        }) {
                    // only one rank passes it, and all are refused
                    DeviceBuffer own = communicator.rank() == 1 ? part : other.slice(0, part.byteSize());
                    InvalidArgumentException e =
                            assertThrows(InvalidArgumentException.class, () -> communicator.register(own));
                    assertTrue(String.valueOf(e.getMessage()).contains("registered already"), e::getMessage);
                }
                communicator.register(memory.slice(0, 1024));
                communicator.register(memory.slice(2048, 2048));
            }
        });
    }

    @Test
    void sizesMustBeEqualAndMemoryOpen() {
        run(communicator -> {
            DeviceBuffer memory = communicator.device().allocate(64);
            InvalidArgumentException sizes = assertThrows(
                    InvalidArgumentException.class,
                    () -> communicator.register(memory.slice(0, communicator.rank() == 0 ? 32 : 64)));
            assertTrue(
                    String.valueOf(sizes.getMessage()).contains("ranks [0]: 32 bytes; ranks [1, 2]: 64 bytes"),
                    sizes::getMessage);
            if (communicator.rank() == 2) {
                memory.close();
            }
            assertThrows(InvalidArgumentException.class, () -> communicator.register(memory));
            communicator.barrier();
            memory.close();
        });
    }

    /** The number of a registration is not used again, so that ranks may close their buffers at different times. */
    @Test
    void memoryThatIsClosedIsNoPlaceAnyMore() {
        run(communicator -> {
            for (int i = 0; i < 3; i++) {
                DeviceBuffer memory = communicator.device().allocate(256);
                communicator.register(memory);
                memory.segment().setAtIndex(ValueLayout.JAVA_INT, 0, i);
                communicator
                        .execute(
                                CollectiveCall.allReduce(memory, DataType.INT32).algorithm("direct"))
                        .join();
                assertEquals(RANKS * i, memory.segment().getAtIndex(ValueLayout.JAVA_INT, 0));
                communicator.barrier();
                memory.close();
            }
        });
    }
}
