package org.mscclj.gpu.queue;

import java.util.ArrayList;
import java.util.List;

/** What may request an abort of a communicator, as words that its kernels write. Safe for use by several threads. */
public final class AbortRequests {
    private volatile List<AbortRequest> requests = List.of();

    /** Looks at a request, whether or not a caller waits for a launch, until {@link #remove}. */
    public synchronized void add(AbortRequest request) {
        List<AbortRequest> more = new ArrayList<>(requests);
        more.add(request);
        requests = List.copyOf(more);
    }

    /** Undoes {@link #add}. */
    public synchronized void remove(AbortRequest request) {
        List<AbortRequest> fewer = new ArrayList<>(requests);
        fewer.remove(request);
        requests = List.copyOf(fewer);
    }

    /** Aborts the communicator if that is requested. Allocates nothing. */
    public void poll() {
        List<AbortRequest> known = requests; // one that is removed meanwhile requests nothing
        for (int i = 0; i < known.size(); i++) {
            AbortRequest request = known.get(i);
            if (request.isAsked()) {
                boolean _ = request.look();
            }
        }
    }
}
