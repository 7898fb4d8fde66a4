package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's collectives, on addresses of memory, communicators and streams. They return the result code, since a caller
 * that has started a group must end it before it throws. In calls whose buffers consist of one part for each rank, a
 * count is that of one part. No method allocates.
 */
public final class NcclCollectives {
    private final MethodHandle groupStart;
    private final MethodHandle groupEnd;
    private final MethodHandle allReduce;
    private final MethodHandle allGather;
    private final MethodHandle reduceScatter;
    private final MethodHandle broadcast;
    private final MethodHandle reduce;
    private final MethodHandle send;
    private final MethodHandle receive;

    NcclCollectives(Binding binding) {
        groupStart = binding.result(NcclFunction.GROUP_START);
        groupEnd = binding.result(NcclFunction.GROUP_END);
        allReduce = binding.result(
                NcclFunction.ALL_REDUCE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        allGather = binding.result(
                NcclFunction.ALL_GATHER, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        reduceScatter = binding.result(
                NcclFunction.REDUCE_SCATTER, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        broadcast = binding.result(
                NcclFunction.BROADCAST, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        reduce = binding.result(
                NcclFunction.REDUCE,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_INT,
                JAVA_INT,
                JAVA_INT,
                JAVA_LONG,
                JAVA_LONG);
        send = binding.result(NcclFunction.SEND, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        receive = binding.result(NcclFunction.RECV, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    }

    /** {@code ncclGroupStart}: {@link #groupEnd} enqueues all later calls of this thread. */
    public int groupStart() {
        try {
            return (int) groupStart.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclGroupEnd}. */
    public int groupEnd() {
        try {
            return (int) groupEnd.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclAllReduce}. */
    public int allReduce(long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) allReduce.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclAllGather}; the count is that of one rank's part. */
    public int allGather(long input, long output, long count, int type, long communicator, long stream) {
        try {
            return (int) allGather.invokeExact(input, output, count, type, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclReduceScatter}; the count is that of one rank's part. */
    public int reduceScatter(long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) reduceScatter.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclBroadcast}. */
    public int broadcast(long input, long output, long count, int type, int root, long communicator, long stream) {
        try {
            return (int) broadcast.invokeExact(input, output, count, type, root, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclReduce}. */
    public int reduce(long input, long output, long count, int type, int op, int root, long communicator, long stream) {
        try {
            return (int) reduce.invokeExact(input, output, count, type, op, root, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclSend}. */
    public int send(long input, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) send.invokeExact(input, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclRecv}. */
    public int receive(long output, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) receive.invokeExact(output, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
