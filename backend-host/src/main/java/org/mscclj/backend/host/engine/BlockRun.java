package org.mscclj.backend.host.engine;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.backend.host.step.StepContext;

/**
 * A thread block of a launch: a state machine that any thread may continue, one at a time. A launch starts a block only
 * when the launch before has ended.
 */
final class BlockRun extends BlockWord {
    private final HostStep[] steps;
    private final StepContext context = new StepContext();
    private @Nullable HostLaunch launch;
    private int next;
    private boolean begun;

    BlockRun(HostStep[] steps) {
        this.steps = steps;
    }

    /** The blocks of a rank that carry out these steps. */
    static BlockRun[] of(List<HostStep[]> programs) {
        return programs.stream().map(BlockRun::new).toArray(BlockRun[]::new);
    }

    /**
     * Resets the block to its start, ready to run for a launch. The launch that ran it before has ended.
     *
     * @param round layout and buffers; null if no step has operands
     */
    void start(HostLaunch of, int flag, long roundShift, @Nullable LaunchRound round) {
        launch = of;
        context.start(flag, roundShift, round);
        next = 0;
        begun = false;
        makeReady();
    }

    /** Continues the block, unless another thread does; returns the amount of work done. */
    int tryRun() {
        if (!tryTake()) {
            return 0;
        }
        HostLaunch of = Objects.requireNonNull(launch, "started");
        int work = 0;
        boolean ended = false;
        try {
            context.startTurn();
            int before = next;
            ended = run(of);
            work = next - before + (context.done() > 0 || ended ? 1 : 0);
        } catch (RuntimeException | Error e) {
            of.fail(e);
            ended = true;
            work = 1;
        } finally {
            giveBack(ended);
            if (ended) {
                of.blockEnded();
            }
        }
        if (work > 0) {
            of.ringPeers();
        }
        return work;
    }

    private boolean run(HostLaunch of) {
        while (next < steps.length) {
            HostStep step = steps[next];
            if (!begun) {
                step.begin(context, 0, Long.MAX_VALUE);
                begun = true;
            }
            int outcome = step.advance(context);
            if (outcome != HostStep.ENDED) {
                return of.isAborted();
            }
            next++;
            begun = false;
        }
        return true;
    }
}
