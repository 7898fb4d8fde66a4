package org.mscclj.plan.program;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.plan.Plan;

/**
 * The plans made last, so that the ranks of a process share them: making one takes time that grows with the square of
 * the ranks.
 */
final class ProgramCache {
    private static final int MOST_PLANS = 64;

    private record Key(ShippedProgram program, ProgramSpec spec) {}

    private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Plan> eldest) {
            return size() > MOST_PLANS;
        }
    };

    synchronized Plan get(ShippedProgram program, ProgramSpec spec) {
        return plans.computeIfAbsent(new Key(program, spec), key -> program.make(spec));
    }
}
