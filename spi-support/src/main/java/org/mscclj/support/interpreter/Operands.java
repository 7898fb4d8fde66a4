package org.mscclj.support.interpreter;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Range;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;

/**
 * Resolves the operands of a block's operations in one round.
 *
 * @param spec the context
 * @param launch the buffers
 * @param layout the round
 * @param flag the flag of the round, which selects a half of double scratch
 * @param block the block
 */
record Operands(ContextSpec spec, LaunchSpec launch, RoundLayout layout, int flag, BlockView block) {
    /**
     * The memory that an operand means: one rank's, or that of all members of a switch channel in the order of ranks.
     *
     * @throws UnsupportedException if memory is not mapped here
     */
    List<Operand> mapped(ChunkRef reference, Operation.Data data, boolean packets) {
        if (reference instanceof ChunkRef.Multicast multicast) {
            SwitchGroup group = block.group(multicast);
            return group.ranks().stream()
                    .sorted()
                    .map(rank -> operand(rank, group.buffer(), reference, data, packets, address(rank, group.buffer())))
                    .toList();
        }
        int owner = owner(reference, data);
        BufferType buffer = buffer(reference, data);
        return List.of(operand(owner, buffer, reference, data, packets, address(owner, buffer)));
    }

    /**
     * An operand whose addresses are offsets in registered memory, for a proxy.
     *
     * @param start where its buffer begins in that memory, in bytes
     */
    Operand offsets(ChunkRef reference, Operation.Data data, boolean packets, long start) {
        return operand(owner(reference, data), buffer(reference, data), reference, data, packets, start);
    }

    /** The buffer of an operand of one rank. */
    BufferType buffer(ChunkRef reference, Operation.Data data) {
        return switch (reference) {
            case ChunkRef.Local local -> local.buffer();
            case ChunkRef.Remote remote -> block.remote(remote, data).buffer();
            case ChunkRef.Multicast _ ->
                throw new UnsupportedException(
                        where() + ": " + data.label() + " reaches a switch channel by a port channel");
        };
    }

    private int owner(ChunkRef reference, Operation.Data data) {
        return reference instanceof ChunkRef.Remote remote
                ? block.remote(remote, data).rank()
                : spec.rank();
    }

    private Operand operand(
            int owner, BufferType buffer, ChunkRef reference, Operation.Data data, boolean packets, long address) {
        Plan plan = spec.plan();
        Range chunks = layout.chunks(reference.index(), reference.size());
        Range share = RoundLayout.share(chunks.length(), data.share(), plan.bufferAlignment());
        Range range = new Range(chunks.start() + share.start(), share.length());
        if (buffer != BufferType.SCRATCH) {
            return new Operand(address, range.start(), range.length(), layout.bufferPieces(range), packets);
        }
        boolean secondHalf = plan.doubleScratch() && flag % 2 == 0;
        long half = secondHalf ? ContextLayout.halfBytes(plan, owner, spec.slotBytes()) : 0;
        return new Operand(address + half, range.start(), range.length(), layout.scratchPieces(range), packets);
    }

    private long address(int rank, BufferType buffer) {
        boolean own = rank == spec.rank();
        OptionalLong address = switch (buffer) {
            case INPUT ->
                own
                        ? OptionalLong.of(launch.input().address())
                        : launch.buffers().get(rank).input();
            case OUTPUT ->
                own
                        ? OptionalLong.of(launch.output().address())
                        : launch.buffers().get(rank).output();
            case SCRATCH ->
                own
                        ? OptionalLong.of(spec.scratch().address())
                        : spec.peers().get(rank).scratch();
        };
        return address.orElseThrow(() -> new UnsupportedException(where() + ": the "
                + buffer.name().toLowerCase(Locale.ROOT) + " of rank " + rank
                + " is not mapped here; use memory from Communicator.allocate, or a plan with port channels to that"
                + " rank"));
    }

    /** The place of the block, for messages. */
    String where() {
        return "plan " + spec.plan().label() + ", rank " + spec.rank() + ", block "
                + block.block().id();
    }
}
