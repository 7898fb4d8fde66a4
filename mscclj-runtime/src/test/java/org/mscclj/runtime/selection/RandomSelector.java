package org.mscclj.runtime.selection;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanRegistry;

/** Selectors of an application. */
enum RandomSelector implements PlanRegistry.Selector {
    /** Chooses nothing. */
    NONE {
        @Override
        public Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call) {
            return Optional.empty();
        }
    },
    /** Chooses the first plan. */
    FIRST {
        @Override
        public Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call) {
            return Optional.of(candidates.getFirst());
        }
    },
    /** Chooses the last plan for calls that are not small. */
    LAST_OF_LARGE {
        @Override
        public Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call) {
            return Optional.of(candidates.getLast()).filter(_ -> call.bytes() > 1 << 12);
        }
    },
    /** Chooses the plan whose tag has the greatest number, if plans have one. */
    GREATEST_TAG {
        @Override
        public Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call) {
            return candidates.stream()
                    .filter(handle -> handle.tags().containsKey(RandomPlan.TAG))
                    .max(Comparator.comparing(handle -> handle.tags().getOrDefault(RandomPlan.TAG, 0)));
        }
    },
    /** Chooses the plan that is for as many ranks a node as the call has, for calls on registered memory. */
    OF_NODE {
        @Override
        public Optional<PlanHandle> select(List<PlanHandle> candidates, CallShape call) {
            return candidates.stream()
                    .filter(handle -> handle.ranksPerNode().equals(Optional.of(call.ranksPerNode())))
                    .filter(_ -> call.registered())
                    .findFirst();
        }
    }
}
