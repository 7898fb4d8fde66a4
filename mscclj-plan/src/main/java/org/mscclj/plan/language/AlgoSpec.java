package org.mscclj.plan.language;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Everything about a program but what its blocks do. Immutable.
 *
 * @param name identity of the plan
 * @param collective what it computes
 * @param ranksPerNode the ranks a node that it is for; empty for any. A plan does not hold it: it goes with the program
 *     when that is registered
 * @param instances how often the program is replicated
 * @param protocol what scratch holds
 * @param instructionFusion whether neighbouring operations are fused
 * @param boundedFusion whether operations keep to what MSCCL++'s executor has room for: 8 channels, 10 operands. Where
 *     a reduction is cut in two, fused or not, narrow floating-point types are rounded in between
 * @param automaticSync whether the threads of a block meet where data demands it
 * @param replicationPolicy how instances share chunks
 * @param reuseResources whether contexts are shared over buffers
 * @param threadsPerBlock threads of a block on a GPU
 * @param doubleScratch whether scratch has two halves, used by turns
 * @param bufferAlignment granularity of a chunk, in bytes
 * @param minMessageSize least accepted size, in bytes
 * @param maxMessageSize greatest accepted size, in bytes, inclusive, unsigned: −1 for no limit
 * @param reduceOp the operation that the program fixes; empty if the caller chooses. MSCCL++ has one for each
 *     reduction, but operations that differ could compute no collective
 * @param tags free labels for selectors, each with a number; they too go with the program when that is registered
 */
