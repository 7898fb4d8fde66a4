package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.mscclj.gpu.driver.GraphCalls;
import org.mscclj.posix.IntCall;

/** Calls for captures that are under way, for graphs, and for objects that graphs own. */
public final class HipGraphs implements GraphCalls {
    /** {@code hipUserObjectNoDestructorSync}: the only possible value. */
    static final int NO_DESTRUCTOR_SYNC = 1;

    /** {@code hipGraphUserObjectMove}: the graph takes over the caller's reference. */
    static final int MOVE = 1;

    private static final IntCall INSTANTIATE =
            HipLibrary.call("hipGraphInstantiateWithFlags", ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final IntCall DESTROY = HipLibrary.call("hipGraphDestroy", JAVA_LONG);
    private static final IntCall LAUNCH = HipLibrary.call("hipGraphLaunch", JAVA_LONG, JAVA_LONG);
    private static final IntCall DESTROY_EXECUTABLE = HipLibrary.call("hipGraphExecDestroy", JAVA_LONG);
    private static final IntCall UPLOAD = HipLibrary.call("hipGraphUpload", JAVA_LONG, JAVA_LONG);
    private static final IntCall CAPTURE_INFO =
            HipLibrary.call("hipStreamGetCaptureInfo_v2", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final IntCall CREATE_OBJECT =
            HipLibrary.call("hipUserObjectCreate", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final IntCall RELEASE_OBJECT = HipLibrary.call("hipUserObjectRelease", JAVA_LONG, JAVA_INT);
    private static final IntCall RETAIN_OBJECT =
            HipLibrary.call("hipGraphRetainUserObject", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);

    /** The only instance: it has no state. */
    public static final GraphCalls INSTANCE = new HipGraphs();

    private HipGraphs() {}

    /** {@code hipStreamGetCaptureInfo_v2}. */
    @Override
    public int captureInfo(long stream, MemorySegment status, MemorySegment id, MemorySegment graph) {
        return CAPTURE_INFO.call(stream, status, id, graph, MemorySegment.NULL, MemorySegment.NULL);
    }

    /** {@code hipGraphInstantiateWithFlags}. */
    @Override
    public int instantiate(MemorySegment executable, long graph) {
        return INSTANTIATE.call(executable, graph, 0L);
    }

    /** {@code hipGraphDestroy}. */
    @Override
    public int destroy(long graph) {
        return DESTROY.call(graph);
    }

    /** {@code hipGraphUpload}. */
    @Override
    public int upload(long executable, long stream) {
        return UPLOAD.call(executable, stream);
    }

    /** {@code hipGraphLaunch}. */
    @Override
    public int launch(long executable, long stream) {
        return LAUNCH.call(executable, stream);
    }

    /** {@code hipGraphExecDestroy}. */
    @Override
    public int destroyExecutable(long executable) {
        return DESTROY_EXECUTABLE.call(executable);
    }

    /** {@code hipUserObjectCreate}, with one reference. */
    @Override
    public int createUserObject(MemorySegment object, long argument, long destructor) {
        return CREATE_OBJECT.call(object, argument, destructor, 1, NO_DESTRUCTOR_SYNC);
    }

    /** {@code hipUserObjectRelease} of one reference. */
    @Override
    public int releaseUserObject(long object) {
        return RELEASE_OBJECT.call(object, 1);
    }

    /** {@code hipGraphRetainUserObject}, which moves the caller's reference. */
    @Override
    public int giveUserObject(long graph, long object) {
        return RETAIN_OBJECT.call(graph, object, 1, MOVE);
    }
}
