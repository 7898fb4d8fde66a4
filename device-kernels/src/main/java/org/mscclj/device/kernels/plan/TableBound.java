package org.mscclj.device.kernels.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;

/**
 * An upper bound of the size of a launch's table over all sizes of messages.
 *
 * <p>A step has a fixed number of words, and words for each run of its move. Runs end where a piece of an operand ends.
 * In input and output, a slice has at most one piece of real bytes and one of padding; in scratch, each chunk is a
 * piece. Operands with equal chunks of a slice have equal pieces, so that their ends count once. With packets, an end
 * inside a unit makes two cuts.
 */
final class TableBound {
    private final int chunksPerSlice;

    /** Operands with equal pieces. */
    private record Pieces(boolean scratch, int firstInSlice, int size) {}

    private TableBound(int chunksPerSlice) {
        this.chunksPerSlice = Math.max(1, chunksPerSlice);
    }

    /** The greatest number of words of a rank's table. */
    static int words(List<List<KernelStep>> blocks, int chunksPerSlice) {
        TableBound bound = new TableBound(chunksPerSlice);
        long words = Math.max(1, blocks.size());
        for (List<KernelStep> block : blocks) {
            for (KernelStep step : block) {
                words += step.words() + bound.runWords(step);
            }
        }
        return Math.toIntExact(words);
    }

    private long runWords(KernelStep step) {
        return switch (step) {
            case KernelStep.Data data -> runs(data.move()) * data.runWords();
            case KernelStep.PortPut put -> {
                Move move = put.move();
                yield runs(move) * (2 + move.operands().size());
            }
            case KernelStep.Traced traced -> runWords(traced.step());
            case KernelStep.Pipeline pipeline ->
                pipeline.steps().stream().mapToLong(this::runWords).sum();
            default -> 0;
        };
    }

    private long runs(Move move) {
        Set<Pieces> distinct = new HashSet<>();
        for (OperandRange operand : move.operands()) {
            boolean scratch = operand.buffer() == BufferType.SCRATCH;
            distinct.add(new Pieces(scratch, scratch ? 0 : operand.index() % chunksPerSlice, operand.size()));
        }
        long ends = distinct.stream().mapToLong(this::ends).sum();
        return 1 + ends * (move.hasPackets() ? 2 : 1);
    }

    /** The greatest number of ends of pieces inside a range. */
    private long ends(Pieces range) {
        long pieces =
                range.scratch() ? range.size() : 2L * Math.ceilDiv(range.firstInSlice() + range.size(), chunksPerSlice);
        return Math.max(0, pieces - 1);
    }
}
