package org.mscclj.api.plan;

import java.nio.file.Path;

/** Reads plan files. The plan module provides it as a service; applications call {@link ExecutionPlan#load}. */
public interface PlanLoader {
    /** Reads and validates a plan file; see {@link ExecutionPlan#load}. */
    ExecutionPlan load(Path file);
}
