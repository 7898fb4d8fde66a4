package org.mscclj.cli.stress.fault;

/** A scenario with a sequence of faults of one kind. */
@FunctionalInterface
public interface FaultScenario {
    /** Causes the faults, and records the result of each. */
    FaultResult run(FaultSettings settings);
}
