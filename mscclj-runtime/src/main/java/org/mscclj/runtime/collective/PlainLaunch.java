package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PlanSetup;
import org.mscclj.runtime.execution.PreparedPlan;

/**
 * A plan that was set up for any buffers, and the operations that bind it to buffers and a factor of this rank. Each
 * rank decides alone which operations it keeps, because binding needs no peer.
 */
final class PlainLaunch implements Launchable {
    private static final int MOST_BINDINGS = 16;

    /** Makes an operation on the buffers of a call. */
    @FunctionalInterface
    interface Binder {
        PreparedPlan bind(CollectiveCall call);
    }

    /**
     * The arguments of a binding. A factor in memory is identified by its address; the address is 0 for any other
     * factor.
     */
    private record Arguments(long input, long output, double factor, long factorAddress) {
        static Arguments of(CollectiveCall call) {
            long factorAddress =
                    call.op().memory().isPresent() ? call.op().memory().get().address() : 0;
            return new Arguments(
                    call.input().address(), call.output().address(), call.op().factor(), factorAddress);
        }
    }

    private final PlanSetup setup;
    private final Binder binder;
    private final Retirement retirement;
    private final Map<Arguments, PreparedPlan> bindings = new LinkedHashMap<>(16, 0.75f, true);

    PlainLaunch(PlanSetup setup, Binder binder, Retirement retirement) {
        this.setup = setup;
        this.binder = binder;
        this.retirement = retirement;
    }

    @Override
    public PreparedPlan on(CollectiveCall call) {
        Arguments arguments = Arguments.of(call);
        PreparedPlan known = bindings.get(arguments);
        if (known != null && !known.isClosed()) {
            return known;
        }
        PreparedPlan bound = binder.bind(call); // a closed one was for earlier buffers at these addresses
        bindings.put(arguments, bound);
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
        return setup.context();
    }

    @Override
    public void retire(Retirement into) {
        bindings.values().forEach(into::add);
        bindings.clear();
        setup.retire();
    }

    @Override
    public void abandon() {
        bindings.values().forEach(PreparedPlan::close);
        bindings.clear();
        setup.retire();
    }
}
