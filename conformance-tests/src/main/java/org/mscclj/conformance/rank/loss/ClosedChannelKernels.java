package org.mscclj.conformance.rank.loss;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.channel.DeviceChannelMesh;
import org.mscclj.conformance.rank.kernel.KernelArguments;
import org.mscclj.conformance.rank.kernel.KernelSource;
import org.mscclj.conformance.task.Opened;

/**
 * Kernels that wait on memory and port channels for a rank that closes, and a block in a block sync with the block that
 * waits.
 */
final class ClosedChannelKernels implements ClosedKernels {
    private static final long BYTES = 4096;
    private static final long PACKETS = 2048;
    private static final long SIGNALS = 3;
    private static final long NO_MEETING = 2;
    private static final long ROUNDS = 100;

    /** Words of the kernel {@code lastLooks}: 5 lines of 16 words. */
    private static final int LOOK_WORDS = 5 * 16;

    /** One bit for each wait of the kernel. */
    private static final long ALL_RIGHT = (1 << 12) - 1;

    private final int closing;
    private final DeviceChannelMesh mesh;
    private final DeviceKernel send;
    private final DeviceKernel take;
    private final DeviceKernel late;
    private final DeviceKernel looks;
    private final DeviceBuffer syncer;
    private final DeviceBuffer words;

    private ClosedChannelKernels(Communicator communicator, int closing, Opened opened) {
        Device device = communicator.device();
        String source = KernelSource.CLOSED.text();
        this.closing = closing % communicator.ranksPerNode();
        this.send = opened.add(device.compile(source, "sendToChannels"), DeviceKernel::close);
        this.take = opened.add(device.compile(source, "takeAll"), DeviceKernel::close);
        this.late = opened.add(device.compile(source, "lateOnChannels"), DeviceKernel::close);
        this.looks = opened.add(device.compile(source, "lastLooks"), DeviceKernel::close);
        this.words = KernelArguments.upload(device, MemorySegment.ofArray(new long[LOOK_WORDS]), opened);
        this.syncer = opened.add(device.allocate(Long.BYTES), DeviceBuffer::close);
        this.mesh = DeviceChannelMesh.make(communicator, BYTES, PACKETS, opened);
    }

    static ClosedKernels make(Communicator communicator, int closing, Opened opened) {
        return new ClosedChannelKernels(communicator, closing, opened);
    }

    private long memory(int peer) {
        return mesh.memory().getAtIndex(ValueLayout.JAVA_LONG, peer);
    }

    private long port(int peer) {
        return mesh.port().getAtIndex(ValueLayout.JAVA_LONG, peer);
    }

    @Override
    public void send(Stream stream) {
        for (int peer = 0; peer < closing; peer++) {
            send.launch(stream, 1, 1, 0, memory(peer), port(peer), PACKETS);
        }
    }

    @Override
    public void launch(Stream stream, DeviceBuffer status) {
        take.launch(stream, 2, 1, 0, memory(closing), syncer.address(), status.address());
    }

    @Override
    public void launchLate(Stream stream, DeviceBuffer status) {
        late.launch(stream, 1, 1, 0, memory(closing), port(closing), status.address() + 2 * Long.BYTES);
        looks.launch(stream, 2, 1, 0, words.address(), ROUNDS, status.address() + 3 * Long.BYTES);
    }

    @Override
    public List<Runnable> checks() {
        return mesh.to(closing).stream()
                .<Runnable>map(channel -> channel::checkWaits)
                .toList();
    }

    @Override
    public Map<String, Long> right() {
        Map<String, Long> right = new LinkedHashMap<>();
        right.put("signals taken until a wait ended without one", SIGNALS);
        right.put("the result of the block that met the waiting one, and abandoned the sync", NO_MEETING);
        right.put("waits that ended right when the rank had closed, one for each bit", ALL_RIGHT);
        right.put("signals received of those behind each of which the peer's word was set at once", ROUNDS);
        return right;
    }
}
