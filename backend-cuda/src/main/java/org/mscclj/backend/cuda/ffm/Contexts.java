package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.ContextCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/** Calls for the current context of threads. */
public final class Contexts implements ContextCalls {
    private static final MethodHandle GET_CURRENT =
            DriverLibrary.bind("cuCtxGetCurrent", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final IntCall SET_CURRENT = DriverLibrary.call("cuCtxSetCurrent", JAVA_LONG);
    private static final MethodHandle PEER_ACCESS =
            DriverLibrary.bind("cuCtxEnablePeerAccess", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    /**
     * The memory in which the driver writes the current context, one for each thread, so that queries allocate nothing.
     */
    private static final ThreadLocal<MemorySegment> CURRENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_LONG));

    /** The only instance: it has no state. */
    public static final ContextCalls INSTANCE = new Contexts();

    private Contexts() {}

    /**
     * {@code cuCtxGetCurrent}: the context of the calling thread, 0 if it has none. Allocates nothing, except once per
     * thread.
     */
    @Override
    public long current() {
        MemorySegment context = CURRENT.get();
        try {
            return (int) GET_CURRENT.invokeExact(context) == 0 ? context.get(JAVA_LONG, 0) : 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuCtxSetCurrent}. */
    @Override
    public int setCurrent(long context) {
        return SET_CURRENT.call(context);
    }

    /**
     * {@code cuCtxEnablePeerAccess}: gives the current context's GPU access to {@code cuMemAlloc} memory of another
     * context.
     */
    @Override
    public int enablePeerAccess(long peerContext) {
        try {
            int result = (int) PEER_ACCESS.invokeExact(peerContext, 0);
            return result == Errors.PEER_ACCESS_ALREADY_ENABLED ? 0 : result; // access is enabled, as requested
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
