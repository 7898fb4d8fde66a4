package org.mscclj.runtime.execution.environment;

import java.time.Duration;
import java.util.List;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.dump.DumpFolder;
import org.mscclj.runtime.dump.DumpSocket;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.fault.Blame;
import org.mscclj.runtime.fault.CommunicatorWatch;
import org.mscclj.runtime.fault.Watchdog;
import org.mscclj.runtime.fault.WatchdogLimits;
import org.mscclj.runtime.health.FaultLog;
import org.mscclj.runtime.hook.RankHooks;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecorderSize;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.Lateness;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * Parts of a communicator that execution needs, on one rank.
 *
 * @param control the control plane between the ranks
 * @param device the rank's device
 * @param links the rank's transports and proxy
 * @param capabilities capabilities of the backend
 * @param order the order of the communicator's launches
 * @param abort the communicator's abort word
 * @param timeout timeout of a join that has none of its own
 * @param options limits, and which plans are verified
 * @param recorder the record of the last launches
 * @param hooks hooks that are called for launches
 * @param hints rules for the hints of calls
 */
public record ExecutionEnvironment(
        ControlPlane control,
        BackendDevice device,
        RankLinks links,
        Capabilities capabilities,
        LaunchOrder order,
        AbortFlag abort,
        Duration timeout,
        ExecutorOptions options,
        FlightRecorder recorder,
        RankHooks hooks,
        GroupHints hints) {
    /**
     * Creates an environment with a recorder of the size in the options, or else the size configured for this process,
     * without hooks, and with hints of calls that are logged.
     */
    public ExecutionEnvironment(
            ControlPlane control,
            BackendDevice device,
            RankLinks links,
            Capabilities capabilities,
            LaunchOrder order,
            AbortFlag abort,
            Duration timeout,
            ExecutorOptions options) {
        this(
                control,
                device,
                links,
                capabilities,
                order,
                abort,
                timeout,
                options,
                new FlightRecorder(
                        options.recorderEntries()
                                .orElseGet(() ->
                                        RecorderSize.of(System.getProperty(RecorderSize.PROPERTY), System.getenv())),
                        order,
                        abort),
                new RankHooks(order, abort),
                GroupHints.none());
    }

    /** Returns the checks of arguments for this rank. */
    public CallArguments arguments() {
        return new CallArguments(control.rank(), control.size(), capabilities);
    }

    /**
     * Registers the launches with the watchdog and makes them visible to fault diagnosis. The caller keeps the result.
     */
    public CommunicatorWatch watch(CommunicatorIdentity identity) {
        WatchdogLimits limits =
                options.watchdog().orElseGet(() -> WatchdogLimits.of(System::getProperty, System.getenv(), timeout));
        CommunicatorWatch watch = new CommunicatorWatch(identity, control, recorder, abort, limits);
        Watchdog.OF_PROCESS.add(watch);
        order.whenLate(() -> recorder.firstInFlight()
                .map(first -> Blame.of(control, recorder, first))
                .map(blame -> new Lateness(blame.ranks(), blame.description())));
        DumpSocket.open(System.getenv(), FaultLog.OF_PROCESS::health, ExecutionEnvironment::dumps);
        EventRecorder.keep(ExecutionEnvironment::dumps);
        EventRecorder.watch(identity.name(), control.rank(), abort);
        DumpFolder.of(System.getProperty(DumpFolder.PROPERTY), System.getenv())
                .ifPresent(folder -> folder.writeWhenAborted(watch.dump()));
        return watch;
    }

    private static List<RankDump> dumps() {
        return Watchdog.OF_PROCESS.open().stream().map(CommunicatorWatch::dump).toList();
    }

    /** Returns a copy with other hints. */
    public ExecutionEnvironment withHints(GroupHints changed) {
        return new ExecutionEnvironment(
                control, device, links, capabilities, order, abort, timeout, options, recorder, hooks, changed);
    }

    /** Returns a copy with other options. */
    public ExecutionEnvironment withOptions(ExecutorOptions changed) {
        return new ExecutionEnvironment(
                control, device, links, capabilities, order, abort, timeout, changed, recorder, hooks, hints);
    }
}
