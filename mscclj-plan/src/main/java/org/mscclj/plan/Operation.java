package org.mscclj.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.mscclj.api.type.ReduceOp;

/**
 * One operation of a thread block. Operations do not synchronise the threads of the block implicitly: order comes from
 * {@link Nop}, {@link Barrier} and the signals, waits and semaphores around them.
 *
 * <p>Channel ids are positions in the thread block's list of that channel type; semaphore and barrier ids belong to the
 * rank.
 */
public sealed interface Operation {
    /** The operation's name in plan files. */
    String label();

    /** Synchronises all threads of the block. */
    record Nop() implements Operation {
        @Override
        public String label() {
            return "nop";
        }
    }

    /** Synchronises {@code threadBlocks} blocks of this rank at barrier {@code id}, which can be reused. */
    record Barrier(int id, int threadBlocks) implements Operation {
        @Override
        public String label() {
            return "barrier";
        }
    }

    /**
     * Raises the partner's counter on each channel. A full signal releases all earlier writes of the block that a
     * preceding nop ordered; a relaxed one orders none.
     */
    record Signal(ChannelType channelType, List<Integer> channelIds, boolean relaxed) implements Operation {
        /** Copies the list. */
        public Signal {
            channelIds = List.copyOf(channelIds);
        }

        @Override
        public String label() {
            return relaxed ? "rlxsignal" : "signal";
        }
    }

    /** Waits on each channel until its counter reaches the next expected value; a full wait acquires. */
    record Wait(ChannelType channelType, List<Integer> channelIds, boolean relaxed) implements Operation {
        /** Copies the list. */
        public Wait {
            channelIds = List.copyOf(channelIds);
        }

        @Override
        public String label() {
            return relaxed ? "rlxwait" : "wait";
        }
    }

    /** Waits until all puts on these port channels have read their source buffers. */
    record Flush(ChannelType channelType, List<Integer> channelIds) implements Operation {
        /** Copies the list. */
        public Flush {
            channelIds = List.copyOf(channelIds);
        }

        @Override
        public String label() {
            return "flush";
        }
    }

    /** Decrements each counting semaphore of this rank, waiting while it is 0. */
    record SemaphoreAcquire(List<Integer> semaphoreIds) implements Operation {
        /** Copies the list. */
        public SemaphoreAcquire {
            semaphoreIds = List.copyOf(semaphoreIds);
        }

        @Override
        public String label() {
            return "sem_acquire";
        }
    }

    /** Increments each counting semaphore of this rank. */
    record SemaphoreRelease(List<Integer> semaphoreIds) implements Operation {
        /** Copies the list. */
        public SemaphoreRelease {
            semaphoreIds = List.copyOf(semaphoreIds);
        }

        @Override
        public String label() {
            return "sem_release";
        }
    }

    /**
     * Runs its inner operations {@code ceil(chunks · C / unitSize)} times, where {@code C} is the launch's chunk size
     * in bytes; iteration {@code i} handles bytes {@code [i·unitSize, (i+1)·unitSize)} of each operation's own range.
     * Pipelines do not nest.
     */
    record Pipeline(long unitSize, int chunks, List<Operation> operations) implements Operation {
        /** Unit sizes are multiples of this number of bytes. */
        public static final int UNIT = 16;

        /** Copies the list. */
        public Pipeline {
            operations = List.copyOf(operations);
        }

        @Override
        public String label() {
            return "pipeline";
        }
    }

    /**
     * Moves or reduces data.
     *
     * @param kind kind of operation
     * @param channelType type of the channels of remote and multicast operands; empty if all operands are local
     * @param channelIds the channels of a port operation, one for each destination or one for all; informative
     *     otherwise
     * @param sources operands that are read
     * @param destinations operands that are written
     * @param share this block's share of the byte ranges
     * @param reduceOp reduce operation that the plan fixes; empty if the caller chooses
     * @param plainPlace the place of the plain operand, from 0, among the operands that a reduction of packets
     *     combines; empty if it comes last
     */
    record Data(
            DataKind kind,
            Optional<ChannelType> channelType,
            List<Integer> channelIds,
            List<ChunkRef> sources,
            List<ChunkRef> destinations,
            BlockShare share,
            Optional<ReduceOp.Kind> reduceOp,
            OptionalInt plainPlace)
            implements Operation {
        /** Copies the lists. */
        public Data {
            channelIds = List.copyOf(channelIds);
            sources = List.copyOf(sources);
            destinations = List.copyOf(destinations);
        }

        /** Creates an operation whose plain operand, if it reduces packets, comes last. */
        public Data(
                DataKind kind,
                Optional<ChannelType> channelType,
                List<Integer> channelIds,
                List<ChunkRef> sources,
                List<ChunkRef> destinations,
                BlockShare share,
                Optional<ReduceOp.Kind> reduceOp) {
            this(kind, channelType, channelIds, sources, destinations, share, reduceOp, OptionalInt.empty());
        }

        @Override
        public String label() {
            return kind.label();
        }

        /** Whether a proxy moves the data, through a port channel. */
        public boolean byPort() {
            return channelType.filter(type -> type == ChannelType.PORT).isPresent();
        }

        /** The role of source {@code k}. */
        public OperandRole sourceRole(int k) {
            return OperandShape.sources(this).role(k);
        }

        /** The role of destination {@code k}. */
        public OperandRole destinationRole(int k) {
            return OperandShape.destinations(kind).role(k);
        }

        /** How many packets a reduction of packets combines before its plain operand. */
        public int packetsBeforePlain() {
            return plainPlace.orElse(sources.size() - 1);
        }

        /** The packets of its own rank that the operation waits for. */
        public List<ChunkRef> awaitedPackets() {
            if (!kind.awaitsPackets()) {
                return List.of();
            }
            OperandShape shape = OperandShape.sources(this);
            return IntStream.range(0, sources.size())
                    .filter(k -> shape.role(k).packets())
                    .mapToObj(sources::get)
                    .toList();
        }

        /** The operands that the operation writes as packets. */
        public List<ChunkRef> writtenPackets() {
            OperandShape shape = OperandShape.destinations(kind);
            return IntStream.range(0, destinations.size())
                    .filter(k -> shape.role(k).packets())
                    .mapToObj(destinations::get)
                    .toList();
        }

        /** The position in {@link #channelIds} of the port channel for destination {@code k}. */
        public int channelOf(int k) {
            return channelIds.size() == 1 ? 0 : k;
        }
    }
}
