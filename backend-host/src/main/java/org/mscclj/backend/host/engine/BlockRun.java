package org.mscclj.backend.host.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.mscclj.backend.host.step.Step;
import org.mscclj.backend.host.step.StepContext;

/**
 * A thread block of a launch: a state machine that any thread may continue, one at a time.
 *
 * <p>Happens-before: {@code state} is set to READY with release and taken to RUNNING by compare-and-set, so that a
 * thread sees everything that earlier threads did for this block, and, the first time, everything that the launch
 * prepared.
 */
final class BlockRun {
    private static final int ENDED = 0;
    private static final int READY = 1;
    private static final int RUNNING = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(BlockRun.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HostLaunch launch;
    private final Step[] steps;
    private final StepContext context = new StepContext();
    private int next;
    private boolean begun;

    @SuppressWarnings("unused") // accessed through STATE
    private int state;

    BlockRun(HostLaunch launch, Step[] steps) {
        this.launch = launch;
        this.steps = steps;
    }

    /** Resets the block to its start, ready to run. */
    void start(int flag, long roundShift) {
        context.start(flag, roundShift);
        next = 0;
        begun = false;
        STATE.setRelease(this, READY);
    }

    /** Continues the block, unless another thread does; returns the amount of work done. */
    int tryRun() {
        if ((int) STATE.getOpaque(this) != READY || !STATE.compareAndSet(this, READY, RUNNING)) {
            return 0;
        }
        int work = 0;
        boolean ended = false;
        try {
            context.startTurn();
            int before = next;
            ended = run();
            work = next - before + (context.done() > 0 || ended ? 1 : 0);
        } catch (RuntimeException | Error e) {
            launch.fail(e);
            ended = true;
            work = 1;
        } finally {
            STATE.setRelease(this, ended ? ENDED : READY);
            if (ended) {
                launch.blockEnded();
            }
        }
        if (work > 0) {
            launch.ringPeers();
        }
        return work;
    }

    private boolean run() {
        while (next < steps.length) {
            Step step = steps[next];
            if (!begun) {
                step.begin(context, 0, Long.MAX_VALUE);
                begun = true;
            }
            int outcome = step.advance(context);
            if (outcome != Step.ENDED) {
                return launch.isAborted();
            }
            next++;
            begun = false;
        }
        return true;
    }
}
