package org.mscclj.support.interpreter;

import java.util.stream.Stream;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.support.interpreter.Action.Outcome;

/** Requests to the proxy that moves the data of port channels. A full ring makes an action wait. */
final class Ports {
    private Ports() {}

    /**
     * Requests what follows the data: any of {@link Trigger#SIGNAL} and {@link Trigger#FLUSH}, or nothing. Waits for
     * the flush.
     */
    static Stream<Action> request(PortBinding port, int type) {
        long[] pushed = new long[1];
        Action request = Action.until(() -> {
            pushed[0] = port.fifo().tryPush(0, Trigger.word1(0, 0, 0, type, port.semaphoreId()));
            return pushed[0] >= 0;
        });
        Action flushed = Action.until(() -> port.fifo().flushed(port.semaphoreId()) > pushed[0]);
        return (type & Trigger.FLUSH) != 0 ? Stream.of(request, flushed) : Stream.of(request);
    }

    /** Memory that a proxy knows: addresses are offsets in the memory of an id and the following ids. */
    record Registered(Operand operand, int firstId) {}

    /** Requests copies of a range. Padding of either side is left out. */
    static final class Copy implements Action {
        private final PortBinding port;
        private final Registered source;
        private final Registered destination;
        private final long end;
        private long position;

        /**
         * Requests for two operands of equal length.
         *
         * @param part the part of the range
         */
        Copy(PortBinding port, Registered source, Registered destination, IterationRange part) {
            this.port = port;
            this.source = source;
            this.destination = destination;
            IterationRange handled = part.within(source.operand().length());
            this.position = handled.from();
            this.end = handled.to();
        }

        @Override
        public Outcome attempt() {
            if (position == end) {
                return Outcome.ENDED;
            }
            int scale = source.operand().packets() ? 2 : 1;
            int most = (int) Math.min(Integer.MAX_VALUE & -Long.BYTES, end - position);
            Operand.Span from = source.operand().span(position, most);
            Operand.Span to = destination.operand().span(position, Math.min(most, from.bytes()));
            long bytes = to.bytes();
            if (from.address() != Operand.PADDING && to.address() != Operand.PADDING) {
                long moved = Trigger.fit(from.address(), to.address(), bytes * scale);
                if (!push(from.address(), to.address(), moved)) {
                    return Outcome.WAITS;
                }
                bytes = moved / scale;
            }
            position += bytes;
            return Outcome.MOVED;
        }

        private boolean push(long from, long to, long bytes) {
            return port.fifo()
                            .tryPush(
                                    Trigger.word0(bytes, Trigger.windowOffset(from)),
                                    Trigger.word1(
                                            Trigger.windowOffset(to),
                                            source.firstId() + Trigger.windowIndex(from),
                                            destination.firstId() + Trigger.windowIndex(to),
                                            Trigger.DATA,
                                            port.semaphoreId()))
                    >= 0;
        }
    }
}
