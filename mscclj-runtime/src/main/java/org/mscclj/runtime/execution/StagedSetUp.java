package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.binding.PlanSetup;
import org.mscclj.runtime.execution.binding.SharedBuffers;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.StagedContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;

/**
 * This rank's part in setting a plan up for a class of calls.
 *
 * @param <R> the result that a rank makes from the plan that is set up
 */
public final class StagedSetUp<R> implements Staged<R> {
    private final ExecutionEnvironment environment;
    private final Plan plan;
    private final SetUpSize size;
    private final StagedContext context;
    private final Optional<SharedBuffers.Stage> buffers;
    private final Set<SharedBuffers> shared;
    private final Ready<R> ready;
    private final Runnable verify;
    private final List<R> made = new ArrayList<>();
    private final List<PlanSetup> setups = new ArrayList<>();

    /**
     * Action of each rank before any rank launches.
     *
     * @param making makes a result from the plan that is set up; if it throws, the set-up fails on every rank
     * @param undoing closes the result if another rank fails
     */
    public record Ready<R>(Function<PlanSetup, R> making, Consumer<R> undoing) {}

    /** Description of one rank. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(Message context, Message buffers) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, context.bytes());
                Wire.writeBytes(out, buffers.bytes());
            });
        }

        static Part decode(byte[] message) {
            return Wire.decode(message, in -> new Part(Wire.readMessage(in), Wire.readMessage(in)));
        }
    }

    /**
     * Creates the part of a rank.
     *
     * @param buffers shares the buffers that peers access; empty if peers access only scratch
     * @param shared keeps buffers that are shared
     * @param verify verifies the plan, if verification is on; collective
     */
    StagedSetUp(
            ExecutionEnvironment environment,
            Plan plan,
            SetUpSize size,
            StagedContext context,
            Optional<SharedBuffers.Stage> buffers,
            Set<SharedBuffers> shared,
            Ready<R> ready,
            Runnable verify) {
        this.environment = environment;
        this.plan = plan;
        this.size = size;
        this.context = context;
        this.buffers = buffers;
        this.shared = shared;
        this.ready = ready;
        this.verify = verify;
    }

    @Override
    public byte[] describe() {
        return new Part(
                        new Message(context.describe()),
                        new Message(buffers.map(SharedBuffers.Stage::describe).orElseGet(() -> new byte[0])))
                .encode();
    }

    @Override
    public R finish(List<Message> described) {
        verify.run();
        List<Part> parts = Wire.decodeAll(described, Part.class, Part::decode);
        context.connect(parts.stream().map(Part::context).toList());
        buffers.ifPresent(
                stage -> stage.connect(parts.stream().map(Part::buffers).toList()));
        Exchange.gather(environment.control(), Topic.of(TopicKind.READY, plan.label()), () -> {
            PlanContext opened = context.open();
            PlanSetup setup = new PlanSetup(
                    plan,
                    opened,
                    size.capacity(plan, opened.slotBytes(), context.isLargest(opened)),
                    buffers.map(stage ->
                            stage.open(opened, parts.stream().map(Part::buffers).toList(), shared::remove)));
            setups.add(setup);
            setup.shared().ifPresent(shared::add);
            made.add(ready.making().apply(setup)); // here, so that a failure on one rank is a failure on all
            return new byte[0];
        });
        PlanContext opened = setups.getFirst().context();
        context.keep(opened);
        opened.keepForKinds();
        return made.getFirst();
    }

    @Override
    public void abandon(Throwable cause) {
        made.forEach(
                one -> Resources.closeSuppressing(List.of(() -> ready.undoing().accept(one)), cause));
        setups.forEach(setup -> setup.shared().ifPresent(shared::remove));
        buffers.ifPresent(stage -> stage.abandon(cause));
        context.abandon(cause);
    }
}
