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
 * Whether anything records, and what is recorded if so. Until then no class of events is loaded: the first one takes
 * the VM a tenth of a second.
 */
public final class Events {
    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private Events() {}

    /** Whether this process has ever recorded anything. A read. */
    public static boolean areOn() {
        return FlightRecorder.isInitialized();
    }

    /** Whether something records each operation: those who launch ask first, since an event is an object. */
    public static boolean recordOperations() {
        return areOn() && Types.OPERATION.isEnabled();
    }

    /** Whether something records who waits. */
    public static boolean recordWaits() {
        return areOn() && Types.WAIT.isEnabled();
    }

    /** Whether something records what proxies do. */
    public static boolean recordProxies() {
        return areOn() && Types.PROXY_BATCH.isEnabled();
    }

    /** What is recorded often. Not looked at before something records. */
    private static final class Types {
        static final EventType OPERATION = EventType.getEventType(OperationEvent.class);
        static final EventType WAIT = EventType.getEventType(WaitEvent.class);
        static final EventType PROXY_BATCH = EventType.getEventType(ProxyBatchEvent.class);
        static final EventType KEPT_LAUNCH = EventType.getEventType(KeptLaunchEvent.class);
        static final EventType KEPT_DUMP = EventType.getEventType(KeptDumpEvent.class);
    }

    /**
     * Connects, and records it.
     *
     * @param rank who connects
     * @param peer to whom
     * @param transport the transport's name
     */
    public static <T> T connection(int rank, int peer, String transport, Supplier<T> connecting) {
        return areOn() ? ConnectionEvent.around(rank, peer, transport, connecting) : connecting.get();
    }

    /** Does something to a plan, and records it. */
    public static <T> T plan(String plan, int rank, PlanPhase phase, Supplier<T> work) {
        return areOn() ? PlanEvent.around(plan, rank, phase, work) : work.get();
    }

    /** Records it when a communicator's flag is set. */
    public static void watch(String communicator, int rank, AbortFlag flag) {
        flag.whenSet(() -> {
            if (areOn()) {
                FaultEvent.commit(communicator, rank, flag);
            }
        });
    }

    /**
     * Records what the recorder of a communicator keeps that is about to close: when the recording is dumped later, the
     * communicator is gone.
     */
    public static void closes(Supplier<RankDump> communicator) {
        if (areOn() && (Types.KEPT_LAUNCH.isEnabled() || Types.KEPT_DUMP.isEnabled())) {
            List<RankDump> dump = List.of(communicator.get());
            KeptLaunchEvent.commitAll(dump);
            KeptDumpEvent.commitAll(dump);
        }
    }

    /**
     * Adds what recorders of launches keep to the end of every recording that asks for it. Only the first call of a
     * process has an effect.
     *
     * @param dumps of the communicators that are open; called by a thread of the VM's
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
