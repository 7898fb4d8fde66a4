package org.mscclj.spi.engine;

import java.util.List;

/**
 * Receives replays of a captured launch. In every replay, a backend gives each captured launch its own ticket, or one
 * ticket to all launches of a communicator in a graph together.
 */
public interface ReplayListener {
    /** A listener that ignores replays. */
    ReplayListener NONE = new ReplayListener() {
        @Override
        public void replayed(long ticket) {
            // ignored
        }

        @Override
        public ReplayListener together(List<ReplayListener> all) {
            return this;
        }
    };

    /**
     * Called when a graph that contains the launch was enqueued, with the ticket of the launch. Does not block, throw,
     * or allocate.
     */
    void replayed(long ticket);

    /**
     * Returns the listener for a graph whose launches of one communicator share one ticket. Called once for a graph,
     * when its capture ends.
     *
     * @param all the listeners of these launches, in the order of the capture; this is one of them
     */
    ReplayListener together(List<ReplayListener> all);
}
