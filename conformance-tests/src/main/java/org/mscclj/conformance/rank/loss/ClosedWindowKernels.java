package org.mscclj.conformance.rank.loss;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.kernel.KernelSource;
import org.mscclj.conformance.task.Opened;

/** Kernels that wait in two windows for a rank that closes: one runs while the rank closes, one is launched later. */
final class ClosedWindowKernels implements ClosedKernels {
    private static final long BYTES = 64;
    private static final long DONE = 100;

    /** One bit for each wait of the kernel. */
    private static final long ALL_RIGHT = (1 << 5) - 1;

    private final int closing;
    private final int ranks;
    private final DeviceKernel send;
    private final DeviceKernel take;
    private final DeviceKernel late;
    private final Window first;
    private final Window second;
    private final long firstHandle;
    private final long secondHandle;

    private ClosedWindowKernels(Communicator communicator, int closing, Opened opened) {
        Device device = communicator.device();
        String source = KernelSource.CLOSED.text();
        this.closing = closing;
        this.ranks = communicator.ranksPerNode();
        this.send = opened.add(device.compile(source, "sendToWindow"), DeviceKernel::close);
        this.take = opened.add(device.compile(source, "takeAllOfWindow"), DeviceKernel::close);
        this.late = opened.add(device.compile(source, "lateOnWindow"), DeviceKernel::close);
        DeviceBuffer memory = opened.add(device.allocate(BYTES), DeviceBuffer::close);
        DeviceBuffer more = opened.add(device.allocate(BYTES), DeviceBuffer::close);
        this.first = communicator.openWindow(memory); // closed with the communicator: closing is collective
        this.second = communicator.openWindow(more);
        this.firstHandle = first.deviceHandle();
        this.secondHandle = second.deviceHandle();
    }

    static ClosedKernels make(Communicator communicator, int closing, Opened opened) {
        return new ClosedWindowKernels(communicator, closing, opened);
    }

    @Override
    public void send(Stream stream) {
        for (int peer = closing - ranks + 1; peer < closing; peer++) {
            send.launch(stream, 1, 1, 0, firstHandle, peer);
            send.launch(stream, 1, 1, 0, secondHandle, peer);
        }
    }

    @Override
    public void launch(Stream stream, DeviceBuffer status) {
        take.launch(stream, 1, 1, 0, firstHandle, closing, status.address());
    }

    @Override
    public void launchLate(Stream stream, DeviceBuffer status) {
        late.launch(stream, 1, 1, 0, secondHandle, closing, status.address() + Long.BYTES);
    }

    @Override
    public List<Runnable> checks() {
        return List.of(() -> first.checkWaits(closing), () -> second.checkWaits(closing));
    }

    @Override
    public Map<String, Long> right() {
        Map<String, Long> right = new LinkedHashMap<>();
        right.put("how waits ended until one was without a signal", DONE);
        right.put("waits that ended right when the rank had closed, one for each bit", ALL_RIGHT);
        return right;
    }
}
