package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;

/**
 * The plain accesses of operations to memory of their own rank and of peers. Packets need no synchronisation, because
 * their flags show their arrival.
 *
 * @param ranges resolves operands
 */
record PlainAccesses(ChunkRanges ranges) {
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
            case COPY,
                    PUT,
                    PUT_WITH_SIGNAL,
                    PUT_WITH_SIGNAL_AND_FLUSH,
                    GET,
                    REDUCE,
                    REDUCE_SEND,
                    READ_REDUCE,
                    READ_REDUCE_SEND,
                    SWITCH_STORE,
                    SWITCH_REDUCE_STORE -> {
                add(accesses, data, sources, false);
                add(accesses, data, destinations, true);
            }
            case COPY_PACKETS -> add(accesses, data, sources, false);
            case PUT_PACKETS -> {
                // the source of a port channel already holds packets
                if (!data.channelType().equals(Optional.of(ChannelType.PORT))) {
                    add(accesses, data, sources, false);
                }
            }
            case UNPACK_PACKETS -> add(accesses, data, destinations, true);
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS -> {
                add(accesses, data, sources.subList(0, 1), false);
                add(accesses, data, destinations.subList(0, 1), true);
            }
            case READ_PUT_PACKETS, SWITCH_STORE_PACKETS -> {
                // packets only
            }
        }
    }

    private void add(List<Access> accesses, Operation.Data data, List<ChunkRef> references, boolean write) {
        for (ChunkRef reference : references) {
            for (ChunkRange range : ranges.of(reference)) {
                accesses.add(new Access(range, write, data.share(), data.kind().packets()));
            }
        }
    }
}
