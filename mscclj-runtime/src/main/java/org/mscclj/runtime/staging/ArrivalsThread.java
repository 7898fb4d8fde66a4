package org.mscclj.runtime.staging;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.waiting.Backoff;

/**
 * The thread of one rank that carries out the operations of peers. It starts with the first connection. While nothing
 * is in progress it sleeps until the transport reports a signal, or polls between naps if the transport does not report
 * them. It is a platform thread, since it calls drivers.
 *
 * <p>No wake-up is lost: an unpark before the park makes the park return at once.
 */
final class ArrivalsThread {
    private volatile StagedConnection[] connections = {};
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    /** Serves a connection from now on. */
    synchronized void add(StagedConnection connection) {
        StagedConnection[] more = Arrays.copyOf(connections, connections.length + 1);
        more[connections.length] = connection;
        connections = more;
        if (thread == null) {
            Thread started = Thread.ofPlatform().daemon().name("mscclj-staging").unstarted(this::run);
            thread = started;
            started.start();
        }
        wake();
    }

    /** Ends the service of a connection, which must be closed before. */
    synchronized void remove(StagedConnection connection) {
        List<StagedConnection> fewer = new ArrayList<>(List.of(connections));
        fewer.remove(connection);
        connections = fewer.toArray(StagedConnection[]::new);
    }

    /** Ends a sleep of the thread. Never blocks or throws. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Ends the thread soon. */
    void close() {
        closed = true;
        wake();
    }

    private void run() {
        Backoff backoff = new Backoff();
        while (!closed) {
            boolean worked = false;
            boolean pending = false;
            boolean polls = false;
            for (StagedConnection connection : connections) {
                worked |= connection.carryOut();
                pending |= connection.isPending();
                polls |= !connection.isTold();
            }
            if (worked) {
                backoff.progressed();
            } else if (!backoff.spin()) {
                sleep(backoff, pending || polls);
            }
        }
    }

    private void sleep(Backoff backoff, boolean shortly) {
        if (shortly) {
            Backoff.nap(backoff.nextNap());
        } else {
            LockSupport.park(this);
            backoff.progressed();
        }
    }
}
