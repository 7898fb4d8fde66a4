package org.mscclj.cli.stress;

import java.util.function.Supplier;
import org.mscclj.cli.stress.fault.ScenarioResult;
import tools.jackson.core.JsonGenerator;

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
    public void write(JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("scenario", scenario);
        json.writeBooleanProperty("passed", isPassed);
        json.writeStringProperty("summary", summary);
        json.writeEndObject();
    }
}
