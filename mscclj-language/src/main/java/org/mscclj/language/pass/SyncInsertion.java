package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;

/** Turns the synchronisations before and after steps into steps. */
final class SyncInsertion {
    private SyncInsertion() {}

    static List<BlockStep> insert(List<BlockStep> steps) {
        List<BlockStep> all = new ArrayList<>();
        for (BlockStep step : steps) {
            switch (step) {
                case BlockStep.Loop loop ->
                    all.add(new BlockStep.Loop(loop.unitSize(), loop.chunks(), insert(loop.steps())));
                case BlockStep.Run run -> {
                    if (run.syncBefore()) {
                        all.add(BlockStep.Run.SYNC);
                    }
                    all.add(BlockStep.Run.of(run.operation()));
                    if (run.syncAfter()) {
                        all.add(BlockStep.Run.SYNC);
                    }
                }
            }
        }
        return all;
    }
}
