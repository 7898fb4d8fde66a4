package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.GraphCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/** Calls for captures that are under way, for graphs, and for objects that graphs own. */
public final class Graphs implements GraphCalls {
    /** {@code CU_USER_OBJECT_NO_DESTRUCTOR_SYNC}: the only possible value. */
    private static final int NO_DESTRUCTOR_SYNC = 1;

    /** {@code CU_GRAPH_USER_OBJECT_MOVE}: the graph takes over the caller's reference. */
    private static final int MOVE = 1;

    private static final MethodHandle INSTANTIATE = DriverLibrary.bind(
            "cuGraphInstantiateWithFlags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final IntCall DESTROY = DriverLibrary.call("cuGraphDestroy", JAVA_LONG);
    private static final IntCall LAUNCH = DriverLibrary.call("cuGraphLaunch", JAVA_LONG, JAVA_LONG);
    private static final IntCall DESTROY_EXECUTABLE = DriverLibrary.call("cuGraphExecDestroy", JAVA_LONG);
    private static final IntCall UPLOAD = DriverLibrary.call("cuGraphUpload", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CAPTURE_INFO = DriverLibrary.bind(
            "cuStreamGetCaptureInfo_v2",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle CREATE_OBJECT = DriverLibrary.bind(
            "cuUserObjectCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final IntCall RELEASE_OBJECT = DriverLibrary.call("cuUserObjectRelease", JAVA_LONG, JAVA_INT);
    private static final MethodHandle RETAIN_OBJECT = DriverLibrary.bind(
            "cuGraphRetainUserObject", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    /** The only instance: it has no state. */
    public static final GraphCalls INSTANCE = new Graphs();

    private Graphs() {}

    /** {@code cuGraphInstantiateWithFlags}. */
    @Override
    public int instantiate(MemorySegment executable, long graph) {
        try {
            return (int) INSTANTIATE.invokeExact(executable, graph, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGraphDestroy}. */
    @Override
    public int destroy(long graph) {
        return DESTROY.call(graph);
    }

    /** {@code cuGraphUpload}: does the set-up now that the first launch would otherwise do. */
    @Override
    public int upload(long executable, long stream) {
        return UPLOAD.call(executable, stream);
    }

    /** {@code cuGraphLaunch}. */
    @Override
    public int launch(long executable, long stream) {
        return LAUNCH.call(executable, stream);
    }

    /** {@code cuGraphExecDestroy}. */
    @Override
    public int destroyExecutable(long executable) {
        return DESTROY_EXECUTABLE.call(executable);
    }

    /**
     * {@code cuStreamGetCaptureInfo}.
     *
     * @param status an int: 1 if the stream is being captured
     * @param id a long that identifies the capture in this process
     * @param graph the graph that is being made
     */
    @Override
    public int captureInfo(long stream, MemorySegment status, MemorySegment id, MemorySegment graph) {
        try {
            return (int) CAPTURE_INFO.invokeExact(stream, status, id, graph, MemorySegment.NULL, MemorySegment.NULL);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuUserObjectCreate}, with one reference.
     *
     * @param object where to write it
     * @param argument of the destructor
     * @param destructor address of a C function with one pointer parameter, which a thread of the driver calls when the
     *     last reference is released
     */
    @Override
    public int createUserObject(MemorySegment object, long argument, long destructor) {
        try {
            return (int) CREATE_OBJECT.invokeExact(object, argument, destructor, 1, NO_DESTRUCTOR_SYNC);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuUserObjectRelease} of one reference. */
    @Override
    public int releaseUserObject(long object) {
        return RELEASE_OBJECT.call(object, 1);
    }

    /**
     * {@code cuGraphRetainUserObject}: moves the caller's reference to the graph. From now on the graph, and everything
     * made from it, own the object.
     */
    @Override
    public int giveUserObject(long graph, long object) {
        try {
            return (int) RETAIN_OBJECT.invokeExact(graph, object, 1, MOVE);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
