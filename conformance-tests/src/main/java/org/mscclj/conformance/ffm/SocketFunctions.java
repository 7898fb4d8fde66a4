package org.mscclj.conformance.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.api.error.UnsupportedException;

/** Functions of the C library that end a connection under its owner, on Linux. */
final class SocketFunctions {
    /** {@code struct sock_filter}: an instruction of a socket's filter. */
    static final StructLayout INSTRUCTION = MemoryLayout.structLayout(
            ValueLayout.JAVA_SHORT.withName("code"),
            ValueLayout.JAVA_BYTE.withName("jt"),
            ValueLayout.JAVA_BYTE.withName("jf"),
            ValueLayout.JAVA_INT.withName("k"));

    /** {@code struct sock_fprog}: how many there are, and where. */
    static final StructLayout PROGRAM = MemoryLayout.structLayout(
            ValueLayout.JAVA_SHORT.withName("len"),
            MemoryLayout.paddingLayout(6),
            ValueLayout.ADDRESS.withName("filter"));

    /** {@code BPF_RET | BPF_K} with 0: of each packet nothing is kept. */
    private static final short RETURN = 0x06;

    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int SHUT_RD = 0;
    private static final int SHUT_WR = 1;

    private final MethodHandle shutdown = function(
            "shutdown", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private final MethodHandle setOption = function(
            "setsockopt",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT));

    @SuppressWarnings("restricted") // Java does not end the connections of others
    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new UnsupportedException("the C library has no " + name)),
                descriptor);
    }

    /**
     * Has the kernel drop every packet of a socket that comes from now on, also those that say that the peer has
     * received or ended something. What is sent leaves.
     *
     * @return whether it does; not if the descriptor is no socket's any more, or the system refuses
     */
    boolean dropWhatComes(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instruction = arena.allocate(INSTRUCTION);
            instruction.set(ValueLayout.JAVA_SHORT, 0, RETURN);
            MemorySegment program = arena.allocate(PROGRAM);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            program.set(
                    ValueLayout.ADDRESS,
                    PROGRAM.byteOffset(MemoryLayout.PathElement.groupElement("filter")),
                    instruction);
            int result = (int)
                    setOption.invokeExact(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, program, (int) PROGRAM.byteSize());
            return result == 0;
        } catch (Throwable e) {
            throw new AssertionError("setsockopt of a descriptor throws nothing", e);
        }
    }

    /** Tells the peer that nothing more comes; what was sent arrives. */
    void endSending(int descriptor) {
        end(descriptor, SHUT_WR);
    }

    /** Lets whoever reads see the end of what has come. */
    void endReceiving(int descriptor) {
        end(descriptor, SHUT_RD);
    }

    private void end(int descriptor, int direction) {
        try {
            int _ = (int) shutdown.invokeExact(descriptor, direction); // it may have ended by itself
        } catch (Throwable e) {
            throw new AssertionError("shutdown of a descriptor throws nothing", e);
        }
    }
}
