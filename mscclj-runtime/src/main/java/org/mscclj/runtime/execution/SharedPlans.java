package org.mscclj.runtime.execution;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.runtime.digest.Sha256;
import org.mscclj.runtime.settings.BuildVersion;
import org.mscclj.spi.transfer.TransferLanes;

/**
 * What the ranks of a process compute once for all of them, while a rank uses it: plans of lanes and of shipped
 * programs, and what follows from a plan. Each takes time with the square of the number of ranks, so that a process of
 * many ranks would spend its time on computing the same again and again. Safe for use by several threads: one computes,
 * the others wait.
 */
public final class SharedPlans {
    private static final Map<Object, WeakReference<Plan>> PLANS = new ConcurrentHashMap<>();
    private static final Map<Identity, Facts> FACTS = new ConcurrentHashMap<>();
    private static final Map<Identity, String> PROGRAM_DIGESTS = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Plan> GONE = new ReferenceQueue<>();

    private SharedPlans() {}

    /** A program, as it is for a call. */
    private record Key(ShippedProgram program, ProgramSpec spec) {
        /** Tells programs apart without a look at their plans, which takes a while if there are many ranks. */
        String digest() {
            return Sha256.shortOf("mscclj " + BuildVersion.text() + ", " + program.label() + ", " + spec);
        }
    }

    /**
     * What follows from a plan.
     *
     * @param memory which of its memory channels belong together
     * @param port which of its port channels belong together
     * @param onlyScratch see {@link BufferAccess#onlyScratch}
     */
    private record Facts(ChannelPairing memory, ChannelPairing port, boolean onlyScratch) {
        static Facts of(Plan plan) {
            return new Facts(
                    ChannelPairing.of(plan, ChannelType.MEMORY),
                    ChannelPairing.of(plan, ChannelType.PORT),
                    BufferAccess.onlyScratch(plan));
        }
    }

    /**
     * A plan that nobody else need keep. Plans of equal content are told apart: to compare them takes as long as to
     * pair their channels.
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

    /** The plan of lanes: the same object for equal lanes, as long as somebody keeps it. */
    static Plan of(TransferLanes lanes) {
        return of(lanes, lanes::plan);
    }

    /** The plan of a program: the same object for equal programs and specifications, as long as somebody keeps it. */
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

    /** The digest of the program and the specification of a plan from here. */
    static String programDigest(Plan plan) {
        return Objects.requireNonNull(PROGRAM_DIGESTS.get(new Identity(plan)), "a plan of no program");
    }

    /** Which memory channels of a plan belong together. */
    static ChannelPairing memoryPairing(Plan plan) {
        return facts(plan).memory();
    }

    /** Which port channels of a plan belong together. */
    static ChannelPairing portPairing(Plan plan) {
        return facts(plan).port();
    }

    /** See {@link BufferAccess#onlyScratch}. */
    public static boolean onlyScratch(Plan plan) {
        return facts(plan).onlyScratch();
    }

    /** What follows from a plan is kept as long as the plan is. */
    private static Facts facts(Plan plan) {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            FACTS.remove(gone);
            PROGRAM_DIGESTS.remove(gone);
        }
        return FACTS.computeIfAbsent(new Identity(plan), _ -> Facts.of(plan));
    }
}
