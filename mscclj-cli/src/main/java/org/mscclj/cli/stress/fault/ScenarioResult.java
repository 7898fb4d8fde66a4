package org.mscclj.cli.stress.fault;

import org.mscclj.plan.document.JsonWriter;

/** The result of a scenario. */
public interface ScenarioResult {
    /** Whether the scenario has passed. */
    boolean isPassed();

    /** Writes a JSON object: {@code scenario}, {@code passed}, and more. */
    void write(JsonWriter json);
}
