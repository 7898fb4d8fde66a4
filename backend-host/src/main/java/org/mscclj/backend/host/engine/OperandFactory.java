package org.mscclj.backend.host.engine;

import java.util.function.ToLongFunction;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.step.LaunchBuffers;
import org.mscclj.backend.host.step.StepOperand;
import org.mscclj.backend.host.step.StepOperand.Moves;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.spi.engine.ContextLayout;

/** Makes the operands of an operation of one block. */
final class OperandFactory {
    private final HostContext context;
    private final MappedNeeds needs;
    private final ThreadBlock block;
    private final Plan plan;

    /**
     * A factory for the operands of a block.
     *
     * @param needs receives the buffers of launches that must be mapped
     */
    OperandFactory(HostContext context, MappedNeeds needs, ThreadBlock block) {
        this.context = context;
        this.needs = needs;
        this.block = block;
        this.plan = context.spec().plan();
    }

    /** A local or remote operand, by address. */
    StepOperand mapped(ChunkRef ref, ChannelType type, BlockShare share, boolean packets) {
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
    StepOperand[] members(ChunkRef ref, BlockShare share, boolean packets) {
        if (!(ref instanceof ChunkRef.Multicast multicast)) {
            throw new UnsupportedException(where() + ": " + ref + " stands where a switch channel is needed");
        }
        SwitchGroup group =
                context.rankPlan().switchGroups().get(block.switchChannels().get(multicast.switchChannelId()));
        return group.ranks().stream()
                .sorted()
                .map(rank -> operand(rank, group.buffer(), ref, share, packets, address(rank, group.buffer())))
                .toArray(StepOperand[]::new);
    }

    /**
     * An operand whose addresses are offsets in registered memory.
     *
     * @param start returns where its buffer begins in that memory, in bytes
     */
    StepOperand offsets(
            ChunkRef ref, ChannelType type, BlockShare share, boolean packets, ToLongFunction<LaunchBuffers> start) {
        return operand(owner(ref, type), buffer(ref, type), ref, share, packets, start);
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

    private StepOperand operand(
            int owner,
            BufferType buffer,
            ChunkRef ref,
            BlockShare share,
            boolean packets,
            ToLongFunction<LaunchBuffers> start) {
        Moves moves =
                buffer != BufferType.SCRATCH ? Moves.WITH_ROUND : plan.doubleScratch() ? Moves.WITH_HALF : Moves.NEVER;
        return new StepOperand(
                start,
                ref.index(),
                ref.size(),
                share,
                plan.bufferAlignment(),
                packets,
                moves,
                ContextLayout.halfBytes(plan, owner, context.spec().slotBytes()));
    }

    private ToLongFunction<LaunchBuffers> address(int rank, BufferType buffer) {
        return switch (buffer) {
            case INPUT -> needs.input(rank, this::where);
            case OUTPUT -> needs.output(rank, this::where);
            case SCRATCH -> {
                long scratch = context.scratch(rank).orElseThrow(() -> MappedNeeds.unmapped(where(), "scratch", rank));
                yield _ -> scratch;
            }
        };
    }

    private String where() {
        return "plan " + plan.label() + ", rank " + context.spec().rank() + ", block " + block.id();
    }
}
