package org.mscclj.plan.language;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.pass.Step;

/**
 * One data operation of a rank while it is checked and recorded.
 *
 * @param recorder what the definition has said so far
 * @param rank who carries it out
 * @param group the blocks that do
 * @param name what the program calls it, for messages
 */
record DataRecorder(Recorder recorder, int rank, ThreadBlockGroup group, String name) {
    /** Checks that the chunks are some rank's, exist, and are as many as each other. */
    DataRecorder require(int owner, Chunk first, Chunk... others) {
        Stream.concat(Stream.of(first), Stream.of(others)).forEach(chunk -> {
            if (chunk.rank() != owner) {
                throw misuse(chunk + " is not of rank " + owner);
            }
            int chunks = recorder.rank(owner).chunks(chunk.buffer());
            if (chunk.index() < 0 || chunk.size() < 0 || chunk.index() > chunks - chunk.size()) {
                throw misuse(chunk + " is not within the buffer, which has " + chunks + " chunks");
            }
        });
        return requireSameSize(first, others);
    }

    DataRecorder requireSameSize(Chunk first, Chunk... others) {
        for (Chunk other : others) {
            if (other.size() != first.size()) {
                throw misuse(first + " and " + other + " are of different size; allowed: as many chunks on both sides");
            }
        }
        return this;
    }

    /** Checks that packets lie in scratch. */
    DataRecorder requireScratch(Chunk... chunks) {
        for (Chunk chunk : chunks) {
            if (chunk.buffer() != BufferType.SCRATCH) {
                throw misuse(chunk + " should hold packets; allowed: chunks of scratch");
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
        return recorder.misuse("rank " + rank + ", " + blocks + ", " + name + ": " + rule);
    }
}
