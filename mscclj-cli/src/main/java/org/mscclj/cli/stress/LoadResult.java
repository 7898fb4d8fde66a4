package org.mscclj.cli.stress;

import java.util.function.Supplier;
import org.mscclj.cli.stress.fault.ScenarioResult;
import org.mscclj.plan.document.JsonWriter;

/**
 * The result of a scenario without faults.
 *
 * @param scenario the name of the scenario
 * @param isPassed whether it has passed
 * @param summary a summary, or the reason of the failure
 */
record LoadResult(String scenario, boolean isPassed, String summary) implements ScenarioResult {
    /** Runs the scenario. */
    static LoadResult of(String name, Supplier<String> scenario) {
        try {
            return new LoadResult(name, true, scenario.get());
        } catch (RuntimeException e) {
            return new LoadResult(name, false, e.toString());
        }
    }

    @Override
    public void write(JsonWriter json) {
        json.beginObject();
        json.field("scenario", scenario);
        json.field("passed", isPassed);
        json.field("summary", summary);
        json.end();
    }
}