public record AlgoSpec(
        String name,
        ProgramCollective collective,
        Optional<Integer> ranksPerNode,
        int instances,
        Protocol protocol,
        boolean instructionFusion,
        boolean boundedFusion,
        boolean automaticSync,
        ReplicationPolicy replicationPolicy,
        boolean reuseResources,
        int threadsPerBlock,
        boolean doubleScratch,
        int bufferAlignment,
        long minMessageSize,
        long maxMessageSize,
        Optional<ReduceOp.Kind> reduceOp,
        Map<String, Integer> tags) {
    /** Every instance has blocks of its own, and blocks run side by side: more instances can be nothing but a slip. */
    private static final int MOST_INSTANCES = 65_536;

    /** Checks the values, and sorts and copies the tags. */
    public AlgoSpec {
        if (name.isBlank()) {
            throw InvalidArgumentException.of("name of a program", '"' + name + '"', "a name");
        }
        int perNode = ranksPerNode.orElse(collective.ranks());
        if (perNode < 1 || collective.ranks() % perNode != 0) {
            throw InvalidArgumentException.of(
                    "ranks per node of program " + name,
                    perNode,
                    "a divisor of the number of ranks, " + collective.ranks());
        }
        int most = Math.min(MOST_INSTANCES, Integer.MAX_VALUE / collective.mostChunks());
        if (instances < 1 || instances > most) {
            throw InvalidArgumentException.of("instances of program " + name, instances, "1 to " + most);
        }
        if (instances > 1 && replicationPolicy == ReplicationPolicy.NONE) {
            throw InvalidArgumentException.of(
                    "instances of program " + name, instances, "1 with replication policy NONE, which cuts no chunks");
        }
        if (reduceOp.isPresent() && !FixedReduceOp.FIXABLE.contains(reduceOp.get())) {
            throw InvalidArgumentException.of(
                    "reduce operation of program " + name,
                    reduceOp.get(),
                    FixedReduceOp.FIXABLE + ", or none for the caller's choice");
        }
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        Plan head = new Plan(
                name,
                collective.type(),
                protocol,
                collective.inPlace(),
                reuseResources,
                threadsPerBlock,
                doubleScratch,
                bufferAlignment,
                minMessageSize,
                maxMessageSize,
                IntStream.range(0, collective.ranks())
                        .mapToObj(collective::idle)
                        .toList());
        PlanValidator.validate(head, "program " + name);
    }

    /** Starts from the usual values: one instance, plain scratch, fusion, automatic sync, any size. */
    public static Builder builder(String name, ProgramCollective collective) {
        return new Builder(name, collective);
    }

    /** Number of ranks. */
    public int worldSize() {
        return collective.ranks();
    }

    /** A specification in the making. */
    public static final class Builder {
        private final String name;
        private final ProgramCollective collective;
        private final Map<String, Integer> tags = new TreeMap<>();
        private Optional<Integer> ranksPerNode = Optional.empty();
        private int instances = 1;
        private Protocol protocol = Protocol.SIMPLE;
        private boolean instructionFusion = true;
        private boolean boundedFusion = true;
        private boolean automaticSync = true;
        private ReplicationPolicy replicationPolicy = ReplicationPolicy.INTERLEAVED;
        private boolean reuseResources;
        private int threadsPerBlock = 1024;
        private boolean doubleScratch;
        private int bufferAlignment = 16;
        private long minMessageSize;
        private long maxMessageSize = -1;
        private Optional<ReduceOp.Kind> reduceOp = Optional.empty();

        private Builder(String name, ProgramCollective collective) {
            this.name = name;
            this.collective = collective;
        }

        /** The ranks a node that it is for; any, unless set. */
        public Builder ranksPerNode(int count) {
            ranksPerNode = Optional.of(count);
            return this;
        }

        /** How often the program is replicated; once, unless set. */
        public Builder instances(int count) {
            instances = count;
            return this;
        }

        /** What scratch holds; plain data, unless set. */
        public Builder protocol(Protocol value) {
            protocol = value;
            return this;
        }

        /** Whether neighbouring operations are fused; they are, unless set. */
        public Builder instructionFusion(boolean fuse) {
            instructionFusion = fuse;
            return this;
        }

        /** Whether operations keep to what MSCCL++'s executor has room for; they do, unless set. */
        public Builder boundedFusion(boolean bounded) {
            boundedFusion = bounded;
            return this;
        }

        /** Whether threads meet where data demands it; they do, unless set. */
        public Builder automaticSync(boolean sync) {
            automaticSync = sync;
            return this;
        }

        /** How instances share chunks; interleaved, unless set. */
        public Builder replicationPolicy(ReplicationPolicy policy) {
            replicationPolicy = policy;
            return this;
        }

        /** Whether contexts are shared over buffers; they are not, unless set. */
        public Builder reuseResources(boolean reuse) {
            reuseResources = reuse;
            return this;
        }

        /** Threads of a block on a GPU; 1024, unless set. */
        public Builder threadsPerBlock(int threads) {
            threadsPerBlock = threads;
            return this;
        }

        /** Whether scratch has two halves; it has one, unless set. */
        public Builder doubleScratch(boolean twice) {
            doubleScratch = twice;
            return this;
        }

        /** Granularity of a chunk in bytes; 16, unless set. */
        public Builder bufferAlignment(int bytes) {
            bufferAlignment = bytes;
            return this;
        }

        /** Accepted sizes in bytes, inclusive and unsigned; all, unless set. */
        public Builder messageSizes(long least, long most) {
            minMessageSize = least;
            maxMessageSize = most;
            return this;
        }

        /** Fixes the reduce operation; the caller chooses, unless set. */
        public Builder reduceOp(ReduceOp.Kind op) {
            reduceOp = Optional.of(op);
            return this;
        }

        /** Adds a tag. */
        public Builder tag(String key, int value) {
            tags.put(key, value);
            return this;
        }

        /** The specification. */
        public AlgoSpec build() {
            return new AlgoSpec(
                    name,
                    collective,
                    ranksPerNode,
                    instances,
                    protocol,
                    instructionFusion,
                    boundedFusion,
                    automaticSync,
                    replicationPolicy,
                    reuseResources,
                    threadsPerBlock,
                    doubleScratch,
                    bufferAlignment,
                    minMessageSize,
                    maxMessageSize,
                    reduceOp,
                    tags);
        }
    }
}
