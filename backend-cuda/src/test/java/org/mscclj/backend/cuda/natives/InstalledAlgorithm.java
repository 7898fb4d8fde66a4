package org.mscclj.backend.cuda.natives;

import java.util.Optional;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

/** A broadcast that the service loader finds. It copies, and serves VMs with the property {@code test.native}. */
public final class InstalledAlgorithm implements NativeAlgorithm<AutoCloseable> {
    static final String PROPERTY = "test.native";

    /** Called by the service loader. */
    public InstalledAlgorithm() {}

    @Override
    public String name() {
        return "installed";
    }

    @Override
    public Collective collective() {
        return Collective.BROADCAST;
    }

    @Override
    public Optional<String> refusal(CallShape shape) {
        return Boolean.getBoolean(PROPERTY) ? Optional.empty() : Optional.of("this VM does not ask for it");
    }

    @Override
    public Object key(CallKind kind) {
        return name();
    }

    @Override
    public AutoCloseable context(Communicator communicator, CallKind kind) {
        return () -> {};
    }

    @Override
    public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {
        stream.copy(call.input(), call.output());
    }
}
