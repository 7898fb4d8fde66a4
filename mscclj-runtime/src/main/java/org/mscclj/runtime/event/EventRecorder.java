package org.mscclj.runtime.event;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Records events, if anything records. Before that no event class is loaded: loading the first one takes the VM a tenth
 * of a second.
 */
public final class EventRecorder {
    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private EventRecorder() {}

    /** Returns whether a recording was ever started in this process. Costs one read. */
    public static boolean areOn() {
        return FlightRecorder.isInitialized();
    }

    /**
     * Returns whether operations are recorded. The code that launches checks this first, because an event is an object.
     */
    public static boolean recordOperations() {
        return areOn() && Types.OPERATION.isEnabled();
    }

    /** Returns whether waits are recorded. */
    public static boolean recordWaits() {
        return areOn() && Types.WAIT.isEnabled();
    }

    /** Returns whether the batches of proxies are recorded. */
    public static boolean recordProxies() {
        return areOn() && Types.PROXY_BATCH.isEnabled();
    }

    /** The types of frequent events. Not initialized before something records. */
    private static final class Types {
        static final EventType OPERATION = EventType.getEventType(OperationEvent.class);
        static final EventType WAIT = EventType.getEventType(WaitEvent.class);
        static final EventType PROXY_BATCH = EventType.getEventType(ProxyBatchEvent.class);
        static final EventType KEPT_LAUNCH = EventType.getEventType(KeptLaunchEvent.class);
        static final EventType KEPT_DUMP = EventType.getEventType(KeptDumpEvent.class);
    }

    /**
     * Connects two ranks, and records it.
     *
     * @param rank the connecting rank
     * @param peer the rank to which it connects
     * @param transport the transport's name
     */
    public static <T> T connection(int rank, int peer, String transport, Supplier<T> connecting) {
        return areOn() ? ConnectionEvent.around(rank, peer, transport, connecting) : connecting.get();
    }

    /** Runs a phase of a plan, and records it. */
    public static <T> T plan(String plan, int rank, PlanPhase phase, Supplier<T> work) {
        return areOn() ? PlanEvent.around(plan, rank, phase, work) : work.get();
    }

    /** Records a fault when a communicator's flag is set. */
    public static void watch(String communicator, int rank, AbortFlag flag) {
        flag.whenSet(() -> {
            if (areOn()) {
                FaultEvent.commit(communicator, rank, flag);
            }
        });
    }

    /**
     * Records the contents of the recorder of a communicator that is about to close: when the recording is dumped
     * later, the communicator is gone.
     */
    public static void closes(Supplier<RankDump> communicator) {
        if (areOn() && (Types.KEPT_LAUNCH.isEnabled() || Types.KEPT_DUMP.isEnabled())) {
            List<RankDump> dump = List.of(communicator.get());
            KeptLaunchEvent.commitAll(dump);
            KeptDumpEvent.commitAll(dump);
        }
    }

    /**
     * Adds the contents of flight recorders to the end of each recording that requests them. Only the first call of a
     * process has an effect.
     *
     * @param dumps returns the dumps of the open communicators; called by a thread of the VM
     */
    public static void keep(Supplier<List<RankDump>> dumps) {
        if (INSTALLED.compareAndSet(false, true)) {
            FlightRecorder.addListener(new FlightRecorderListener() {
                @Override
                public void recorderInitialized(FlightRecorder recorder) {
                    FlightRecorder.addPeriodicEvent(
                            KeptLaunchEvent.class, () -> KeptLaunchEvent.commitAll(dumps.get()));
                    FlightRecorder.addPeriodicEvent(KeptDumpEvent.class, () -> KeptDumpEvent.commitAll(dumps.get()));
                }
            });
        }
    }
}
