package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Cases.smallWorlds;
import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.group.GroupChecks;
import org.mscclj.conformance.rank.order.OrderChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/** Rules about launches of a communicator, one after another or concurrently. */
final class OrderRules {
    private static final String OTHERS_IN_THE_PROCESS =
            "ranks are threads of a process that does other things; processes are looked at, and so is memory"
                    + " of GPUs by mscclj stress --scenario many";

    private OrderRules() {}

    /**
     * Returns cases with the usual number of ranks, and with a number that makes two rows of several ranks, if there is
     * one.
     */
    private static List<TestCase> usualAndRows(Scope scope, String rule) {
        Stream<Integer> rows = scope.mode().isOfNodes()
                ? Stream.of(4).filter(world -> world <= scope.capabilities().maxRanks())
                : scope.worlds().stream()
                        .filter(world -> world > 2 && world % 2 == 0)
                        .limit(1);
        return Stream.concat(Stream.of(scope.usualWorld()), rows)
                .distinct()
                .map(scope.usual(rule)::world)
                .toList();
    }

    /** Returns a premultiplied sum of every type. */
    static List<TestCase> premultipliedSums(Scope scope, String rule) {
        return scope.capabilities().reduceOps().contains(ReduceOp.Kind.PREMUL_SUM)
                ? scope.types().stream().map(scope.usual(rule)::type).toList()
                : List.of();
    }

    static List<Rule> all() {
        return List.of(
                behaviour(
                        "spec0607_launchesReadTheirInputAnew",
                        "Every launch computes from what its input holds then.",
                        ResultChecks.relaunches()),
                Rule.required(
                                "spec0306_factorsMayBeInMemory",
                                "premul-sum reads a factor that is in memory at each launch.",
                                ANY_RESULT,
                                ResultChecks.factorInMemory(),
                                OrderRules::premultipliedSums)
                        .after(with("spec0306_averagesAndPremultipliedSums", "spec0607_launchesReadTheirInputAnew")),
                Rule.required(
                                "spec0501_sizesMayChange",
                                "Messages of any sizes can follow one another.",
                                ANY_RESULT,
                                OrderChecks.changingSizes(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule),
                                        over(Scope.COLLECTIVES, TestCase::collective),
                                        over(
                                                smallWorlds(scope),
                                                (test, world) ->
                                                        test.world(world).count(1000))))
                        .after(with("spec0607_launchesReadTheirInputAnew", "spec0101_everyCount")),
                Rule.required(
                                "spec0601_launchesKeepTheirOrder",
                                "Launches of one communicator run in the order in which they were made.",
                                ANY_RESULT,
                                OrderChecks.order(),
                                (scope, rule) -> List.of(scope.usual(rule).op(ReduceOp.MAX)))
                        .after(with(
                                "spec0607_launchesReadTheirInputAnew",
                                "spec0307_neverAnotherOperation",
                                "spec0104_inputsAreNotChanged")),
                behaviour(
                                "spec0601_communicatorsAreIndependent",
                                "Different communicators, also over the same ranks, run at the same time.",
                                OrderChecks.twoCommunicators())
                        .after(with("spec0607_launchesReadTheirInputAnew")),
                behaviour(
                        "spec0603_awaitOrdersAStream",
                        "Work.await orders a stream after the operation.",
                        OrderChecks.await()),
                behaviour(
                                "spec0601_callsRunOnTheStreamTheyName",
                                "A call runs behind the work of the stream that it names, which may be closed when the"
                                        + " call has returned.",
                                OrderChecks.streamsOfCalls())
                        .after(with("spec0603_awaitOrdersAStream", "spec0601_communicatorsAreIndependent")),
                behaviour(
                                "spec0603_futuresEndWithTheirOperation",
                                "Futures end when their operation ends, or when the time of its call has"
                                        + " passed, which leaves it in flight.",
                                OrderChecks.futures())
                        .after(with("spec0607_launchesReadTheirInputAnew")),
                behaviour(
                                "spec0603_lastLaunchesAreWork",
                                "The last launch of a prepared operation orders streams, has a future, and"
                                        + " stays what it is when others follow.",
                                OrderChecks.lastLaunch())
                        .after(with("spec0603_awaitOrdersAStream", "spec0603_futuresEndWithTheirOperation")),
                behaviour(
                        "spec0610_barriersWaitForAll",
                        "A barrier of streams has ended on no rank before all have launched it.",
                        OrderChecks.barriers()),
                behaviour(
                        "spec0604_buffersInUseAreNotClosed",
                        "Buffers in use by a prepared operation cannot be closed.",
                        OrderChecks.bufferInUse()),
                behaviour(
                                "spec0606_launchesInARow",
                                "Any number of launches may be in flight; all of them end.",
                                OrderChecks.load())
                        .after(with("spec0104_inputsAreNotChanged")),
                Rule.required(
                                "spec0611_splitsKeepTheOrderOfTheirLists",
                                "The ranks of a list get a communicator of themselves in its order; those with"
                                        + " an empty list get none.",
                                ANY_RESULT,
                                GroupChecks.split(),
                                OrderRules::usualAndRows)
                        .after(with("spec0607_launchesReadTheirInputAnew", "spec0601_communicatorsAreIndependent")),
                Rule.required(
                                "spec0611_coloursAreSplit",
                                "Ranks that pass equal colours get a communicator of themselves in the order of"
                                        + " their keys; those without a colour get none.",
                                ANY_RESULT,
                                GroupChecks.colours(),
                                OrderRules::usualAndRows)
                        .after(with("spec0611_splitsKeepTheOrderOfTheirLists")),
                Rule.required(
                                "spec0611_meshesJoinNeighbours",
                                "Along each dimension of a mesh there is a communicator of the ranks that"
                                        + " differ in it alone.",
                                ANY_RESULT,
                                GroupChecks.mesh(),
                                OrderRules::usualAndRows)
                        .after(with("spec0611_splitsKeepTheOrderOfTheirLists")),
                behaviour(
                                "spec0612_whatIsClosedIsGivenBack",
                                "When communicators are closed, the process holds no more threads, files and"
                                        + " memory than before, nor does the device.",
                                OrderChecks.leaks())
                        .notIn(Mode.THREADS, OTHERS_IN_THE_PROCESS)
                        .notIn(Mode.NODES, OTHERS_IN_THE_PROCESS)
                        .after(with("spec0611_splitsKeepTheOrderOfTheirLists")));
    }
}
