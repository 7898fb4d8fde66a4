package org.mscclj.cli.stress;

import org.mscclj.api.LocalGroupOptions;

/** Something to try with a group of its own. */
@FunctionalInterface
interface Scenario {
    /**
     * Tries it.
     *
     * @param options how groups are opened
     * @return what was measured, in words
     * @throws RuntimeException if something is wrong
     */
    String run(LocalGroupOptions options);
}
