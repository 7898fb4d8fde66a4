package org.mscclj.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Memory of other software is plain for collectives, and mapped by peers once it is registered for channels. */
class ForeignMemoryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int FLOATS = 1001;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

    private final AtomicInteger released = new AtomicInteger();

    @Test
    void collectivesAndChannelsUseIt() {
        try (Arena arena = Arena.ofShared();
                LocalGroup group = LocalGroup.open(
                        LocalGroupOptions.ranks(2).backend("host").timeout(TIMEOUT))) {
            group.run(communicator -> {
                MemorySegment owned = arena.allocate(FLOATS * Float.BYTES, Float.BYTES);
                try (DeviceBuffer adopted = adopt(communicator, owned)) {
                    reduce(communicator, adopted, owned);
                    put(communicator, adopted, owned);
                }
            });
            assertEquals(2, released.get());
        }
    }

    /** By its address, or as a segment. */
    private DeviceBuffer adopt(Communicator communicator, MemorySegment owned) {
        return communicator.rank() == 0
                ? communicator.device().adoptMemory(owned.address(), owned.byteSize(), released::incrementAndGet)
                : communicator.device().adoptMemory(owned, released::incrementAndGet);
    }

    @Test
    void memoryOfTheHeapIsRefused() {
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(1).backend("host").timeout(TIMEOUT))) {
            group.run(communicator -> {
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator
                                .device()
                                .adoptMemory(MemorySegment.ofArray(new float[4]), released::incrementAndGet));
                assertTrue(String.valueOf(e.getMessage()).contains("a native segment"), e::getMessage);
            });
        }
        assertEquals(0, released.get());
    }

    private static void reduce(Communicator communicator, DeviceBuffer adopted, MemorySegment owned) {
        for (int i = 0; i < FLOATS; i++) {
            owned.setAtIndex(FLOAT, i, communicator.rank() + i);
        }
        communicator.allReduce(adopted, adopted, DataType.FLOAT32, ReduceOp.SUM).join();
        for (int i = 0; i < FLOATS; i++) {
            assertEquals(1 + 2 * i, owned.getAtIndex(FLOAT, i));
        }
    }

    private static void put(Communicator communicator, DeviceBuffer adopted, MemorySegment owned) {
        int peer = 1 - communicator.rank();
        ChannelSetup setup = communicator.channels();
        try (RegisteredMemory own = setup.register(adopted)) {
            setup.sendMemory(own, peer, 0);
            try (RegisteredMemory peers = setup.receiveMemory(peer, 0);
                    Semaphore semaphore = setup.createSemaphore(setup.connect(peer, 0, ChannelKind.MEMORY), 0);
                    MemoryChannel channel = setup.memoryChannel(semaphore, peers, own)) {
                owned.setAtIndex(FLOAT, 0, 100 + communicator.rank());
                channel.put(4 * Float.BYTES, 0, Float.BYTES);
                channel.signal();
                channel.await(TIMEOUT);
                assertEquals(100 + peer, owned.getAtIndex(FLOAT, 4));
                communicator.barrier(); // the peer is still at work on this memory
            }
        }
        communicator.barrier();
    }
}
