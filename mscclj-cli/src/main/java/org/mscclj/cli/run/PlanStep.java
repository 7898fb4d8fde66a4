package org.mscclj.cli.run;

import java.nio.file.Path;
import org.mscclj.cli.check.CallShape;
import org.mscclj.plan.Plan;

/**
 * One size of a plan, with one type and one packet format, among several that are run.
 *
 * @param file the plan's file
 * @param settings what it has in common with the other sizes
 * @param shape the size
 */
record PlanStep(Path file, RunSettings settings, CallShape shape) {
    /** What the user knows a plan by: its file's name without the ending. */
    static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.json$", "");
    }

    String name() {
        return name(file);
    }

    Plan plan() {
        return settings.plan();
    }

    /** The packet format as tables show it. */
    String packets() {
        return plan().usesPackets() ? settings.packetType().name() : "none";
    }
}
