package org.mscclj.runtime.mesh;

import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.runtime.time.Deadline;

/**
 * The control connection to one peer. Outgoing frames are queued, so that a peer that does not read blocks no thread.
 * If the connection ends before the peer has sent a goodbye, the peer is lost.
 */
final class MeshConnection {
    /** Queue entry that makes the writer end the connection; frames are not empty. */
    private static final byte[] END = new byte[0];

    private final ControlSocket socket;
    private final Consumer<MeshFrame.OfGroup> onFrame;
    private final Consumer<String> onLost;
    private final Queue<byte[]> outgoing = new ConcurrentLinkedQueue<>();

    /**
     * Whether a thread writes queued frames, or the connection is over. Between writes a connection needs no thread.
     */
    private final AtomicBoolean writing = new AtomicBoolean();

    private final CountDownLatch parted = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean peerSaidGoodbye;

    /**
     * Creates a connection; {@link #start} starts it.
     *
     * @param onFrame receives the peer's frames, in order
     * @param onLost receives the reason for the end of the connection, if it ends without a goodbye
     */
    MeshConnection(ControlSocket socket, Consumer<MeshFrame.OfGroup> onFrame, Consumer<String> onLost) {
        this.socket = socket;
        this.onFrame = onFrame;
        this.onLost = onLost;
    }

    void start(String name) {
        ControlThreads.start(name, this::read);
    }

    /** Queues a frame. Drops it if the peer is gone. */
    void send(byte[] frame) {
        if (!peerSaidGoodbye && parted.getCount() > 0) {
            queue(frame);
        }
    }

    /** Queues a frame, and starts to write unless another thread writes already. */
    private void queue(byte[] frame) {
        outgoing.add(frame);
        if (!writing.compareAndSet(false, true)) {
            return;
        }
        try {
            ControlThreads.execute(this::write);
        } catch (OutOfMemoryError _) { // no thread can be started: the frame must go out nevertheless
            write();
        }
    }

    private void read() {
        try {
            while (true) {
                switch (MeshFrame.decode(socket.read())) {
                    case MeshFrame.OfGroup frame -> onFrame.accept(frame);
                    case MeshFrame.Goodbye() -> {
                        queue(MeshFrame.encode(new MeshFrame.GoodbyeSeen()));
                        peerSaidGoodbye = true;
                    }
                    case MeshFrame.GoodbyeSeen() -> {
                        parted.countDown();
                        queue(END);
                    }
                }
            }
        } catch (Throwable e) { // whatever the failure is: from here on no thread reads from this peer
            ended(e);
        }
    }

    private void ended(Throwable e) {
        boolean orderly = peerSaidGoodbye || parted.getCount() == 0;
        parted.countDown();
        queue(END);
        if (!orderly) {
            onLost.accept(
                    e instanceof EOFException
                            ? "its process has ended, without having closed its communicators"
                            : "its control connection broke: "
                                    + Optional.ofNullable(e.getMessage()).orElse(e.toString()));
        }
    }

    private void write() {
        try {
            do {
                for (byte[] frame = outgoing.poll(); frame != null; frame = outgoing.poll()) {
                    if (frame.length == END.length) {
                        socket.flush();
                        end();
                        return;
                    }
                    socket.write(frame);
                }
                socket.flush();
                writing.set(false);
            } while (!outgoing.isEmpty() && writing.compareAndSet(false, true));
        } catch (IOException e) { // the reader meets the failure, too, and knows whether the peer has sent a goodbye
            end();
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        }
    }

    /** Ends the connection. Nothing is written after this: {@link #writing} stays set. */
    private void end() {
        socket.close();
        closed.countDown();
    }

    /** Sends a goodbye for this rank. */
    void goodbye() {
        send(MeshFrame.encode(new MeshFrame.Goodbye()));
        if (peerSaidGoodbye) { // it reads everything, but does not answer any more
            parted.countDown();
            queue(END);
        }
    }

    /** Waits until the peer has read everything up to the goodbye. */
    void awaitParting(Deadline deadline) throws InterruptedException {
        parted.await(deadline.left(), TimeUnit.NANOSECONDS);
    }

    /**
     * Sends the queued frames, also if the thread is interrupted, and ends the connection; at once if the deadline has
     * passed.
     */
    void end(Deadline deadline) {
        queue(END);
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = true;
                if (!closed.await(deadline.left(), TimeUnit.NANOSECONDS)) {
                    socket.close();
                }
            } catch (InterruptedException _) { // peers must receive the reason
                interrupted = true;
                ended = false;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
