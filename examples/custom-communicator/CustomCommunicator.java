import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.AlgorithmCollection;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;

/**
 * A communicator of an application, which decides itself what serves a call: a plan of its registry; else an algorithm
 * of its collection; else what the communicator below chooses. All ranks decide alike, since selectors see only what is
 * equal on all ranks.
 */
final class CustomCommunicator {
    /** The label of plans that are for messages that count by their bytes. */
    static final String LARGE = "large";

    private static final long SMALL_BYTES = 8 << 10;

    private final Communicator communicator;
    private final PlanRegistry plans;
    private final AlgorithmCollection algorithms = AlgorithmCollection.defaults();

    CustomCommunicator(Communicator communicator) {
        this.communicator = communicator;
        this.plans = communicator.plans();
        // The registry passes only plans that fit the collective, the world, the place, the size and the operation.
        plans.setSelector(CustomCommunicator::plan);
        plans.setDefaultSelector((_, _) -> Optional.empty());
        algorithms.setSelector(CustomCommunicator::algorithm);
        algorithms.setFallbackSelector((names, call) -> Optional.ofNullable(names.get("default_" + call.collective()
                + "_fullmesh")));
    }

    /** By message size, buffer mode and tag: peers access the buffers of these plans. */
    private static Optional<PlanHandle> plan(List<PlanHandle> candidates, CallShape call) {
        return candidates.stream()
                .filter(plan -> call.registered() && plan.tags().containsKey(LARGE))
                .findFirst();
    }

    /** By message size and world: one hop of packets for few ranks, two hops for many. */
    private static Optional<Algorithm> algorithm(Map<String, Algorithm> names, CallShape call) {
        return call.bytes() > SMALL_BYTES || call.collective() != Collective.ALLREDUCE
                ? Optional.empty()
                : Optional.ofNullable(
                        names.get(call.ranks() <= 2 ? "default_allreduce_allpair_packet" : "default_allreduce_packet"));
    }

    /** Reduces a tensor in place, and returns what has served the call. */
    String allReduce(TypedBuffer tensor, ReduceOp op, Optional<Stream> stream) {
        return execute(CollectiveCall.allReduce(tensor, tensor).op(op), stream);
    }

    /** Gathers the tensors of all ranks, and returns what has served the call. */
    String allGather(TypedBuffer tensor, TypedBuffer all, Optional<Stream> stream) {
        return execute(CollectiveCall.allGather(tensor, all), stream);
    }

    /** Moves the root's tensor to all ranks, and returns what has served the call. */
    String broadcast(TypedBuffer tensor, int root, Optional<Stream> stream) {
        return execute(CollectiveCall.broadcast(tensor, tensor, root), stream);
    }

    private String execute(CollectiveCall call, Optional<Stream> stream) {
        CallShape shape = communicator.shape(call);
        Optional<Algorithm> chosen = ofPlans(shape).or(() -> ofCollection(shape));
        if (chosen.isPresent()) {
            AlgorithmCall arguments = new AlgorithmCall(communicator, call.input(), call.output(), call.type())
                    .op(call.op())
                    .root(call.root());
            Algorithm algorithm = chosen.get();
            algorithm.execute(stream.map(arguments::stream).orElse(arguments)).join();
            return algorithm.name();
        }
        communicator.execute(call, stream.orElse(communicator.stream())).join();
        return "the communicator's choice";
    }

    private Optional<Algorithm> ofPlans(CallShape shape) {
        try {
            // The name of a plan is a name of an algorithm, too. Its first call sets it up, later ones only launch.
            return Optional.of(
                    Algorithm.named(shape.collective(), plans.select(shape).id()));
        } catch (UnsupportedException e) {
            return Optional.empty(); // the message has the reason for each plan
        }
    }

    private Optional<Algorithm> ofCollection(CallShape shape) {
        try {
            return Optional.of(algorithms.select(shape));
        } catch (UnsupportedException e) {
            return Optional.empty();
        }
    }
}
