package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.spi.engine.PortBinding;

/**
 * The layout of the memory that a plan's kernels keep on the device between launches, for one rank: the state of each
 * block, the number of waits on each counter, semaphores, barriers, and the barrier at the wrap of packet flags. All
 * offsets are in bytes.
 */
public final class StateLayout {
    /** Words that different blocks change are on separate cache lines. */
    private static final int LINE = 128;

    private final ContextSpec spec;
    private final RankPlan rank;
    private final TreeMap<Integer, Long> barriers = new TreeMap<>();
    private final long awaited;
    private final long semaphores;
    private final long leavers;
    private final long scaling;
    private final long wrapBarrier;
    private final long peers;
    private final PortRings rings;
    private final long byteSize;

    /** Creates the layout for a context. */
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
        wrapBarrier = scaling + LINE;
        peers = wrapBarrier + LINE;
        long end = line(
                peers + 8L * (2 + spec.peers().size() + 2L * spec.arrivals().size()));
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

    /** Size in bytes. */
    public long byteSize() {
        return byteSize;
    }

    /**
     * Number of blocks of a launch: those of the rank, or one without operations, which counts launches and takes part
     * in wraps of flags.
     */
    public int blocks() {
        return Math.max(1, rank.threadBlocks().size());
    }

    /** Offset of the word that is not 0 while the output of a launch is scaled. */
    public long scaling() {
        return scaling;
    }

    /** Whether the rank has blocks in the plan. */
    public boolean hasWork() {
        return !rank.threadBlocks().isEmpty();
    }

    /** Offset of the number of waits for the counter of a channel. */
    public long awaited(ChannelType type, int channel) {
        int before = type == ChannelType.PORT ? rank.memoryChannelPeers().size() : 0;
        return awaited + 8L * (before + channel);
    }

    /** Offset of the ring structure of a port channel. */
    public long ring(int channel) {
        return rings.offset(spec.ports().get(channel).fifo());
    }

    long semaphore(int id) {
        return semaphores + 8L * id;
    }

    long barrier(int id) {
        Long offset = barriers.get(id);
        if (offset == null) {
            throw new IllegalStateException("no block uses barrier " + id);
        }
        return offset;
    }

    /**
     * Writes the initial content of the memory.
     *
     * @param memory zeroed, of {@link #byteSize} bytes
     * @param address address of the state on the device
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
        List<Long> words = new ArrayList<>(
                List.of((long) others.size(), (long) spec.arrivals().size()));
        words.addAll(others);
        for (PortBinding port : spec.arrivals().values()) {
            words.add(address + rings.offset(port.fifo()));
            words.add((long) port.semaphoreId());
        }
        for (int i = 0; i < words.size(); i++) {
            memory.set(ValueLayout.JAVA_LONG, peers + 8L * i, words.get(i));
        }
    }

    /**
     * Sets the trace ring of a block.
     *
     * @param memory as for {@link #initialise}
     * @param address address of the block's ring on the device, as laid out by
     *     {@link org.mscclj.device.kernels.trace.TraceRings}
     */
    public void trace(MemorySegment memory, int block, long address) {
        memory.set(ValueLayout.JAVA_LONG, (long) block * BlockState.BYTES + BlockState.TRACE, address);
    }

    /**
     * Writes the arguments of scaling that are equal for all launches of the context. The state of the first block
     * decides whether anything is scaled.
     *
     * @param arguments destination
     * @param state address of this state on the device
     * @param abortWord address of the abort word on the device
     */
    public void describe(ScaleArguments arguments, long state, long abortWord) {
        arguments.state(state);
        arguments.abortWord(abortWord);
        arguments.scaling(state + scaling);
    }

    /**
     * Writes the fields of a launch's header that are equal for all launches of the context.
     *
     * @param header destination
     * @param state address of this state on the device
     * @param abortWord address of the abort word on the device
     */
    public void describe(LaunchHeader header, long state, long abortWord) {
        boolean packets = spec.plan().usesPackets();
        header.blocks(state);
        header.abortWord(abortWord);
        header.counters(spec.counters().address());
        header.wrapBarrier(state + wrapBarrier);
        header.scratch(spec.scratch().address(), packets ? spec.scratch().byteSize() : 0);
        header.peers(state + peers);
        header.blockCount(blocks(), packets || spec.plan().doubleScratch());
        header.semaphores(
                state + semaphores,
                state + leavers,
                rank.semaphoreInitialValues().size());
    }
}
