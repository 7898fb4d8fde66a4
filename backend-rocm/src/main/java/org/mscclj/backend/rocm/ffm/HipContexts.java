package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.gpu.driver.ContextCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for the current GPU of threads. HIP has no contexts to speak of: a thread has a GPU, the first one unless it
 * sets another. Here the context of a GPU is its number plus one, since 0 is no context.
 */
public final class HipContexts implements ContextCalls {
    private static final IntCall GET_DEVICE = HipLibrary.call("hipGetDevice", ADDRESS);
    private static final IntCall SET_DEVICE = HipLibrary.call("hipSetDevice", JAVA_INT);
    private static final IntCall PEER_ACCESS = HipLibrary.call("hipDeviceEnablePeerAccess", JAVA_INT, JAVA_INT);

    /** The memory in which HIP writes the current GPU, one for each thread, so that queries allocate nothing. */
    private static final ThreadLocal<MemorySegment> CURRENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_INT));

    /** The only instance: it has no state. */
    public static final ContextCalls INSTANCE = new HipContexts();

    private HipContexts() {}

    /** The context of a GPU. */
    static long of(int ordinal) {
        return ordinal + 1L;
    }

    private static int ordinal(long context) {
        return (int) context - 1;
    }

    /** {@code hipGetDevice}. */
    @Override
    public long current() {
        MemorySegment device = CURRENT.get();
        return GET_DEVICE.call(device) == 0 ? of(device.get(JAVA_INT, 0)) : 0;
    }

    /** {@code hipSetDevice}. A thread always has a GPU: without a context it keeps that which it has. */
    @Override
    public int setCurrent(long context) {
        return context == 0 ? 0 : SET_DEVICE.call(ordinal(context));
    }

    /** {@code hipDeviceEnablePeerAccess}: gives the current GPU access to the memory of another. */
    @Override
    public int enablePeerAccess(long peerContext) {
        int result = HipErrors.forgotten(PEER_ACCESS.call(ordinal(peerContext), 0));
        return result == HipErrors.PEER_ACCESS_ALREADY_ENABLED ? 0 : result;
    }
}
