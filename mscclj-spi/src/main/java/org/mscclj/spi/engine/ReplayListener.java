package org.mscclj.spi.engine;

import java.util.List;

/**
 * Told of replays of a captured launch. A backend gives each captured launch a ticket of its own in every replay, or
 * all launches of a communicator that a graph has one ticket together.
 */
public interface ReplayListener {
    /** Is told nothing that matters. */
    ReplayListener NONE = new ReplayListener() {
        @Override
        public void replayed(long ticket) {
            // nobody wants to know
        }

        @Override
        public ReplayListener together(List<ReplayListener> all) {
            return this;
        }
    };

    /**
     * A graph that has the launch was enqueued, and this is the launch's ticket. Does not block, throws nothing, and
     * allocates nothing.
     */
    void replayed(long ticket);

    /**
     * Who listens for a graph whose launches of one communicator have one ticket together. Called once for a graph,
     * when its capture ends.
     *
     * @param all who listen to each of these launches, in the order of the capture; this is one of them
     */
    ReplayListener together(List<ReplayListener> all);
}
