package org.mscclj.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Controls any socket of this process, without its owner, on Linux. */
public final class SocketControl {
    /** {@code struct sock_filter}: an instruction of a socket's filter. */
    static final StructLayout INSTRUCTION = MemoryLayout.structLayout(
            ValueLayout.JAVA_SHORT.withName("code"),
            ValueLayout.JAVA_BYTE.withName("jt"),
            ValueLayout.JAVA_BYTE.withName("jf"),
            ValueLayout.JAVA_INT.withName("k"));

    /** {@code struct sock_fprog}: the number of instructions, and their address. */
    static final StructLayout PROGRAM = MemoryLayout.structLayout(
            ValueLayout.JAVA_SHORT.withName("len"),
            MemoryLayout.paddingLayout(6),
            ValueLayout.ADDRESS.withName("filter"));

    /** {@code BPF_RET | BPF_K} with 0: keeps nothing of a packet. */
    static final short RETURN = 0x06;

    static final int SO_ATTACH_FILTER = 26;
    static final int SHUT_RD = 0;
    static final int SHUT_WR = 1;

    private SocketControl() {}

    /**
     * Makes the kernel drop every packet that arrives at a socket from now on, including acknowledgements and ends of
     * the connection from the peer. Packets that the socket sends leave the host.
     *
     * @return whether it succeeded; false if the descriptor is no longer a socket, or the system refuses
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

    /**
     * Ends sending: the peer sees the end of the stream after all data that was sent. A socket that has ended stays
     * unchanged.
     */
    public static void endSending(int descriptor) {
        long _ = SocketCalls.shutdown(descriptor, SHUT_WR);
    }

    /**
     * Ends receiving: readers see the end of the stream after the data that has arrived. A socket that has ended stays
     * unchanged.
     */
    public static void endReceiving(int descriptor) {
        long _ = SocketCalls.shutdown(descriptor, SHUT_RD);
    }
}
