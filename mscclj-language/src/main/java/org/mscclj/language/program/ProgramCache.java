package org.mscclj.language.program;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.plan.Plan;

/**
 * The most recent plans, shared by the ranks of a process: the time to build a plan is quadratic in the number of
 * ranks.
 */
final class ProgramCache {
    private static final int MAX_PLANS = 64;

    private record Key(ShippedProgram program, ProgramSpec spec) {}

    private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Plan> eldest) {
            return size() > MAX_PLANS;
        }
    };

    synchronized Plan get(ShippedProgram program, ProgramSpec spec) {
        return plans.computeIfAbsent(new Key(program, spec), key -> program.make(spec));
    }
}
