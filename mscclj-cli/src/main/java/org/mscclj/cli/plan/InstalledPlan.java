package org.mscclj.cli.plan;

import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.text.MessageSizeRange;

/**
 * A file in the folder of plans.
 *
 * @param file its file name
 * @param plan the plan; empty if the file is invalid
 * @param fault why the file is invalid; empty if it is valid
 */
record InstalledPlan(String file, Optional<Plan> plan, String fault) {
    static InstalledPlan read(Path path) {
        String file = PlainText.escape(path.getFileName().toString());
        try {
            return new InstalledPlan(file, Optional.of(PlanReader.read(path)), "");
        } catch (InvalidArgumentException e) {
            return new InstalledPlan(file, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String toString() {
        return plan.map(valid -> file + ": " + valid.collective() + " of " + valid.worldSize() + " ranks, "
                        + (valid.inPlace() ? "in place" : "out of place") + ", "
                        + MessageSizeRange.text(valid.minMessageSize(), valid.maxMessageSize()))
                .orElse(file + ": not a valid plan: " + fault);
    }
}
