package org.mscclj.support.interpreter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.support.memory.Memory;

/**
 * The memory of one operand of an operation in one round. Positions are payload bytes from the start of the operation's
 * range.
 *
 * @param base address of the buffer, or of the half of its scratch; 0 if addresses are offsets for a proxy
 * @param start start of the range, in padded bytes
 * @param length length of the range, in bytes
 * @param pieces the pieces of the range
 * @param packets whether the operand holds packets, of which each carries 4 bytes of payload in a word of 8
 */
record Operand(long base, long start, long length, List<Piece> pieces, boolean packets) {
    /** The address of padding, which reads as zeros and ignores writes. */
    static final long PADDING = -1;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final long DATA = 0xFFFF_FFFFL;

    /**
     * A part of the range that is contiguous.
     *
     * @param address its start; {@link #PADDING} if it is padding
     * @param bytes its length
     */
    record Span(long address, int bytes) {}

    /** The first contiguous part of the bytes from a position. */
    Span span(long position, int bytes) {
        for (Piece piece : pieces) {
            long into = start + position - piece.padded();
            if (into < piece.length()) {
                int length = (int) Math.min(bytes, piece.length() - into);
                long real = piece.real() + into;
                return new Span(piece.isPadding() ? PADDING : base + (packets ? 2 * real : real), length);
            }
        }
        throw new IllegalStateException("position " + position + " of " + length);
    }

    /**
     * Reads bytes, or waits for packets.
     *
     * @param flag the flag of valid packets
     * @return the number of leading bytes that were read: all of plain data, and of packets those that have arrived
     */
    int read(Memory memory, long position, byte[] into, int bytes, int flag) {
        int done = 0;
        while (done < bytes) {
            Span span = span(position + done, bytes - done);
            int read = packets ? unpack(memory, span, into, done, flag) : copy(memory, span, into, done);
            done += read;
            if (read < span.bytes()) {
                break;
            }
        }
        return done;
    }

    private static int copy(Memory memory, Span span, byte[] into, int at) {
        if (span.address() == PADDING) {
            Arrays.fill(into, at, at + span.bytes(), (byte) 0);
        } else {
            memory.read(span.address(), into, at, span.bytes());
        }
        return span.bytes();
    }

    private static int unpack(Memory memory, Span span, byte[] into, int at, int flag) {
        for (int i = 0; i < span.bytes(); i += Integer.BYTES) {
            long packet = memory.getAcquire(span.address() + 2L * i);
            if ((int) (packet >>> Integer.SIZE) != flag) {
                return i;
            }
            INT.set(into, at + i, (int) packet);
        }
        return span.bytes();
    }

    /** Writes bytes, as packets with a flag if the operand holds packets. */
    void write(Memory memory, long position, byte[] from, int bytes, int flag) {
        for (int done = 0; done < bytes; ) {
            Span span = span(position + done, bytes - done);
            if (packets) {
                pack(memory, span, from, done, flag);
            } else if (span.address() != PADDING) {
                memory.write(span.address(), from, done, span.bytes());
            }
            done += span.bytes();
        }
    }

    private static void pack(Memory memory, Span span, byte[] from, int at, int flag) {
        for (int i = 0; i < span.bytes(); i += Integer.BYTES) {
            long data = (int) INT.get(from, at + i) & DATA;
            memory.setRelease(span.address() + 2L * i, data | (long) flag << Integer.SIZE);
        }
    }
}
