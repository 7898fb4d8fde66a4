package org.mscclj.api.plan;

import org.mscclj.api.service.InstalledService;

/** Holds the plan loader, looked up on first use. */
final class InstalledPlanLoader {
    static final InstalledService<PlanLoader> LOADER = new InstalledService<>(
            PlanLoader.class,
            "nothing here reads execution plans; add org.mscclj:mscclj-runtime, which brings org.mscclj:mscclj-plan, to"
                    + " the class path or module path");

    private InstalledPlanLoader() {}
}
