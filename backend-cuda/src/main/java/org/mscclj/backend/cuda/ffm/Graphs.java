package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/** Graphs. Functions give the driver's result, and allocate nothing. */
public final class Graphs {
    private static final MethodHandle INSTANTIATE = DriverLibrary.bind(
            "cuGraphInstantiateWithFlags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle DESTROY =
            DriverLibrary.bind("cuGraphDestroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle LAUNCH =
            DriverLibrary.bind("cuGraphLaunch", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle DESTROY_EXECUTABLE =
            DriverLibrary.bind("cuGraphExecDestroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle UPLOAD =
            DriverLibrary.bind("cuGraphUpload", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private Graphs() {}

    /** {@code cuGraphInstantiateWithFlags}. */
    public static int instantiate(MemorySegment executable, long graph) {
        try {
            return (int) INSTANTIATE.invokeExact(executable, graph, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGraphDestroy}. */
    public static int destroy(long graph) {
        try {
            return (int) DESTROY.invokeExact(graph);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGraphUpload}: does now what the first launch would otherwise do. */
    public static int upload(long executable, long stream) {
        try {
            return (int) UPLOAD.invokeExact(executable, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGraphLaunch}. */
    public static int launch(long executable, long stream) {
        try {
            return (int) LAUNCH.invokeExact(executable, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGraphExecDestroy}. */
    public static int destroyExecutable(long executable) {
        try {
            return (int) DESTROY_EXECUTABLE.invokeExact(executable);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
