package org.mscclj.cli.check;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.mscclj.conformance.element.Elements;

/**
 * The memory of a rank as the host sees it.
 *
 * @param input the input
 * @param output the output
 * @param guards the guard zones around the buffers
 */
public record RankMemory(MemorySegment input, MemorySegment output, List<MemorySegment> guards) {
    private static final byte POISON = (byte) 0xa5;

    /** Number of elements in a block; all cores write blocks. */
    private static final long BLOCK = 1 << 14;

    /** Copies the list. */
    public RankMemory {
        guards = List.copyOf(guards);
    }

    /** Writes the inputs, and poison everywhere else. */
    public void fill(CheckedCall shape, InputData inputs, int rank) {
        guards.forEach(guard -> guard.fill(POISON));
        output.fill(POISON);
        Elements elements = new Elements(input, shape.type());
        long blocks = (elements.count() + BLOCK - 1) / BLOCK;
        LongStream.range(0, blocks).parallel().forEach(block -> {
            long end = Math.min(elements.count(), (block + 1) * BLOCK);
            for (long i = block * BLOCK; i < end; i++) {
                elements.set(i, inputs.bits(rank, i));
            }
        });
    }

    /** Returns the number of bytes in the guard zones that are no longer poison. */
    long strayBytes() {
        long stray = 0;
        for (MemorySegment guard : guards) {
            for (long i = 0; i < guard.byteSize(); i++) {
                stray += guard.get(ValueLayout.JAVA_BYTE, i) == POISON ? 0 : 1;
            }
        }
        return stray;
    }
}
