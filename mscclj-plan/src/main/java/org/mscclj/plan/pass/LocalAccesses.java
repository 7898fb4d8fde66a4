package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;

/**
 * The plain accesses of operations to their own rank's memory. Packets need no meeting: their flags say when they are there. In an in-place
 * program input and output are one memory, and both letters lead to the same chunks.
 *
 * @param plan what the program declares
 * @param rank the rank
 */
record LocalAccesses(Plan plan, RankPlan rank) {
    List<Access> of(Operation operation) {
        List<Access> accesses = new ArrayList<>();
        if (operation instanceof Operation.Data data) {
            add(accesses, data);
        }
        return accesses;
    }

    private void add(List<Access> accesses, Operation.Data data) {
        List<ChunkRef> sources = data.sources();
        List<ChunkRef> destinations = data.destinations();
        switch (data.kind()) {
            case COPY, PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET, REDUCE, REDUCE_SEND -> {
                add(accesses, sources, false);
                add(accesses, destinations, true);
            }
            case COPY_PACKETS -> add(accesses, sources, false);
            case PUT_PACKETS -> {
                if (!data.channelType().equals(Optional.of(ChannelType.PORT))) { // there the source is packets already
                    add(accesses, sources, false);
                }
            }
            case UNPACK_PACKETS -> add(accesses, destinations, true);
            case READ_REDUCE,
                    READ_REDUCE_SEND,
                    REDUCE_PACKETS,
                    REDUCE_SEND_PACKETS,
                    REDUCE_COPY_PACKETS,
                    REDUCE_COPY_SEND_PACKETS -> {
                add(accesses, sources.subList(0, 1), false);
                add(accesses, destinations.subList(0, 1), true);
            }
            case SWITCH_STORE, SWITCH_REDUCE_STORE -> {
                add(accesses, sources, false);
                add(accesses, destinations, true);
            }
            case READ_PUT_PACKETS, SWITCH_STORE_PACKETS -> {
                // packets only
            }
        }
    }

    private void add(List<Access> accesses, List<ChunkRef> references, boolean write) {
        for (ChunkRef reference : references) {
            switch (reference) {
                case ChunkRef.Local local -> accesses.add(access(local.buffer(), local.index(), local.size(), write));
                case ChunkRef.Multicast all -> {
                    SwitchGroup group = rank.switchGroups().get(all.switchChannelId());
                    accesses.add(access(group.buffer(), all.index(), all.size(), write));
                }
                case ChunkRef.Remote remote -> {
                    // a peer's memory
                }
            }
        }
    }

    private Access access(BufferType buffer, int index, int size, boolean write) {
        int shift = 0;
        BufferType memory = buffer;
        if (plan.inPlace()) {
            int inputs = rank.inputChunks();
            int outputs = rank.outputChunks();
            if (buffer == BufferType.OUTPUT && inputs >= outputs) {
                memory = BufferType.INPUT;
                shift = inputs > outputs ? rank.rank() * outputs : 0;
            } else if (buffer == BufferType.INPUT && inputs < outputs) {
                memory = BufferType.OUTPUT;
                shift = rank.rank() * inputs;
            }
        }
        return new Access(memory, shift + index, shift + index + size, write);
    }
}
