package org.mscclj.cli.stress.fault;

/** Faults of one kind, one after the other. */
@FunctionalInterface
public interface FaultScenario {
    /** Makes them, and writes down what comes of each. */
    FaultResult run(FaultSettings settings);
}
