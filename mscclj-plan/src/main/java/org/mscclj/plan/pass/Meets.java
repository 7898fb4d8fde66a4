package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;

/** Writes the meetings before and after steps as steps of their own. */
final class Meets {
    private Meets() {}

    static List<Step> insert(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Loop loop -> all.add(new Step.Loop(loop.unitSize(), loop.chunks(), insert(loop.steps())));
                case Step.Run run -> {
                    if (run.meetBefore()) {
                        all.add(Step.Run.MEET);
                    }
                    all.add(Step.Run.of(run.operation()));
                    if (run.meetAfter()) {
                        all.add(Step.Run.MEET);
                    }
                }
            }
        }
        return all;
    }
}
