package org.mscclj.gpu.descriptor;

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

/** Requests file descriptors from other processes. */
public final class DescriptorClient {
    private DescriptorClient() {}

    /**
     * What another process exports.
     *
     * @param process the owner
     * @param number the owner's number of it
     * @param bytes its size
     * @param token the token that the owner requires
     */
    public record Exported(long process, long number, long bytes, UUID token) {}

    /**
     * Returns a handle of what another process exports, in the current context.
     *
     * @throws BackendException if that process has ended, or does not answer
     * @throws InvalidArgumentException if it has freed it
     */
    public static PhysicalMemory fetch(GpuDriver driver, Exported wanted) {
        return fetch(driver, wanted, DescriptorServer.TIMEOUT_SECONDS);
    }

    /** Returns a handle of what another process exports; waits for an answer until a timeout in seconds. */
    public static PhysicalMemory fetch(GpuDriver driver, Exported wanted, int timeout) {
        int descriptor = descriptor(wanted, timeout);
        try {
            return PhysicalMemory.imported(driver, descriptor, wanted.bytes());
        } finally {
            NativeFile.close(descriptor);
        }
    }

    /** Returns a descriptor of what another process exports, which the caller closes. */
    public static int descriptor(Exported wanted) {
        return descriptor(wanted, DescriptorServer.TIMEOUT_SECONDS);
    }

    private static int descriptor(Exported wanted, int timeout) {
        try (UnixSocket owner = connect(wanted.process())) {
            owner.limit(timeout);
            UnixSocket.Received answer = ask(owner, DescriptorServer.request(wanted.token(), wanted.number()), timeout);
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
