package org.mscclj.transport.ib.adapter;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.EventDescriptors;
import org.mscclj.posix.NativeFile;
import org.mscclj.transport.ib.ffm.Adapter;
import org.mscclj.transport.ib.ffm.AdapterEvent;
import org.mscclj.transport.ib.ffm.CompletionChannel;
import org.mscclj.transport.ib.ffm.VerbsLibrary;

/**
 * An opened adapter, and a thread that sleeps until the adapter has an event. An event of the adapter ends all of its
 * queue pairs, one of a port those of the port, one of a queue pair that one. Thread-safe.
 */
public final class SharedAdapter {
    private static final Logger LOG = System.getLogger(SharedAdapter.class.getName());

    private static final Map<String, SharedAdapter> OPEN = new ConcurrentHashMap<>();

    private static final int EVENTS = 1;
    private static final int STOP = 2;
    private static final int COMPLETIONS = 4;

    private final Adapter adapter;
    private final CompletionChannel channel;
    private final int stop;
    private final Thread thread;
    private final Map<Long, Registered> queuePairs = new ConcurrentHashMap<>();

    /** Number of users. Guarded by the class. */
    private int users;

    private record Registered(int port, QueuePairOwner owner) {}

    private SharedAdapter(VerbsLibrary library, String name) {
        this.adapter = Adapter.open(library, name);
        int descriptor = EventDescriptors.create();
        this.stop = descriptor;
        try {
            requireDone("eventfd", descriptor);
            requireDone("fcntl", EventDescriptors.dontBlock(adapter.eventDescriptor()));
            this.channel = new CompletionChannel(adapter);
        } catch (RuntimeException | Error e) {
            if (descriptor >= 0) {
                NativeFile.close(descriptor);
            }
            adapter.close();
            throw e;
        }
        this.thread = Thread.ofPlatform().daemon().name("mscclj-ib-" + name).unstarted(this::listen);
    }

    private static void requireDone(String function, int result) {
        if (result < 0) {
            throw new BackendException(function + " failed: " + Errno.describe(-result), -result, Errno.name(-result));
        }
    }

    /** Opens an adapter, or uses the one that is open. {@link #release} undoes this. */
    public static SharedAdapter acquire(VerbsLibrary library, String name) {
        synchronized (SharedAdapter.class) {
            SharedAdapter shared = OPEN.get(name);
            if (shared == null) {
                shared = new SharedAdapter(library, name);
                OPEN.put(name, shared);
                shared.thread.start();
            }
            shared.users++;
            return shared;
        }
    }

    /** Undoes {@link #acquire}. The last user's call ends the thread and closes the adapter. */
    public void release() {
        synchronized (SharedAdapter.class) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(adapter.name());
        }
        int _ = EventDescriptors.raise(stop);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true; // the thread ends soon, since it does not wait for peers
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        int _ = NativeFile.close(stop);
        channel.close();
        adapter.close();
    }

    /** Returns the adapter. */
    public Adapter adapter() {
        return adapter;
    }

    /** Returns the channel whose events this adapter's thread takes. */
    public CompletionChannel channel() {
        return channel;
    }

    /** Adds a queue pair, whose owner receives its events from now on. */
    public void add(long queuePair, int port, QueuePairOwner owner) {
        queuePairs.put(queuePair, new Registered(port, owner));
    }

    /** Undoes {@link #add}. An event that is being handled may still arrive. */
    public void remove(long queuePair) {
        queuePairs.remove(queuePair);
    }

    private void listen() {
        while (true) {
            int ready = EventDescriptors.await(-1, adapter.eventDescriptor(), stop, channel.descriptor());
            if (ready == -Errno.EINTR) {
                continue;
            }
            if (ready < 0) {
                LOG.log(
                        Level.WARNING,
                        "adapter {0}: poll failed, so its events are not noticed any more: {1}",
                        adapter.name(),
                        Errno.describe(-ready));
                return;
            }
            if ((ready & STOP) != 0) {
                return;
            }
            if ((ready & EVENTS) != 0) {
                adapter.takeEvent().ifPresent(this::handle);
            }
            if ((ready & COMPLETIONS) != 0 && channel.takeEvent()) {
                queuePairs.values().forEach(registered -> guarded(registered.owner()::announced));
            }
        }
    }

    private void handle(AdapterEvent event) {
        String reason = "adapter " + adapter.name() + ": " + event.description();
        switch (event.scope()) {
            case QUEUE_PAIR ->
                Optional.ofNullable(queuePairs.get(event.element()))
                        .ifPresent(
                                registered -> guarded(() -> registered.owner().ended(reason)));
            case PORT ->
                queuePairs.values().stream()
                        .filter(registered -> registered.port() == event.port())
                        .forEach(registered ->
                                guarded(() -> registered.owner().ended(reason + ", port " + event.port())));
            case ADAPTER ->
                queuePairs
                        .values()
                        .forEach(registered -> guarded(() -> registered.owner().ended(reason)));
            case NOTHING -> LOG.log(Level.DEBUG, "adapter {0}: {1}", adapter.name(), event.description());
        }
    }

    /** One owner must not end the thread that serves the others. */
    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "adapter " + adapter.name() + ": the owner of a queue pair failed", e);
        }
    }
}
