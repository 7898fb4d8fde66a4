package org.mscclj.backend.host.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.host.engine.LaunchWords.Phase;
import org.mscclj.backend.host.schedule.CapturedHostLaunch;
import org.mscclj.backend.host.schedule.Command;
import org.mscclj.backend.host.schedule.HostStream;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.engine.ReplayListener;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.support.stream.EndCounter;

/**
 * A prepared launch. It runs rounds; each round starts all blocks, waits for them, and flushes the port channels.
 *
 * <p>One object may be at the front of several streams at once, each time with another ticket. Only the ticket that is
 * next in the communicator's order advances, under its stream's claim. It is the only writer of everything but the
 * count of blocks in its {@link LaunchWords}, and sees the writes of earlier tickets by the happens-before of
 * {@link LaunchOrder}. Blocks run under claims of their own.
 */
final class HostLaunch implements PreparedLaunch, Command, CapturedHostLaunch {
    private static final VarHandle ENQUEUED;

    static {
        try {
            ENQUEUED = MethodHandles.lookup().findVarHandle(HostLaunch.class, "enqueued", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HostContext context;
    private final HostProgram program;
    private final AbortFlag abort;
    private final BlockRun[] blocks;
    private final long rounds;
    private final long roundBytes;
    private final PortFlush flush;
    private final LaunchWords words = new LaunchWords();
    private final EndCounter ended = new EndCounter();
    private final AtomicInteger graphs = new AtomicInteger();
    private final LongSupplier tickets;
    private final Command replay = new Replayed();

    /** Written by the thread that uses the operation; other threads read it with acquire. */
    private long enqueued;

    private ReplayListener replayListener = ReplayListener.NONE;
    private @Nullable HostStream lastStream;
    private volatile boolean refusing;

    private long round;
    private int flag;

    HostLaunch(HostContext context, HostProgram program) {
        this.context = context;
        this.program = program;
        this.abort = context.spec().abort();
        this.rounds = program.rounds();
        this.roundBytes = program.roundBytes();
        this.flush = new PortFlush(program.flushed());
        this.tickets = this::takeTicket;
        this.blocks = program.blocks();
    }

    @Override
    public long enqueue(Stream stream, boolean callerJoins) {
        HostStream host = HostStream.of(stream);
        if (refusing) {
            throw new InvalidArgumentException("this operation is closed; prepare another one");
        }
        if (host.isCapturing()) {
            host.capture(this);
            return 0;
        }
        long number = enqueued + 1;
        long ticket = host.enqueue(this, tickets, callerJoins);
        lastStream = host;
        ENQUEUED.setRelease(this, number);
        return ticket;
    }

    @Override
    public long enqueued() {
        return (long) ENQUEUED.getAcquire(this);
    }

    @Override
    public boolean isEnded(long number) {
        return ended.reached(number);
    }

    @Override
    public boolean await(long number, long nanos) {
        HostStream stream = lastStream;
        return stream == null || context.scheduler().await(ended, number, stream, nanos);
    }

    @Override
    public List<PendingTransfer> pending() {
        return isEnded(enqueued()) ? List.of() : pendingOfReplay();
    }

    /** Replays and other launches use one set of phases. */
    @Override
    public List<PendingTransfer> pendingOfReplay() {
        return words.seenPhase() == Phase.IDLE ? program.notBegun() : program.pending();
    }

    @Override
    public void orderAfter(long number, Stream stream) {
        HostStream host = HostStream.of(stream);
        if (host.isCapturing()) {
            host.awaitCaptured(order());
        } else {
            host.enqueue(_ -> ended.reached(number));
        }
    }

    @Override
    public void refuse() {
        refusing = true;
    }

    @Override
    public boolean isCaptured() {
        return graphs.get() > 0;
    }

    @Override
    public LaunchOrder order() {
        return context.spec().order();
    }

    @Override
    public List<LaunchOrder> orders() {
        return List.of(order());
    }

    @Override
    public long takeTicket() {
        return isOfSomeRanks() ? order().takeAlone() : order().take();
    }

    @Override
    public boolean isOfSomeRanks() {
        return program.isOfSomeRanks();
    }

    @Override
    public Command command() {
        return replay;
    }

    @Override
    public void listenToReplays(ReplayListener listener) {
        replayListener = listener;
    }

    @Override
    public ReplayListener replayListener() {
        return replayListener;
    }

    @Override
    public void hold() {
        graphs.incrementAndGet();
    }

    @Override
    public void drop() {
        graphs.decrementAndGet();
    }

    @Override
    public void beginReplay() {
        if (abort.isSet()) {
            throw abort.exception("replay of a graph");
        }
        context.replays().begin();
    }

    @Override
    public void endReplay() {
        context.replays().end();
    }

    /** A run whose end only the graph counts. */
    private final class Replayed implements Command {
        @Override
        public boolean control(long ticket) {
            return HostLaunch.this.control(ticket, false);
        }

        @Override
        public int assist(int worker) {
            return HostLaunch.this.assist(worker);
        }

        @Override
        public boolean wantsControl() {
            return HostLaunch.this.wantsControl();
        }
    }

    @Override
    public int assist(int worker) {
        if (words.seenPhase() != Phase.BLOCKS) {
            return 0;
        }
        int first = blocks.length * worker / context.scheduler().slots();
        int work = 0;
        for (int i = 0; i < blocks.length; i++) {
            int index = first + i;
            work += blocks[index < blocks.length ? index : index - blocks.length].tryRun();
        }
        return work;
    }

    @Override
    public boolean wantsControl() {
        return words.mayMove();
    }

    @Override
    public boolean control(long ticket) {
        return control(ticket, true);
    }

    private boolean control(long ticket, boolean counted) {
        if (!order().isNext(ticket)) {
            return false;
        }
        try {
            return goOn(ticket, counted);
        } catch (RuntimeException | Error e) { // the thread also works for other communicators
            fail(e);
            return false; // aborted: skip to the end
        }
    }

    private boolean goOn(long ticket, boolean counted) {
        while (true) {
            switch (words.phase()) {
                case IDLE -> {
                    if (rounds == 0 || abort.isSet()) {
                        end(ticket, counted);
                        return true;
                    }
                    context.publishStarted();
                    program.begin();
                    round = 0;
                    beginRound();
                }
                case STARTING -> {
                    if (!abort.isSet() && context.flagsWrapped()) {
                        boolean met = context.wrap().advance();
                        ringPeers(); // this rank may have been the last to arrive
                        if (!met) {
                            return false;
                        }
                    }
                    startBlocks();
                    return false;
                }
                case BLOCKS -> {
                    if (!words.haveBlocksEnded()) {
                        return false;
                    }
                    flush.begin();
                    words.enter(Phase.FLUSHING);
                }
                case FLUSHING -> {
                    if (!abort.isSet() && !flush.advance()) {
                        return false;
                    }
                    if (++round < rounds && !abort.isSet()) {
                        beginRound();
                    } else {
                        words.enter(Phase.SCALING);
                    }
                }
                case SCALING -> {
                    if (!abort.isSet()) {
                        program.complete();
                    }
                    words.enter(Phase.IDLE);
                    context.publishFinished();
                    end(ticket, counted);
                    return true;
                }
            }
        }
    }

    private void beginRound() {
        flag = context.takeFlag();
        context.wrap().begin();
        words.enter(Phase.STARTING);
    }

    private void startBlocks() {
        context.semaphores().reset();
        LaunchRound now = program.round(round == rounds - 1);
        words.enterBlocks(blocks.length);
        for (BlockRun block : blocks) {
            block.start(this, flag, round * roundBytes, now);
        }
    }

    private void end(long ticket, boolean counted) {
        if (counted) {
            ended.set(ended.count() + 1); // before another thread continues the next ticket
        }
        order().ended(ticket);
    }

    void blockEnded() {
        words.blockEnded();
    }

    /** Wakes ranks in other processes, which may sleep until shared memory changes. */
    void ringPeers() {
        context.scheduler().ringPeers();
    }

    boolean isAborted() {
        return abort.isSet();
    }

    /** Fails the communicator after an exception of a step, which steps never throw in correct operation. */
    void fail(Throwable cause) {
        abort.fail("rank " + context.spec().rank() + " failed in plan "
                + context.spec().plan().label() + ": " + cause);
    }

    @Override
    public void close() {
        refusing = true;
    }
}
