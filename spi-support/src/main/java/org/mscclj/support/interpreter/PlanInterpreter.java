package org.mscclj.support.interpreter;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.waiting.Backoff;
import org.mscclj.support.interpreter.Action.Outcome;
import org.mscclj.support.memory.Memory;

/**
 * Carries out the launches of a plan on one rank, block by block, and keeps what lasts from launch to launch: the
 * packet flag, and the numbers of signals. It is made to be read: it allocates, and knows nothing of speed.
 *
 * <p>The calling thread carries out all blocks in turn. A block is a sequence of {@link Action}s, of which none blocks:
 * a block whose action has to wait gives way to the next block. Every wait ends when the communicator's abort flag is
 * set.
 *
 * <p>One launch at a time, of any thread: a launch sees what earlier launches have written if the caller orders them,
 * as {@link org.mscclj.spi.engine.LaunchOrder} does.
 */
public final class PlanInterpreter {
    private final ContextSpec spec;
    private final Memory memory;
    private final RankPlan plan;
    private final ChannelSignals signals;
    private final FlagWrap wrap;
    private final Flags flags;
    private long launches;

    /**
     * The interpreter of a context.
     *
     * @param memory the memory in which the addresses of the context and of its launches lie
     */
    public PlanInterpreter(ContextSpec spec, Memory memory) {
        this.spec = spec;
        this.memory = memory;
        this.plan = spec.plan().ranks().get(spec.rank());
        this.signals = new ChannelSignals(spec, memory);
        this.wrap = new FlagWrap(spec, memory);
        this.flags = new Flags(spec.firstFlag());
    }

    /** The context. */
    public ContextSpec spec() {
        return spec;
    }

    /**
     * Checks that all memory of a launch is mapped here.
     *
     * @throws UnsupportedException if it is not; the message names plan, rank and block
     * @throws org.mscclj.api.error.InvalidArgumentException if a reduction is not defined on the type
     */
    public void requireMapped(LaunchSpec launch) {
        if (launch.geometry().rounds() > 0) {
            blocks(launch, launch.geometry().round(0), 1)
                    .forEach(block -> block.actionsOnce().forEach(_ -> {}));
        }
    }

    /** Carries out a launch; returns when it has ended, or the communicator was aborted. */
    public void run(LaunchSpec launch) {
        if (launch.geometry().rounds() == 0 || spec.abort().isSet()) {
            return;
        }
        long counters = spec.counters().address();
        memory.setRelease(counters + ContextLayout.STARTED, ++launches);
        Optional<ScaledSum> scaled = launch.scaling().map(scaling -> new ScaledSum(memory, launch, scaling));
        scaled.ifPresent(ScaledSum::contribute);
        if (runRounds(launch)) {
            scaled.ifPresent(ScaledSum::finish);
        }
        memory.setRelease(counters + ContextLayout.FINISHED, launches);
    }

    private boolean runRounds(LaunchSpec launch) {
        for (long round = 0; round < launch.geometry().rounds(); round++) {
            int flag = flags.take();
            List<BlockWalk> blocks = blocks(launch, launch.geometry().round(round), flag);
            boolean ended = (!flags.wrapped() || carryOut(List.of(wrap.actions())))
                    && carryOut(blocks.stream().map(BlockWalk::actions).toList())
                    && carryOut(List.of(flushOfPorts()));
            if (!ended) {
                return false;
            }
        }
        return true;
    }

    private List<BlockWalk> blocks(LaunchSpec launch, RoundLayout layout, int flag) {
        BlockSync sync = new BlockSync(plan.semaphoreInitialValues());
        return plan.threadBlocks().stream()
                .map(block -> new Operands(spec, launch, layout, flag, new BlockView(plan, block)))
                .map(operands -> new BlockWalk(spec, launch, memory, signals, sync, operands))
                .toList();
    }

    /** Flushes all port channels at the end of a round, so that sources may be written again. */
    private Stream<Action> flushOfPorts() {
        List<PortBinding> ports = spec.ports();
        return ports.stream().flatMap(port -> Ports.request(port, Trigger.FLUSH));
    }

    /** Carries out sequences of actions side by side; returns false if the communicator was aborted first. */
    private boolean carryOut(List<Stream<Action>> sequences) {
        List<Sequence> unfinished = new ArrayList<>();
        sequences.forEach(actions -> unfinished.add(new Sequence(actions.iterator())));
        Backoff backoff = new Backoff();
        while (!unfinished.isEmpty()) {
            if (spec.abort().isSet()) {
                return false;
            }
            boolean moved = false;
            for (Sequence sequence : unfinished) {
                moved |= sequence.advance();
            }
            moved |= unfinished.removeIf(Sequence::isEnded);
            if (moved) {
                backoff.progressed();
            } else {
                backoff.pause();
            }
        }
        return true;
    }

    /** Actions one after another. */
    private static final class Sequence {
        /** Attempts in one turn, so that other blocks and an abort get theirs. */
        private static final int TURN = 16;

        private final Iterator<Action> following;
        private Action current = Action.of(() -> {});
        private boolean ended;

        Sequence(Iterator<Action> actions) {
            following = actions;
        }

        boolean isEnded() {
            return ended;
        }

        /** Takes a turn; returns whether anything was carried out. */
        boolean advance() {
            boolean moved = false;
            for (int i = 0; i < TURN && !ended; i++) {
                Outcome outcome = current.attempt();
                if (outcome == Outcome.WAITS) {
                    break;
                }
                moved = true;
                if (outcome == Outcome.ENDED) {
                    ended = !following.hasNext();
                    current = ended ? current : following.next();
                }
            }
            return moved;
        }
    }
}
