package org.mscclj.backend.host.schedule;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A thread of the scheduler that works while there is work. */
final class Worker extends Thread {
    private final HostScheduler scheduler;
    private final WorkerSlots slots;
    private final Idling idling;
    private final AtomicInteger asleep = new AtomicInteger();

    Worker(int index, HostScheduler scheduler, WorkerSlots slots, Idling idling) {
        super("mscclj-host-worker-" + index);
        this.scheduler = scheduler;
        this.slots = slots;
        this.idling = idling;
        setDaemon(true);
    }

    /** Wakes the thread if it sleeps; returns whether it did. */
    boolean wake() {
        if (asleep.get() == 1 && asleep.compareAndSet(1, 0)) {
            LockSupport.unpark(this);
            return true;
        }
        return false;
    }

    @Override
    public void run() {
        int naps = 0;
        while (!scheduler.isClosed()) {
            long rest = HostScheduler.WITHOUT_DOORBELL;
            int slot = scheduler.pending() > 0 ? slots.enterOrRelieve() : WorkerSlots.NONE;
            if (slot >= 0) {
                try {
                    naps = workWhilePending(slot) ? 0 : naps + 1;
                    rest = scheduler.pending() > 0 ? scheduler.lastPoll(slot) : HostScheduler.WITHOUT_DOORBELL;
                } finally {
                    slots.leave(slot);
                }
            }
            if (rest >= 0) {
                scheduler.sleepOnDoorbell(rest, naps);
            } else if (rest == HostScheduler.WITHOUT_DOORBELL) {
                sleep(naps);
            }
        }
    }

    private void sleep(int naps) {
        asleep.set(1);
        if (scheduler.pending() == 0 && !scheduler.isClosed()) {
            LockSupport.park(this);
        } else if (!scheduler.isClosed()) {
            LockSupport.parkNanos(this, Idling.nap(naps));
        }
        asleep.set(0);
    }

    private boolean workWhilePending(int slot) {
        boolean worked = false;
        int idle = 0;
        long since = 0;
        while (!scheduler.isClosed() && since != Idling.TIME_TO_SLEEP) {
            if (scheduler.sweep(slot) > 0) {
                worked = true;
                idle = 0;
            } else {
                since = idling.pause(++idle, since);
            }
            if (scheduler.pending() == 0 && idling.hasSpunForCommands(idle)) {
                break;
            }
        }
        return worked;
    }
}
