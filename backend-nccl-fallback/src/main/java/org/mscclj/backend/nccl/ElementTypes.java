package org.mscclj.backend.nccl;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.NcclVersion;
import org.mscclj.spi.Exclusion;

/**
 * Maps element types and reductions to those of NCCL.
 *
 * @param version the version of NCCL
 */
record ElementTypes(NcclVersion version) {
    /** {@code ncclInt8}: the type of calls that only move bytes. */
    static final int BYTE = 0;

    private static final int NONE = -1;

    private static final Optional<String> NO_ALLTOALL_IN_PLACE =
            Optional.of("NCCL has no alltoall in place; use two buffers");

    private static final Optional<String> ONE_RANK = Optional.of(
            "NCCL does not scale floats of 8 bits on a communicator of one rank; use sum, and scale the input");

    private static final List<ReduceOp> OPERATIONS =
            List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.premulSum(1));

    private static final NcclVersion FLOAT8_SINCE = NcclVersion.of(2, 24, 3);

    /** Returns the {@code ncclDataType_t} of a type that {@link #refusal} accepts. */
    static int code(DataType type) {
        return switch (type) {
            case INT8 -> BYTE;
            case UINT8 -> 1;
            case INT32 -> 2;
            case UINT32 -> 3;
            case INT64 -> 4;
            case UINT64 -> 5;
            case FLOAT16 -> 6;
            case FLOAT32 -> 7;
            case FLOAT64 -> 8;
            case BFLOAT16 -> 9;
            case FLOAT8_E4M3 -> 10;
            case FLOAT8_E5M2 -> 11;
            case INT16, UINT16 -> NONE;
        };
    }

    /**
     * Returns the {@code ncclRedOp_t} of an operation that {@link #refusal} accepts, other than premultiplied sums,
     * which {@link Combiners} creates.
     */
    static int code(ReduceOp op) {
        return switch (op.kind()) {
            case SUM -> 0;
            case PRODUCT -> 1;
            case MAX -> 2;
            case MIN -> 3;
            case AVG -> 4;
            case NOP, BAND, BOR, BXOR, PREMUL_SUM -> NONE;
        };
    }

    /** Returns why NCCL cannot carry out such a collective; empty if it can. */
    Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace, int ranks) {
        return switch (collective) {
            case ALLREDUCE, REDUCESCATTER, REDUCE -> refusal(type, op, ranks);
            case ALLGATHER, BROADCAST, SCATTER, GATHER -> Optional.empty();
            case ALLTOALL -> inPlace ? NO_ALLTOALL_IN_PLACE : Optional.empty();
            case SENDRECV, TEST ->
                Optional.of("NCCL has no collective " + collective
                        + "; use allreduce, allgather, reducescatter, alltoall, broadcast, reduce, scatter or gather");
        };
    }

    /** Returns why NCCL cannot reduce elements of this type by this operation; empty if it can. */
    Optional<String> refusal(DataType type, ReduceOp op) {
        if (code(type) == NONE) {
            return Optional.of("NCCL does not reduce " + type + "; use int32 or int8");
        }
        if (op.kind() == ReduceOp.Kind.PREMUL_SUM) {
            NcclVersion since = NcclFunction.RED_OP_CREATE_PRE_MUL_SUM.since();
            if (!version.isAtLeast(since)) {
                return Optional.of(
                        "premul-sum needs NCCL \u2265 " + since + ", found " + version + "; install a later one");
            }
        } else if (code(op) == NONE) {
            return Optional.of("NCCL has no reduction " + op + "; use sum, product, min, max, avg or premul-sum");
        }
        if (op.kind() == ReduceOp.Kind.AVG && !type.isFloat()) {
            return Optional.of("NCCL divides the wrapped sum of " + type + ", which is no average where the sum wraps;"
                    + " use sum, and divide");
        }
        return isFloat8(type) && !version.isAtLeast(FLOAT8_SINCE)
                ? Optional.of("reductions of " + type + " need NCCL \u2265 " + FLOAT8_SINCE + ", found " + version
                        + "; install a later one")
                : Optional.empty();
    }

    private Optional<String> refusal(DataType type, ReduceOp op, int ranks) {
        return refusal(type, op)
                .or(() -> ranks == 1 && isFloat8(type) && op.kind() == ReduceOp.Kind.PREMUL_SUM
                        ? ONE_RANK
                        : Optional.empty());
    }

    private static boolean isFloat8(DataType type) {
        return type == DataType.FLOAT8_E4M3 || type == DataType.FLOAT8_E5M2;
    }

    /** Returns the types that NCCL can reduce. */
    Set<DataType> reducibleTypes() {
        Set<DataType> types = EnumSet.allOf(DataType.class);
        types.removeIf(type -> refusal(type, ReduceOp.SUM).isPresent());
        return types;
    }

    /** Returns the operations that NCCL has. */
    static Set<ReduceOp.Kind> operations() {
        return OPERATIONS.stream().map(ReduceOp::kind).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns which of these operations do not work on which of these types. */
    Set<Exclusion> exclusions() {
        Set<Exclusion> exclusions = new HashSet<>();
        for (DataType type : reducibleTypes()) {
            for (ReduceOp op : OPERATIONS) {
                if (refusal(type, op).isPresent()) {
                    exclusions.add(new Exclusion(type, op.kind(), Integer.MAX_VALUE));
                } else if (refusal(type, op, 1).isPresent()) {
                    exclusions.add(new Exclusion(type, op.kind(), 1));
                }
            }
        }
        return exclusions;
    }
}
