package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;

/** Turns the synchronisations before and after steps into steps. */
final class SyncInsertion {
    private SyncInsertion() {}

    static List<Step> insert(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Loop loop -> all.add(new Step.Loop(loop.unitSize(), loop.chunks(), insert(loop.steps())));
                case Step.Run run -> {
                    if (run.syncBefore()) {
                        all.add(Step.Run.SYNC);
                    }
                    all.add(Step.Run.of(run.operation()));
                    if (run.syncAfter()) {
                        all.add(Step.Run.SYNC);
                    }
                }
            }
        }
        return all;
    }
}
