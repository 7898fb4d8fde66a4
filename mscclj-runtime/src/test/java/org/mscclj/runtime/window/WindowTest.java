package org.mscclj.runtime.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.runtime.window.WindowRanks.TIMEOUT;
import static org.mscclj.runtime.window.WindowRanks.content;
import static org.mscclj.runtime.window.WindowRanks.group;
import static org.mscclj.runtime.window.WindowRanks.message;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;

/** One-sided accesses between ranks that are threads, most of them on one node. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WindowTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int BYTES = (3 << 20) + 7;
    private static final int AROUND = 13;

    /** Many slots' worth at odd places; nothing around it changes. */
    @ParameterizedTest
    @CsvSource({"3, 3", "2, 1", "4, 2"})
    void putsAreSeenBehindASignalAndTouchNothingElse(int ranks, int ranksPerNode) {
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                int next = (communicator.rank() + 1) % ranks;
                int previous = (communicator.rank() + ranks - 1) % ranks;
                try (DeviceBuffer memory = communicator.device().allocate(BYTES + 2L * AROUND);
                        DeviceBuffer source = communicator.device().allocate(BYTES);
                        Window window = communicator.openWindow(memory)) {
                    for (int round = 0; round < 4; round++) {
                        source.copyFrom(MemorySegment.ofArray(message(10L * communicator.rank() + round, BYTES)));
                        Work put = window.put(source, next, AROUND);
                        window.signal(next);
                        window.waitSignal(previous).join();
                        byte[] right = new byte[BYTES + 2 * AROUND];
                        System.arraycopy(message(10L * previous + round, BYTES), 0, right, AROUND, BYTES);
                        assertArrayEquals(right, content(memory));
                        put.join();
                        window.signal(previous); // it may be written again
                        window.waitSignal(next).join();
                    }
                }
            });
        }
    }

    @Test
    void getsReadWhatTheOwnerWroteBeforeItsSignal() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                int own = 1000 * (communicator.rank() + 1); // sizes differ
                try (DeviceBuffer memory = communicator.device().allocate(own);
                        DeviceBuffer target = communicator.device().allocate(900)) {
                    memory.copyFrom(MemorySegment.ofArray(message(communicator.rank(), own)));
                    try (Window window = communicator.openWindow(memory)) {
                        assertEquals(1000 * (peer + 1), window.byteSize(peer));
                        assertSame(memory, window.memory());
                        assertSame(memory, window.mapRemote(communicator.rank()));
                        window.get(peer, 100, target).join();
                        byte[] right = message(peer, window.byteSize(peer) == 1000 ? 1000 : 2000);
                        assertArrayEquals(Arrays.copyOfRange(right, 100, 1000), content(target));
                        assertArrayEquals(right, content(window.mapRemote(peer)));
                        window.get(communicator.rank(), 0, target).join();
                        assertArrayEquals(Arrays.copyOf(message(communicator.rank(), own), 900), content(target));
                    }
                }
            });
        }
    }

    @Test
    void signalsAreCountedAndBelongToTheirWindow() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                try (DeviceBuffer memory = communicator.device().allocate(64);
                        Window first = communicator.openWindow(memory);
                        Window second = communicator.openWindow(memory)) {
                    if (communicator.rank() == 0) {
                        try (PreparedOperation signal = first.prepare(WindowCall.signal(1))) {
                            for (int i = 0; i < 200; i++) {
                                signal.launch();
                            }
                            signal.join(TIMEOUT);
                        }
                        communicator.barrier();
                        communicator.barrier();
                        second.signal(1).join();
                    } else {
                        communicator.barrier();
                        for (int i = 0; i < 200; i++) {
                            first.waitSignal(0).join();
                        }
                        Work none = second.waitSignal(0);
                        OperationTimeoutException e =
                                assertThrows(OperationTimeoutException.class, () -> none.join(SHORT));
                        assertEquals(List.of(0), e.missingRanks());
                        assertTrue(
                                String.valueOf(e.getMessage()).contains("wait for a signal from rank 0"),
                                e::getMessage);
                        communicator.barrier();
                        none.join();
                    }
                }
            });
        }
    }

    @Test
    void whatIsWrongIsRefusedAndChangesNothing() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.device().allocate(64);
                DeviceBuffer buffer = communicator.device().allocate(16);
                Window window = communicator.openWindow(memory);
                for (WindowCall call : List.of(
                        WindowCall.put(buffer, 2, 0),
                        WindowCall.put(buffer, -1, 0),
                        WindowCall.put(buffer, 1, 49),
                        WindowCall.get(0, 65, buffer),
                        WindowCall.put(memory.slice(0, 16), communicator.rank(), 8),
                        WindowCall.put(
                                window.mapRemote(1 - communicator.rank()).slice(0, 16), 1 - communicator.rank(), 8),
                        WindowCall.get(
                                1 - communicator.rank(),
                                8,
                                window.mapRemote(1 - communicator.rank()).slice(0, 16)),
                        WindowCall.signal(communicator.rank()),
                        WindowCall.waitSignal(communicator.rank()),
                        WindowCall.signal(2))) {
                    assertThrows(InvalidArgumentException.class, () -> window.execute(call), call::toString);
                }
                assertThrows(InvalidArgumentException.class, () -> WindowCall.get(0, -1, buffer));
                assertThrows(InvalidArgumentException.class, () -> window.byteSize(2));
                assertThrows(InvalidArgumentException.class, () -> window.mapRemote(2));
                assertThrows(InvalidArgumentException.class, memory::close, "it is in use");
                window.put(buffer, 1, 48).join();
                window.close();
                window.close();
                assertThrows(InvalidArgumentException.class, () -> window.signal(1 - communicator.rank()));
                memory.close();
                assertThrows(InvalidArgumentException.class, () -> communicator.openWindow(memory));
                buffer.close();
            });
        }
    }

    @Test
    void anAbortEndsWaits() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.device().allocate(64);
                Window window = communicator.openWindow(memory);
                if (communicator.rank() == 0) {
                    Work wait = window.waitSignal(1);
                    assertFalse(wait.isCompleted());
                    communicator.abort("on purpose");
                    assertThrows(AbortedException.class, wait::join);
                } else {
                    assertThrows(AbortedException.class, communicator::barrier);
                }
                assertThrows(AbortedException.class, () -> window.put(memory, 1 - communicator.rank(), 0));
                window.close();
                memory.close();
            });
        }
    }

    /** Rank 0's window is refused on all ranks, and nothing has happened: prepared operations can be launched. */
    @Test
    void aWindowIsNotClosedWhileWhatItMapsIsUsed() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                DeviceBuffer memory = communicator.device().allocate(64);
                Window window = communicator.openWindow(memory);
                PreparedOperation put =
                        window.prepare(WindowCall.put(window.mapRemote(peer).slice(0, 8), peer, 8));
                DeviceBuffer.Hold hold = communicator.rank() == 0
                        ? window.mapRemote(1).slice(8, 8).hold()
                        : null;
                InvalidArgumentException e = assertThrows(InvalidArgumentException.class, window::close);
                assertTrue(
                        String.valueOf(e.getMessage())
                                .contains("on rank 0 the memory of ranks [1], which mapRemote gave, is in use"),
                        e::getMessage);
                put.run(TIMEOUT);
                if (hold != null) {
                    hold.close();
                }
                window.mapRemote(peer).close(); // does nothing
                put.run(TIMEOUT);
                window.close();
                assertThrows(InvalidArgumentException.class, put::launch);
                memory.close();
            });
        }
    }

    @Test
    void aCommunicatorClosesItsWindows() {
        List<DeviceBuffer> held = new CopyOnWriteArrayList<>();
        try (LocalGroup group = group(2, 2)) {
            group.run((Communicator communicator) -> {
                DeviceBuffer memory = communicator.device().allocate(communicator.rank() == 0 ? 64 : 0);
                Window window = communicator.openWindow(memory);
                if (communicator.rank() == 0) {
                    assertThrows(InvalidArgumentException.class, () -> window.put(memory, 1, 0));
                    assertThrows(UnsupportedException.class, () -> window.mapRemote(1));
                }
                communicator.close();
                held.add(memory); // peers in this process may still use it
            });
        }
        held.forEach(DeviceBuffer::close);
    }
}
