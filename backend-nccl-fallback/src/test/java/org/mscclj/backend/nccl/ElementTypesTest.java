package org.mscclj.backend.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclVersion;
import org.mscclj.spi.Capabilities;

class ElementTypesTest {
    private static final ElementTypes NEW = new ElementTypes(NcclVersion.of(2, 27, 5));
    private static final ElementTypes OLD = new ElementTypes(NcclVersion.of(2, 23, 4));

    /** ncclDataType_t of nccl.h, which has kept its numbers since 2.10. */
    @Test
    void typesHaveTheNumbersOfTheHeader() {
        List<DataType> inOrder = List.of(
                DataType.INT8,
                DataType.UINT8,
                DataType.INT32,
                DataType.UINT32,
                DataType.INT64,
                DataType.UINT64,
                DataType.FLOAT16,
                DataType.FLOAT32,
                DataType.FLOAT64,
                DataType.BFLOAT16,
                DataType.FLOAT8_E4M3,
                DataType.FLOAT8_E5M2);
        Map<DataType, Integer> codes = new EnumMap<>(DataType.class);
        NEW.reducibleTypes().forEach(type -> codes.put(type, ElementTypes.code(type)));
        Map<DataType, Integer> expected = new EnumMap<>(DataType.class);
        inOrder.forEach(type -> expected.put(type, inOrder.indexOf(type)));
        assertEquals(expected, codes);
    }

    @Test
    void operationsHaveTheNumbersOfTheHeader() {
        List<ReduceOp> inOrder = List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.AVG);
        inOrder.forEach(op -> assertEquals(inOrder.indexOf(op), ElementTypes.code(op), op.label()));
        Set<ReduceOp.Kind> kinds = inOrder.stream().map(ReduceOp::kind).collect(Collectors.toSet());
        kinds.add(ReduceOp.Kind.PREMUL_SUM);
        assertEquals(kinds, ElementTypes.operations());
        for (ReduceOp op : List.of(ReduceOp.BXOR, ReduceOp.BAND, ReduceOp.NOP)) {
            String refusal = NEW.refusal(DataType.INT32, op).orElseThrow();
            assertTrue(refusal.contains(op.label()), refusal);
        }
    }

    @Test
    void premultipliedSumsNeedALaterVersion() {
        assertEquals(Optional.empty(), NEW.refusal(DataType.INT32, ReduceOp.premulSum(2)));
        assertEquals(
                "premul-sum needs NCCL \u2265 2.11.4, found 2.10.3; install a later one",
                new ElementTypes(NcclVersion.of(2, 10, 3))
                        .refusal(DataType.FLOAT32, ReduceOp.premulSum(2))
                        .orElseThrow());
    }

    @Test
    void averagesOfIntegersWouldWrap() {
        String refusal = NEW.refusal(DataType.INT8, ReduceOp.AVG).orElseThrow();
        assertTrue(refusal.contains("wraps"), refusal);
        assertEquals(Optional.empty(), NEW.refusal(DataType.FLOAT16, ReduceOp.AVG));
    }

    @Test
    void narrowFloatsNeedALaterVersion() {
        assertEquals(
                Set.of(DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2),
                Arrays.stream(DataType.values())
                        .filter(NEW.reducibleTypes()::contains)
                        .filter(type -> !OLD.reducibleTypes().contains(type))
                        .collect(Collectors.toSet()));
        String refusal = OLD.refusal(DataType.FLOAT8_E4M3, ReduceOp.SUM).orElseThrow();
        assertTrue(refusal.contains("2.24.3") && refusal.contains("2.23.4"), refusal);
    }

    @Test
    void sixteenBitIntegersAreNotReduced() {
        assertTrue(NEW.refusal(DataType.INT16, ReduceOp.SUM).isPresent());
    }

    /** NCCL has a kernel of its own for one rank, which lacks these types; seen with NCCL 2.28.9. */
    @Test
    void premultipliedFloatsOfEightBitsNeedTwoRanks() {
        ReduceOp scaled = ReduceOp.premulSum(2);
        assertTrue(NEW.refusal(Collective.REDUCE, DataType.FLOAT8_E5M2, scaled, false, 1)
                .orElseThrow()
                .contains("one rank"));
        assertEquals(Optional.empty(), NEW.refusal(Collective.REDUCE, DataType.FLOAT8_E5M2, scaled, false, 2));
        assertEquals(Optional.empty(), NEW.refusal(Collective.REDUCE, DataType.FLOAT16, scaled, false, 1));
        for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG)) {
            assertEquals(Optional.empty(), NEW.refusal(Collective.REDUCE, DataType.FLOAT8_E5M2, op, false, 1));
        }
    }

    /** What it declares, and what it refuses, are the same. */
    @Test
    void itExcludesWhatItRefuses() {
        Set<ReduceOp> ops =
                Set.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.premulSum(3));
        for (ElementTypes types : List.of(NEW, OLD)) {
            Capabilities declared = new Capabilities(
                    types.reducibleTypes(), ElementTypes.operations(), 8, Set.of(), types.exclusions());
            for (DataType type : types.reducibleTypes()) {
                for (ReduceOp op : ops) {
                    for (int ranks : List.of(1, 2, 8)) {
                        assertEquals(
                                types.refusal(Collective.ALLREDUCE, type, op, false, ranks)
                                        .isPresent(),
                                declared.excludes(type, op.kind(), ranks),
                                () -> op + " of " + type + ", " + ranks + " ranks");
                    }
                }
            }
        }
    }
}
