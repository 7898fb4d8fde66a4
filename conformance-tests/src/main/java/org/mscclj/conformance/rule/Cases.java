package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Scope.over;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.scenario.DataShape;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Exclusion;

/** Cases that several rules try. */
final class Cases {
    static final List<ReduceOp> PLAIN_OPS = List.of(
            ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR);
    static final List<ReduceOp> SCALED_OPS = List.of(ReduceOp.AVG, ReduceOp.premulSum(2));
    static final List<ReduceOp> ALL_OPS =
            Stream.concat(PLAIN_OPS.stream(), SCALED_OPS.stream()).toList();

    static final List<UnaryOperator<TestCase>> PLACES = over(List.of(false, true), TestCase::inPlace);
    static final List<UnaryOperator<TestCase>> REDUCING =
            over(List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.REDUCE), TestCase::collective);
    static final List<UnaryOperator<TestCase>> COUNTS_OF_A_RANK =
            over(List.of(64L, 1024L), (test, count) -> test.count(count * test.world()));

    private Cases() {}

    static List<TestCase> usualCase(Scope scope, String rule) {
        return List.of(scope.usual(rule));
    }

    static List<TestCase> usualCases(Scope scope, String rule) {
        return Scope.COLLECTIVES.stream()
                .map(collective -> scope.usual(rule).collective(collective))
                .toList();
    }

    static List<TestCase> usualAndOddCases(Scope scope, String rule) {
        List<TestCase> cases = new ArrayList<>(usualCases(scope, rule));
        usualCases(scope, rule).forEach(test -> cases.add(test.count(1025)));
        return cases;
    }

    static List<TestCase> undeclaredCases(Scope scope, String rule) {
        List<TestCase> cases = new ArrayList<>();
        for (DataType type : DataType.values()) {
            if (!scope.types().contains(type)) {
                cases.add(scope.usual(rule).type(type));
            }
        }
        ALL_OPS.stream()
                .filter(op -> !scope.capabilities().reduceOps().contains(op.kind()))
                .filter(op -> op.kind().supports(scope.usualType()))
                .forEach(op -> cases.add(scope.usual(rule).op(op)));
        for (Exclusion one : scope.capabilities().exclusions()) {
            ALL_OPS.stream()
                    .filter(op -> op.kind() == one.op())
                    .findFirst()
                    .ifPresent(op -> cases.add(scope.usual(rule)
                            .type(one.type())
                            .op(op)
                            .world(Math.min(one.maxRanks(), scope.usualWorld()))));
        }
        return cases;
    }

    /** Returns sums over two ranks, so that no intermediate result is stored. */
    static List<TestCase> narrow(Scope scope, String rule, DataShape data) {
        if (scope.capabilities().maxRanks() < 2) {
            return List.of();
        }
        return scope.types().stream()
                .filter(type -> type.isFloat() && type.byteSize() <= Short.BYTES)
                .map(type -> scope.usual(rule).world(2).type(type).count(4096).data(data))
                .toList();
    }

    /** Returns averages and premultiplied sums of the largest numbers of each type, whose plain sums overflow. */
    static List<TestCase> largeAverages(Scope scope, String rule) {
        List<TestCase> cases = new ArrayList<>();
        for (int world :
                scope.worlds().stream().filter(world -> world > 1 && world <= 4).toList()) {
            for (DataType type : scope.types()) {
                DataShape data = type.isFloat() ? DataShape.OVERFLOWING : DataShape.WIDE;
                TestCase average =
                        scope.usual(rule).world(world).type(type).data(data).op(ReduceOp.AVG);
                cases.add(average);
                if (type.isFloat()) {
                    cases.add(average.op(ReduceOp.premulSum(1.0 / 8)));
                }
            }
        }
        return cases.stream()
                .filter(test ->
                        scope.capabilities().reduceOps().contains(test.op().kind()))
                .toList();
    }

    /** Returns cases with two ranks, three, and more. */
    static List<TestCase> worldsOnANode(Scope scope, String rule) {
        return scope.worlds().stream()
                .filter(world -> world > 1 && world <= 8)
                .map(scope.usual(rule)::world)
                .toList();
    }

    /** Returns a case with two ranks on one node. On several nodes this takes four ranks. */
    static List<TestCase> neighboursOnANode(Scope scope, String rule) {
        int world = scope.mode().isOfNodes() ? 4 : scope.usualWorld();
        return world <= scope.capabilities().maxRanks()
                ? List.of(scope.usual(rule).world(world))
                : List.of();
    }

    static List<Integer> smallWorlds(Scope scope) {
        return scope.worlds().stream()
                .filter(world -> world <= 5 || !scope.given().isEmpty())
                .toList();
    }

    static List<Integer> worldsWithPeers(Scope scope) {
        return scope.worlds().stream().filter(world -> world > 1).toList();
    }

    /** Returns changes of the operation, for each operation that the backend declares. */
    static List<UnaryOperator<TestCase>> ops(Scope scope, List<ReduceOp> ops) {
        return over(
                ops.stream()
                        .filter(op -> scope.capabilities().reduceOps().contains(op.kind()))
                        .toList(),
                TestCase::op);
    }

    static List<UnaryOperator<TestCase>> floats(Scope scope) {
        return over(scope.types().stream().filter(DataType::isFloat).toList(), TestCase::type);
    }
}
