package org.mscclj.analysis.verify.machine;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** Compares the outputs of a launch with the definition of the collective. */
final class OutputCheck {
    private final Plan plan;
    private final CheckedSize scenario;
    private final Values values;
    private final int launch;
    private final int @Nullable [] firstOutputs;
    private int root = -1;
    private int ranksDone;
    private final Set<Integer> ranksWithResult = new TreeSet<>();
    private @Nullable Finding without;
    private boolean equalBits = true;
    private boolean first = true;

    OutputCheck(Plan plan, CheckedSize scenario, Values values, int launch) {
        this.plan = plan;
        this.scenario = scenario;
        this.values = values;
        this.launch = launch;
        this.firstOutputs = switch (plan.collective()) {
            case ALLREDUCE -> new int[plan.ranks().getFirst().outputChunks() * scenario.cellsPerChunk()];
            default -> null;
        };
    }

    boolean equalBits() {
        return equalBits;
    }

    /** The ranks that the launch treated as root; empty if the collective has no root. */
    Set<Integer> roots() {
        return switch (plan.collective()) {
            case REDUCE, GATHER -> ranksWithResult;
            case BROADCAST, SCATTER -> root < 0 ? Set.of() : Set.of(root);
            default -> Set.of();
        };
    }

    /** Checks a rank that has ended the launch; returns the fault, if any. */
    Optional<Finding> check(RankPlan rank, SymbolicMemory memory) {
        ranksDone++;
        Optional<Finding> wrong = switch (plan.collective()) {
            case TEST -> Optional.empty();
            case REDUCE, GATHER -> atRoot(rank, memory).or(() -> unchangedInput(rank, memory));
            default -> outputs(rank, memory).or(() -> unchangedInput(rank, memory));
        };
        compareBits(memory, rank);
        return wrong;
    }

    /** Only one rank gets the result, and which one the plan does not say. */
    private Optional<Finding> atRoot(RankPlan rank, SymbolicMemory memory) {
        Optional<Finding> wrong = outputs(rank, memory);
        if (wrong.isEmpty()) {
            ranksWithResult.add(rank.rank());
        } else {
            without = wrong.get();
        }
        return ranksDone == plan.worldSize() && ranksWithResult.isEmpty()
                ? Optional.ofNullable(without)
                : Optional.empty();
    }

    private Optional<Finding> outputs(RankPlan rank, SymbolicMemory memory) {
        SymbolicCells cells = memory.cells(BufferType.OUTPUT, launch);
        int offset = memory.offset(BufferType.OUTPUT);
        int outputs = rank.outputChunks() * scenario.cellsPerChunk();
        int source = -1;
        for (int cell = 0; cell < outputs; cell++) {
            int value = cells.value(offset + cell);
            boolean right = switch (plan.collective()) {
                case ALLREDUCE, REDUCE -> values.isReduction(value, launch, cell);
                case REDUCESCATTER -> values.isReduction(value, launch, rank.rank() * outputs + cell);
                case ALLGATHER, GATHER -> value == gathered(rank, cell);
                case ALLTOALL -> value == exchanged(rank, cell, outputs);
                case BROADCAST -> isOfRoot(value, cell);
                case SCATTER -> isOfRoot(value, rank.rank() * outputs + cell);
                case SENDRECV -> {
                    if (source < 0 && values.isInput(value)) {
                        source = values.rankOf(value);
                    }
                    yield source != rank.rank() && source >= 0 && value == values.input(launch, source, cell);
                }
                case TEST -> true;
            };
            if (!right) {
                return Optional.of(wrong(rank, cell, value));
            }
        }
        return Optional.empty();
    }

    private int gathered(RankPlan rank, int cell) {
        int part = rank.inputChunks() * scenario.cellsPerChunk();
        return values.input(launch, cell / part, cell % part);
    }

    private int exchanged(RankPlan rank, int cell, int outputs) {
        int part = outputs / plan.worldSize();
        return values.input(launch, cell / part, rank.rank() * part + cell % part);
    }

    /** Whether a value is that of the root; the first value that is an input determines the root. */
    private boolean isOfRoot(int value, int cell) {
        if (!values.isInput(value)) {
            return false;
        }
        if (root < 0) {
            root = values.rankOf(value);
        }
        return value == values.input(launch, root, cell);
    }

    private Optional<Finding> unchangedInput(RankPlan rank, SymbolicMemory memory) {
        if (plan.inPlace()) {
            return Optional.empty();
        }
        SymbolicCells cells = memory.cells(BufferType.INPUT, launch);
        for (int cell = 0; cell < cells.size(); cell++) {
            if (cells.value(cell) != values.input(launch, rank.rank(), cell)) {
                return Optional.of(new Finding(
                        Finding.Kind.WRONG_RESULT,
                        "rank " + rank.rank() + ", chunk " + cell / scenario.cellsPerChunk()
                                + " of the input, which must stay as it is, ends up with "
                                + values.describe(cells.value(cell), launch, scenario.cellsPerChunk())));
            }
        }
        return Optional.empty();
    }

    private Finding wrong(RankPlan rank, int cell, int value) {
        return new Finding(
                Finding.Kind.WRONG_RESULT,
                "rank " + rank.rank() + ", chunk " + cell / scenario.cellsPerChunk() + " of the output of "
                        + plan.collective()
                        + (launch == 0 ? "" : ", in launch " + (launch + 1) + " in a row,") + " ends up with "
                        + values.describe(value, launch, scenario.cellsPerChunk()) + "; it should be "
                        + expected(rank, cell));
    }

    private String expected(RankPlan rank, int cell) {
        int perChunk = scenario.cellsPerChunk();
        int outputs = rank.outputChunks();
        int chunk = cell / perChunk;
        int ranks = plan.worldSize();
        return switch (plan.collective()) {
            case ALLREDUCE, REDUCE -> "input chunk " + chunk + " of all " + ranks + " ranks, each once";
            case REDUCESCATTER ->
                "input chunk " + (rank.rank() * outputs + chunk) + " of all " + ranks + " ranks, each once";
            case ALLGATHER, GATHER ->
                "input chunk " + chunk % rank.inputChunks() + " of rank " + chunk / rank.inputChunks();
            case ALLTOALL ->
                "input chunk " + (rank.rank() * (outputs / ranks) + chunk % (outputs / ranks)) + " of rank "
                        + chunk / (outputs / ranks);
            case BROADCAST -> "input chunk " + chunk + " of the root" + (root < 0 ? "" : ", rank " + root);
            case SCATTER ->
                "input chunk " + (rank.rank() * outputs + chunk) + " of the root" + (root < 0 ? "" : ", rank " + root);
            case SENDRECV -> "input chunk " + chunk + " of one other rank";
            case TEST -> "anything";
        };
    }

    private void compareBits(SymbolicMemory memory, RankPlan rank) {
        int[] expected = firstOutputs;
        if (expected == null) {
            return;
        }
        SymbolicCells cells = memory.cells(BufferType.OUTPUT, launch);
        int offset = memory.offset(BufferType.OUTPUT);
        for (int cell = 0; cell < expected.length && cell < rank.outputChunks() * scenario.cellsPerChunk(); cell++) {
            int value = cells.value(offset + cell);
            if (first) {
                expected[cell] = value;
            } else {
                equalBits &= expected[cell] == value;
            }
        }
        first = false;
    }
}
