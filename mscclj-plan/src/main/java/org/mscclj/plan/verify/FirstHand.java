package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What blocks have learnt of the steps of proxies from those proxies themselves, and when. Only who waits for a proxy's
 * signal, reads its packets or flushes it hears of it; all others hear of it from them. So whoever knows of the step in
 * which a block had learnt of a proxy knows what that block had learnt, and the proxies, of which each rank has one for
 * every peer, need no places in the clocks.
 */
final class FirstHand {
    private final int blocks;
    private final List<List<Account>> accounts = new ArrayList<>();

    /** What one block has learnt of one proxy, and in which of its own steps. */
    private static final class Account {
        private final int learner;
        private final boolean onlyReads;
        private int[] learnt = new int[2];
        private int[] upTo = new int[2];
        private int size;

        Account(int learner, boolean onlyReads) {
            this.learner = learner;
            this.onlyReads = onlyReads;
        }

        boolean isOf(int agent, boolean ofReads) {
            return learner == agent && onlyReads == ofReads;
        }

        void add(int step, int stepOfProxy) {
            if (size > 0 && upTo[size - 1] >= stepOfProxy) {
                return;
            }
            if (size == learnt.length) {
                learnt = Arrays.copyOf(learnt, 2 * size);
                upTo = Arrays.copyOf(upTo, 2 * size);
            }
            learnt[size] = step;
            upTo[size] = stepOfProxy;
            size++;
        }

        /** The proxy's last step that the learner knew of in a step of its own. */
        int asOf(int step) {
            int found = Arrays.binarySearch(learnt, 0, size, step);
            int last = found >= 0 ? found : -found - 2;
            return last < 0 ? 0 : upTo[last];
        }
    }

    /**
     * Nobody has learnt anything.
     *
     * @param blocks how many blocks there are; their numbers come before those of the proxies
     * @param proxies how many proxies there are
     */
    FirstHand(int blocks, int proxies) {
        this.blocks = blocks;
        for (int i = 0; i < proxies; i++) {
            accounts.add(new ArrayList<>(2));
        }
    }

    int blocks() {
        return blocks;
    }

    boolean isProxy(int agent) {
        return agent >= blocks;
    }

    /**
     * A block has learnt, by a step of its own, that a proxy's steps up to {@code full} are done, and the reads of
     * those up to {@code reads}.
     */
    void learn(int learner, int step, int proxy, int full, int reads) {
        if (full > 0) {
            account(proxy, learner, false).add(step, full);
        }
        if (reads > full) {
            account(proxy, learner, true).add(step, reads);
        }
    }

    private Account account(int proxy, int learner, boolean onlyReads) {
        List<Account> ofProxy = accounts.get(proxy - blocks);
        for (Account account : ofProxy) {
            if (account.isOf(learner, onlyReads)) {
                return account;
            }
        }
        Account made = new Account(learner, onlyReads);
        ofProxy.add(made);
        return made;
    }

    /** The last step of a proxy that is done for whom this is known. */
    int full(int proxy, Knowledge known) {
        int last = 0;
        for (Account account : accounts.get(proxy - blocks)) {
            if (!account.onlyReads) {
                last = Math.max(last, account.asOf(known.full(account.learner)));
            }
        }
        return last;
    }

    /** The last step of a proxy whose reads are done for whom this is known. */
    int reads(int proxy, Knowledge known) {
        int last = 0;
        for (Account account : accounts.get(proxy - blocks)) {
            last = Math.max(last, account.asOf(known.reads(account.learner)));
        }
        return last;
    }
}
