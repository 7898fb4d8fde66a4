package org.mscclj.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** What can be done to any socket of this process under its owner, on Linux. */
public final class SocketControl {
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
    static final short RETURN = 0x06;

    static final int SO_ATTACH_FILTER = 26;
    static final int SHUT_RD = 0;
    static final int SHUT_WR = 1;

    private SocketControl() {}

    /**
     * Has the kernel drop every packet of a socket that comes from now on, also those that say that the peer has
     * received or ended something. What is sent leaves.
     *
     * @return whether it does; not if the descriptor is no socket's any more, or the system refuses
     */
    public static boolean dropWhatComes(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instruction = arena.allocate(INSTRUCTION);
            instruction.set(ValueLayout.JAVA_SHORT, 0, RETURN);
            MemorySegment program = arena.allocate(PROGRAM);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            program.set(
                    ValueLayout.ADDRESS,
                    PROGRAM.byteOffset(MemoryLayout.PathElement.groupElement("filter")),
                    instruction);
            return SocketCalls.setOption(descriptor, UnixSocket.SOL_SOCKET, SO_ATTACH_FILTER, program) == 0;
        }
    }

    /** Tells the peer that nothing more comes; what was sent arrives. A socket that has ended stays as it is. */
    public static void endSending(int descriptor) {
        long _ = SocketCalls.shutdown(descriptor, SHUT_WR);
    }

    /** Lets readers see the end of what has come. A socket that has ended stays as it is. */
    public static void endReceiving(int descriptor) {
        long _ = SocketCalls.shutdown(descriptor, SHUT_RD);
    }
}
