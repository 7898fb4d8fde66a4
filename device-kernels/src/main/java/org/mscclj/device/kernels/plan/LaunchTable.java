package org.mscclj.device.kernels.plan;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.mscclj.device.kernels.trace.TraceRings;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.fusion.PacketUnit;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PortBuffers.Region;

/**
 * The table of a launch: the numbers of a rank's blocks for one pair of buffers and one layout, in words of 64 bits.
 */
public final class LaunchTable {
    /** Marks offsets in registered memory, where 0 is valid, unlike among addresses, where 0 means padding. */
    private static final long OFFSET = 1L << 62;

    /** Marks addresses and offsets in input and output, which are relative to the round. */
    private static final long WITH_ROUND = 1L << 63;

    /** Bytes that a thread moves at once. */
    private static final int VECTOR = 16;

    /** Higher bits of the word of a run's length hold the number of real bytes of a partial unit. */
    private static final long MAX_LENGTH = (1L << 56) - 1;

    /** The shape of a block without operations. */
    private static final long NO_SHAPE = (long) Integer.MAX_VALUE << Integer.SIZE;

    private final ContextSpec context;
    private final LaunchSpec launch;
    private final RoundLayout layout;
    private final StateLayout state;
    private final long stateAddress;
    private final RankAddresses addresses;
    private final CounterAddresses counters;
    private long[] words = new long[256];
    private int used;
    private long mostUnits;

    private LaunchTable(
            ContextSpec context, LaunchSpec launch, RoundLayout layout, StateLayout state, long stateAddress) {
        this.context = context;
        this.launch = launch;
        this.layout = layout;
        this.state = state;
        this.stateAddress = stateAddress;
        this.addresses = new RankAddresses(context, launch);
        this.counters = new CounterAddresses(context);
    }

    /**
     * Creates the table of a launch.
     *
     * @param code the plan
     * @param layout layout of a round; the addresses are those of round 0 if all rounds have this layout, otherwise
     *     those of its own round
     * @param stateAddress address of the context's state on the device
     * @throws org.mscclj.api.error.UnsupportedException if memory to access is not mapped; the message names its owner
     */
    public static LaunchTable of(
            PlanCode code,
            ContextSpec context,
            LaunchSpec launch,
            RoundLayout layout,
            StateLayout state,
            long stateAddress) {
        LaunchTable table = new LaunchTable(context, launch, layout, state, stateAddress);
        table.write(code.steps(context.rank()), code.shapes(context.rank()));
        return table;
    }

    /**
     * The greatest number of words of a rank's table, for messages of any size.
     *
     * @param code the plan
     */
    public static int maxWords(PlanCode code, int rank) {
        return TableBound.words(code.steps(rank), LaunchGeometry.chunksPerSlice(code.plan()));
    }

    /** The words. */
    public long[] words() {
        return Arrays.copyOf(words, used);
    }

    /** The greatest number of vectors, or units of packets, of a run, which bounds the number of useful threads. */
    public long mostUnits() {
        return mostUnits;
    }

    private void write(List<List<KernelStep>> blocks, List<Integer> shapes) {
        if (blocks.isEmpty()) {
            words[reserve(1)] = NO_SHAPE;
            return;
        }
        int[] starts = new int[blocks.size()];
        reserve(blocks.size());
        for (int block = 0; block < starts.length; block++) {
            starts[block] = reserve(
                    blocks.get(block).stream().mapToInt(KernelStep::words).sum());
            words[block] = (long) shapes.get(block) << Integer.SIZE | starts[block];
        }
        for (int block = 0; block < starts.length; block++) {
            write(blocks.get(block), starts[block]);
        }
    }

    private int reserve(int count) {
        int start = used;
        used = Math.addExact(used, count);
        if (used > words.length) {
            words = Arrays.copyOf(words, Math.max(used, 2 * words.length));
        }
        return start;
    }

    private void write(List<KernelStep> steps, int start) {
        int at = start;
        for (KernelStep step : steps) {
            write(step, at);
            at += step.words();
        }
    }

    private void write(KernelStep step, int at) {
        switch (step) {
            case KernelStep.Nop _ -> {}
            case KernelStep.Barrier barrier -> {
                words[at] = stateAddress + state.barrier(barrier.id());
                words[at + 1] = barrier.threadBlocks();
            }
            case KernelStep.Signal signal -> {
                for (int i = 0; i < signal.channels().size(); i++) {
                    words[at + i] = counters.ofPeer(signal.channels().get(i));
                }
            }
            case KernelStep.Wait wait -> {
                for (int i = 0; i < wait.counters().size(); i++) {
                    KernelStep.Counter counter = wait.counters().get(i);
                    words[at + 2 * i] = counters.own(counter.type(), counter.channel());
                    words[at + 2 * i + 1] = (stateAddress + state.awaited(counter.type(), counter.channel()))
                            | (counter.shared() ? 1 : 0);
                }
            }
            case KernelStep.Acquire acquire -> semaphores(acquire.semaphores(), at);
            case KernelStep.Release release -> semaphores(release.semaphores(), at);
            case KernelStep.Pipeline pipeline -> {
                words[at] = layout.iterations(pipeline.chunks(), pipeline.unitSize());
                words[at + 1] = pipeline.unitSize();
                write(pipeline.steps(), at + KernelStep.Pipeline.OWN_WORDS);
            }
            case KernelStep.Data data -> {
                long where = runs(
                        data.move(),
                        // computed before the access to the table, which may grow
                        range -> addresses.of(range) | round(range),
                        data.groups().stream()
                                .map(group -> new RunList.Beside(group.first(), multicast(data, group)))
                                .toList());
                words[at] = where;
                halves(data.move(), data.halves(), at + 1);
                data.move().plainPlace().ifPresent(place -> words[at + data.words() - 1] = place);
                countUnits(data, where);
            }
            case KernelStep.PortPut put -> put(put, at);
            case KernelStep.Traced traced -> {
                write(traced.step(), at + 1);
                words[at] = TraceRings.operationWord(traced.operation(), bytes(traced.step(), at + 1));
            }
            case KernelStep.PortTrigger trigger -> {
                words[at] = stateAddress + state.ring(trigger.channel());
                words[at + 1] = context.ports().get(trigger.channel()).semaphoreId();
            }
        }
    }

