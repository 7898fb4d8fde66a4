package org.mscclj.runtime.proxy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.waiting.Backoff;

/**
 * A daemon thread that runs the proxy agents of all ranks of the process. It is a platform thread, since transports may
 * call drivers, which identify threads by their kernel identity.
 *
 * <p>Without work, the thread spins, yields and then sleeps: without a limit if nothing is in flight, else in naps.
 *
 * <p>No wake-up is lost. The thread sets {@code asleep} and then checks every agent a last time; a pusher claims a
 * position of the ring and then {@link #wake} reads {@code asleep}. All four accesses are volatile, so either the
 * thread sees the position, or the pusher sees it asleep and unparks it; an unpark that comes before the park makes the
 * park return at once. This also holds for transfers in flight, for new agents, and for closing. While the thread is
 * awake, a wake-up costs one load of a cache line that no thread writes.
 */
public final class ProxyService implements AutoCloseable {
    private static final VarHandle ASLEEP;

    static {
        try {
            ASLEEP = MethodHandles.lookup().findVarHandle(ProxyService.class, "asleep", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Holder of the shared service, which starts at its first use. */
    private static final class Shared {
        static final ProxyService INSTANCE = new ProxyService("mscclj-proxy");
    }

    private final Thread thread;
    private volatile ProxyAgent[] agents = {};
    private volatile boolean closed;
    private volatile boolean asleep;

    /** Creates a service with its own thread of the given name. */
    @SuppressWarnings("this-escape") // the thread starts when everything is set
    public ProxyService(String threadName) {
        thread = Thread.ofPlatform().daemon().name(threadName).unstarted(this::run);
        thread.start();
    }

    /**
     * Returns the service that all ranks of this process share. It is never closed; without agents its thread sleeps.
     */
    public static ProxyService shared() {
        return Shared.INSTANCE;
    }

    /**
     * Opens an agent.
     *
     * @throws InvalidArgumentException if the capacity is not a power of two, or the service is closed
     */
    public synchronized ProxyAgent open(ProxyAgentSpec spec) {
        if (closed) {
            throw new InvalidArgumentException("the proxy service is closed; open another one");
        }
        ProxyAgent agent = new ProxyAgent(spec, this);
        ProxyAgent[] more = Arrays.copyOf(agents, agents.length + 1);
        more[agents.length] = agent;
        agents = more;
        wake(); // a device pushes without a wake-up, and without agents the thread sleeps until a wake-up
        return agent;
    }

    synchronized void remove(ProxyAgent agent) {
        List<ProxyAgent> fewer = new ArrayList<>(List.of(agents));
        fewer.remove(agent);
        agents = fewer.toArray(ProxyAgent[]::new);
    }

    /** Ends the thread's sleep, if it sleeps. Never blocks or throws. */
    void wake() {
        if (asleep && ASLEEP.compareAndSet(this, true, false)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        Backoff backoff = new Backoff();
        while (!closed) {
            int work = 0;
            for (ProxyAgent agent : agents) {
                work += agent.doWork();
            }
            if (work > 0) {
                backoff.progressed();
            } else if (!backoff.spin()) {
                sleep(backoff);
            }
        }
    }

    private void sleep(Backoff backoff) {
        asleep = true;
        boolean pending = false;
        for (ProxyAgent agent : agents) {
            if (agent.isReady()) {
                // Just pushed; or its producer has claimed the position and not filled it yet, and may need this core.
                asleep = false;
                backoff.progressed();
                Thread.yield();
                return;
            }
            pending |= agent.isPending();
        }
        if (closed) {
            return;
        }
        if (pending) {
            Backoff.nap(backoff.nextNap());
        } else {
            LockSupport.park(this);
            backoff.progressed();
        }
        asleep = false;
    }

    /** Returns the state of the thread, for tests. */
    Thread.State threadState() {
        return thread.getState();
    }

    /** Closes the remaining agents, which carry out what was pushed, and ends the thread. Idempotent. */
    @Override
    public void close() {
        List<ProxyAgent> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            left = List.of(agents);
        }
        left.forEach(ProxyAgent::close);
        closed = true;
        LockSupport.unpark(thread);
    }
}
