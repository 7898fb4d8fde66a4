package org.mscclj.conformance.reference;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;

/** A window whose accesses the defect may change. */
record ReferenceWindow(Window inner, Defect defect) implements Window {
    @Override
    public DeviceBuffer memory() {
        return inner.memory();
    }

    @Override
    public long byteSize(int rank) {
        return inner.byteSize(rank);
    }

    @Override
    public Work execute(WindowCall call) {
        return inner.execute(defect.replace(call, inner));
    }

    @Override
    public Work execute(WindowCall call, Stream stream) {
        return inner.execute(defect.replace(call, inner), stream);
    }

    @Override
    public PreparedOperation prepare(WindowCall call) {
        return inner.prepare(defect.replace(call, inner));
    }

    @Override
    public DeviceBuffer mapRemote(int rank) {
        return inner.mapRemote(rank);
    }

    @Override
    public void checkWaits(int rank) {
        inner.checkWaits(rank);
    }

    @Override
    public void close() {
        try {
            inner.close();
        } catch (InvalidArgumentException e) {
            defect.cannotClose(e);
        }
    }
}
