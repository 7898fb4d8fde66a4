package org.mscclj.support.interpreter;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.DataType;
import org.mscclj.support.memory.Memory;

/**
 * Reads a range of each source, combines what it has read if there are several, and writes the result to each
 * destination. The range is handled in batches: where sources hold packets, a batch is what has arrived of all of them.
 */
final class DataAction implements Action {
    private static final int BATCH_BYTES = 16 * 1024;

    private final Memory memory;
    private final List<Operand> sources;
    private final List<Operand> destinations;
    private final Optional<Combined> combined;
    private final int flag;
    private final int unit;
    private byte[][] staged = {};
    private long position;
    private final long end;

    /**
     * How sources are combined.
     *
     * @param type the type of elements
     * @param reduction combines elements, in the order of the sources
     */
    record Combined(DataType type, EncodedReduction reduction) {}

    /**
     * An action over operands of equal length.
     *
     * @param combined empty if there is one source
     * @param flag the flag of packets
     * @param part the part of the range to handle
     */
    DataAction(
            Memory memory,
            List<Operand> sources,
            List<Operand> destinations,
            Optional<Combined> combined,
            int flag,
            IterationRange part) {
        this.memory = memory;
        this.sources = sources;
        this.destinations = destinations;
        this.combined = combined;
        this.flag = flag;
        IterationRange handled = part.within(sources.getFirst().length());
        this.position = handled.from();
        this.end = handled.to();
        this.unit = combined.map(by -> Math.max(Integer.BYTES, by.type().byteSize()))
                .orElse(Integer.BYTES);
    }

    @Override
    public Outcome attempt() {
        if (position == end) {
            return Outcome.ENDED;
        }
        int bytes = (int) Math.min(BATCH_BYTES, end - position);
        if (staged.length == 0) {
            staged = new byte[sources.size()][bytes]; // the first batch is the largest
        }
        for (int i = 0; i < staged.length; i++) {
            bytes = sources.get(i).read(memory, position, staged[i], bytes, flag) / unit * unit;
        }
        if (bytes == 0) {
            return Outcome.WAITS;
        }
        byte[] result = combine(bytes);
        for (Operand destination : destinations) {
            destination.write(memory, position, result, bytes, flag);
        }
        position += bytes;
        return Outcome.MOVED;
    }

    private byte[] combine(int bytes) {
        if (combined.isEmpty()) {
            return staged[0];
        }
        DataType type = combined.get().type();
        byte[] result = new byte[bytes];
        long[] operands = new long[staged.length];
        for (int at = 0; at < bytes; at += type.byteSize()) {
            for (int i = 0; i < operands.length; i++) {
                operands[i] = EncodedElements.get(type, staged[i], at);
            }
            EncodedElements.set(type, result, at, combined.get().reduction().reduce(operands));
        }
        return result;
    }
}
