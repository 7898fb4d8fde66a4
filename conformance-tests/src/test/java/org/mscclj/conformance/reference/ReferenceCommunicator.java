package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.Elements;

/** Collectives by reading everybody's memory: slow, simple, and wrong in the way that its defect says. */
final class ReferenceCommunicator extends CommunicatorDecorator {
    private final Communicator inner;
    private final Meeting setUp;
    private final Meeting launches;
    private final Defect defect;
    private final AtomicInteger inFlightOnRank;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ExecutorService queue;
    private long sequence;

    ReferenceCommunicator(
            Communicator inner, Meeting setUp, Meeting launches, Defect defect, AtomicInteger inFlightOnRank) {
        super(inner);
        this.inner = inner;
        this.setUp = setUp;
        this.launches = launches;
        this.defect = defect;
        this.inFlightOnRank = inFlightOnRank;
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

    @Override
    public PreparedOperation prepare(CollectiveCall call) {
        String problem = problem(call);
        List<Object> problems = setUp.meet(rank(), problem, this::isAborted);
        List<Object> calls = setUp.meet(rank(), call, this::isAborted);
        for (int rank = 0; rank < size(); rank++) {
            if (!problems.get(rank).equals("")) {
                throw new InvalidArgumentException("rank " + rank + ": " + problems.get(rank));
            }
            if (!shape((CollectiveCall) calls.get(rank)).equals(shape((CollectiveCall) calls.getFirst()))) {
                throw new InvalidArgumentException("rank " + rank + " asks for something else than rank 0");
            }
        }
        return new ReferenceOperation(
                this, calls.stream().map(CollectiveCall.class::cast).toList());
    }

    private static List<Object> shape(CollectiveCall call) {
        return List.of(
                call.collective(),
                call.type(),
                call.op().label(),
                call.root(),
                call.input().byteSize());
    }

    private String problem(CollectiveCall call) {
        DeviceBuffer input = call.input();
        DeviceBuffer output = call.output();
        int width = call.type().byteSize();
        if (input.byteSize() % ((long) width * call.collective().inputSlices(size())) != 0
                || output.byteSize() / call.collective().outputSlices(size())
                        != input.byteSize() / call.collective().inputSlices(size())) {
            return "the sizes do not fit";
        }
        if (call.collective().reduces() && !call.op().kind().supports(call.type())) {
            return call.op() + " is not defined on " + call.type();
        }
        if (call.root() < 0 || call.root() >= size()) {
            return "there is no root " + call.root();
        }
        boolean overlap = input.address() < output.address() + output.byteSize()
                && output.address() < input.address() + input.byteSize();
        long shift = output.address() - input.address();
        boolean placed = switch (call.collective()) {
            case ALLGATHER, GATHER -> shift == -rank() * input.byteSize();
            case REDUCESCATTER, SCATTER -> shift == rank() * output.byteSize();
            default -> shift == 0;
        };
        return overlap && !placed ? "input and output overlap" : "";
    }

    /** By the communicator that the reference uses. */
    @Override
    public Work execute(TransferCall call) {
        return new ReferenceMessages(inner.execute(defect.replace(call)), defect);
    }

    @Override
    public Work execute(ReduceScatterCall call) {
        return inner.execute(defect.replace(call));
    }

    @Override
    public Window openWindow(DeviceBuffer memory) {
        return new ReferenceWindow(inner.openWindow(memory), defect);
    }

    @Override
    public Work send(DeviceBuffer buffer, int to) {
        return execute(TransferCall.batch().send(buffer, to));
    }

    @Override
    public Work receive(DeviceBuffer buffer, int from) {
        return execute(TransferCall.batch().receive(buffer, from));
    }

    @Override
    public Work execute(CollectiveCall call) {
        PreparedOperation operation = prepare(call);
        operation.launch();
        long number = ++sequence;
        return new Work() {
            @Override
            public boolean isCompleted() {
                return operation.isCompleted();
            }

            @Override
            public void await(Stream stream) {
                join();
            }

            @Override
            public void join() {
                join(timeout());
            }

            @Override
            public void join(Duration timeout) {
                operation.join(timeout);
                operation.close();
            }

            @Override
            public String algorithm() {
                return operation.algorithm();
            }

            @Override
            public long sequence() {
                return number;
            }
        };
    }

    @Override
    public Optional<Communicator> split(List<Integer> ranks, String name) {
        Optional<Communicator> child = inner.split(ranks, name);
        List<Object> setUps = setUp.meet(rank(), new Meeting(ranks.size()), this::isAborted);
        List<Object> launchMeetings = setUp.meet(rank(), new Meeting(ranks.size()), this::isAborted);
        return child.map(communicator -> new ReferenceCommunicator(
                communicator,
                (Meeting) setUps.get(ranks.getFirst()),
                (Meeting) launchMeetings.get(ranks.getFirst()),
                defect,
                inFlightOnRank));
    }

    @Override
    public Communicator shrink(List<Integer> excluded) {
        return new ReferenceCommunicator(
                inner.shrink(excluded), setUp.without(excluded), launches.without(excluded), defect, inFlightOnRank);
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
        ReduceOp op = call.op();
        Arithmetic arithmetic = new Arithmetic(call.type(), op);
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
        queue.shutdown();
        try {
            if (!queue.awaitTermination(timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                abort("closed while in flight");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        inner.close();
    }
}
