package org.mscclj.runtime.communicator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.resource.Resources;

/**
 * Makes the communicator of those who are left. They cannot agree over the old one, which may have ended: each opens the new one by itself, and then all
 * meet in it. An attempt that timed out is kept, so that calling again goes on with it. Used by one thread at a time.
 */
final class Shrinking implements AutoCloseable {
    private final CommunicatorSpec spec;
    private final int rank;
    private final int size;
    private final Map<List<Integer>, RuntimeCommunicator> attempts = new HashMap<>();

    Shrinking(CommunicatorSpec spec, int rank, int size) {
        this.spec = spec;
        this.rank = rank;
        this.size = size;
    }

    /** See {@link Communicator#shrink}. */
    Communicator without(List<Integer> ranks) {
        List<Integer> excluded = checked(ranks);
        List<Integer> left = IntStream.range(0, size)
                .filter(r -> !excluded.contains(r))
                .boxed()
                .toList();
        RuntimeCommunicator child =
                attempts.computeIfAbsent(excluded, e -> spec.shrinker().child(left, spec.name() + "-shrunk", 0, rank));
        try {
            child.barrier();
        } catch (OperationTimeoutException e) {
            throw timedOut(excluded, namesOf(e.missingRanks(), left), child);
        } catch (RankLostException e) {
            drop(excluded, child);
            throw lost(excluded, left.get(e.rank()), e);
        } catch (RuntimeException e) {
            if (child.isAborted()) { // else this thread was interrupted, and may call again
                drop(excluded, child);
            }
            throw e;
        }
        attempts.remove(excluded, child);
        close();
        return child.connected(); // all are there
    }

    private List<Integer> checked(List<Integer> ranks) {
        TreeSet<Integer> excluded = new TreeSet<>(ranks);
        for (int each : excluded) {
            if (each < 0 || each >= size) {
                throw InvalidArgumentException.of("shrink: a rank of " + ranks, each, "0 to " + (size - 1));
            }
        }
        if (excluded.size() != ranks.size()) {
            throw InvalidArgumentException.of("shrink: the list of excluded ranks", ranks, "each rank once");
        }
        if (excluded.contains(rank)) {
            throw InvalidArgumentException.of(
                    "shrink: the list of excluded ranks",
                    ranks,
                    "a list without the calling rank " + rank + "; who is excluded closes its communicator instead");
        }
        return List.copyOf(excluded);
    }

    private static List<Integer> namesOf(List<Integer> ofChild, List<Integer> left) {
        return ofChild.stream().map(left::get).toList();
    }

    private OperationTimeoutException timedOut(
            List<Integer> excluded, List<Integer> missing, RuntimeCommunicator child) {
        return new OperationTimeoutException(
                what(excluded) + ": waited " + child.timeout() + " for ranks " + missing
                        + ", which did not call it with the same excluded ranks; call again, or exclude them too",
                missing);
    }

    private RankLostException lost(List<Integer> excluded, int lost, RankLostException e) {
        return new RankLostException(
                lost, what(excluded) + ": rank " + lost + " takes no part: " + e.getMessage() + "; exclude it too");
    }

    private String what(List<Integer> excluded) {
        return "shrink communicator " + spec.name() + " without ranks " + excluded + ", rank " + rank;
    }

    private void drop(List<Integer> excluded, RuntimeCommunicator child) {
        attempts.remove(excluded, child);
        child.close();
    }

    /** Gives up what was begun, so that those who wait there for this rank hear of it. */
    @Override
    public void close() {
        List<RuntimeCommunicator> begun = List.copyOf(attempts.values());
        attempts.clear();
        Resources.close(begun);
    }
}
