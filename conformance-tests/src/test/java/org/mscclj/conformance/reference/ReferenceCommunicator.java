package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.device.BackendDevice;

/** Collectives by reading everybody's memory: slow, simple, and wrong in the way that its defect says. */
final class ReferenceCommunicator extends CommunicatorDecorator {
    private static final Pattern OFFSET = Pattern.compile(" at offset \\d+");

    private final Communicator inner;
    private final Meeting setUp;
    private final Meeting launches;
    private final Defect defect;
    private final AtomicInteger inFlightOnRank;
    private final Terms terms;
    private final Map<List<Object>, Long> known = new HashMap<>();
    private final List<DeviceBuffer> allocations = new ArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ExecutorService queue;
    private final ReferenceHooks hooks = new ReferenceHooks();
    private long sequence;
    private Optional<Work> messages = Optional.empty();
    private boolean closed;

    ReferenceCommunicator(
            Communicator inner,
            Meeting setUp,
            Meeting launches,
            Defect defect,
            AtomicInteger inFlightOnRank,
            Terms terms) {
        super(inner);
        this.inner = inner;
        this.setUp = setUp;
        this.launches = launches;
        this.defect = defect;
        this.inFlightOnRank = inFlightOnRank;
        this.terms = terms;
        this.queue = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("reference-" + inner.rank()).factory());
    }

    Defect defect() {
        return defect;
    }

    Meeting launches() {
        return launches;
    }

    ExecutorService queue() {
        return queue;
    }

    /** Counts a launch; returns whether no other communicator of the rank has one in flight. */
    boolean begin() {
        int own = inFlight.incrementAndGet();
        return inFlightOnRank.incrementAndGet() == own;
    }

    void end() {
        inFlightOnRank.decrementAndGet();
        inFlight.decrementAndGet();
    }

    ReferenceHooks hooks() {
        return hooks;
    }

    /** The number of the launch that is made next. */
    long number() {
        return ++sequence;
    }

    @Override
    public HookRegistration addHook(CommunicatorHook hook) {
        return hooks.add(hook, inner.addHook(hook));
    }

    Terms terms() {
        return terms;
    }

    /** Throws what has ended this communicator, if anything has. */
    void throwIfEnded() {
        launches.ended().ifPresent(reason -> {
            throw reason;
        });
        if (closed || inner.isAborted()) {
            inner.barrier(); // which knows the reason
        }
    }

    /** A launch is late. */
    void expire(List<Integer> missing) {
        launches.end(new OperationTimeoutException(
                "late", launches.isSilent() ? defect.silent(missing) : defect.late(missing)));
        inner.abort("a launch is late");
    }

    /** Compares what ranks are about to launch, if they compare at all. */
    void compare(String words) {
        compare("launch different calls", words);
    }

    /** Compares what ranks say, if they compare at all. */
    void compare(String what, Object words) {
        if (terms.comparesCalls()) {
            String differences = CallWords.differences(setUp.meet(rank(), words, missing -> throwIfEnded()));
            if (!differences.isEmpty()) {
                throw new InvalidArgumentException(defect.refusal("ranks " + what + ": " + differences));
            }
        }
    }

    @Override
    public boolean isAborted() {
        return inner.isAborted() || launches.ended().isPresent();
    }

    @Override
    public Optional<MsccljException> failure() {
        return launches.ended().or(inner::failure);
    }

    @Override
    public PreparedOperation prepare(BarrierCall call) {
        throwIfEnded();
        return defect.waitsInBarriers() ? inner.prepare(call) : inner.prepare(TransferCall.batch());
    }

    @Override
    public Work execute(BarrierCall call, Stream stream) {
        throwIfEnded();
        return defect.waitsInBarriers() ? inner.execute(call, stream) : inner.execute(TransferCall.batch(), stream);
    }

    @Override
    public void barrier() {
        throwIfEnded();
        inner.barrier();
    }

    @Override
    public DeviceBuffer allocate(long bytes, Duration timeout) {
        throwIfEnded();
        DeviceBuffer buffer = inner.allocate(bytes, timeout);
        allocations.add(buffer);
        return buffer;
    }

    @Override
    public void register(DeviceBuffer buffer, Duration timeout) {
        inner.register(buffer, timeout);
        allocations.add(buffer);
    }

    @Override
    public void warmUp(List<WarmUp> classes, Duration timeout) {
        inner.warmUp(classes, timeout);
        for (WarmUp of : classes) {
            known.merge(
                    List.of(
                            of.collective(),
                            of.type(),
                            of.op(),
                            of.root(),
                            of.inPlace(),
                            Optional.empty(),
                            of.inPlace() ? ", in plain memory" : ", from plain memory to plain memory"),
                    of.maxBytes(),
                    Math::max);
        }
    }

    private String place(DeviceBuffer buffer) {
        for (int i = allocations.size() - 1; i >= 0; i--) {
            long offset = buffer.address() - allocations.get(i).address();
            if (offset >= 0 && offset < allocations.get(i).byteSize() && isOpen(allocations.get(i))) {
                return "allocation " + i + " at offset " + offset;
            }
        }
        return "plain memory";
    }

    /** Where the buffers of a call lie; of those that overlap, the larger one. */
    private String places(CollectiveCall call) {
        DeviceBuffer input = call.input();
        DeviceBuffer output = call.output();
        if (input.byteSize() == 0 && output.byteSize() == 0) {
            return "";
        }
        boolean overlap = input.address() < output.address() + output.byteSize()
                && output.address() < input.address() + input.byteSize();
        return overlap
                ? ", in " + place(input.byteSize() < output.byteSize() ? output : input)
                : ", from " + place(input) + " to " + place(output);
    }

    @Override
    public ReferenceOperation prepare(CollectiveCall call) {
        throwIfEnded();
        requireGood(call);
        List<Object> calls = setUp.meet(rank(), call, missing -> throwIfEnded());
        for (int rank = 0; rank < size(); rank++) {
            if (!compared((CollectiveCall) calls.get(rank)).equals(compared((CollectiveCall) calls.getFirst()))) {
                throw new InvalidArgumentException("rank " + rank + " asks for something else than rank 0");
            }
        }
        String places = places(call);
        boolean same = Set.copyOf(setUp.meet(rank(), places, missing -> throwIfEnded()))
                        .size()
                == 1;
        return new ReferenceOperation(this, call, CallWords.of(call) + (same ? places : ""));
    }

    /** What is equal on all ranks of calls that match. */
    static List<Object> compared(CollectiveCall call) {
        return List.of(
                call.collective(),
                call.type(),
                call.op().kind().label(),
                call.root(),
                call.input().byteSize());
    }

    /** What calls of all sizes on the same memory have in common; all ranks know it after the largest one. */
    private static List<Object> classOf(CollectiveCall call, String places) {
        return List.of(
                call.collective(),
                call.type(),
                call.op().kind(),
                call.root(),
                call.input().address() == call.output().address(),
                call.algorithm(),
                OFFSET.matcher(places).replaceAll(""));
    }

    /** A call that is bad on all ranks is refused as the communicator does that the reference uses. */
    private void requireGood(CollectiveCall call) {
        if (call == null || (isBad(call) && defect.refuses(call))) {
            inner.prepare(call).close();
        }
    }

    private boolean isBad(CollectiveCall call) {
        DeviceBuffer input = call.input();
        DeviceBuffer output = call.output();
        int width = call.type().byteSize();
        if (terms.refusesHints() && !call.options().hints().isEmpty()) {
            return true; // perhaps; the communicator that the reference uses knows
        }
        if (!isOpen(input) || !isOpen(output)) {
            return true;
        }
        if (isMisaligned(input, width)
                || isMisaligned(output, width)
                || call.op()
                        .memory()
                        .filter(memory -> isMisaligned(memory, width))
                        .isPresent()) {
            return true;
        }
        if (call.collective().reduces() == call.op().equals(ReduceOp.NOP)
                || call.op()
                        .memory()
                        .filter(memory -> memory.byteSize() != width)
                        .isPresent()) {
            return true;
        }
        if (call.algorithm()
                .filter(name -> Arrays.stream(ShippedProgram.values())
                        .noneMatch(program -> program.label().equals(name)))
                .isPresent()) {
            return true;
        }
        if (input.byteSize() % ((long) width * call.collective().inputSlices(size())) != 0
                || output.byteSize() / call.collective().outputSlices(size())
                        != input.byteSize() / call.collective().inputSlices(size())) {
            return true;
        }
        if (call.collective().reduces() && !call.op().kind().supports(call.type())) {
            return true;
        }
        if (call.root() < 0 || call.root() >= (call.collective().hasRoot() ? size() : 1)) {
            return true;
        }
        boolean overlap = input.address() < output.address() + output.byteSize()
                && output.address() < input.address() + input.byteSize();
        long shift = output.address() - input.address();
        boolean placed = switch (call.collective()) {
            case ALLGATHER, GATHER -> shift == -rank() * input.byteSize();
            case REDUCESCATTER, SCATTER -> shift == rank() * output.byteSize();
            default -> shift == 0;
        };
        return overlap && !placed;
    }

    private static boolean isMisaligned(DeviceBuffer buffer, int width) {
        return buffer.byteSize() > 0 && buffer.address() % width != 0;
    }

    /** Refuses a call with NaN in its input, where that is looked for: before ranks do anything together. */
    void lookForNan(CollectiveCall call) {
        boolean reads = !call.collective().startsAtRoot() || call.root() == rank();
        if (!reads || !call.type().isFloat() || !defect.looksForNan(call)) {
            return;
        }
        Elements input = new Elements(call.input().segment(), call.type());
        ElementCodec codec = new ElementCodec(call.type());
        for (long i = 0; i < input.count(); i++) {
            if (Double.isNaN(codec.decode(input.get(i)))) {
                throw new InvalidArgumentException("rank " + rank() + " has NaN at element " + i + " of its input");
            }
        }
    }

    private boolean isOpen(DeviceBuffer buffer) {
        BackendDevice device = (BackendDevice) device();
        try {
            device.retain(buffer);
            device.release(buffer);
            return true;
        } catch (InvalidArgumentException e) {
            return false;
        }
    }

    @Override
    public PreparedOperation prepare(TransferCall call) {
        PreparedOperation prepared = inner.prepare(call);
        return call.partOf().isEmpty() ? prepared : new ReferenceParts(this, prepared, CallWords.of(call));
    }

    /** By the communicator that the reference uses, which does not know of the collectives that follow. */
    @Override
    public Work execute(TransferCall call, Stream stream) {
        if (call != null && call.partOf().isPresent()) {
            compare(CallWords.of(call));
        }
        Work work = new ReferenceMessages(inner.execute(defect.replace(call), stream), defect);
        messages = Optional.of(work);
        return work;
    }

    @Override
    public Work execute(ReduceScatterCall call, Stream stream) {
        return inner.execute(defect.replace(call), stream);
    }

    @Override
    public Window openWindow(DeviceBuffer memory, Duration timeout) {
        return new ReferenceWindow(inner.openWindow(memory, timeout), defect);
    }

    @Override
    public Work send(DeviceBuffer buffer, int to) {
        return execute(TransferCall.batch().send(buffer, to));
    }

    @Override
    public Work receive(DeviceBuffer buffer, int from) {
        return execute(TransferCall.batch().receive(buffer, from));
    }

    /** Nothing runs on it, but it must be one that work could run on. */
    void requireStream(Stream given) {
        Objects.requireNonNull(given, "stream");
        if (given.getClass() != stream().getClass()) {
            throw InvalidArgumentException.of(
                    "stream", given.getClass().getName(), "a stream of this backend's devices");
        }
        if (!defect.takesClosedStreams()) {
            given.record(device().createEvent());
        }
    }

    @Override
    public Work execute(CollectiveCall call, Stream stream) {
        throwIfEnded();
        requireStream(stream);
        requireGood(call);
        lookForNan(call);
        String places = places(call);
        List<Object> callClass = classOf(call, places);
        long bytes = call.input().byteSize();
        boolean isKnown = bytes <= known.getOrDefault(callClass, -1L);
        if (isKnown) {
            compare(CallWords.of(call));
            compare("pass buffers at different places", places);
        } else {
            requireAgreement(call, places);
        }
        ReferenceOperation operation =
                isKnown ? new ReferenceOperation(this, call, CallWords.of(call) + places) : prepare(call);
        known.merge(callClass, bytes, Math::max);
        try {
            operation.launch(stream);
        } catch (AbortedException e) {
            operation.close();
            throw e;
        }
        Optional<Work> earlier = messages;
        return new ReferenceWork(
                this,
                operation,
                operation.lastNumber(),
                operation.lastEnd(),
                call.options().timeout().orElse(timeout()),
                timeout -> earlier.ifPresent(work -> work.join(timeout)),
                true);
    }

    /** Ranks that set up a kind of call pass equal places, and name the same algorithm. */
    private void requireAgreement(CollectiveCall call, String places) {
        List<Object> asked = List.of(places, call.algorithm());
        if (setUp.meet(rank(), asked, missing -> throwIfEnded()).stream()
                        .distinct()
                        .count()
                > 1) {
            throw new InvalidArgumentException("ranks pass buffers at different places, or name different algorithms");
        }
    }

    @Override
    public Optional<Communicator> split(List<Integer> given, String name, Duration timeout) {
        throwIfEnded();
        List<Integer> ranks = given == null ? given : defect.members(given);
        Optional<Communicator> child = inner.split(ranks, name, timeout);
        return reference(child, () -> ranks.getFirst());
    }

    @Override
    public Optional<Communicator> split(int colour, int key, String name, Duration timeout) {
        throwIfEnded();
        Optional<Communicator> child = inner.split(colour, key, name, timeout);
        List<Object> colours = setUp.meet(rank(), colour, missing -> throwIfEnded());
        return reference(child, () -> colours.indexOf(colour));
    }

    /**
     * A child of this kind.
     *
     * @param first one of the child's ranks, the same on all of them
     */
    private Optional<Communicator> reference(Optional<Communicator> child, IntSupplier first) {
        int size = child.map(Communicator::size).orElse(0);
        List<Object> setUps;
        List<Object> launchMeetings;
        try {
            setUps = setUp.meet(rank(), new Meeting(size), missing -> throwIfEnded());
            launchMeetings = setUp.meet(rank(), new Meeting(size), missing -> throwIfEnded());
        } catch (RuntimeException e) {
            child.ifPresent(Communicator::close);
            throw e;
        }
        return child.map(communicator -> new ReferenceCommunicator(
                communicator,
                (Meeting) setUps.get(first.getAsInt()),
                (Meeting) launchMeetings.get(first.getAsInt()),
                defect,
                inFlightOnRank,
                terms));
    }

    @Override
    public Communicator shrink(List<Integer> excluded, Duration timeout) {
        return new ReferenceCommunicator(
                inner.shrink(excluded, timeout),
                setUp.without(excluded),
                launches.without(excluded),
                defect,
                inFlightOnRank,
                terms);
    }

    /** Whether the collective has a result for a rank. */
    static boolean defines(CollectiveCall call, int rank) {
        boolean atRootAlone = call.collective() == Collective.REDUCE || call.collective() == Collective.GATHER;
        return !atRootAlone || rank == call.root();
    }

    /** What a rank's output becomes. */
    static long[] compute(CollectiveCall call, List<CollectiveCall> calls, int rank) {
        int world = calls.size();
        int count = Math.toIntExact(call.output().byteSize()
                / call.type().byteSize()
                / call.collective().outputSlices(world));
        long[] result = new long[count * call.collective().outputSlices(world)];
        List<Elements> inputs = calls.stream()
                .map(each -> new Elements(each.input().segment(), call.type()))
                .toList();
        List<ReduceOp> ops =
                new ArrayList<>(calls.stream().map(CollectiveCall::op).toList());
        ops.set(rank, call.op()); // as a defect has replaced it
        Arithmetic arithmetic = new Arithmetic(call.type(), ops);
        long[] contributions = new long[world];
        for (int i = 0; i < result.length; i++) {
            if (call.collective().reduces()) {
                long from = call.collective() == Collective.REDUCESCATTER ? (long) rank * count + i : i;
                for (int r = 0; r < world; r++) {
                    contributions[r] = inputs.get(r).get(from);
                }
                result[i] = arithmetic.reduce(contributions);
            } else {
                result[i] = switch (call.collective()) {
                    case ALLGATHER, GATHER -> inputs.get(i / count).get(i % count);
                    case ALLTOALL -> inputs.get(i / count).get((long) rank * count + i % count);
                    case SCATTER -> inputs.get(call.root()).get((long) rank * count + i);
                    default -> inputs.get(call.root()).get(i);
                };
            }
        }
        return result;
    }

    @Override
    public void close() {
        closed = true;
        queue.shutdown();
        try {
            if (!queue.awaitTermination(timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                abort("closed while in flight");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isAborted()) { // else all have been told already, but for who does not hear of aborts
            launches.close(rank());
        }
        inner.close();
    }
}
