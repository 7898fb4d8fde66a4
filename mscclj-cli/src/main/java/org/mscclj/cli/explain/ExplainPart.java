package org.mscclj.cli.explain;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.cli.measure.RankBuffers;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;

/**
 * Explains a call on one rank, and prints what rank 0 says: the selections of all ranks are equal.
 *
 * @param call the call
 * @param plans registered in this order
 * @param out receives the explanation
 * @param unserved becomes true if no algorithm serves the call
 */
record ExplainPart(ExplainedCall call, List<ExecutionPlan> plans, PrintWriter out, AtomicBoolean unserved)
        implements RankPart {
    ExplainPart(ExplainedCall call, List<ExecutionPlan> plans, PrintWriter out) {
        this(call, plans, out, new AtomicBoolean());
    }

    /** Returns whether an algorithm serves the call, once the ranks have run. */
    boolean isServed() {
        return !unserved.get();
    }

    @Override
    public void run(RankSession session) {
        Communicator communicator = session.communicator();
        plans.forEach(communicator.plans()::register);
        session.beginOperations("allocate", 2);
        try (RankBuffers buffers = RankBuffers.allocate(call.allocator(communicator), session.rank(), call.shape())) {
            CollectiveCall collective = call.on(buffers.input(), buffers.output());
            Selection selection = communicator.explain(collective);
            if (selection.chosen().isEmpty()) {
                unserved.set(true);
            }
            if (session.rank() == 0) {
                print(selection);
            }
            session.beginClose();
        }
    }

    private void print(Selection selection) {
        out.println(selection.call());
        int name = selection.candidates().stream()
                .mapToInt(candidate -> candidate.name().length())
                .max()
                .orElse(0);
        for (AlgorithmCandidate candidate : selection.candidates()) {
            out.println(String.format(
                    Locale.ROOT,
                    "  %-" + Math.max(1, name) + "s  %-15s  %-10s  %s",
                    candidate.name(),
                    candidate.kind(),
                    candidate.decision(),
                    candidate.reason()));
        }
        if (selection.chosen().isEmpty()) {
            out.println("No algorithm serves the call.");
        }
        out.flush();
    }
}
