package org.mscclj.plan.language;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.pass.Step;

/**
 * One data operation of a rank while it is checked and recorded.
 *
 * @param recorder what the definition has said so far
 * @param rank who carries it out
 * @param group the blocks that do
 * @param name what the program calls it, for messages, which are rare
 */
record DataRecorder(Recorder recorder, int rank, ThreadBlockGroup group, Supplier<String> name) {
    /** Checks that the chunks are this program's, some rank's, exist, and are as many as each other. */
    DataRecorder require(int owner, Chunk first, Chunk... others) {
        requireOne(owner, first);
        for (Chunk other : others) {
            requireOne(owner, other);
        }
        return requireSameSize(first, others);
    }

    private void requireOne(int owner, Chunk chunk) {
        if (!chunk.program().equals(recorder)) {
            throw misuse(chunk + " is of another program, "
                    + PlainText.escape(chunk.program().spec().name()) + "; allowed: chunks of this one");
        }
        if (chunk.rank() != owner) {
            throw misuse(chunk + " is not of rank " + owner + "; allowed: chunks of rank " + owner);
        }
        int chunks = recorder.rank(owner).chunks(chunk.buffer());
        if (chunk.index() < 0 || chunk.size() < 0 || chunk.index() > chunks - chunk.size()) {
            throw misuse(chunk + " is not within the buffer; allowed: within its " + chunks + " chunks");
        }
    }

    DataRecorder requireSameSize(Chunk first, Chunk... others) {
        for (Chunk other : others) {
            if (other.size() != first.size()) {
                throw misuse(first + " and " + other + " are of different size; allowed: as many chunks on both sides");
            }
        }
        return this;
    }

    /** Checks chunks that hold packets, or that do not. */
    DataRecorder requireForm(boolean packets, Chunk... chunks) {
        return packets ? requirePackets(chunks) : requirePlain(chunks);
    }

    /** Checks that packets lie in scratch, and that scratch holds packets. */
    DataRecorder requirePackets(Chunk... chunks) {
        if (recorder.spec().protocol() != Protocol.LL) {
            throw misuse("packets in a program of protocol Simple; allowed: packets with protocol LL");
        }
        for (Chunk chunk : chunks) {
            if (chunk.buffer() != BufferType.SCRATCH) {
                throw misuse(chunk + " should hold packets; allowed: chunks of scratch");
            }
        }
        return this;
    }

    /** Checks that plain data does not lie among packets. */
    DataRecorder requirePlain(Chunk... chunks) {
        for (Chunk chunk : chunks) {
            if (chunk.buffer() == BufferType.SCRATCH && recorder.spec().protocol() == Protocol.LL) {
                throw misuse(chunk
                        + " holds packets; allowed: plain chunks of input or output, since scratch holds packets with"
                        + " protocol LL");
            }
        }
        return this;
    }

    /**
     * Checks that what is stored is nowhere else read: elements are handled in no order, so that with chunks that
     * overlap in part it would depend on the threads which value is read.
     */
    DataRecorder requireApart(Chunk destination, Chunk... sources) {
        ProgramCollective collective = recorder.spec().collective();
        for (Chunk source : sources) {
            if (destination.place(collective).overlapsInPart(source.place(collective))) {
                throw misuse(destination + " and " + source
                        + " overlap in part; allowed: the same chunks, or chunks that have no memory in common");
            }
        }
        return this;
    }

    DataRecorder requireSome(List<Chunk> chunks) {
        if (chunks.isEmpty()) {
            throw misuse("nothing to reduce with; allowed: one chunk or more");
        }
        return this;
    }

    /** Records an operation on the rank's own buffers. */
    void local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        record(kind, Optional.empty(), List.of(), sources, destinations);
    }

    /** Records an operation over a channel. */
    void record(
            DataKind kind,
            Optional<ChannelType> type,
            List<Integer> channels,
            List<ChunkRef> sources,
            List<ChunkRef> destinations) {
        Optional<ReduceOp.Kind> op = kind.reduces() ? recorder.spec().reduceOp() : Optional.empty();
        for (int block : group.working()) {
            recorder.add(
                    rank,
                    block,
                    Step.Run.of(
                            new Operation.Data(kind, type, channels, sources, destinations, group.share(block), op)));
        }
    }

    InvalidArgumentException misuse(String rule) {
        String blocks =
                group.working().size() == 1 ? "block " + group.working().getFirst() : "blocks " + group.working();
        return recorder.misuse("rank " + rank + ", " + blocks + ", " + name.get() + ": " + rule);
    }
}
