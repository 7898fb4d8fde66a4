package org.mscclj.cli.ranks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.api.error.AbortedException;

/** Messages between the threads of one JVM. */
final class ThreadExchange {
    private final List<byte[]> arriving;
    private List<byte[]> complete = List.of();
    private int arrived;
    private long rounds;
    private boolean failed;

    ThreadExchange(int ranks) {
        arriving = new ArrayList<>(Collections.nCopies(ranks, new byte[0]));
    }

    /** A rank's end of it. */
    Exchange ofRank(int rank) {
        return own -> allGather(rank, own);
    }

    private synchronized List<byte[]> allGather(int rank, byte[] own) {
        arriving.set(rank, own);
        long round = rounds;
        if (++arrived == arriving.size()) {
            complete = List.copyOf(arriving);
            arrived = 0;
            rounds++;
            notifyAll();
        }
        while (round == rounds) {
            if (failed) {
                throw new AbortedException("another rank failed");
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted", e);
            }
        }
        return complete;
    }

    /** Wakes who waits: a rank will not come any more. */
    synchronized void fail() {
        failed = true;
        notifyAll();
    }
}
