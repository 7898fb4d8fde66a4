package org.mscclj.cli.stress.fault;

import tools.jackson.core.JsonGenerator;

/** What has come of a scenario. */
public interface ScenarioResult {
    /** Whether nothing is wrong. */
    boolean isPassed();

    /** Writes an object: {@code scenario}, {@code passed}, and more. */
    void write(JsonGenerator json);
}
