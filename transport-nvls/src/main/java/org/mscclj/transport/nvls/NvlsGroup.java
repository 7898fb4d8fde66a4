package org.mscclj.transport.nvls;

import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.device.MulticastObject;
import org.mscclj.spi.multicast.MulticastGroup;

/**
 * A member's view of a group: a multicast object whose steps have time limits. After a step that is late, the step's
 * thread ends the object when the driver returns, and this view is closed.
 */
final class NvlsGroup implements MulticastGroup {
    private final MulticastObject object;
    private final TimedSteps steps;
    private boolean closed;

    NvlsGroup(MulticastObject object, TimedSteps steps) {
        this.object = object;
        this.steps = steps;
    }

    @Override
    public byte[] descriptor() {
        return step("describing a multicast object", object::handle);
    }

    @Override
    public void join() {
        NvlsGroup _ = step("adding the GPU to a multicast object", () -> {
            object.addDevice();
            return this;
        });
    }

    @Override
    public long bind(List<Binding> bindings) {
        return step("binding memory to a multicast object", () -> {
            try {
                bindings.forEach(binding -> object.bind(binding.buffer(), binding.offset()));
                return object.map();
            } catch (RuntimeException | Error e) {
                unbind(e);
                throw e;
            }
        });
    }

    private void unbind(Throwable failure) {
        try {
            object.unbind();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private <T> T step(String what, Supplier<T> action) {
        if (closed) {
            throw new IllegalStateException(what + ": the group is closed");
        }
        try {
            return steps.call(what, action, _ -> end());
        } catch (BackendException e) {
            closed |= e.symbol().equals(TimedSteps.LATE);
            throw e;
        }
    }

    /** Ends the object after a late step. No member has launched, since this one has not finished the set-up. */
    private void end() {
        try {
            object.unbind();
        } finally {
            object.close();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            NvlsGroup _ = steps.call(
                    "leaving a multicast object",
                    () -> {
                        object.close();
                        return this;
                    },
                    _ -> {});
        }
    }
}
