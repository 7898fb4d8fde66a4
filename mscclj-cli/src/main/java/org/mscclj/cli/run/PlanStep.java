package org.mscclj.cli.run;

import java.nio.file.Path;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.plan.Plan;

/**
 * One of several runs: a plan with one type, one packet format and one size.
 *
 * @param file the plan's file
 * @param settings the settings that all sizes share
 * @param shape the size
 */
record PlanStep(Path file, RunSettings settings, CheckedCall shape) {
    /** Returns the name of the plan. */
    String name() {
        return PlanFiles.name(file);
    }

    Plan plan() {
        return settings.plan();
    }

    /** Whether launches are also timed. */
    boolean isMeasured() {
        return settings.iterations(shape) > 0;
    }

    /** Returns the packet format in tables. */
    String packets() {
        return plan().usesPackets() ? settings.packetType().name() : "none";
    }
}
