package org.mscclj.gpu.descriptor;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.mapping.Exportable;
import org.mscclj.gpu.mapping.Exports;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.PosixException;
import org.mscclj.posix.UnixSocket;
import org.mscclj.spi.memory.ProcessIdentity;
import org.mscclj.spi.waiting.Backoff;

/**
 * Serves file descriptors of what this process {@linkplain Exports exports} to processes of the same user that present
 * the token, which is part of memory handles. A process has one server, on a daemon thread of its own. It starts when
 * the first handle leaves the process, and runs until the process ends.
 */
public final class DescriptorServer {
    /** The size of a request: the token and a number. */
    static final int REQUEST_BYTES = 3 * Long.BYTES;

    /** The answer to a valid request, with a descriptor. Any other answer has none. */
    static final byte GRANTED = 1;

    static final byte REFUSED = 0;

    /** The time for which each side waits for the other, which only has to send a few bytes. */
    static final int TIMEOUT_SECONDS = 10;

    private static final Logger LOGGER = System.getLogger(DescriptorServer.class.getName());
    private static final long PAUSE_NANOS = 10_000_000;

    private static final UUID TOKEN = UUID.randomUUID(); // from a secure generator
    private static boolean running;

    private DescriptorServer() {}

    /**
     * Returns the token, and starts the server if it does not run yet.
     *
     * @throws BackendException if it cannot be started, for example for lack of file descriptors; the call may be
     *     repeated
     */
    public static UUID token() {
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

    /** Converts a failure of a socket to an exception of the backend. */
    static BackendException failure(PosixException e) {
        BackendException failure = new BackendException(String.valueOf(e.getMessage()), e.errno(), "errno");
        failure.initCause(e);
        return failure;
    }

    /** The name of a process's socket. */
    public static String name(long process) {
        return "mscclj-gpu-" + Long.toHexString(process);
    }

    /** The request of a peer. */
    static byte[] request(UUID token, long number) {
        return ByteBuffer.allocate(REQUEST_BYTES)
                .putLong(token.getMostSignificantBits())
                .putLong(token.getLeastSignificantBits())
                .putLong(number)
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
                if (accepts) { // only once until accepting works again
                    LOGGER.log(
                            Level.WARNING,
                            "processes that ask for GPU memory of this one cannot be answered for now; are its file"
                                    + " descriptors used up (ulimit -n)?",
                            e);
                }
                accepts = false;
                Backoff.nap(PAUSE_NANOS); // other threads may release some
                continue;
            }
            try (UnixSocket peer = accepted) {
                answer(peer);
            } catch (RuntimeException e) { // any failure: other peers must be answered
                LOGGER.log(Level.WARNING, "a process asked for GPU memory of this one and could not be answered", e);
            }
        }
    }

    private static void answer(UnixSocket peer) {
        peer.limit(TIMEOUT_SECONDS);
        if (!peer.isOfSameUser()) {
            return;
        }
        UnixSocket.Received received = peer.receive(REQUEST_BYTES);
        received.passed().ifPresent(NativeFile::close);
        Exportable wanted = requested(received.bytes()).orElse(null);
        if (wanted == null) {
            peer.send(new byte[] {REFUSED}, OptionalInt.empty());
            return;
        }
        try {
            grant(peer, wanted);
        } finally {
            wanted.drop();
        }
    }

    private static void grant(UnixSocket peer, Exportable wanted) {
        int descriptor = wanted.context().within(wanted::exportDescriptor);
        try {
            peer.send(new byte[] {GRANTED}, OptionalInt.of(descriptor));
        } finally {
            NativeFile.close(descriptor);
        }
    }

    /** What a request asks for, which the caller then holds, if the request has the token and it still exists. */
    private static Optional<Exportable> requested(byte[] request) {
        if (request.length != REQUEST_BYTES) {
            return Optional.empty();
        }
        long number = ByteBuffer.wrap(request).getLong(2 * Long.BYTES);
        boolean knows = MessageDigest.isEqual(request, request(TOKEN, number));
        return knows ? Exports.find(number) : Optional.empty();
    }
}
