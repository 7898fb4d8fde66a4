package org.mscclj.support.launch;

import java.util.List;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.waiting.Backoff;
import org.mscclj.support.interpreter.PlanInterpreter;
import org.mscclj.support.stream.EndCounter;
import org.mscclj.support.stream.InOrderStream;
import org.mscclj.support.stream.StreamWork;

/**
 * A prepared launch. The thread of a stream carries it out when its ticket is next, so that the launches of a
 * communicator follow one another on all streams. Unlike the SPI demands, launching allocates.
 */
final class InterpretedLaunch implements PreparedLaunch, StreamWork {
    private final PlanInterpreter interpreter;
    private final LaunchSpec launch;
    private final EndCounter ended = new EndCounter();

    /** Written by the thread that uses the operation. */
    private volatile long enqueued;

    private volatile boolean refusing;

    InterpretedLaunch(PlanInterpreter interpreter, LaunchSpec launch) {
        this.interpreter = interpreter;
        this.launch = launch;
    }

    private LaunchOrder order() {
        return interpreter.spec().order();
    }

    @Override
    public long enqueue(Stream stream, boolean callerJoins) {
        InOrderStream own = InOrderStream.of(stream);
        if (refusing) {
            throw new InvalidArgumentException("this operation is closed; prepare another one");
        }
        long number = enqueued + 1;
        long ticket = own.enqueue(this, order()::take);
        enqueued = number;
        return ticket;
    }

    @Override
    public long enqueued() {
        return enqueued;
    }

    @Override
    public boolean isEnded(long number) {
        return ended.reached(number);
    }

    @Override
    public boolean await(long number, long nanos) {
        return ended.await(number, nanos);
    }

    @Override
    public void orderAfter(long number, Stream stream) {
        InOrderStream.of(stream).await(ended, number);
    }

    @Override
    public void run(long ticket) {
        Backoff backoff = new Backoff();
        while (!order().isNext(ticket)) {
            boolean _ = backoff.pause(); // an abort ends the launches before
        }
        try {
            interpreter.run(launch);
        } catch (RuntimeException | Error e) { // the stream also works for other communicators
            ContextSpec spec = interpreter.spec();
            spec.abort()
                    .fail("rank " + spec.rank() + " failed in plan "
                            + spec.plan().label() + ": " + e);
        }
        ended.increment(); // before the next ticket, which may be another launch of this object
        order().ended(ticket);
    }

    @Override
    public List<LaunchOrder> orders() {
        return List.of(order());
    }

    @Override
    public void refuse() {
        refusing = true;
    }

    @Override
    public void close() {
        refusing = true;
    }
}
