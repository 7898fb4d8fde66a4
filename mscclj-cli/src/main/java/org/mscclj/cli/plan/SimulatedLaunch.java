package org.mscclj.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.analysis.picture.PlanPicture;
import org.mscclj.analysis.simulate.Prediction;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.SimulationProgress;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.options.AcceptedSizes;
import org.mscclj.cli.options.Quantities;
import org.mscclj.plan.Plan;

/**
 * A simulated launch of a plan, for a picture.
 *
 * @param plan the plan
 * @param topology the topology
 * @param messageBytes the message size, to which the plan's limits apply: that of the output for allgather, that of the
 *     input otherwise; in whole slices
 */
record SimulatedLaunch(Plan plan, Topology topology, long messageBytes) {
    private static final long DEFAULT_BYTES = 1 << 20;
    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Creates a launch of the given size, or of 1 MiB or the closest size that the plan accepts.
     *
     * @throws InvalidArgumentException if the plan does not accept the size
     */
    static SimulatedLaunch of(Plan plan, Topology topology, Optional<String> size) {
        AcceptedSizes sizes = new AcceptedSizes(plan);
        long bytes = size.map(text -> Quantities.bytes("--size", text)).orElseGet(() -> sizes.closest(DEFAULT_BYTES));
        return new SimulatedLaunch(plan, topology, sizes.checked(bytes));
    }

    /** Runs the simulation; a long one prints its progress. */
    Prediction prediction(SimulationProgress progress) {
        return Simulator.simulate(
                plan,
                topology,
                new AcceptedSizes(plan).sliceBytes(messageBytes),
                SimulationOptions.DEFAULT.withMaxSpans(PlanPicture.MAX_OPERATIONS),
                progress);
    }

    /** Returns the page; of several rounds it shows the first. */
    String html(Prediction prediction) {
        List<String> facts = new ArrayList<>();
        facts.add(String.format(Locale.ROOT, "message of %,d bytes", messageBytes));
        facts.add("simulated on " + topology.label());
        if (prediction.rounds() > 1) {
            facts.add(String.format(
                    Locale.ROOT,
                    "first of %d rounds, which take %.3f µs in all",
                    prediction.rounds(),
                    prediction.nanos() / NANOS_PER_MICRO));
        }
        return PlanPicture.html(plan, prediction.round(), facts);
    }

    /** Returns a summary in one line. */
    String summary(Prediction prediction) {
        return String.format(
                Locale.ROOT,
                "%d bytes, simulated on %s: %.2f us",
                messageBytes,
                topology.label(),
                prediction.nanos() / NANOS_PER_MICRO);
    }
}
