package org.mscclj.runtime.execution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanWriter;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Prepares plans on one rank. A plan is parsed once and its contexts are kept: a new size costs arithmetic, and the agreement of the
 * ranks. Used by one thread at a time.
 */
public final class PlanExecutor implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final IdentityHashMap<Plan, String> digests = new IdentityHashMap<>();
    private final Map<String, List<PlanContext>> contexts = new HashMap<>();

    /** Operations that nobody has closed; threads that join close some. */
    private final Set<PreparedPlan> open = ConcurrentHashMap.newKeySet();

    /** An executor without contexts. */
    public PlanExecutor(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** Prepares a call for launches on {@code stream}; see {@link org.mscclj.api.Communicator#prepare}. Collective. */
    public PreparedPlan prepare(PlanCall call, Stream stream) {
        List<AutoCloseable> resources = new ArrayList<>();
        PreparedPlan[] prepared = new PreparedPlan[1];
        try {
            List<CallAgreement> ranks = agree(call, resources);
            Plan plan = (Plan) call.plan();
            NodeCheck.require(plan, environment.control().nodes());
            long slice = sliceOf(plan, call);
            PlanContext context = context(plan, slice);
            List<PortBuffers> ports = context.ports().register(call.input(), call.output(), resources);
            // also the barrier after which every rank may launch
            Exchange.gather(environment.control(), "ready to launch plan " + plan.name(), () -> {
                prepared[0] = prepare(plan, call, slice, context, ranks, ports, stream, resources);
                return new byte[0];
            });
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
        PreparedPlan operation = prepared[0];
        resources.add(() -> open.remove(operation));
        open.add(operation);
        return operation;
    }

    /** Closes the operations that are still open, which waits for their launches on all streams. */
    public void closeOperations() {
        Resources.close(List.copyOf(open));
    }

    private void retain(PlanCall call, List<AutoCloseable> resources) {
        BackendDevice device = environment.device();
        for (DeviceBuffer buffer : List.of(call.input(), call.output())) {
            device.retain(buffer);
            resources.add(() -> device.release(buffer));
        }
    }

    private List<CallAgreement> agree(PlanCall call, List<AutoCloseable> resources) {
        byte[][] all = Exchange.gather(environment.control(), "prepare a plan", () -> {
            CallAgreement own = describe(call);
            retain(call, resources); // here, so that a buffer which is closed on one rank is refused on all
            return own.encode();
        });
        List<CallAgreement> ranks =
                Arrays.stream(all).map(CallAgreement::decode).toList();
        CallAgreement.require(ranks);
        return ranks;
    }

    private CallAgreement describe(PlanCall call) {
        if (!(call.plan() instanceof Plan plan)) {
            throw InvalidArgumentException.of(
                    "plan", call.plan().getClass().getName(), "a plan from ExecutionPlan.load");
        }
        long slice = sliceOf(plan, call);
        BackendDevice device = environment.device();
        return new CallAgreement(
                "plan " + plan.name() + " (" + digest(plan) + "), " + slice + " bytes a slice, " + call.type() + ", "
                        + call.op() + ", " + call.packetType(),
                Optional.of(device.export(call.input())),
                Optional.of(device.export(call.output())));
    }

    private long sliceOf(Plan plan, PlanCall call) {
        return new CallCheck(environment.control().rank(), environment.control().size(), environment.capabilities())
                .check(plan, call);
    }

    private PlanContext context(Plan plan, long slice) {
        List<PlanContext> ofPlan = contexts.computeIfAbsent(digest(plan), d -> new ArrayList<>());
        long wanted = PlanContext.slotBytes(plan, slice, environment.options());
        for (PlanContext context : ofPlan) {
            if (context.slotBytes() >= wanted) {
                return context;
            }
        }
        PlanContext context = PlanContext.open(plan, wanted, environment);
        ofPlan.add(context);
        return context;
    }

    private PreparedPlan prepare(
            Plan plan,
            PlanCall call,
            long slice,
            PlanContext context,
            List<CallAgreement> ranks,
            List<PortBuffers> ports,
            Stream stream,
            List<AutoCloseable> resources) {
        List<PeerBuffers> buffers = IntStream.range(0, ranks.size())
                .mapToObj(rank -> new PeerBuffers(
                        map(rank, ranks.get(rank).input(), resources),
                        map(rank, ranks.get(rank).output(), resources)))
                .toList();
        PreparedLaunch launch = context.engine()
                .prepare(new LaunchSpec(
                        call.input(),
                        call.output(),
                        call.type(),
                        call.op(),
                        call.packetType(),
                        LaunchGeometry.of(plan, slice, context.slotBytes()),
                        buffers,
                        ports,
                        Collections.nCopies(
                                plan.ranks()
                                        .get(environment.control().rank())
                                        .switchGroups()
                                        .size(),
                                OptionalLong.empty())));
        resources.add(launch);
        return new PreparedPlan(plan, environment, context, launch, stream, resources);
    }

    private OptionalLong map(int rank, Optional<MemoryHandle> handle, List<AutoCloseable> resources) {
        ControlPlane control = environment.control();
        if (handle.isEmpty()
                || !control.nodes().share(control.rank(), rank)
                || !environment.device().canMap(handle.get())) {
            return OptionalLong.empty();
        }
        MappedMemory mapped = environment.device().map(handle.get());
        resources.add(mapped);
        return OptionalLong.of(mapped.address());
    }

    /** Tells plans apart by their content, so that ranks that loaded different files notice. */
    private String digest(Plan plan) {
        return digests.computeIfAbsent(plan, p -> {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256")
                        .digest(PlanWriter.write(p).getBytes(StandardCharsets.UTF_8));
                return HexFormat.of().formatHex(hash, 0, 8);
            } catch (NoSuchAlgorithmException e) {
                throw new UnsupportedException("this Java runtime has no SHA-256; use a complete JDK");
            }
        });
    }

    /** Frees all contexts. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<PlanContext> all = contexts.values().stream().flatMap(List::stream).toList();
        contexts.clear();
        Resources.close(all);
    }
}
