package org.mscclj.cli.stress;

import java.util.function.Supplier;
import org.mscclj.cli.stress.fault.ScenarioResult;
import tools.jackson.core.JsonGenerator;

/**
 * What has come of a scenario without faults.
 *
 * @param scenario its name
 * @param isPassed whether nothing is wrong
 * @param said what it says: what was done, or what is wrong
 */
record LoadResult(String scenario, boolean isPassed, String said) implements ScenarioResult {
    /** Tries it. */
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
        json.writeStringProperty("said", said);
        json.writeEndObject();
    }
}
