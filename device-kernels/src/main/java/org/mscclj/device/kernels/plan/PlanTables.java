package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;

/**
 * Makes the tables of a context's launches. Programs make the same call with buffers at many addresses, and a table of
 * many blocks takes long to write. So what was written for a call is kept, and tables for buffers elsewhere are derived
 * from it: only the addresses among its words change. Safe for several threads.
 */
public final class PlanTables {
    private static final int KEPT = 128;

    /** The size of a line of packets. Otherwise tables depend on addresses only modulo this. */
    private static final long ALIGNMENT = 128;

    /** How far buffers are moved to see which words are addresses: multiples of the alignment, none twice another. */
    private static final long INPUT_BY = 1L << 40;

    private static final long OUTPUT_BY = 3L << 40;

    private final PlanCode code;
    private final ContextSpec context;
    private final StateLayout state;
    private final long stateAddress;
    private final boolean mayBeLines;
    private final boolean mayBePackets;

    private final Map<Key, Kept> kept = new LinkedHashMap<>(KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Kept> eldest) {
            return size() > KEPT;
        }
    };

    /** What a table depends on, but for the addresses of this rank's buffers. */
    private record Key(
            RoundLayout layout,
            boolean mayBeFused,
            List<PeerBuffers> peers,
            List<PortBuffers> ports,
            List<OptionalLong> multicasts,
            long inputPlace,
            long outputPlace,
            OptionalLong apart) {}

    /**
     * What is kept of a call.
     *
     * @param words null: after the first call, and where the words do not follow by additions
     */
    private record Kept(
            long input,
            long output,
            @Nullable PlanTable table,
            @Nullable MovableWords words) {
        /** The table for other addresses; null if it must be written. */
        @Nullable
        PlanTable at(long newInput, long newOutput) {
            return table == null || words == null
                    ? null
                    : table.withWords(words.at(newInput - input, newOutput - output));
        }
    }

    /**
     * Creates an empty store.
     *
     * @param stateAddress address of the context's state on the device
     * @param mayBeLines whether packets may be lines; equal on all ranks
     * @param mayBePackets whether other packets may be fused
     */
    public PlanTables(
            PlanCode code,
            ContextSpec context,
            StateLayout state,
            long stateAddress,
            boolean mayBeLines,
            boolean mayBePackets) {
        this.code = code;
        this.context = context;
        this.state = state;
        this.stateAddress = stateAddress;
        this.mayBeLines = mayBeLines;
        this.mayBePackets = mayBePackets;
    }

    /**
     * Returns the table of a round of a launch.
     *
     * @param layout layout of the round
     * @param mayBeFused whether the blocks of this launch may be fused
     * @throws org.mscclj.api.error.UnsupportedException if memory to access is not mapped; the message names its owner
     */
    public synchronized PlanTable of(LaunchSpec launch, RoundLayout layout, boolean mayBeFused) {
        PeerBuffers own = launch.buffers().get(context.rank());
        if (own.input().isEmpty() || own.output().isEmpty()) {
            return write(launch, layout, mayBeFused);
        }
        long input = own.input().getAsLong();
        long output = own.output().getAsLong();
        Key key = key(launch, layout, mayBeFused, input, output);
        Kept known = kept.get(key);
        PlanTable derived = known == null ? null : known.at(input, output);
        if (derived != null) {
            return derived;
        }
        PlanTable table = write(launch, layout, mayBeFused);
        if (known == null) {
            kept.put(key, new Kept(input, output, null, null)); // most calls are made with the same buffers again
        } else if (known.table() == null) {
            long outputBy = key.apart().isPresent() ? INPUT_BY : OUTPUT_BY;
            PlanTable moved = write(moved(launch, INPUT_BY, outputBy), layout, mayBeFused);
            Optional<MovableWords> words = moved.form() == table.form() && moved.mostUnits() == table.mostUnits()
                    ? MovableWords.of(table.words(), moved.words(), INPUT_BY, outputBy)
                    : Optional.empty();
            kept.put(key, new Kept(input, output, table, words.orElse(null)));
        }
        return table;
    }

    /** Whether the table of a launch would be derived from another one. */
    synchronized boolean derives(LaunchSpec launch, RoundLayout layout, boolean mayBeFused) {
        PeerBuffers own = launch.buffers().get(context.rank());
        long input = own.input().orElseThrow();
        long output = own.output().orElseThrow();
        Kept known = kept.get(key(launch, layout, mayBeFused, input, output));
        return known != null && known.at(input, output) != null;
    }

    private Key key(LaunchSpec launch, RoundLayout layout, boolean mayBeFused, long input, long output) {
        long inputEnd = input + launch.input().byteSize();
        long outputEnd = output + launch.output().byteSize();
        boolean overlap = input < outputEnd && output < inputEnd;
        return new Key(
                layout,
                mayBeFused,
                withOwn(launch.buffers(), PeerBuffers.UNMAPPED),
                launch.ports(),
                launch.multicasts(),
                input & (ALIGNMENT - 1),
                output & (ALIGNMENT - 1),
                overlap ? OptionalLong.of(output - input) : OptionalLong.empty());
    }

    private List<PeerBuffers> withOwn(List<PeerBuffers> buffers, PeerBuffers own) {
        List<PeerBuffers> all = new ArrayList<>(buffers);
        all.set(context.rank(), own);
        return all;
    }

    private LaunchSpec moved(LaunchSpec launch, long inputBy, long outputBy) {
        PeerBuffers own = launch.buffers().get(context.rank()).at(inputBy, outputBy);
        return new LaunchSpec(
                launch.input(),
                launch.output(),
                launch.type(),
                launch.op(),
                launch.scaling(),
                launch.packetType(),
                launch.geometry(),
                withOwn(launch.buffers(), own),
                launch.ports(),
                launch.multicasts());
    }

    private PlanTable write(LaunchSpec launch, RoundLayout layout, boolean mayBeFused) {
        return code.fused()
                .filter(_ -> mayBeFused)
                .flatMap(fused -> FusedTable.of(fused, context, launch, layout, mayBeLines, mayBePackets))
                .map(PlanTable::of)
                .orElseGet(() -> PlanTable.of(LaunchTable.of(code, context, launch, layout, state, stateAddress)));
    }
}
