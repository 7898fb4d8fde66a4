package org.mscclj.conformance.rank.memory;

import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/** Checks a graph that copies from host memory to the device and back: each replay copies the current content. */
final class CapturedHostCopyCheck implements RankCheck {
    private static final int ROUNDS = 3;

    @Override
    public void check(RankContext context) {
        Device device = context.communicator().device();
        try (DeviceBuffer source = device.allocateHost(HostAllocationCheck.BYTES);
                DeviceBuffer inDevice = device.allocate(HostAllocationCheck.BYTES);
                DeviceBuffer target = device.allocateHost(HostAllocationCheck.BYTES);
                Stream stream = device.createStream();
                Graph graph = stream.capture(() -> {
                    stream.copy(source, inDevice);
                    stream.copy(inDevice, target);
                })) {
            context.meetBeforeReplays();
            for (int round = 0; round < ROUNDS; round++) {
                HostAllocationCheck.fill(source.segment(), context.rank() + round);
                graph.launch(stream);
                context.synchronize(stream);
                HostAllocationCheck.requireCopied(context, source.segment(), target.segment());
            }
        }
    }
}
