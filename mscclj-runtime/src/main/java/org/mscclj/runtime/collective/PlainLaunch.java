package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PreparedPlan;

/**
 * A plan that accesses peers' scratch alone, and the operations that bind it to buffers of this rank. Which of them are kept is this rank's own affair,
 * since binding needs no peer.
 */
final class PlainLaunch implements Launchable {
    private static final int MOST_BINDINGS = 16;

    /** Makes an operation on the buffers of a call. */
    @FunctionalInterface
    interface Binder {
        PreparedPlan bind(CollectiveCall call);
    }

    private record Buffers(long input, long output) {}

    private final PlanContext context;
    private final Binder binder;
    private final Retirement retirement;
    private final Map<Buffers, PreparedPlan> bindings = new LinkedHashMap<>(16, 0.75f, true);

    PlainLaunch(PlanContext context, Binder binder, Retirement retirement) {
        this.context = context;
        this.binder = binder;
        this.retirement = retirement;
    }

    @Override
    public PreparedPlan on(CollectiveCall call) {
        Buffers buffers = new Buffers(call.input().address(), call.output().address());
        PreparedPlan known = bindings.get(buffers);
        if (known != null && !known.isClosed()) {
            return known;
        }
        PreparedPlan bound = binder.bind(call); // closed with its buffers: new ones lie where they were
        bindings.put(buffers, bound);
        forgetEldest();
        return bound;
    }

    private void forgetEldest() {
        if (bindings.size() > MOST_BINDINGS) {
            Iterator<PreparedPlan> eldest = bindings.values().iterator();
            PreparedPlan forgotten = eldest.next();
            eldest.remove();
            retirement.add(forgotten);
        }
    }

    @Override
    public PlanContext context() {
        return context;
    }

    @Override
    public void retire(Retirement into) {
        bindings.values().forEach(into::add);
        bindings.clear();
    }
}
