package org.mscclj.language;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.pass.BlockStep;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * Checks and records one data operation of a rank.
 *
 * @param recorder the recording of the definition
 * @param rank rank that executes the operation
 * @param group blocks that execute the operation
 * @param name name of the operation for messages, which are rare
 */
record DataRecorder(Recorder recorder, int rank, ThreadBlockGroup group, Supplier<String> name) {
    /** Requires chunks of this program and of a rank, within their buffers, and of equal sizes. */
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

    /** Requires packets, or plain data. */
    DataRecorder requireForm(boolean packets, Chunk... chunks) {
        return packets ? requirePackets(chunks) : requirePlain(chunks);
    }

    /** Requires packets to be in scratch, and scratch to hold packets. */
    DataRecorder requirePackets(Chunk... chunks) {
        if (!recorder.spec().protocol().packets()) {
            throw misuse("packets in a program of protocol Simple; allowed: packets with protocol LL or LL128");
        }
        for (Chunk chunk : chunks) {
            if (chunk.buffer() != BufferType.SCRATCH) {
                throw misuse(chunk + " should hold packets; allowed: chunks of scratch");
            }
        }
        return this;
    }

    /** Requires plain data not to be in scratch that holds packets. */
    DataRecorder requirePlain(Chunk... chunks) {
        for (Chunk chunk : chunks) {
            if (chunk.buffer() == BufferType.SCRATCH
                    && recorder.spec().protocol().packets()) {
                throw misuse(chunk
                        + " holds packets; allowed: plain chunks of input or output, since scratch holds packets with"
                        + " protocol " + recorder.spec().protocol().label());
            }
        }
        return this;
    }

    /**
     * Requires that the destination overlaps a source only if both are equal: elements are processed in no order, so
     * with a partial overlap the threads would decide which value is read.
     */
    DataRecorder requireApart(Chunk destination, Chunk... sources) {
        ProgramCollective collective = recorder.spec().collective();
        for (Chunk source : sources) {
            if (destination.range(collective).overlapsInPart(source.range(collective))) {
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

    /** Requires a place of the plain operand among packets, and that no executor will ignore it. */
    DataRecorder requirePlace(int place, List<Chunk> packets) {
        if (place < 0 || place > packets.size()) {
            throw misuse("place " + place + " of the plain operand; allowed: 0 to " + packets.size()
                    + ", the number of packets");
        }
        if (recorder.spec().boundedFusion()) {
            throw misuse("a place of the plain operand in a program for MSCCL++, which adds it last; allowed: no place,"
                    + " or boundedFusion(false)");
        }
        return this;
    }

    /** Records an operation on the rank's own buffers. */
    void local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        local(kind, sources, destinations, OptionalInt.empty());
    }

    /**
     * Records an operation on the rank's own buffers.
     *
     * @param plainPlace as in {@link Operation.Data}
     */
    void local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations, OptionalInt plainPlace) {
        record(kind, Optional.empty(), List.of(), sources, destinations, plainPlace);
    }

    /** Records an operation over a channel. */
    void record(
            DataKind kind,
            Optional<ChannelType> type,
            List<Integer> channels,
            List<ChunkRef> sources,
            List<ChunkRef> destinations) {
        record(kind, type, channels, sources, destinations, OptionalInt.empty());
    }

    private void record(
            DataKind kind,
            Optional<ChannelType> type,
            List<Integer> channels,
            List<ChunkRef> sources,
            List<ChunkRef> destinations,
            OptionalInt plainPlace) {
        Optional<ReduceOp.Kind> op = kind.reduces() ? recorder.spec().reduceOp() : Optional.empty();
        for (int block : group.working()) {
            recorder.add(
                    rank,
                    block,
                    BlockStep.Run.of(new Operation.Data(
                            kind, type, channels, sources, destinations, group.share(block), op, plainPlace)));
        }
    }

    InvalidArgumentException misuse(String rule) {
        String blocks =
                group.working().size() == 1 ? "block " + group.working().getFirst() : "blocks " + group.working();
        return recorder.misuse("rank " + rank + ", " + blocks + ", " + name.get() + ": " + rule);
    }
}
