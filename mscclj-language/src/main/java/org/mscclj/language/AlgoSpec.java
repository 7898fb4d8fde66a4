package org.mscclj.language;

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
 * The properties of a program except for the operations of its blocks. Immutable.
 *
 * @param name identity of the plan
 * @param collective the collective that it computes
 * @param ranksPerNode ranks on each node that the program requires; empty for any number. The plan does not hold it: it
 *     accompanies the program at registration
 * @param instances number of instances of the program
 * @param protocol what scratch holds
 * @param instructionFusion whether adjacent operations are fused
 * @param boundedFusion whether operations keep the limits of MSCCL++'s executor: 8 channels, 10 operands, plain
 *     operands behind packets. Where a reduction is split, fused or not, narrow floating-point types are rounded in
 *     between
 * @param automaticSync whether the threads of a block synchronise where data dependencies require it
 * @param replicationPolicy how instances divide chunks
 * @param reuseResources whether contexts are shared over buffers
 * @param threadsPerBlock threads of a block on a GPU
 * @param doubleScratch whether scratch has two halves, used alternately
 * @param bufferAlignment granularity of a chunk, in bytes
 * @param minMessageSize least accepted size, in bytes
 * @param maxMessageSize greatest accepted size, in bytes, inclusive, unsigned: −1 for no limit
 * @param reduceOp the reduce operation that the program fixes; empty if the caller chooses. MSCCL++ has one for each
 *     reduction, but different operations could not compute a collective
 * @param tags free labels for selectors, each with a number; they accompany the program at registration
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
    /** Each instance has its own blocks, and blocks run concurrently, so a larger number can only be a mistake. */
    private static final int MAX_INSTANCES = 65_536;

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
        int most = Math.min(MAX_INSTANCES, Integer.MAX_VALUE / collective.maxChunks());
        if (instances < 1 || instances > most) {
            throw InvalidArgumentException.of("instances of program " + name, instances, "1 to " + most);
        }
        if (instances > 1 && replicationPolicy == ReplicationPolicy.NONE) {
            throw InvalidArgumentException.of(
                    "instances of program " + name,
                    instances,
                    "1 with replication policy NONE, which does not split chunks");
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

    /**
     * Starts a specification with the defaults: one instance, plain scratch, fusion, automatic synchronisation, any
     * size.
     */
    public static Builder builder(String name, ProgramCollective collective) {
        return new Builder(name, collective);
    }

    /** Number of ranks. */
    public int worldSize() {
        return collective.ranks();
    }

    /** Builds a specification. */
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

        /** Sets the required number of ranks on each node; default: any. */
        public Builder ranksPerNode(int count) {
            ranksPerNode = Optional.of(count);
            return this;
        }

        /** Sets the number of instances; default: 1. */
        public Builder instances(int count) {
            instances = count;
            return this;
        }

        /** Sets the content of scratch; default: plain data. */
        public Builder protocol(Protocol value) {
            protocol = value;
            return this;
        }

        /** Sets whether adjacent operations are fused; default: true. */
        public Builder instructionFusion(boolean fuse) {
            instructionFusion = fuse;
            return this;
        }

        /** Sets whether operations keep the limits of MSCCL++'s executor; default: true. */
        public Builder boundedFusion(boolean bounded) {
            boundedFusion = bounded;
            return this;
        }

        /** Sets whether threads synchronise where data dependencies require it; default: true. */
        public Builder automaticSync(boolean sync) {
            automaticSync = sync;
            return this;
        }

        /** Sets how instances divide chunks; default: interleaved. */
        public Builder replicationPolicy(ReplicationPolicy policy) {
            replicationPolicy = policy;
            return this;
        }

        /** Sets whether contexts are shared over buffers; default: false. */
        public Builder reuseResources(boolean reuse) {
            reuseResources = reuse;
            return this;
        }

        /** Sets the threads of a block on a GPU; default: 1024. */
        public Builder threadsPerBlock(int threads) {
            threadsPerBlock = threads;
            return this;
        }

        /** Sets whether scratch has two halves; default: false. */
        public Builder doubleScratch(boolean twice) {
            doubleScratch = twice;
            return this;
        }

        /** Sets the granularity of a chunk in bytes; default: 16. */
        public Builder bufferAlignment(int bytes) {
            bufferAlignment = bytes;
            return this;
        }

        /** Sets the accepted sizes in bytes, inclusive and unsigned; default: all. */
        public Builder messageSizes(long least, long most) {
            minMessageSize = least;
            maxMessageSize = most;
            return this;
        }

        /** Fixes the reduce operation; default: the caller chooses. */
        public Builder reduceOp(ReduceOp.Kind op) {
            reduceOp = Optional.of(op);
            return this;
        }

        /** Adds a tag. */
        public Builder tag(String key, int value) {
            tags.put(key, value);
            return this;
        }

        /** Builds the specification. */
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
