package org.mscclj.runtime.thread;

import java.util.concurrent.CountDownLatch;

/**
 * An application whose virtual threads keep all carriers busy. Until this is closed no other virtual thread of the
 * process makes progress.
 */
public final class BusyCarriers implements AutoCloseable {
    private volatile boolean over;

    /** Returns when all carriers are busy. */
    public BusyCarriers() throws InterruptedException {
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch spinning = new CountDownLatch(carriers);
        for (int i = 0; i < 2 * carriers; i++) {
            Thread.ofVirtual().name("busy-" + i).start(() -> {
                spinning.countDown();
                while (!over) {
                    Thread.onSpinWait();
                }
            });
        }
        spinning.await();
    }

    @Override
    public void close() {
        over = true;
    }
}
