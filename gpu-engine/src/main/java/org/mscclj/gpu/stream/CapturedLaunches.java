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
 * The launches that are captured into a graph that this library makes. Launches find it by the key of the capture.
 * Belongs to the capturing thread.
 */
public final class CapturedLaunches {
    private static final ConcurrentMap<CaptureInfo.Key, CapturedLaunches> UNDER_WAY = new ConcurrentHashMap<>();

    private final CaptureInfo.Key key;
    private final Set<CapturedLaunch> launches = new LinkedHashSet<>();
    private final Set<ReplayOrder> ofAllRanks = new HashSet<>();
    private final Map<ReplayOrder, List<ReplayListener>> listeners = new LinkedHashMap<>();

    private CapturedLaunches(CaptureInfo.Key key) {
        this.key = key;
    }

    /** Registers a capture that begins. */
    static CapturedLaunches begin(CaptureInfo capture) {
        CapturedLaunches work = new CapturedLaunches(capture.key());
        UNDER_WAY.put(work.key, work);
        return work;
    }

    /** Removes this capture, which has ended. */
    void end() {
        UNDER_WAY.remove(key);
    }

    /** The work of a capture; empty if other software captures. */
    public static Optional<CapturedLaunches> of(CaptureInfo capture) {
        return Optional.ofNullable(UNDER_WAY.get(capture.key()));
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
        return GraphLife.find(key);
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
