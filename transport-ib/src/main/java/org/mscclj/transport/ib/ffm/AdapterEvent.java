package org.mscclj.transport.ib.ffm;

/**
 * An asynchronous event of an adapter ({@code struct ibv_async_event}).
 *
 * @param type its number
 * @param element the port for events of ports; the address of the object for events of queue pairs
 */
public record AdapterEvent(int type, long element) {
    private static final int QP_FATAL = 1;
    private static final int QP_REQ_ERR = 2;
    private static final int QP_ACCESS_ERR = 3;
    private static final int DEVICE_FATAL = 8;
    private static final int PORT_ERR = 10;

    /** What an event ends. */
    public enum Scope {
        /** One queue pair. */
        QUEUE_PAIR,
        /** All queue pairs of a port. */
        PORT,
        /** All queue pairs of the adapter. */
        ADAPTER,
        /** Nothing. */
        NOTHING
    }

    /** Returns what the event ends. */
    public Scope scope() {
        return switch (type) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> Scope.QUEUE_PAIR;
            case PORT_ERR -> Scope.PORT;
            case DEVICE_FATAL -> Scope.ADAPTER;
            default -> Scope.NOTHING;
        };
    }

    /** Returns the port of an event of a port. */
    public int port() {
        return (int) element;
    }

    /** Describes an event that ends something. */
    public String description() {
        return switch (type) {
            case QP_FATAL -> "the adapter reports a fatal error of the queue pair";
            case QP_REQ_ERR -> "the peer sent a request that the adapter does not understand";
            case QP_ACCESS_ERR -> "the peer accessed memory that is not registered, or that it may not access";
            case DEVICE_FATAL -> "the adapter reports a fatal error, and needs a reset";
            case PORT_ERR -> "the port went down";
            default -> "event " + type;
        };
    }
}
