package org.mscclj.runtime.window;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.Feature;

/** The open windows of a rank. */
public final class OpenWindows implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final List<RuntimeWindow> windows = new ArrayList<>();

    /**
     * Creates an empty set of windows.
     *
     * @param stream stream of launches that name none
     */
    public OpenWindows(ExecutionEnvironment environment, Stream stream) {
        this.environment = environment;
        this.stream = stream;
    }

    /** Opens a window; see {@link org.mscclj.api.Communicator#openWindow}. Collective. */
    public Window open(DeviceBuffer memory) {
        if (!environment.capabilities().features().contains(Feature.WINDOWS)) {
            throw new UnsupportedException("backend " + environment.device().backend()
                    + " has no windows (WINDOWS); use a backend that has, as mscclj info says");
        }
        windows.removeIf(RuntimeWindow::isFreed);
        RuntimeWindow window = RuntimeWindow.open(environment, stream, memory);
        windows.add(window);
        return window;
    }

    /** Ends this rank's launches on all windows, and refuses further ones. */
    public void closeOperations() {
        List<AutoCloseable> closings = new ArrayList<>();
        windows.stream().filter(window -> !window.isFreed()).forEach(window -> closings.add(window::closeOperations));
        Resources.close(closings);
    }

    /** Frees all windows. Peers must not access this rank's memory any more. */
    @Override
    public void close() {
        List<AutoCloseable> closings = new ArrayList<>();
        windows.forEach(window -> closings.add(window::free));
        windows.clear();
        Resources.close(closings);
    }
}
