package org.mscclj.runtime.execution.plan;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.runtime.settings.BuildVersion;
import org.mscclj.spi.transfer.TransferLanes;

/**
 * Data that the ranks of a process compute once for all of them and share while a rank uses it: plans of lanes and of
 * shipped programs, and facts derived from a plan. Each computation takes time proportional to the square of the number
 * of ranks, so a process of many ranks would otherwise spend its time on repeating it. Safe for use by several threads:
 * one computes, the others wait.
 */
public final class SharedPlans {
    private static final Map<Object, WeakReference<Plan>> PLANS = new ConcurrentHashMap<>();
    private static final Map<Identity, Facts> FACTS = new ConcurrentHashMap<>();
    private static final Map<Identity, String> PROGRAM_DIGESTS = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Plan> GONE = new ReferenceQueue<>();

    private SharedPlans() {}

    /** A program with the specification of a call. */
    private record Key(ShippedProgram program, ProgramSpec spec) {
        /**
         * Returns a digest that distinguishes programs without their plans, which are slow to inspect for many ranks.
         */
        String digest() {
            return Sha256.shortOf("mscclj " + BuildVersion.text() + ", " + program.label() + ", " + spec);
        }
    }

    /**
     * Facts derived from a plan.
     *
     * @param memory pairing of its memory channels
     * @param port pairing of its port channels
     * @param usesPorts whether a rank of the plan has a port channel
     * @param mapsBuffers see {@link BufferAccess#mapsBuffers}
     * @param byPorts see {@link BufferAccess#byPorts}
     * @param onlyScratch see {@link BufferAccess#onlyScratch}
     */
    private record Facts(
            ChannelPairing memory,
            ChannelPairing port,
            boolean usesPorts,
            boolean mapsBuffers,
            Set<BufferType> byPorts,
            boolean onlyScratch) {
        static Facts of(Plan plan) {
            return new Facts(
                    ChannelPairing.of(plan, ChannelType.MEMORY),
                    ChannelPairing.of(plan, ChannelType.PORT),
                    plan.ranks().stream()
                            .anyMatch(rank -> !rank.portChannelPeers().isEmpty()),
                    BufferAccess.mapsBuffers(plan),
                    Set.copyOf(BufferAccess.byPorts(plan)),
                    BufferAccess.onlyScratch(plan));
        }
    }

    /**
     * A key by the identity of a plan, which it does not keep alive. Two plans of equal content have different keys:
     * comparing them takes as long as pairing their channels.
     */
    private static final class Identity extends WeakReference<Plan> {
        private final int hash;

        Identity(Plan plan) {
            super(plan, GONE);
            this.hash = System.identityHashCode(plan);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Plan plan = get();
            return plan != null && other instanceof Identity identity && identity.refersTo(plan);
        }
    }

    /** Returns the plan of lanes: one object for equal lanes, as long as a reference keeps it alive. */
    public static Plan of(TransferLanes lanes) {
        return of(lanes, lanes::plan);
    }

    /**
     * Returns the plan of a program: one object for equal programs and specifications, as long as a reference keeps it
     * alive.
     */
    public static Plan of(ShippedProgram program, ProgramSpec spec) {
        Key key = new Key(program, spec);
        Plan plan = of(key, () -> program.plan(spec));
        PROGRAM_DIGESTS.computeIfAbsent(new Identity(plan), _ -> key.digest());
        return plan;
    }

    private static Plan of(Object key, Supplier<Plan> making) {
        PLANS.values().removeIf(known -> known.refersTo(null));
        Plan[] plan = new Plan[1]; // kept until this returns
        WeakReference<Plan> _ = PLANS.compute(key, (_, known) -> {
            Plan before = known == null ? null : known.get();
            plan[0] = before == null ? making.get() : before;
            return before == null ? new WeakReference<>(plan[0]) : known;
        });
        return plan[0];
    }

    /** Returns the digest of the program and the specification of a plan from this class. */
    static String programDigest(Plan plan) {
        return Objects.requireNonNull(PROGRAM_DIGESTS.get(new Identity(plan)), "a plan of no program");
    }

    /** Returns the pairing of a plan's memory channels. */
    public static ChannelPairing memoryPairing(Plan plan) {
        return facts(plan).memory();
    }

    /** Returns the pairing of a plan's port channels. */
    public static ChannelPairing portPairing(Plan plan) {
        return facts(plan).port();
    }

    /** Returns whether a rank of a plan has a port channel. */
    public static boolean usesPorts(Plan plan) {
        return facts(plan).usesPorts();
    }

    /** Returns {@link BufferAccess#mapsBuffers} of a plan. */
    public static boolean mapsBuffers(Plan plan) {
        return facts(plan).mapsBuffers();
    }

    /** Returns {@link BufferAccess#byPorts} of a plan. */
    public static Set<BufferType> byPorts(Plan plan) {
        return facts(plan).byPorts();
    }

    /** Returns {@link BufferAccess#onlyScratch} of a plan. */
    public static boolean onlyScratch(Plan plan) {
        return facts(plan).onlyScratch();
    }

    /** Returns the facts derived from a plan, which are kept as long as the plan is. */
    private static Facts facts(Plan plan) {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            FACTS.remove(gone);
            PROGRAM_DIGESTS.remove(gone);
        }
        return FACTS.computeIfAbsent(new Identity(plan), _ -> Facts.of(plan));
    }
}
