package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.PeerContext;

/**
 * What a plan's kernels keep on the device from launch to launch, for one rank: the state of each block, how often each
 * counter was waited for, semaphores, barriers, and the meeting where packet flags wrap. All offsets are bytes.
 */
public final class StateLayout {
    /** Words that different blocks change lie on lines of their own. */
    private static final int LINE = 128;

    private final ContextSpec spec;
    private final RankPlan rank;
    private final TreeMap<Integer, Long> barriers = new TreeMap<>();
    private final long awaited;
    private final long semaphores;
    private final long leavers;
    private final long scaling;
    private final long meeting;
    private final long peers;
    private final PortRings rings;
    private final long byteSize;

    /** The layout for a context. */
    public StateLayout(ContextSpec spec) {
        this.spec = spec;
        this.rank = spec.plan().ranks().get(spec.rank());
        awaited = line((long) blocks() * BlockState.BYTES);
        semaphores = line(awaited
                + 8L
                        * (rank.memoryChannelPeers().size()
                                + rank.portChannelPeers().size()));
        leavers = line(semaphores + 16L * rank.semaphoreInitialValues().size());
        scaling = leavers + LINE;
        meeting = scaling + LINE;
        peers = meeting + LINE;
        long end = line(peers + 8L * (1 + spec.peers().size()));
        for (var block : rank.threadBlocks()) {
            end = addBarriers(block.operations(), end);
        }
        rings = new PortRings(spec.ports(), end);
        end = line(rings.end());
        byteSize = end;
    }

    private static long line(long offset) {
        return Math.ceilDiv(offset, LINE) * LINE;
    }

    private long addBarriers(List<Operation> operations, long end) {
        long next = end;
        for (Operation operation : operations) {
            if (operation instanceof Operation.Barrier barrier && !barriers.containsKey(barrier.id())) {
                barriers.put(barrier.id(), next);
                next += LINE;
            } else if (operation instanceof Operation.Pipeline pipeline) {
                next = addBarriers(pipeline.operations(), next);
            }
        }
        return next;
    }

    /** Its size. */
    public long byteSize() {
        return byteSize;
    }

    /**
     * Number of blocks that are launched: those of the rank, or one that does nothing, so that launches are counted and
     * flags wrap there too.
     */
    public int blocks() {
        return Math.max(1, rank.threadBlocks().size());
    }

    /** Where a word is that is not 0 while the output of a launch is scaled. */
    public long scaling() {
        return scaling;
    }

    /** Whether the rank has blocks of its own in the plan. */
    public boolean hasWork() {
        return !rank.threadBlocks().isEmpty();
    }

    long awaited(ChannelType type, int channel) {
        int before = type == ChannelType.PORT ? rank.memoryChannelPeers().size() : 0;
        return awaited + 8L * (before + channel);
    }

    /** Where what a kernel knows of the ring of a port channel is. */
    long ring(int channel) {
        return rings.offset(spec.ports().get(channel).fifo());
    }

    long semaphore(int id) {
        return semaphores + 8L * id;
    }

    long barrier(int id) {
        Long offset = barriers.get(id);
        if (offset == null) {
            throw new IllegalStateException("no block meets at barrier " + id);
        }
        return offset;
    }

    /**
     * Writes what the memory holds before the first launch.
     *
     * @param memory zeroed, of {@link #byteSize} bytes
     * @param address where the state lies on the device
     */
    public void initialise(MemorySegment memory, long address) {
        rings.initialise(memory, address);
        for (int block = 0; block < blocks(); block++) {
            memory.set(ValueLayout.JAVA_INT, (long) block * BlockState.BYTES + BlockState.FLAG, spec.firstFlag());
        }
        List<Integer> values = rank.semaphoreInitialValues();
        for (int id = 0; id < values.size(); id++) {
            memory.set(ValueLayout.JAVA_LONG, semaphore(id), values.get(id));
            memory.set(ValueLayout.JAVA_LONG, semaphore(values.size() + id), values.get(id));
        }
        List<Long> others = new ArrayList<>();
        for (int peer = 0; peer < spec.peers().size(); peer++) {
            PeerContext context = spec.peers().get(peer);
            if (peer != spec.rank()) {
                context.counters().ifPresent(counters -> others.add(counters + ContextLayout.ARRIVALS));
            }
        }
        memory.set(ValueLayout.JAVA_LONG, peers, others.size());
        for (int i = 0; i < others.size(); i++) {
            memory.set(ValueLayout.JAVA_LONG, peers + 8L * (i + 1), others.get(i));
        }
    }

    /**
     * Lets a block write its events somewhere.
     *
     * @param memory as for {@link #initialise}
     * @param address of the block's ring on the device, as {@link org.mscclj.device.kernels.trace.TraceRings} has them
     */
    public void trace(MemorySegment memory, int block, long address) {
        memory.set(ValueLayout.JAVA_LONG, (long) block * BlockState.BYTES + BlockState.TRACE, address);
    }

    /**
     * Writes what of the arguments of scaling is the same for all launches of the context: nothing is scaled once its
     * first block has left.
     *
     * @param arguments where to
     * @param state address of this state on the device
     * @param abortWord address of the abort word, as the device sees it
     */
    public void describe(ScaleArguments arguments, long state, long abortWord) {
        arguments.state(state);
        arguments.abortWord(abortWord);
        arguments.scaling(state + scaling);
    }

    /**
     * Writes what of a launch's header is the same for all launches of the context.
     *
     * @param header where to
     * @param state address of this state on the device
     * @param abortWord address of the abort word, as the device sees it
     */
    public void describe(LaunchHeader header, long state, long abortWord) {
        boolean packets = spec.plan().protocol() == Protocol.LL;
        header.blocks(state);
        header.abortWord(abortWord);
        header.counters(spec.counters().address());
        header.meeting(state + meeting);
        header.scratch(spec.scratch().address(), packets ? spec.scratch().byteSize() : 0);
        header.peers(state + peers);
        header.blockCount(blocks(), packets || spec.plan().doubleScratch());
        header.semaphores(
                state + semaphores,
                state + leavers,
                rank.semaphoreInitialValues().size());
    }
}
