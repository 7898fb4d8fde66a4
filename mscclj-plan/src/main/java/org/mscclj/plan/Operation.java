package org.mscclj.plan;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.type.ReduceOp;

/**
 * One operation of a thread block. No operation synchronises the block by itself: order comes from {@link Nop},
 * {@link Barrier} and the signals, waits and semaphores around them.
 *
 * <p>Channel ids are positions in the thread block's list of that channel type; semaphore and barrier ids belong to the
 * rank.
 */
public sealed interface Operation {
    /** The operation's name in plan files. */
    String label();

    /** All threads of the block meet. */
    record Nop() implements Operation {
        @Override
        public String label() {
            return "nop";
        }
    }

    /** {@code threadBlocks} blocks of this rank meet at barrier {@code id}, which can be used again. */
    record Barrier(int id, int threadBlocks) implements Operation {
        @Override
        public String label() {
            return "barrier";
        }
    }

    /**
     * Raises the partner's counter on each channel. A full signal releases all earlier writes of the block that a
     * preceding nop ordered; a relaxed one orders nothing.
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

    /** Waits on each channel until its counter has reached the next expected value; a full wait acquires. */
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

    /** Waits until everything put on those port channels has left its source buffer. */
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

    /** Takes one from each counting semaphore of this rank, waiting while it is 0. */
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

    /** Adds one to each counting semaphore of this rank. */
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
     * Runs its inner operations {@code ceil(chunks · C / unitSize)} times, {@code C} being the launch's chunk size in
     * bytes; iteration {@code i} handles bytes {@code [i·unitSize, (i+1)·unitSize)} of each operation's own range.
     * Pipelines do not nest.
     */
    record Pipeline(long unitSize, int chunks, List<Operation> operations) implements Operation {
        /** Engines move pipelines in whole units of so many bytes. */
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
     * @param kind what is done
     * @param channelType the channels that remote and multicast operands use; empty if all operands are local
     * @param channelIds the channels of a port operation, one for each destination or one for all; otherwise
     *     informative
     * @param sources operands read
     * @param destinations operands written
     * @param share this block's share of the byte ranges
     * @param reduceOp the operation that the plan fixes; empty if the caller chooses
     */
    record Data(
            DataKind kind,
            Optional<ChannelType> channelType,
            List<Integer> channelIds,
            List<ChunkRef> sources,
            List<ChunkRef> destinations,
            BlockShare share,
            Optional<ReduceOp.Kind> reduceOp)
            implements Operation {
        /** Copies the lists. */
        public Data {
            channelIds = List.copyOf(channelIds);
            sources = List.copyOf(sources);
            destinations = List.copyOf(destinations);
        }

        @Override
        public String label() {
            return kind.label();
        }

        /** Whether a proxy moves the data, through a port channel. */
        public boolean byPort() {
            return channelType.filter(type -> type == ChannelType.PORT).isPresent();
        }

        /** What the operand {@code k} that it reads is. */
        public OperandRole sourceRole(int k) {
            return OperandShape.sources(this).role(k);
        }

        /** What the operand {@code k} that it writes is. */
        public OperandRole destinationRole(int k) {
            return OperandShape.destinations(kind).role(k);
        }

        /** The packets of its own rank that it waits for before it reads them. */
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

        /** What it writes as packets. */
        public List<ChunkRef> writtenPackets() {
            OperandShape shape = OperandShape.destinations(kind);
            return IntStream.range(0, destinations.size())
                    .filter(k -> shape.role(k).packets())
                    .mapToObj(destinations::get)
                    .toList();
        }

        /** The position in {@link #channelIds} of the port channel that destination {@code k} goes through. */
        public int channelOf(int k) {
            return channelIds.size() == 1 ? 0 : k;
        }
    }
}
