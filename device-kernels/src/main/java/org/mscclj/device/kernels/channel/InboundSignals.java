package org.mscclj.device.kernels.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Writes the structure {@code InboundSignals} of the device library. */
public final class InboundSignals {
    /** Size of the structure in bytes. */
    public static final int BYTES = 32;

    private static final int COUNTER = 0;
    private static final int AWAITED = 8;
    private static final int ABORT_WORD = 16;
    private static final int PEER_WORD = 24;

    private InboundSignals() {}

    /**
     * Writes a structure.
     *
     * @param memory destination, from its start
     * @param counter address of the counter that the peer raises
     * @param awaited address of the word that counts waits
     * @param abortWord address of the communicator's abort word
     * @param peerWord address of the word that ends waits for the peer
     */
    public static void write(MemorySegment memory, long counter, long awaited, long abortWord, long peerWord) {
        memory.set(ValueLayout.JAVA_LONG, COUNTER, counter);
        memory.set(ValueLayout.JAVA_LONG, AWAITED, awaited);
        memory.set(ValueLayout.JAVA_LONG, ABORT_WORD, abortWord);
        memory.set(ValueLayout.JAVA_LONG, PEER_WORD, peerWord);
    }
}
