package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's collectives, on addresses of memory, communicators and streams. They return the result code, since a caller
 * that has started a group must end it before it throws; {@link Nccl#check} throws. In calls whose buffers consist of
 * one part for each rank, a count is that of one part. No method allocates.
 */
public final class NcclCollectives {
    private NcclCollectives() {}

    /** Bound at the first use of this class. */
    private static final class Functions {
        static final MethodHandle GROUP_START = Binding.bind("ncclGroupStart");
        static final MethodHandle GROUP_END = Binding.bind("ncclGroupEnd");
        static final MethodHandle ALL_REDUCE = Binding.bind(
                "ncclAllReduce", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle ALL_GATHER =
                Binding.bind("ncclAllGather", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle REDUCE_SCATTER = Binding.bind(
                "ncclReduceScatter", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle BROADCAST = Binding.bind(
                "ncclBroadcast", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle REDUCE = Binding.bind(
                "ncclReduce", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle SEND =
                Binding.bind("ncclSend", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle RECV =
                Binding.bind("ncclRecv", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

        private Functions() {}
    }

    /** {@code ncclGroupStart}: {@link #groupEnd} enqueues all later calls of this thread. */
    public static int groupStart() {
        try {
            return (int) Functions.GROUP_START.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclGroupEnd}. */
    public static int groupEnd() {
        try {
            return (int) Functions.GROUP_END.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclAllReduce}. */
    public static int allReduce(long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) Functions.ALL_REDUCE.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclAllGather}; the count is that of one rank's part. */
    public static int allGather(long input, long output, long count, int type, long communicator, long stream) {
        try {
            return (int) Functions.ALL_GATHER.invokeExact(input, output, count, type, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclReduceScatter}; the count is that of one rank's part. */
    public static int reduceScatter(
            long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) Functions.REDUCE_SCATTER.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclBroadcast}. */
    public static int broadcast(
            long input, long output, long count, int type, int root, long communicator, long stream) {
        try {
            return (int) Functions.BROADCAST.invokeExact(input, output, count, type, root, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclReduce}. */
    public static int reduce(
            long input, long output, long count, int type, int op, int root, long communicator, long stream) {
        try {
            return (int) Functions.REDUCE.invokeExact(input, output, count, type, op, root, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclSend}. */
    public static int send(long input, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) Functions.SEND.invokeExact(input, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclRecv}. */
    public static int receive(long output, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) Functions.RECV.invokeExact(output, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
