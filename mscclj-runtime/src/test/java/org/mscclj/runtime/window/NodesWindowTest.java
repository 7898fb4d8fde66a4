package org.mscclj.runtime.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.runtime.window.WindowRanks.TIMEOUT;
import static org.mscclj.runtime.window.WindowRanks.content;
import static org.mscclj.runtime.window.WindowRanks.group;
import static org.mscclj.runtime.window.WindowRanks.message;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;

/** One-sided accesses between ranks that are threads and count as ranks of several nodes. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodesWindowTest {
    private static final int BYTES = (3 << 20) + 7;
    private static final int AROUND = 13;

    /** A put that was joined has landed: no signal is needed after a barrier. */
    @Test
    void aPutThatHasEndedIsThere() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                try (DeviceBuffer memory = communicator.device().allocate(BYTES);
                        DeviceBuffer source = communicator.device().allocate(BYTES);
                        Window window = communicator.openWindow(memory)) {
                    for (int round = 0; round < 10; round++) {
                        int bytes = BYTES >> 2 * round;
                        byte[] sent = message(10L * communicator.rank() + round, bytes);
                        source.slice(0, bytes).copyFrom(MemorySegment.ofArray(sent));
                        window.put(source.slice(0, bytes), peer, 0).join();
                        communicator.barrier();
                        assertArrayEquals(message(10L * peer + round, bytes), content(memory.slice(0, bytes)));
                        communicator.barrier();
                    }
                }
            });
        }
    }

    /** Owners make no call while others get of them, all at once; sizes differ, also from chunk to chunk. */
    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 2"})
    void getsNeedNoPartOfTheOwner(int ranks, int ranksPerNode) {
        CountDownLatch gotten = new CountDownLatch(ranks - 1);
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                int owner = ranks - 1;
                boolean owns = communicator.rank() == owner;
                try (DeviceBuffer memory = communicator.device().allocate(owns ? BYTES : 0);
                        DeviceBuffer target = communicator.device().allocate(BYTES)) {
                    byte[] right = message(7, BYTES);
                    if (owns) {
                        memory.copyFrom(MemorySegment.ofArray(right));
                    }
                    try (Window window = communicator.openWindow(memory)) {
                        assertEquals(BYTES, window.byteSize(owner));
                        if (owns) {
                            awaitQuietly(gotten);
                        } else {
                            for (int bytes : new int[] {1, 8, 65_471, 65_472, 65_473, 4 * 65_472 + 1, BYTES - 5}) {
                                DeviceBuffer part = target.slice(0, bytes);
                                window.get(owner, 5, part).join();
                                assertArrayEquals(Arrays.copyOfRange(right, 5, 5 + bytes), content(part));
                            }
                            gotten.countDown();
                        }
                    }
                }
            });
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Both get of each other, again and again, into what the other has written before its signal. */
    @Test
    void getsReadWhatTheOwnerWroteBeforeItsSignal() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                int bytes = 200_003;
                try (DeviceBuffer memory = communicator.device().allocate(bytes);
                        DeviceBuffer target = communicator.device().allocate(bytes);
                        Window window = communicator.openWindow(memory)) {
                    for (int round = 0; round < 20; round++) {
                        memory.copyFrom(MemorySegment.ofArray(message(100L * communicator.rank() + round, bytes)));
                        window.signal(peer);
                        window.waitSignal(peer);
                        window.get(peer, 0, target).join();
                        assertArrayEquals(message(100L * peer + round, bytes), content(target));
                        window.signal(peer); // it may be written again
                        window.waitSignal(peer).join();
                    }
                }
            });
        }
    }

    @Test
    void accessesAndSignalsAreReplayed() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                int bytes = 70_001;
                try (DeviceBuffer memory = communicator.device().allocate(bytes);
                        DeviceBuffer source = communicator.device().allocate(bytes);
                        DeviceBuffer target = communicator.device().allocate(bytes);
                        Stream stream = communicator.device().createStream();
                        Window window = communicator.openWindow(memory);
                        PreparedOperation put = window.prepare(WindowCall.put(source, peer, 0));
                        PreparedOperation tell = window.prepare(WindowCall.signal(peer));
                        PreparedOperation wait = window.prepare(WindowCall.waitSignal(peer));
                        PreparedOperation get = window.prepare(WindowCall.get(peer, 0, target));
                        Graph graph = stream.capture(() -> {
                            put.launch(stream);
                            tell.launch(stream);
                            wait.launch(stream);
                            get.launch(stream);
                        })) {
                    for (int round = 0; round < 12; round++) {
                        communicator.barrier(); // nobody looks at the last round's bytes any more
                        byte[] own = message(100L * communicator.rank() + round, bytes);
                        source.copyFrom(MemorySegment.ofArray(own));
                        graph.launch(stream);
                        stream.synchronize(TIMEOUT);
                        assertArrayEquals(message(100L * peer + round, bytes), content(memory));
                        assertArrayEquals(own, content(target)); // what this rank has put
                    }
                }
            });
        }
    }

    /** One rank's gets go on although the owner has closed its communicator, as it would within a node. */
    @Test
    void closingDoesNotEndWhatPeersGet() {
        CountDownLatch closed = new CountDownLatch(1);
        List<DeviceBuffer> left = new CopyOnWriteArrayList<>();
        try (LocalGroup group = group(2, 1)) {
            group.run((Communicator communicator) -> {
                DeviceBuffer memory = communicator.device().allocate(BYTES);
                memory.copyFrom(MemorySegment.ofArray(message(communicator.rank(), BYTES)));
                Window window = communicator.openWindow(memory);
                if (communicator.rank() == 1) {
                    communicator.close();
                    closed.countDown();
                } else {
                    awaitQuietly(closed);
                    try (DeviceBuffer target = communicator.device().allocate(BYTES)) {
                        window.get(1, 0, target).join();
                        assertArrayEquals(message(1, BYTES), content(target));
                        window.put(target, 1, 0).join();
                    }
                    communicator.close();
                }
                left.add(memory); // peers in this process may still use it
            });
        }
        left.forEach(DeviceBuffer::close);
    }

    /** The rank that comes first to closing answers what the other still gets. */
    @Test
    void closingAWindowWaitsForTheAccessesOfAll() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.device().allocate(BYTES);
                DeviceBuffer target = communicator.device().allocate(BYTES);
                for (int round = 0; round < 5; round++) {
                    Window window = communicator.openWindow(memory);
                    if (communicator.rank() == 0) {
                        for (int i = 0; i < 5; i++) {
                            Work _ = window.get(1, 0, target); // closing joins them
                        }
                    }
                    window.close();
                }
                communicator.barrier();
                target.close();
                memory.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anAbortEndsAccesses(int aborting) {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.device().allocate(BYTES);
                DeviceBuffer buffer = communicator.device().allocate(BYTES);
                Window window = communicator.openWindow(memory);
                int peer = 1 - communicator.rank();
                communicator.barrier();
                AbortedException e = assertThrows(AbortedException.class, () -> {
                    for (int i = 0; ; i++) {
                        Work put = window.put(buffer, peer, 0);
                        Work get = window.get(peer, 0, buffer);
                        if (i == 3 && communicator.rank() == aborting) {
                            communicator.abort("on purpose");
                        }
                        put.join();
                        get.join();
                    }
                });
                assertTrue(String.valueOf(e.getMessage()).contains("on purpose"), e::getMessage);
                window.close();
                buffer.close();
                memory.close();
            });
        }
    }

    @Test
    void whatIsWrongIsRefusedAndChangesNothing() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                DeviceBuffer memory = communicator.device().allocate(communicator.rank() == 0 ? 64 : 0);
                DeviceBuffer buffer = communicator.device().allocate(16);
                Window window = communicator.openWindow(memory);
                int beyond = communicator.rank() == 0 ? 0 : 49;
                for (WindowCall call :
                        List.of(WindowCall.put(buffer, peer, beyond), WindowCall.get(peer, beyond, buffer))) {
                    InvalidArgumentException e =
                            assertThrows(InvalidArgumentException.class, () -> window.prepare(call), call::toString);
                    assertTrue(String.valueOf(e.getMessage()).contains("the memory of rank " + peer), e::getMessage);
                }
                UnsupportedException e = assertThrows(UnsupportedException.class, () -> window.mapRemote(peer));
                String why = communicator.rank() == 0 ? "without memory" : "rank 0: it is on another node";
                assertTrue(String.valueOf(e.getMessage()).contains(why), e::getMessage);
                window.put(buffer.slice(0, 0), peer, 0).join();
                if (communicator.rank() == 1) {
                    window.put(buffer, peer, 48).join();
                }
                window.close();
                assertThrows(InvalidArgumentException.class, () -> window.put(buffer, peer, 0));
                buffer.close();
                memory.close();
            });
        }
    }

    /**
     * Buffers of single launches may be closed when those have ended; those of prepared ones not before they are
     * closed.
     */
    @Test
    void buffersAreInUseAsLongAsWithinANode() {
        try (LocalGroup group = group(2, 1)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                try (DeviceBuffer memory = communicator.device().allocate(256);
                        Window window = communicator.openWindow(memory)) {
                    for (int i : IntStream.range(0, 30).toArray()) {
                        DeviceBuffer buffer = communicator.device().allocate(64);
                        (i % 2 == 0 ? window.put(buffer, peer, 64) : window.get(peer, 64, buffer)).join();
                        buffer.close();
                    }
                    DeviceBuffer buffer = communicator.device().allocate(64);
                    try (PreparedOperation put = window.prepare(WindowCall.put(buffer, peer, 0))) {
                        assertThrows(InvalidArgumentException.class, buffer::close);
                        put.run(TIMEOUT);
                    }
                    buffer.close();
                }
            });
        }
    }
}
