package org.mscclj.backend.cuda.stream;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What is captured into a graph that we are making. Launches find it by the id of the capture. Belongs to the thread that captures. */
public final class CapturedWork {
    private static final ConcurrentMap<Long, CapturedWork> UNDER_WAY = new ConcurrentHashMap<>();

    private final long id;
    private final Set<CapturedLaunch> launches = new LinkedHashSet<>();

    private CapturedWork(long id) {
        this.id = id;
    }

    /** A capture begins. */
    static CapturedWork begin(long id) {
        CapturedWork work = new CapturedWork(id);
        UNDER_WAY.put(id, work);
        return work;
    }

    /** A capture has ended. */
    static void end(long id) {
        UNDER_WAY.remove(id);
    }

    /** That of a capture; empty if other software captures. */
    public static Optional<CapturedWork> of(long id) {
        return Optional.ofNullable(UNDER_WAY.get(id));
    }

    /** One more launch; equal ones count once. */
    public void add(CapturedLaunch launch) {
        launches.add(launch);
    }

    /** The life of the graph, if a launch depends on it. */
    Optional<GraphLife> life() {
        return GraphLife.find(id);
    }

    /** Its launches. */
    CapturedLaunch[] launches() {
        return launches.toArray(CapturedLaunch[]::new);
    }

    /** For each of these, whether there is a launch that all ranks of the communicator make. */
    @SuppressWarnings("ReferenceEquality") // orders are themselves
    boolean[] shared(ReplayOrder... orders) {
        boolean[] shared = new boolean[orders.length];
        for (int i = 0; i < orders.length; i++) {
            ReplayOrder order = orders[i];
            shared[i] = launches.stream().anyMatch(launch -> launch.isShared() && launch.order() == order);
        }
        return shared;
    }

    /** What they are ordered with, each once, the least number first. */
    ReplayOrder[] orders() {
        return launches.stream()
                .map(CapturedLaunch::order)
                .distinct()
                .sorted(Comparator.comparingLong(ReplayOrder::number))
                .toArray(ReplayOrder[]::new);
    }
}
