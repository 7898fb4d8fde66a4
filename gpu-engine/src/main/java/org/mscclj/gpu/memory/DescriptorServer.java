package org.mscclj.gpu.memory;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.PosixException;
import org.mscclj.posix.UnixSocket;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * Gives out file descriptors of this process's blocks to processes of the same user that know the token, which travels
 * in memory handles. One for the process, on a daemon thread of its own, from the first handle that leaves the process
 * until its end.
 */
final class DescriptorServer {
    /** What a request has: the token, and the number of a block. */
    static final int REQUEST_BYTES = 3 * Long.BYTES;

    /** The answer: this, with a descriptor, or anything else without. */
    static final byte GRANTED = 1;

    static final byte REFUSED = 0;

    /** How long an end waits for the other, which only has to send a few bytes. */
    static final int PATIENCE_SECONDS = 10;

    private static final Logger LOGGER = System.getLogger(DescriptorServer.class.getName());
    private static final long PAUSE_NANOS = 10_000_000;

    private static final UUID TOKEN = UUID.randomUUID(); // from a secure generator
    private static boolean running;

    private DescriptorServer() {}

    /**
     * The token; starts the server if it does not run yet.
     *
     * @throws BackendException if it cannot be started, out of file descriptors, say; may be tried again
     */
    static UUID token() {
        start();
        return TOKEN;
    }

    private static synchronized void start() {
        if (running) {
            return;
        }
        UnixSocket socket = listen();
        try {
            Thread.ofPlatform().daemon().name("mscclj-gpu-descriptors").start(() -> serve(socket));
        } catch (RuntimeException | Error e) { // no thread can be started
            try (socket) {
                throw e;
            }
        }
        running = true;
    }

    private static UnixSocket listen() {
        try {
            return UnixSocket.listen(name(ProcessIdentity.process()));
        } catch (PosixException e) {
            throw failure(e);
        }
    }

    /** The failure of a socket, as this backend tells it. */
    static BackendException failure(PosixException e) {
        BackendException failure = new BackendException(String.valueOf(e.getMessage()), e.errno(), "errno");
        failure.initCause(e);
        return failure;
    }

    /** The name of a process's socket. */
    static String name(long process) {
        return "mscclj-gpu-" + Long.toHexString(process);
    }

    /** What a peer asks with. */
    static byte[] request(UUID token, long block) {
        return ByteBuffer.allocate(REQUEST_BYTES)
                .putLong(token.getMostSignificantBits())
                .putLong(token.getLeastSignificantBits())
                .putLong(block)
                .array();
    }

    private static void serve(UnixSocket socket) {
        boolean accepts = true;
        while (true) {
            UnixSocket accepted;
            try {
                accepted = socket.accept();
                accepts = true;
            } catch (RuntimeException e) {
                if (accepts) { // and not again until it has worked
                    LOGGER.log(
                            Level.WARNING,
                            "processes that ask for GPU memory of this one cannot be answered for now; are its file"
                                    + " descriptors used up (ulimit -n)?",
                            e);
                }
                accepts = false;
                LockSupport.parkNanos(PAUSE_NANOS); // others may give some back
                continue;
            }
            try (UnixSocket peer = accepted) {
                answer(peer);
            } catch (RuntimeException e) { // whatever it is: other peers are to be answered
                LOGGER.log(Level.WARNING, "a process asked for GPU memory of this one and could not be answered", e);
            }
        }
    }

    private static void answer(UnixSocket peer) {
        peer.limit(PATIENCE_SECONDS);
        if (!peer.isOfSameUser()) {
            return;
        }
        UnixSocket.Received received = peer.receive(REQUEST_BYTES);
        received.passed().ifPresent(NativeFile::close);
        DeviceBlock block = requested(received.bytes()).orElse(null);
        if (block == null) {
            peer.send(new byte[] {REFUSED}, OptionalInt.empty());
            return;
        }
        try {
            grant(peer, block);
        } finally {
            block.drop();
        }
    }

    private static void grant(UnixSocket peer, DeviceBlock block) {
        int descriptor = block.context().within(() -> block.memory().exportDescriptor());
        try {
            peer.send(new byte[] {GRANTED}, OptionalInt.of(descriptor));
        } finally {
            NativeFile.close(descriptor);
        }
    }

    /** The block, held, if the request is one that knows the token and the block is still there. */
    private static Optional<DeviceBlock> requested(byte[] request) {
        if (request.length != REQUEST_BYTES) {
            return Optional.empty();
        }
        long block = ByteBuffer.wrap(request).getLong(2 * Long.BYTES);
        boolean knows = MessageDigest.isEqual(request, request(TOKEN, block));
        return knows ? DeviceBlock.find(block) : Optional.empty();
    }
}
