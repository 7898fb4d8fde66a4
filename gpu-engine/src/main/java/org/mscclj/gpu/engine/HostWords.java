package org.mscclj.gpu.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * Words in memory of the host that kernels read and write: they say what has ended, and what is aborted. Pinned memory
 * is taken in large pieces, because taking it is slow, and handed out in lines. Safe for use by several threads.
 */
public final class HostWords implements AutoCloseable {
    /** What the host's processors and the GPU move at once. */
    private static final long LINE = 128;

    private static final long PIECE = 64 << 10;

    private final BackendDevice device;
    private final List<DeviceBuffer> pieces = new ArrayList<>();
    private final TreeMap<Long, Deque<Words>> free = new TreeMap<>();

    /**
     * A pool that is empty.
     *
     * @param device whose pinned memory it takes
     */
    public HostWords(BackendDevice device) {
        this.device = device;
    }

    /** Some words, all 0, to be given back when no kernel uses them. */
    synchronized Words take(int count) {
        long bytes = Math.ceilDiv(Math.max(count, 1) * 8L, LINE) * LINE;
        Deque<Words> ready = free.computeIfAbsent(bytes, _ -> new ArrayDeque<>());
        if (ready.isEmpty()) {
            addPiece(bytes, ready);
        }
        Words words = ready.remove();
        words.memory.fill((byte) 0);
        return words;
    }

    /** Takes words back. */
    synchronized void giveBack(Words words) {
        Deque<Words> ready = free.get(words.memory.byteSize());
        if (ready == null) {
            throw new IllegalStateException("words of " + words.memory.byteSize() + " bytes are not of this pool");
        }
        ready.add(words);
    }

    private void addPiece(long bytes, Deque<Words> ready) {
        DeviceBuffer piece = device.allocateHost(Math.max(PIECE, bytes));
        pieces.add(piece);
        for (long offset = 0; offset + bytes <= piece.byteSize(); offset += bytes) {
            ready.add(new Words(piece.segment().asSlice(offset, bytes), piece.address() + offset));
        }
    }

    @Override
    public synchronized void close() {
        free.clear();
        pieces.forEach(DeviceBuffer::close);
        pieces.clear();
    }

    /** A few words. */
    static final class Words {
        private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

        private final MemorySegment memory;
        private final long address;

        private Words(MemorySegment memory, long address) {
            this.memory = memory;
            this.address = address;
        }

        /** Where they start, as the GPU sees it. */
        long address() {
            return address;
        }

        /** A word; acquires what its writer released. */
        long getAcquire(int index) {
            return (long) WORD.getAcquire(memory, index * 8L);
        }

        /** Writes a word; releases. */
        void setRelease(int index, long value) {
            WORD.setRelease(memory, index * 8L, value);
        }
    }
}
