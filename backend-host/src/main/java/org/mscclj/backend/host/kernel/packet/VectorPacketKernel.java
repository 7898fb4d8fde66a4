package org.mscclj.backend.host.kernel.packet;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.mscclj.posix.NativeMemory;

/**
 * Handles packets a vector at a time, with plain vector accesses between fences.
 *
 * <p><b>Tearing.</b> The Java memory model does not cover vector accesses. This class relies on the processor: the
 * lanes are 64 bits, aligned to 64 bits, and such a lane is read or written as a whole. On AArch64 the architecture
 * guarantees it (a SIMD access is single-copy atomic for each element that is aligned to its size); on x86-64 the
 * manuals guarantee it for aligned 8 bytes and 16 bytes, and no processor is known to split 8 aligned bytes of a longer
 * vector (NCCL and MSCCL++ rely on this property of GPUs). The compiler cannot split one either: a vector access is one
 * instruction.
 *
 * <p><b>Order.</b> Let W be the accesses of a thread before {@link #pack}, P its store of a packet, R the load of that
 * packet by another thread that found the flag valid, and U the accesses of that thread after its call. {@code pack}
 * starts with a release fence, so W and the reads from which the data was computed are ordered before P. R reads P's
 * unit, flag and data together. Each of the reading calls has an acquire fence after its last load and before it
 * returns, so R is ordered before U. Hence W happens before U. In {@link #forward} the fence between the loads and the
 * stores of a batch is an acquire fence, which orders loads before later loads <em>and stores</em>: the accesses of the
 * first writer are ordered before the forwarded packet, too, also for a third thread, as both architectures are
 * multi-copy atomic. On x86-64 (total store order) these fences only bind the compiler; on AArch64 each is a
 * {@code dmb}, once a batch and not once a packet.
 *
 * <p>The scalar twin handles a vector that is not all valid: it reads it again and stops at the missing packet.
 *
 * <p>Vectors are never passed to methods of this project: the compiler may not inline those, and a vector that crosses
 * a call is an object on the heap.
 */
final class VectorPacketKernel implements PacketKernel {
    static final VectorPacketKernel INSTANCE = new VectorPacketKernel();

    private static final VectorSpecies<Long> PACKETS = LongVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> WORDS =
            VectorSpecies.of(int.class, VectorShape.forBitSize(PACKETS.vectorBitSize() * WORD_BYTES / PACKET_BYTES));
    private static final long LANES = PACKETS.length();
    private static final PacketKernel SCALAR = ScalarPacketKernel.INSTANCE;
    private static final MemorySegment ALL = NativeMemory.ALL;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private VectorPacketKernel() {}

    @Override
    public void pack(long source, long packets, long words, int flag) {
        LongVector flags = LongVector.broadcast(PACKETS, ScalarPacketKernel.packet(0, flag));
        long end = words & -LANES;
        VarHandle.releaseFence();
        for (long i = 0; i < end; i += LANES) {
            IntVector data = IntVector.fromMemorySegment(WORDS, ALL, source + i * WORD_BYTES, ORDER);
            LongVector wide = (LongVector) data.convertShape(VectorOperators.ZERO_EXTEND_I2L, PACKETS, 0);
            wide.or(flags).intoMemorySegment(ALL, packets + i * PACKET_BYTES, ORDER);
        }
        SCALAR.pack(source + end * WORD_BYTES, packets + end * PACKET_BYTES, words - end, flag);
    }

    @Override
    public long unpack(long packets, long destination, long words, int flag) {
        LongVector flags = LongVector.broadcast(PACKETS, Integer.toUnsignedLong(flag));
        long end = words & -LANES;
        long i = 0;
        for (; i < end; i += LANES) {
            LongVector vector = LongVector.fromMemorySegment(PACKETS, ALL, packets + i * PACKET_BYTES, ORDER);
            if (!vector.lanewise(VectorOperators.LSHR, Integer.SIZE)
                    .compare(VectorOperators.EQ, flags)
                    .allTrue()) {
                break;
            }
            IntVector data = (IntVector) vector.convertShape(VectorOperators.L2I, WORDS, 0);
            data.intoMemorySegment(ALL, destination + i * WORD_BYTES, ORDER);
        }
        VarHandle.acquireFence();
        return i + SCALAR.unpack(packets + i * PACKET_BYTES, destination + i * WORD_BYTES, words - i, flag);
    }

    @Override
    public long forward(long packets, long destinationPackets, long words, int flag) {
        LongVector flags = LongVector.broadcast(PACKETS, Integer.toUnsignedLong(flag));
        long end = words & -(2 * LANES);
        long i = 0;
        for (; i < end; i += 2 * LANES) {
            LongVector lower = LongVector.fromMemorySegment(PACKETS, ALL, packets + i * PACKET_BYTES, ORDER);
            LongVector upper = LongVector.fromMemorySegment(PACKETS, ALL, packets + (i + LANES) * PACKET_BYTES, ORDER);
            if (!lower.lanewise(VectorOperators.LSHR, Integer.SIZE)
                            .compare(VectorOperators.EQ, flags)
                            .allTrue()
                    || !upper.lanewise(VectorOperators.LSHR, Integer.SIZE)
                            .compare(VectorOperators.EQ, flags)
                            .allTrue()) {
                break;
            }
            VarHandle.acquireFence();
            lower.intoMemorySegment(ALL, destinationPackets + i * PACKET_BYTES, ORDER);
            upper.intoMemorySegment(ALL, destinationPackets + (i + LANES) * PACKET_BYTES, ORDER);
        }
        VarHandle.acquireFence();
        long offset = i * PACKET_BYTES;
        return i + SCALAR.forward(packets + offset, destinationPackets + offset, words - i, flag);
    }

    @Override
    public long validPrefix(long packets, long words, int flag) {
        LongVector flags = LongVector.broadcast(PACKETS, Integer.toUnsignedLong(flag));
        long end = words & -LANES;
        long i = 0;
        while (i < end
                && LongVector.fromMemorySegment(PACKETS, ALL, packets + i * PACKET_BYTES, ORDER)
                        .lanewise(VectorOperators.LSHR, Integer.SIZE)
                        .compare(VectorOperators.EQ, flags)
                        .allTrue()) {
            i += LANES;
        }
        VarHandle.acquireFence();
        return i + SCALAR.validPrefix(packets + i * PACKET_BYTES, words - i, flag);
    }
}
