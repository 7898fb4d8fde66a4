package org.mscclj.gpu.memory;

import java.util.OptionalInt;
import java.util.UUID;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.mapping.PhysicalMemory;
import org.mscclj.posix.Errno;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.PosixException;
import org.mscclj.posix.UnixSocket;

/** Requests file descriptors of blocks from other processes. */
final class DescriptorClient {
    private DescriptorClient() {}

    /**
     * Returns a handle of a block of another process, in the current context.
     *
     * @param token the token that the owner requires
     * @throws BackendException if that process has ended, or does not answer
     * @throws InvalidArgumentException if it has freed the block
     */
    static PhysicalMemory fetch(GpuDriver driver, GpuMemoryDescription described, UUID token) {
        return fetch(driver, described, token, DescriptorServer.TIMEOUT_SECONDS);
    }

    /** Returns a handle of a block; waits for an answer until a timeout in seconds. */
    static PhysicalMemory fetch(GpuDriver driver, GpuMemoryDescription described, UUID token, int timeout) {
        int descriptor = descriptor(described, token, timeout);
        try {
            return PhysicalMemory.imported(driver, descriptor, described.blockBytes());
        } finally {
            NativeFile.close(descriptor);
        }
    }

    private static int descriptor(GpuMemoryDescription described, UUID token, int timeout) {
        try (UnixSocket owner = connect(described.process())) {
            owner.limit(timeout);
            UnixSocket.Received answer = ask(owner, DescriptorServer.request(token, described.block()), timeout);
            if (answer.bytes().length == 1 && answer.bytes()[0] == DescriptorServer.GRANTED) {
                return answer.passed()
                        .orElseThrow(() -> new InvalidArgumentException(
                                "a peer granted its memory without a file descriptor; are this"
                                        + " process's used up (ulimit -n)?"));
            }
            answer.passed().ifPresent(NativeFile::close);
            throw new InvalidArgumentException(
                    "memory that a peer described was freed; it must stay open until it is mapped");
        } catch (PosixException e) {
            throw DescriptorServer.failure(e);
        }
    }

    private static UnixSocket.Received ask(UnixSocket owner, byte[] request, int timeout) {
        try {
            owner.send(request, OptionalInt.empty());
            return owner.receive(1);
        } catch (PosixException e) {
            if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
            throw new BackendException(
                    "the process whose memory is to be mapped has not answered within " + timeout
                            + " s; is it stopped (by a debugger or SIGSTOP) or out of file descriptors (ulimit"
                            + " -n)? Let it"
                            + " go on, or end it and open the group again",
                    e);
        }
    }

    private static UnixSocket connect(long process) {
        try {
            return UnixSocket.connect(DescriptorServer.name(process));
        } catch (PosixException e) {
            throw new BackendException("the process whose memory is to be mapped cannot be reached; has it ended?", e);
        }
    }
}