    private void semaphores(List<Integer> ids, int at) {
        for (int i = 0; i < ids.size(); i++) {
            words[at + i] = stateAddress + state.semaphore(ids.get(i));
        }
    }

    private void put(KernelStep.PortPut put, int at) {
        PortBinding binding = context.ports().get(put.channel());
        PortBuffers buffers = launch.ports().get(put.channel());
        Region source = switch (put.source().buffer()) {
            case INPUT -> buffers.input();
            case OUTPUT -> buffers.output();
            case SCRATCH -> new Region(binding.scratchId(), 0);
        };
        Region destination = switch (put.destination().buffer()) {
            case INPUT -> buffers.peerInput();
            case OUTPUT -> buffers.peerOutput();
            case SCRATCH -> new Region(binding.peerScratchId(), 0);
        };
        // computed before the access to the table, which may grow
        long where = runs(
                put.move(),
                range -> (range.equals(put.source()) ? source : destination).offset() | OFFSET | round(range),
                List.of());
        words[at] = where;
        words[at + 1] = stateAddress + state.ring(put.channel());
        words[at + 2] = binding.semaphoreId();
        words[at + 3] = Integer.toUnsignedLong(source.id()) | (long) destination.id() << Integer.SIZE;
        halves(put.move(), put.halves(), at + KernelStep.PortPut.OWN_WORDS);
    }

    private void halves(Move move, long halves, int at) {
        List<OperandRange> operands = move.operands();
        int next = at;
        for (int i = 0; i < operands.size(); i++) {
            if ((halves >>> i & 1) != 0) {
                words[next++] = addresses.halfBytes(operands.get(i).rank());
            }
        }
    }

    private void countUnits(KernelStep.Data data, long where) {
        int runs = (int) (where >>> Integer.SIZE);
        int stride = data.runWords();
        long unit = data.move().hasPackets() ? PacketUnit.PAYLOAD : VECTOR;
        for (int i = 0; i < runs; i++) {
            long length = words[(int) where + i * stride + 1] & MAX_LENGTH;
            mostUnits = Math.max(mostUnits, Math.ceilDiv(length, unit));
        }
    }

    /** Bytes that a step moves, from its words in the table. */
    private long bytes(KernelStep step, int at) {
        return switch (step) {
            case KernelStep.Data data -> runBytes(data.runWords(), words[at]);
            case KernelStep.PortPut put -> runBytes(2 + put.move().operands().size(), words[at]);
            default -> 0;
        };
    }

    private long runBytes(int stride, long where) {
        long bytes = 0;
        for (int i = 0; i < (int) (where >>> Integer.SIZE); i++) {
            bytes += words[(int) where + i * stride + 1] & MAX_LENGTH;
        }
        return bytes;
    }

    /**
     * The multicast address of the buffers of a group; 0 if there is none, or if the members' halves of scratch are at
     * unequal positions, so that one address cannot reach all of them.
     */
    private long multicast(KernelStep.Data data, KernelStep.SwitchOperand group) {
        OptionalLong address = launch.multicasts().isEmpty()
                ? OptionalLong.empty()
                : launch.multicasts().get(group.channel());
        OperandRange first = data.move().operands().get(group.first());
        boolean isAlike = (data.halves() >>> group.first() & 1) == 0
                || context.plan().ranks().get(context.rank()).switchGroups().get(group.channel()).ranks().stream()
                                .mapToLong(addresses::halfBytes)
                                .distinct()
                                .count()
                        == 1;
        return address.isPresent() && isAlike ? address.getAsLong() | round(first) : 0;
    }

    private static long round(OperandRange range) {
        return range.buffer() == BufferType.SCRATCH ? 0 : WITH_ROUND;
    }

    /** Appends the runs of a move; returns the word that refers to them. */
    private long runs(Move move, ToLongFunction<OperandRange> starts, List<RunList.Beside> besides) {
        List<long[]> runs = RunList.of(move, layout, context.plan().bufferAlignment(), starts, besides);
        int first = used;
        for (long[] run : runs) {
            int start = reserve(run.length);
            System.arraycopy(run, 0, words, start, run.length);
        }
        return (long) runs.size() << Integer.SIZE | first;
    }
}
