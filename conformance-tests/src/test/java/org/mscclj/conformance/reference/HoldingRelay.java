package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/** Holds large writes back until it lets them go. */
abstract class HoldingRelay extends Relay {
    private final TransportConnection inner;
    private final long large;
    private final List<Runnable> held = new ArrayList<>();

    HoldingRelay(TransportConnection inner, long large) {
        super(inner);
        this.inner = inner;
        this.large = large;
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        if (bytes < large) {
            return super.write(source, sourceOffset, target, targetOffset, bytes);
        }
        held.add(() -> inner.write(source, sourceOffset, target, targetOffset, bytes));
        return post();
    }

    void letGo() {
        held.forEach(Runnable::run);
        held.clear();
    }
}
