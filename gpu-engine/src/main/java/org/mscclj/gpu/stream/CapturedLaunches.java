package org.mscclj.gpu.stream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.spi.engine.ReplayListener;

/**
 * The launches that are captured into a graph that this library makes. Launches find it by the id of the capture.
 * Belongs to the capturing thread.
 */
public final class CapturedLaunches {
    private static final ConcurrentMap<Long, CapturedLaunches> UNDER_WAY = new ConcurrentHashMap<>();

    private final long id;
    private final Set<CapturedLaunch> launches = new LinkedHashSet<>();
    private final Set<ReplayOrder> ofAllRanks = new HashSet<>();
    private final Map<ReplayOrder, List<ReplayListener>> listeners = new LinkedHashMap<>();

    private CapturedLaunches(long id) {
        this.id = id;
    }

    /** Registers a capture that begins. */
    static CapturedLaunches begin(long id) {
        CapturedLaunches work = new CapturedLaunches(id);
        UNDER_WAY.put(id, work);
        return work;
    }

    /** Removes a capture that has ended. */
    static void end(long id) {
        UNDER_WAY.remove(id);
    }

    /** The work of a capture; empty if other software captures. */
    public static Optional<CapturedLaunches> of(long id) {
        return Optional.ofNullable(UNDER_WAY.get(id));
    }

    /**
     * Adds a launch. Equal launches count once.
     *
     * @param shared whether all ranks of its communicator make it; point-to-point launches need not be shared
     * @param listener called at replays, also if an equal launch was added before
     */
    public void add(CapturedLaunch launch, boolean shared, ReplayListener listener) {
        launches.add(launch);
        if (shared) {
            ofAllRanks.add(launch.order());
        }
        listeners.computeIfAbsent(launch.order(), _ -> new ArrayList<>()).add(listener);
    }

    /** The life of the graph, if a launch depends on it. */
    Optional<GraphLife> life() {
        return GraphLife.find(id);
    }

    /** The launches in the graph. */
    CapturedLaunch[] launches() {
        return launches.toArray(CapturedLaunch[]::new);
    }

    /** For each order, whether the graph has a launch that all ranks of the communicator make. */
    boolean[] shared(ReplayOrder... orders) {
        boolean[] shared = new boolean[orders.length];
        for (int i = 0; i < orders.length; i++) {
            shared[i] = ofAllRanks.contains(orders[i]);
        }
        return shared;
    }

    /** For each order, the listener to replays. */
    ReplayListener[] listeners(ReplayOrder... orders) {
        ReplayListener[] together = new ReplayListener[orders.length];
        for (int i = 0; i < orders.length; i++) {
            List<ReplayListener> all = listeners.getOrDefault(orders[i], List.of(ReplayListener.NONE));
            together[i] = all.getFirst().together(List.copyOf(all));
        }
        return together;
    }

    /** The orders of the launches, each once, with ascending numbers. */
    ReplayOrder[] orders() {
        return launches.stream()
                .map(CapturedLaunch::order)
                .distinct()
                .sorted(Comparator.comparingLong(ReplayOrder::number))
                .toArray(ReplayOrder[]::new);
    }
}
