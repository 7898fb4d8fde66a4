package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/** What is being captured, and what graphs own. Functions give the driver's result. */
public final class Captures {
    /** {@code CU_USER_OBJECT_NO_DESTRUCTOR_SYNC}: the only value there is. */
    private static final int NO_DESTRUCTOR_SYNC = 1;

    /** {@code CU_GRAPH_USER_OBJECT_MOVE}: the graph takes over the caller's reference. */
    private static final int MOVE = 1;

    private static final MethodHandle INFO = DriverLibrary.bind(
            "cuStreamGetCaptureInfo_v2",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE = DriverLibrary.bind(
            "cuUserObjectCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle RELEASE =
            DriverLibrary.bind("cuUserObjectRelease", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RETAIN = DriverLibrary.bind(
            "cuGraphRetainUserObject", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    private Captures() {}

    /**
     * {@code cuStreamGetCaptureInfo}.
     *
     * @param status an int: 1 if the stream is being captured
     * @param id a long that tells captures of the process apart
     * @param graph the graph that is being made
     */
    public static int info(long stream, MemorySegment status, MemorySegment id, MemorySegment graph) {
        try {
            return (int) INFO.invokeExact(stream, status, id, graph, MemorySegment.NULL, MemorySegment.NULL);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuUserObjectCreate}, with one reference.
     *
     * @param object where to write it
     * @param argument of the destructor
     * @param destructor address of a C function of one pointer, which a thread of the driver calls when the last
     *     reference is gone
     */
    public static int createUserObject(MemorySegment object, long argument, long destructor) {
        try {
            return (int) CREATE.invokeExact(object, argument, destructor, 1, NO_DESTRUCTOR_SYNC);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuUserObjectRelease} of one reference. */
    public static int releaseUserObject(long object) {
        try {
            return (int) RELEASE.invokeExact(object, 1);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuGraphRetainUserObject}: the graph, and all that is made of it, own the object from now on, instead of
     * the caller.
     */
    public static int giveUserObject(long graph, long object) {
        try {
            return (int) RETAIN.invokeExact(graph, object, 1, MOVE);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
