package org.mscclj.cli.tune;

import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.Sampling;
import org.mscclj.cli.measure.SizeRange;

/**
 * What is measured.
 *
 * @param collectives the collectives
 * @param memories where the buffers are
 * @param ranks number of ranks
 * @param sizes the sizes of messages
 * @param type element type
 * @param inPlace whether input and output share memory; an alltoall is out of place always
 * @param sampling how times are taken
 */
record TuneSettings(
        List<Collective> collectives,
        List<TunedMemory> memories,
        int ranks,
        SizeRange sizes,
        DataType type,
        boolean inPlace,
        Sampling sampling) {
    TuneSettings {
        collectives = List.copyOf(collectives);
        memories = List.copyOf(memories);
    }

    /**
     * Refuses ranks on several nodes, for which measured choices are not.
     *
     * @param ranksPerNode ranks on each node; the largest number if nodes differ
     */
    static void requireOneNode(int ranks, int ranksPerNode) {
        if (ranksPerNode < ranks) {
            throw InvalidArgumentException.of(
                    "ranks on each node", ranksPerNode + " of " + ranks, "all: measured choices are for one node");
        }
    }

    /** Returns the number of sizes that are measured, of all collectives and kinds of memory. */
    int sizeCount() {
        return memories.size()
                * collectives.stream()
                        .mapToInt(collective -> calls(collective).size())
                        .sum();
    }

    /** Returns the calls of a collective, by ascending size. */
    List<CheckedCall> calls(Collective collective) {
        ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
        boolean shared = inPlace && collective != Collective.ALLTOALL;
        return sizes.counts(collective, ranks, type).stream()
                .map(count -> new CheckedCall(collective, ranks, shared, count, type, op, Sources.root(0)))
                .toList();
    }
}
