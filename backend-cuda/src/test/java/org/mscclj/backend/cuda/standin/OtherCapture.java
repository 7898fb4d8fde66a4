package org.mscclj.backend.cuda.standin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.api.device.Stream;
import org.mscclj.gpu.context.DeviceContext;

/**
 * A capture by other software on the stand-in driver, in the strictest mode: it fails if a thread asks the driver what
 * may not be asked meanwhile.
 */
@SuppressWarnings("restricted") // what this class is for
public final class OtherCapture implements AutoCloseable {
    private static final int GLOBAL = 0;
    private static final SymbolLookup DRIVER = SymbolLookup.libraryLookup(StandIn.driver(), Arena.global());
    private static final MethodHandle BEGIN =
            bind("cuStreamBeginCapture_v2", ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final MethodHandle END = bind("cuStreamEndCapture", ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle DESTROY = bind("cuGraphDestroy", ValueLayout.JAVA_LONG);

    private final DeviceContext context;
    private final long stream;

    private static MethodHandle bind(String name, java.lang.foreign.MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(DRIVER.findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    /** Begins to capture a stream. */
    public OtherCapture(DeviceContext context, Stream stream) {
        this.context = context;
        this.stream = stream.nativeHandle();
        context.use();
        try {
            assertEquals(0, (int) BEGIN.invokeExact(this.stream, GLOBAL));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends it, and says with which result. */
    public int end() {
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            int result = (int) END.invokeExact(stream, graph);
            if (result == 0) {
                assertEquals(0, (int) DESTROY.invokeExact(graph.get(ValueLayout.JAVA_LONG, 0)));
            }
            return result;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends it, which must succeed. */
    @Override
    public void close() {
        assertEquals(0, end(), "nobody has broken the capture");
    }
}
