package org.mscclj.api.plan;

import java.util.ServiceLoader;
import org.mscclj.api.error.UnsupportedException;

/** Holds the plan loader, looked up once, on first use. */
final class InstalledPlanLoader {
    static final PlanLoader INSTANCE = ServiceLoader.load(PlanLoader.class, PlanLoader.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                    () -> new UnsupportedException("nothing here reads execution plans; add org.mscclj:mscclj-runtime,"
                            + " which brings org.mscclj:mscclj-plan, to the class path or module path"));

    private InstalledPlanLoader() {}
}
