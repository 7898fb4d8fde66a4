package org.mscclj.conformance.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.task.Opened;
import org.mscclj.conformance.transport.TransportPair.Link;

/** The checks of a transport. Each check returns what is wrong, or an empty text. */
final class TransportChecks {
    private static final List<Long> SIZES = List.of(0L, 1L, 3L, 7L, 8L, 9L, 63L, 64L, 65L, 4095L, 65_536L, 1_048_577L);
    private static final List<Long> OFFSETS = List.of(0L, 1L, 5L, 8L, 4096L);
    private static final int ORDER_ROUNDS = 300;
    private static final int SIGNALS = 5000;
    private static final int TOLD_ROUNDS = 200;
    private static final int CONNECTIONS = 3;
    private static final int CONNECTION_ROUNDS = 3;
    private static final long SMALL = 1 << 12;

    private TransportChecks() {}

    static String reaches(TransportPair pair) {
        boolean there = pair.sender().reaches(pair.receiver().describeAddress());
        boolean back = pair.receiver().reaches(pair.sender().describeAddress());
        if (there != back) {
            return "one rank reaches the other, which does not reach it";
        }
        return there ? "" : "two ranks of one process do not reach each other";
    }

    static String writes(TransportPair pair) {
        for (long bytes : SIZES) {
            long room = bytes + 3 * SMALL;
            try (Link link = pair.connect();
                    Transfer transfer = new Transfer(pair, link, room)) {
                SplittableRandom random = new SplittableRandom(bytes);
                for (long from : OFFSETS) {
                    long to = OFFSETS.get(random.nextInt(OFFSETS.size()));
                    transfer.fill(bytes + from);
                    transfer.write(from, to, bytes);
                    transfer.awaitCompleted(transfer.signal());
                    transfer.awaitSignals();
                    String difference = transfer.difference(from, to, bytes);
                    if (!difference.isEmpty()) {
                        return difference;
                    }
                }
            }
        }
        return "";
    }

    /**
     * Checks the order of a large write, a small write and a signal: an operation that overtakes another, or is
     * incomplete, changes the result.
     */
    static String order(TransportPair pair) {
        long large = 1 << 18;
        try (Link link = pair.connect();
                Transfer transfer = new Transfer(pair, link, large + SMALL)) {
            for (int round = 0; round < ORDER_ROUNDS / 10; round++) {
                transfer.fill(round);
                transfer.write(0, 0, large);
                transfer.write(large, large, 8);
                transfer.signal();
                transfer.awaitSignals();
                String difference = transfer.difference(0, 0, large + 8);
                if (!difference.isEmpty()) {
                    return "seen after the signal: " + difference;
                }
            }
        }
        return "";
    }

    static String completed(TransportPair pair) {
        long bytes = 1 << 20;
        try (Link link = pair.connect();
                Transfer transfer = new Transfer(pair, link, bytes)) {
            transfer.fill(1);
            long last = 0;
            for (long at = 0; at < bytes; at += bytes / 8) {
                long position = transfer.write(at, at, bytes / 8);
                if (position != last + 1) {
                    return "operation " + (last + 1) + " got position " + position;
                }
                last = position;
                long completed = link.progress();
                if (completed > last) {
                    return "position " + completed + " is completed, but only " + last + " were posted";
                }
            }
            transfer.awaitCompleted(last);
            String missing = transfer.difference(0, 0, bytes);
            if (!missing.isEmpty()) {
                return "seen as soon as it was completed: " + missing;
            }
            transfer.spoilSource();
            transfer.signal();
            transfer.awaitSignals();
            return transfer.difference(0, 0, bytes);
        }
    }

    /**
     * Checks that the listener of the receiver is called for each signal. Each signal is sent after the call for the
     * previous one.
     */
    static String told(TransportPair pair) {
        try (Link link = pair.connect();
                Transfer transfer = new Transfer(pair, link, SMALL)) {
            if (!link.far().tellsSignals()) {
                return "";
            }
            for (int i = 0; i < TOLD_ROUNDS; i++) {
                int before = link.told().get();
                transfer.signal();
                transfer.awaitTold(before);
                if (transfer.count() < transfer.signals()) {
                    return "the receiver saw signal " + (i + 1) + " before it was counted";
                }
            }
            return "";
        }
    }

    static String signals(TransportPair pair) {
        try (Link link = pair.connect();
                Transfer transfer = new Transfer(pair, link, SMALL)) {
            for (int i = 0; i < SIGNALS; i++) {
                long position = transfer.signal();
                if (i % 64 == 63) {
                    transfer.awaitCompleted(position);
                }
            }
            transfer.awaitSignals();
            link.progress();
            return transfer.count() == transfer.signals()
                    ? ""
                    : "the counter is " + transfer.count() + " after " + transfer.signals() + " signals";
        }
    }

    /** Checks several connections, used in turns while the others are open. */
    static String connections(TransportPair pair) {
        try (Opened opened = new Opened()) {
            List<Transfer> transfers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Link link = opened.add(pair.connect(), Link::close);
                transfers.add(opened.add(new Transfer(pair, link, 4 * SMALL), Transfer::close));
            }
            for (int round = 0; round < CONNECTION_ROUNDS; round++) {
                for (Transfer transfer : transfers) {
                    transfer.fill(round);
                    transfer.write(0, SMALL, 2 * SMALL);
                    transfer.signal();
                }
                for (int i = 0; i < CONNECTIONS; i++) {
                    transfers.get(i).awaitSignals();
                    String difference = transfers.get(i).difference(0, SMALL, 2 * SMALL);
                    if (!difference.isEmpty()) {
                        return "connection " + i + ": " + difference;
                    }
                }
            }
            return "";
        }
    }

    /** Checks that one connection stays usable while others are opened and closed. */
    static String closing(TransportPair pair) {
        try (Link kept = pair.connect();
                Transfer before = new Transfer(pair, kept, SMALL)) {
            String difference = use(before, 0);
            for (int i = 1; i <= ORDER_ROUNDS / 10 && difference.isEmpty(); i++) {
                try (Link link = pair.connect();
                        Transfer transfer = new Transfer(pair, link, SMALL)) {
                    difference = use(transfer, i);
                    closeTwice(link);
                }
                if (difference.isEmpty()) {
                    difference = use(before, i);
                }
            }
            return difference;
        }
    }

    private static String use(Transfer transfer, long seed) {
        transfer.fill(seed);
        transfer.write(0, 0, SMALL);
        transfer.signal();
        transfer.awaitSignals();
        return transfer.difference(0, 0, SMALL);
    }

    /** The end of the block closes it once more. */
    private static void closeTwice(AutoCloseable link) throws MsccljException {
        try {
            link.close();
        } catch (MsccljException e) {
            throw e;
        } catch (Exception e) {
            throw new AbortedException("closing failed: " + e, e);
        }
    }
}
