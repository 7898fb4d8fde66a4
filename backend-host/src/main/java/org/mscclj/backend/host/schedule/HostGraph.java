package org.mscclj.backend.host.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * Captured work, which is carried out any number of times: each replay is one command of a stream.
 *
 * <p>A replay takes its tickets one by one, in the order of the capture, while it holds the monitors of the graph and
 * of the stream. So all work for which a launch waits, in the graph, in its stream or in its communicator's order, was
 * enqueued before the launch, by any thread: there is no cycle of waits.
 */
final class HostGraph implements Graph {
    private final List<List<CapturedBranch.Node>> branches;
    private final List<Replay.Place> launches;
    private final HostGraphLife life;

    /**
     * The first launch of each communicator that all of its ranks make, by its index among the launches; the first
     * launch, if only some ranks make each of them.
     */
    private final int[] firstOfOrder;

    /** Replays that are not in flight, for reuse. */
    private final Deque<Replay> idle = new ArrayDeque<>();

    private long enqueued;
    private volatile long ended;

    HostGraph(List<List<CapturedBranch.Node>> branches, List<Replay.Place> launches, HostGraphLife life) {
        this.branches = branches.stream().map(List::copyOf).toList();
        this.launches = List.copyOf(launches);
        this.life = life;
        Map<LaunchOrder, Integer> first = new LinkedHashMap<>();
        for (int i = 0; i < launches.size(); i++) {
            int next = i;
            first.merge(
                    launches.get(i).launch().order(),
                    i,
                    (known, _) -> launches.get(known).launch().isOfSomeRanks()
                                    && !launches.get(next).launch().isOfSomeRanks()
                            ? next
                            : known);
        }
        this.firstOfOrder = first.values().stream().mapToInt(Integer::intValue).toArray();
        idle.push(new Replay(this, this.branches, this.launches));
    }

    @Override
    public synchronized void launch(Stream stream) {
        Objects.requireNonNull(stream, "stream");
        HostStream host = HostStream.of(stream);
        if (host.isCapturing()) {
            throw new InvalidArgumentException("the stream is being captured; launch a graph on a stream that is not");
        }
        life.beginReplay();
        Replay replay = take();
        try {
            replay.number(enqueued + 1); // which is what its ticket will be
            long _ = host.enqueue(replay, replay, false);
            enqueued++;
        } catch (RuntimeException | Error e) {
            giveBack(replay);
            life.endReplay();
            throw e;
        }
        for (int i = 0; i < launches.size(); i++) {
            launches.get(i).listener().replayed(replay.ticket(i));
        }
        for (int first : firstOfOrder) {
            launches.get(first).launch().order().replayed(replay.ticket(first));
        }
    }

    /** Whether all replays before this number have ended; acquires. */
    boolean isNext(long number) {
        return ended == number - 1;
    }

    /** Registers the end of a replay, which was next. Called by the thread that carries it out. */
    void ended(Replay replay, long number) {
        giveBack(replay);
        ended = number;
        life.endReplay();
    }

    private Replay take() {
        Replay replay;
        synchronized (idle) {
            replay = idle.pollFirst();
        }
        return replay == null ? new Replay(this, branches, launches) : replay;
    }

    private void giveBack(Replay replay) {
        synchronized (idle) {
            idle.addFirst(replay);
        }
    }

    @Override
    public void close() {
        life.close();
    }
}
