package org.mscclj.cli.run;

import java.nio.file.Path;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.plan.Plan;

/**
 * One size of a plan, with one type and one packet format, among several that are run.
 *
 * @param file the plan's file
 * @param settings what it has in common with the other sizes
 * @param shape the size
 */
record PlanStep(Path file, RunSettings settings, CallShape shape) {
    /** What the user knows the plan by. */
    String name() {
        return PlanFiles.name(file);
    }

    Plan plan() {
        return settings.plan();
    }

    /** Whether launches are timed, too. */
    boolean isMeasured() {
        return settings.iterations(shape) > 0;
    }

    /** The packet format as tables show it. */
    String packets() {
        return plan().usesPackets() ? settings.packetType().name() : "none";
    }
}
