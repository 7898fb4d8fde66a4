package org.mscclj.conformance.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;

class TestCaseTest {
    private static final TestCase CASE = TestCase.of("spec0101_everyCount", Mode.NODES, 5, DataType.BFLOAT16, -7)
            .collective(Collective.REDUCESCATTER)
            .op(ReduceOp.premulSum(0.5))
            .count(1025)
            .offset(3)
            .inPlace(true)
            .registered(false)
            .data(DataShape.INEXACT);

    @Test
    void aLineIsTheWholeCase() {
        assertEquals(CASE, TestCase.parse(CASE.line()));
    }

    @Test
    void aBadLineIsRefusedWithWhatIsWrong() {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class, () -> TestCase.parse(CASE.line().replace("world=5", "world=x")));
        assertTrue(String.valueOf(e.getMessage()).contains("\"x\""), e::getMessage);
        e = assertThrows(InvalidArgumentException.class, () -> TestCase.parse("rule=a"));
        assertTrue(String.valueOf(e.getMessage()).contains("mode"), e::getMessage);
    }

    @Test
    void exactSumsAreExactInEveryOrder() {
        for (DataType type : DataType.values()) {
            if (!type.isFloat()) {
                continue;
            }
            for (int world : new int[] {2, 7, 16}) {
                TestCase test = TestCase.of("-", Mode.THREADS, world, type, 3);
                CaseData data = new CaseData(test);
                ElementCodec codec = new ElementCodec(type);
                for (int i = 0; i < 200; i++) {
                    double magnitudes = 0;
                    for (int rank = 0; rank < world; rank++) {
                        double value = codec.decode(data.input(rank, i));
                        assertEquals(Math.rint(value), value);
                        magnitudes += Math.abs(value);
                    }
                    // Every partial sum is a whole number that the type holds.
                    assertTrue(magnitudes <= 1L << codec.precision(), type + ", " + world + " ranks: " + magnitudes);
                }
            }
        }
    }
}
