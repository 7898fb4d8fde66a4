package org.mscclj.cli.ranks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.api.error.AbortedException;

/** Exchanges messages between the threads of one JVM. */
final class ThreadExchange {
    private final List<byte[]> arriving;
    private List<byte[]> complete = List.of();
    private int arrived;
    private long rounds;
    private boolean failed;

    ThreadExchange(int ranks) {
        arriving = new ArrayList<>(Collections.nCopies(ranks, new byte[0]));
    }

    /** Returns the exchange of one rank. */
    RankExchange ofRank(int rank) {
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

    /** Wakes all waiting ranks after the failure of a rank. */
    synchronized void fail() {
        failed = true;
        notifyAll();
    }
}
