package org.mscclj.gpu.queue;

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
 * A pool of words in the host's memory that kernels read and write: they show which launches have ended and which are
 * aborted. Pinned memory is allocated in large pieces, because allocating it is slow, and handed out in cache lines.
 * Safe for use by several threads.
 */
public final class HostWords implements AutoCloseable {
    /** The bytes that the host's processors and the GPU move at once. */
    private static final long LINE = 128;

    private static final long PIECE = 64 << 10;

    private final BackendDevice device;
    private final List<DeviceBuffer> pieces = new ArrayList<>();
    private final TreeMap<Long, Deque<Words>> free = new TreeMap<>();

    /**
     * Creates an empty pool.
     *
     * @param device the device whose pinned memory the pool uses
     */
    public HostWords(BackendDevice device) {
        this.device = device;
    }

    /** Takes words, all of them 0. They are given back when no kernel uses them. */
    public synchronized Words take(int count) {
        long bytes = Math.ceilDiv(Math.max(count, 1) * 8L, LINE) * LINE;
        Deque<Words> ready = free.computeIfAbsent(bytes, _ -> new ArrayDeque<>());
        if (ready.isEmpty()) {
            addPiece(bytes, ready);
        }
        Words words = ready.remove();
        words.memory.fill((byte) 0);
        return words;
    }

    /** Returns words to the pool. */
    public synchronized void giveBack(Words words) {
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

    /** Words that belong to one user. */
    public static final class Words {
        private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

        private final MemorySegment memory;
        private final long address;

        private Words(MemorySegment memory, long address) {
            this.memory = memory;
            this.address = address;
        }

        /** The address of the first word on the GPU. */
        public long address() {
            return address;
        }

        /** Reads a word with acquire semantics: acquires what its writer released. */
        public long getAcquire(int index) {
            return (long) WORD.getAcquire(memory, index * 8L);
        }

        /** Writes a word with release semantics. */
        public void setRelease(int index, long value) {
            WORD.setRelease(memory, index * 8L, value);
        }
    }
}
