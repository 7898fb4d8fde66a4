package org.mscclj.cli.stress;

import org.mscclj.api.LocalGroupOptions;

/** A test under load, with a group of its own. */
@FunctionalInterface
interface Scenario {
    /**
     * Runs the scenario.
     *
     * @param options the options of its groups
     * @return a description of what was measured
     * @throws RuntimeException if it fails
     */
    String run(LocalGroupOptions options);
}
