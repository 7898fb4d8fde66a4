package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.binding.BufferMulticast;
import org.mscclj.runtime.execution.binding.CallAgreement;
import org.mscclj.runtime.execution.binding.LaunchBinding;
import org.mscclj.runtime.execution.binding.PlanWorkload;
import org.mscclj.runtime.execution.binding.SharedBuffers;
import org.mscclj.runtime.execution.binding.SumMemory;
import org.mscclj.runtime.execution.context.BufferPorts;
import org.mscclj.runtime.execution.context.ContextCache;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.StagedContext;
import org.mscclj.runtime.execution.environment.CallCheck;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.plan.NodeCheck;
import org.mscclj.runtime.execution.plan.PlanProof;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.signature.PlanSignature;

/** This rank's part in preparing a call of a plan on buffers that peers may access. */
final class StagedCall implements Staged<PreparedCall> {
    private final ExecutionEnvironment environment;
    private final ContextCache contexts;
    private final PlanProof proof;
    private final SumMemory sums;
    private final LaunchBinding binding;
    private final PlanCall call;
    private final Preparation preparation;

    /** Holds that keep buffers from being closed. */
    private final List<AutoCloseable> retained = new ArrayList<>();

    private final List<AutoCloseable> resources = new ArrayList<>();
    private @Nullable Own own;

    /** The data that this rank has derived from its call. */
    private record Own(
            Plan plan,
            long slice,
            PlanWorkload workload,
            StagedContext context,
            BufferPorts ports,
            BufferMulticast multicast) {
        SharedBuffers.Pair buffers() {
            return new SharedBuffers.Pair(workload.input(), workload.output());
        }
    }

    /** Description of one rank. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(CallAgreement agreement, Message context, Message multicast) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, agreement.encode());
                Wire.writeBytes(out, context.bytes());
                Wire.writeBytes(out, multicast.bytes());
            });
        }

        static Part decode(byte[] message) {
            return Wire.decode(
                    message,
                    in -> new Part(
                            CallAgreement.decode(Wire.readBytes(in)), Wire.readMessage(in), Wire.readMessage(in)));
        }
    }

    StagedCall(
            ExecutionEnvironment environment,
            ContextCache contexts,
            PlanProof proof,
            SumMemory sums,
            LaunchBinding binding,
            PlanCall call,
            Preparation preparation) {
        this.environment = environment;
        this.contexts = contexts;
        this.proof = proof;
        this.sums = sums;
        this.binding = binding;
        this.call = call;
        this.preparation = preparation;
    }

    @Override
    public byte[] describe() {
        environment.hints().checkCall(call.options().hints());
        Plan plan = planOf(call);
        long slice = new CallCheck(environment.arguments()).check(plan, call);
        PlanWorkload workload = PlanWorkload.of(plan, environment.control().rank(), call, slice, sums, resources);
        BufferPorts ports = new BufferPorts(plan);
        resources.add(ports);
        // retained here, so that a buffer that is closed on one rank is refused on all
        OpenOperations.retain(environment.device(), PlanExecutor.buffers(call), retained);
        StagedContext context = new StagedContext(contexts, plan, workload.sliceBytes());
        BufferMulticast multicast =
                new BufferMulticast(plan, EnumSet.of(BufferType.INPUT, BufferType.OUTPUT), environment);
        resources.add(multicast);
        Own mine = new Own(plan, slice, workload, context, ports, multicast);
        own = mine;
        return new Part(
                        new CallAgreement(
                                signature(plan, slice).encode(),
                                workload.input(),
                                workload.output(),
                                SharedPlans.mapsBuffers(plan),
                                environment.device(),
                                ports.register(
                                        workload.input(),
                                        workload.output(),
                                        environment.links().transports())),
                        new Message(context.describe()),
                        new Message(multicast.describe(mine.buffers())))
                .encode();
    }

    private static Plan planOf(PlanCall call) {
        if (!(call.plan() instanceof Plan plan)) {
            throw InvalidArgumentException.of(
                    "plan", call.plan().getClass().getName(), "a plan from ExecutionPlan.load");
        }
        return plan;
    }

    /** Returns the signature of the call. Factors may differ by rank, and so are not compared. */
    private PlanSignature signature(Plan plan, long slice) {
        return new PlanSignature(
                plan.label(),
                contexts.digest(plan),
                slice,
                call.type(),
                call.op().kind(),
                call.packetType().toString());
    }

    @Override
    public PreparedCall finish(List<Message> described) {
        Own mine = Objects.requireNonNull(own, "described before");
        Plan plan = mine.plan();
        List<Part> parts = Wire.decodeAll(described, Part.class, Part::decode);
        List<CallAgreement> ranks = parts.stream().map(Part::agreement).toList();
        CallAgreement.require(ranks);
        NodeCheck.obstacle(plan, environment.control().nodes()).ifPresent(obstacle -> {
            throw new UnsupportedException("plan " + plan.label() + ": " + obstacle);
        });
        proof.check(plan, contexts.digest(plan));
        mine.context().connect(parts.stream().map(Part::context).toList());
        mine.multicast()
                .connect(mine.buffers(), parts.stream().map(Part::multicast).toList());
        List<PreparedCall> prepared = new ArrayList<>();
        List<PlanContext> opened = new ArrayList<>();
        // this exchange is also the barrier after which every rank may launch
        Exchange.gather(environment.control(), Topic.of(TopicKind.READY, plan.label()), () -> {
            PlanContext context = mine.context().open();
            opened.add(context);
            prepared.add(binding.bind(
                    plan,
                    call,
                    mine.slice(),
                    binding.spec(
                            plan,
                            call,
                            mine.workload(),
                            context,
                            LaunchBinding.map(environment, ranks, resources),
                            mine.ports()
                                    .importAll(
                                            context.ports(),
                                            ranks.stream()
                                                    .map(CallAgreement::ports)
                                                    .toList()),
                            mine.multicast().addresses(context.multicasts())),
                    context,
                    preparation,
                    resources));
            return new byte[0];
        });
        PlanContext context = opened.getFirst();
        mine.context().keep(context);
        if (preparation.hold() == BufferHold.IN_FLIGHT) {
            context.keepForKinds();
        }
        OpenOperations.handOver(prepared.getFirst(), preparation.hold(), PlanExecutor.buffers(call), retained);
        return prepared.getFirst();
    }

    @Override
    public void abandon(Throwable cause) {
        Resources.closeSuppressing(resources, cause);
        Resources.closeSuppressing(retained, cause);
        Own described = own;
        if (described != null) {
            described.context().abandon(cause);
        }
    }
}
