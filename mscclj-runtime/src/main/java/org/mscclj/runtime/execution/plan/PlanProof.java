package org.mscclj.runtime.execution.plan;

import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.PlanPhase;

/**
 * Verifies the plans of a communicator before their first launch, if verification is on. Rank 0 verifies for all ranks:
 * the ranks have agreed on the plan's content, and each rank draws an equal conclusion. Used by one thread at a time.
 */
public final class PlanProof {
    private final ControlPlane control;
    private final PlanVerification verification;
    private final PlanVerdicts verdicts;
    private final System.Logger logger;

    /** Digests of the plans that may run. Equal on all ranks, since the ranks call this class together. */
    private final Set<String> passed = new HashSet<>();

    /** Digests of the plans that may run with a root, each followed by the root. */
    private final Set<String> passedForRoot = new HashSet<>();

    public PlanProof(ControlPlane control, PlanVerification verification, PlanVerdicts verdicts, System.Logger logger) {
        this.control = control;
        this.verification = verification;
        this.verdicts = verdicts;
        this.logger = logger;
    }

    /**
     * Accepts a plan, and logs a warning if it is not proved. Collective if the plan is new.
     *
     * @param digest of its content, equal on all ranks
     * @throws InvalidArgumentException on every rank, if proofs are required and the plan has none; the message
     *     contains the finding
     */
    public void check(Plan plan, String digest) {
        if (verification != PlanVerification.OFF && !passed.contains(digest)) {
            checkNew(plan, digest, OptionalInt.empty());
            passed.add(digest);
        }
    }

    /**
     * Accepts a plan for calls with one root, and logs a warning if it is not proved. Collective if the plan is new.
     *
     * @param digest of its content, equal on all ranks
     * @throws InvalidArgumentException on every rank, if proofs are required and there is none, or one for other roots
     */
    public void check(Plan plan, String digest, int root) {
        if (verification != PlanVerification.OFF && !passedForRoot.contains(digest + " " + root)) {
            checkNew(plan, digest, OptionalInt.of(root));
            passed.add(digest);
            passedForRoot.add(digest + " " + root);
        }
    }

    private void checkNew(Plan plan, String digest, OptionalInt root) {
        Exchange.gather(control, Topic.of(TopicKind.VERIFY, plan.label()), () -> {
            if (control.rank() == 0) {
                judge(plan, digest, root);
            }
            return new byte[0];
        });
    }

    private void judge(Plan plan, String digest, OptionalInt root) {
        Verdict verdict =
                EventRecorder.plan(plan.name(), control.rank(), PlanPhase.VERIFY, () -> verdicts.on(plan, digest));
        boolean otherRoot = root.isPresent() && !verdict.roots().contains(root.getAsInt());
        if (verdict.isProved() && !otherRoot) {
            return;
        }
        String words = "plan " + plan.label() + " is "
                + (verdict.isProved()
                        ? "proved for root " + verdict.roots() + ", not for root " + root.orElseThrow()
                                + ", which registered plans serve"
                        : (verdict.isRefuted() ? "refuted" : "not proved") + ": "
                                + verdict.findings().getFirst().message());
        if (verification == PlanVerification.REQUIRE) {
            throw new InvalidArgumentException(words
                    + "\nAllowed are plans that are proved: repair it (mscclj plan verify tells more), or"
                    + " choose warn or off by "
                    + PlanVerification.VARIABLE + " or verifyPlans");
        }
        if (verdicts.mustTell(digest)) {
            logger.log(
                    System.Logger.Level.WARNING,
                    () -> words + "\nIt runs nevertheless, because " + PlanVerification.VARIABLE
                            + " or verifyPlans says warn");
        }
    }
}
