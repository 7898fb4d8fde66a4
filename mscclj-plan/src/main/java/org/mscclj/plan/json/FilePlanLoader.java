package org.mscclj.plan.json;

import java.nio.file.Path;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanLoader;

/** {@link PlanReader} as a service. */
public final class FilePlanLoader implements PlanLoader {
    /** Creates the loader; called by {@link java.util.ServiceLoader}. */
    public FilePlanLoader() {}

    @Override
    public ExecutionPlan load(Path file) {
        return PlanReader.read(file);
    }
}
