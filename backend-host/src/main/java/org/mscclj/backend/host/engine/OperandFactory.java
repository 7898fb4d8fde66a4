package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.step.Operand;
import org.mscclj.backend.host.step.Operand.Moves;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.LaunchSpec;

/** Resolves the addresses of an operation's chunks, for one block of one launch. */
final class OperandFactory {
    private final HostContext context;
    private final LaunchSpec spec;
    private final RoundLayout layout;
    private final ThreadBlock block;
    private final Plan plan;

    OperandFactory(HostContext context, LaunchSpec spec, RoundLayout layout, ThreadBlock block) {
        this.context = context;
        this.spec = spec;
        this.layout = layout;
        this.block = block;
        this.plan = context.spec().plan();
    }

    /** A local or remote operand, by address. */
    Operand mapped(ChunkRef ref, ChannelType type, BlockShare share, boolean packets) {
        if (ref instanceof ChunkRef.Multicast multicast) {
            throw new UnsupportedException(where() + ": switch channel " + multicast.switchChannelId()
                    + " stands where one rank's memory is needed");
        }
        // No switch over the kinds: with many ranks, compiling the switch takes longer than running it.
        int owner = context.spec().rank();
        BufferType buffer;
        if (ref instanceof ChunkRef.Remote remote) {
            RemoteBuffer known = remoteBuffer(remote, type);
            owner = known.rank();
            buffer = known.buffer();
        } else {
            buffer = ((ChunkRef.Local) ref).buffer();
        }
        return operand(owner, buffer, ref, share, packets, address(owner, buffer));
    }

    /** A multicast operand: one for each member, in rank order. */
    Operand[] members(ChunkRef ref, BlockShare share, boolean packets) {
        if (!(ref instanceof ChunkRef.Multicast multicast)) {
            throw new UnsupportedException(where() + ": " + ref + " stands where a switch channel is needed");
        }
        SwitchGroup group =
                context.rankPlan().switchGroups().get(block.switchChannels().get(multicast.switchChannelId()));
        return group.ranks().stream()
                .sorted()
                .map(rank -> operand(rank, group.buffer(), ref, share, packets, address(rank, group.buffer())))
                .toArray(Operand[]::new);
    }

    /** An operand whose addresses are offsets in the registered memory of its buffer. */
    Operand offsets(ChunkRef ref, ChannelType type, BlockShare share, boolean packets) {
        return operand(owner(ref, type), buffer(ref, type), ref, share, packets, 0);
    }

    /** The buffer of a local or remote operand. */
    BufferType buffer(ChunkRef ref, ChannelType type) {
        return switch (ref) {
            case ChunkRef.Local local -> local.buffer();
            case ChunkRef.Remote remote -> remoteBuffer(remote, type).buffer();
            case ChunkRef.Multicast multicast ->
                throw new UnsupportedException(
                        where() + ": port channels do not reach switch channel " + multicast.switchChannelId());
        };
    }

    private int owner(ChunkRef ref, ChannelType type) {
        return ref instanceof ChunkRef.Remote remote
                ? remoteBuffer(remote, type).rank()
                : context.spec().rank();
    }

    private RemoteBuffer remoteBuffer(ChunkRef.Remote ref, ChannelType type) {
        return context.rankPlan().remoteBuffers().get(block.remoteBuffers(type).get(ref.bufferId()));
    }

    private Operand operand(int owner, BufferType buffer, ChunkRef ref, BlockShare share, boolean packets, long base) {
        Range chunks = layout.chunks(ref.index(), ref.size());
        Range part = RoundLayout.share(chunks.length(), share, plan.bufferAlignment());
        Range range = new Range(chunks.start() + part.start(), part.length());
        boolean scratch = buffer == BufferType.SCRATCH;
        List<Piece> pieces = scratch ? layout.scratchPieces(range) : layout.bufferPieces(range);
        Moves moves = !scratch ? Moves.WITH_ROUND : plan.doubleScratch() ? Moves.WITH_HALF : Moves.NEVER;
        return new Operand(
                base,
                range.start(),
                range.length(),
                pieces.isEmpty() ? List.of(new Piece(range.start(), 0, Piece.PADDING)) : new ArrayList<>(pieces),
                scratch ? 0 : layout.offset(),
                packets,
                moves,
                ContextLayout.halfBytes(plan, owner, context.spec().slotBytes()));
    }

    private long address(int rank, BufferType buffer) {
        OptionalLong address = switch (buffer) {
            case INPUT -> spec.buffers().get(rank).input();
            case OUTPUT -> spec.buffers().get(rank).output();
            case SCRATCH -> context.scratch(rank);
        };
        return address.orElseThrow(() -> new UnsupportedException(where() + ": the "
                + buffer.name().toLowerCase(java.util.Locale.ROOT) + " of rank " + rank
                + " is not mapped here; use memory from Communicator.allocate, or a plan with"
                + " port channels to that rank"));
    }

    private String where() {
        return "plan " + plan.label() + ", rank " + context.spec().rank() + ", block " + block.id();
    }
}
