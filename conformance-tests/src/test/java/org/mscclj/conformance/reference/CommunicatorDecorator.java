package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Capabilities;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Quorum;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Hands every call on. */
abstract class CommunicatorDecorator implements Communicator {
    private final Communicator inner;

    CommunicatorDecorator(Communicator inner) {
        this.inner = inner;
    }

    @Override
    public int rank() {
        return inner.rank();
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public int ranksPerNode() {
        return inner.ranksPerNode();
    }

    @Override
    public Duration timeout() {
        return inner.timeout();
    }

    @Override
    public boolean isNvlsSupported() {
        return inner.isNvlsSupported();
    }

    @Override
    public Capabilities capabilities() {
        return inner.capabilities();
    }

    @Override
    public List<Integer> worldRanks() {
        return inner.worldRanks();
    }

    @Override
    public Device device() {
        return inner.device();
    }

    @Override
    public Stream stream() {
        return inner.stream();
    }

    @Override
    public DeviceBuffer allocate(long bytes, Duration timeout) {
        return inner.allocate(bytes, timeout);
    }

    @Override
    public void register(DeviceBuffer buffer, Duration timeout) {
        inner.register(buffer, timeout);
    }

    @Override
    public PreparedOperation prepare(PlanCall call) {
        return inner.prepare(call);
    }

    @Override
    public Work execute(PlanCall call, Stream stream) {
        return inner.execute(call, stream);
    }

    @Override
    public Selection explain(CollectiveCall call) {
        return inner.explain(call);
    }

    @Override
    public CallShape shape(CollectiveCall call) {
        return inner.shape(call);
    }

    @Override
    public TuningKey tuningKey() {
        return inner.tuningKey();
    }

    @Override
    public PreparedOperation prepare(CollectiveCall call) {
        return inner.prepare(call);
    }

    @Override
    public PreparedOperation prepare(TransferCall call) {
        return inner.prepare(call);
    }

    @Override
    public Work execute(TransferCall call, Stream stream) {
        return inner.execute(call, stream);
    }

    @Override
    public Work execute(CollectiveCall call, Stream stream) {
        return inner.execute(call, stream);
    }

    @Override
    public PreparedOperation prepare(ReduceScatterCall call) {
        return inner.prepare(call);
    }

    @Override
    public Work execute(ReduceScatterCall call, Stream stream) {
        return inner.execute(call, stream);
    }

    @Override
    public PreparedOperation prepare(BarrierCall call) {
        return inner.prepare(call);
    }

    @Override
    public Work execute(BarrierCall call, Stream stream) {
        return inner.execute(call, stream);
    }

    @Override
    public AlgorithmRegistry algorithms() {
        return inner.algorithms();
    }

    @Override
    public PlanRegistry plans() {
        return inner.plans();
    }

    @Override
    public ExecutionPlan select(
            Collective collective, DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op) {
        return inner.select(collective, input, output, type, op);
    }

    @Override
    public Window openWindow(DeviceBuffer memory, Duration timeout) {
        return inner.openWindow(memory, timeout);
    }

    @Override
    public ChannelSetup channels() {
        return inner.channels();
    }

    @Override
    public Optional<Communicator> split(List<Integer> ranks, String name, Duration timeout) {
        return inner.split(ranks, name, timeout);
    }

    @Override
    public Optional<Communicator> split(int colour, int key, String name, Duration timeout) {
        return inner.split(colour, key, name, timeout);
    }

    @Override
    public Communicator shrink(List<Integer> excluded, Duration timeout) {
        return inner.shrink(excluded, timeout);
    }

    @Override
    public Communicator reconfigure(Quorum quorum, Duration timeout) {
        return inner.reconfigure(quorum, timeout);
    }

    @Override
    public void barrier(Duration timeout) {
        inner.barrier(timeout);
    }

    @Override
    public void requireEqual(String what, Supplier<byte[]> value, Function<byte[], String> describer) {
        inner.requireEqual(what, value, describer);
    }

    @Override
    public void requireEqual(
            String what, Supplier<byte[]> value, Function<byte[], String> describer, Duration timeout) {
        inner.requireEqual(what, value, describer, timeout);
    }

    @Override
    public void barrier() {
        inner.barrier();
    }

    @Override
    public void abort(String reason) {
        inner.abort(reason);
    }

    @Override
    public HookRegistration addHook(CommunicatorHook hook) {
        return inner.addHook(hook);
    }

    @Override
    public boolean isAborted() {
        return inner.isAborted();
    }

    @Override
    public Optional<MsccljException> failure() {
        return inner.failure();
    }

    @Override
    public void close() {
        inner.close();
    }
}
