package org.mscclj.language;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;

/**
 * A plan as text reduced to its meaning: a channel is the peer and its number among the channels to that peer, by which
 * ends are paired; a remote buffer is the peer and the letter. Ids of data operations over memory channels are omitted,
 * and so is the reduce operation, which the caller chooses here and MSCCL++ ignores.
 */
final class CanonicalPlan {
    private final RankPlan rank;
    private final ThreadBlock block;

    private CanonicalPlan(RankPlan rank, ThreadBlock block) {
        this.rank = rank;
        this.block = block;
    }

    /** The lines of a plan: its head, then each block of each rank. */
    static List<String> of(Plan plan) {
        List<String> lines = new ArrayList<>();
        lines.add(plan.collective() + " " + plan.protocol() + (plan.inPlace() ? " in place" : "")
                + (plan.reuseResources() ? " reuse" : "") + (plan.doubleScratch() ? " double" : "") + " "
                + plan.threadsPerBlock() + " threads, align " + plan.bufferAlignment() + ", " + plan.minMessageSize()
                + " to " + plan.maxMessageSize());
        for (RankPlan rank : plan.ranks()) {
            lines.add("rank " + rank.rank() + ": " + rank.inputChunks() + " " + rank.outputChunks() + " "
                    + rank.scratchChunks() + " chunks, semaphores " + rank.semaphoreInitialValues());
            for (ThreadBlock block : rank.threadBlocks()) {
                CanonicalPlan canonical = new CanonicalPlan(rank, block);
                lines.add("  block " + block.id());
                block.operations().forEach(operation -> lines.addAll(canonical.lines(operation, "    ")));
            }
        }
        return lines;
    }

    private List<String> lines(Operation operation, String indent) {
        List<String> lines = new ArrayList<>();
        switch (operation) {
            case Operation.Pipeline pipeline -> {
                lines.add(indent + "pipeline " + pipeline.unitSize() + " " + pipeline.chunks());
                pipeline.operations().forEach(inner -> lines.addAll(lines(inner, indent + "  ")));
            }
            case Operation.Signal signal ->
                lines.add(indent + signal.label() + channels(signal.channelType(), signal.channelIds()));
            case Operation.Wait wait ->
                lines.add(indent + wait.label() + channels(wait.channelType(), wait.channelIds()));
            case Operation.Flush flush ->
                lines.add(indent + flush.label() + channels(flush.channelType(), flush.channelIds()));
            case Operation.Data data -> {
                ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
                lines.add(indent + data.label()
                        + (type == ChannelType.PORT ? channels(type, data.channelIds()) : "")
                        + references(type, data.sources()) + " ->" + references(type, data.destinations()) + " "
                        + data.share());
            }
            default -> lines.add(indent + operation);
        }
        return lines;
    }

    private String channels(ChannelType type, List<Integer> ids) {
        List<Integer> peers = type == ChannelType.PORT ? rank.portChannelPeers() : rank.memoryChannelPeers();
        return ids.stream()
                .map(id -> block.channels(type).get(id))
                .map(id -> {
                    int peer = peers.get(id);
                    long number = peers.subList(0, id).stream()
                            .filter(other -> other == peer)
                            .count();
                    return " " + type.label() + " to " + peer + " #" + number;
                })
                .sorted()
                .collect(Collectors.joining(","));
    }

    private String references(ChannelType type, List<ChunkRef> references) {
        return references.stream()
                .map(reference ->
                        " " + memory(type, reference) + "[" + reference.index() + "+" + reference.size() + "]")
                .collect(Collectors.joining());
    }

    private String memory(ChannelType type, ChunkRef reference) {
        return switch (reference) {
            case ChunkRef.Local local -> local.buffer().letter();
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer =
                        rank.remoteBuffers().get(block.remoteBuffers(type).get(remote.bufferId()));
                yield buffer.rank() + ":" + buffer.buffer().letter();
            }
            case ChunkRef.Multicast all -> {
                SwitchGroup group =
                        rank.switchGroups().get(block.switchChannels().get(all.switchChannelId()));
                yield group.ranks() + ":" + group.buffer().letter();
            }
        };
    }
}
