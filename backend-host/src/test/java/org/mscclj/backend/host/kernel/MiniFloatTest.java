package org.mscclj.backend.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.type.DataType;
import org.mscclj.support.arithmetic.MiniFloat;

class MiniFloatTest {
    @Test
    void agreesWithTheJdkOnEveryFloat16() {
        for (int encoding = 0; encoding < 1 << 15; encoding++) {
            float value = Float.float16ToFloat((short) encoding);
            assertEquals(value, MiniFloat.FLOAT16.decode(encoding));
            if (!Float.isNaN(value)) {
                assertEquals(encoding, MiniFloat.FLOAT16.encode(value));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"FLOAT16", "FLOAT8_E4M3", "FLOAT8_E5M2"})
    void roundsLikeTheTableNextToEveryNumberAndEveryTie(DataType type) {
        MiniFloat layout = layout(type);
        for (int encoding = 0; encoding < layout.firstSpecial(); encoding++) {
            float value = layout.decode(encoding);
            float next = (float)
                    (Reference.decode(type, encoding) + (encoding == 0 ? value : value - layout.decode(encoding - 1)));
            float middle = value / 2 + next / 2;
            for (float f : new float[] {
                value, Math.nextDown(value), Math.nextUp(value), middle, Math.nextUp(middle), Math.nextDown(middle)
            }) {
                float magnitude = Math.abs(f);
                assertEquals(
                        Reference.encode(type, magnitude), layout.encode(magnitude), () -> type + " of " + magnitude);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT8_E4M3, 448, 0x7e",
        "FLOAT8_E4M3, 449, 0x7e",
        "FLOAT8_E4M3, 3e38, 0x7e",
        "FLOAT8_E4M3, Infinity, 0x7e",
        "FLOAT8_E4M3, NaN, 0x7f",
        "FLOAT8_E4M3, 0.015625, 0x08",
        "FLOAT8_E4M3, 0.001953125, 0x01",
        "FLOAT8_E4M3, 0.0009765625, 0x00",
        "FLOAT8_E5M2, 57344, 0x7b",
        "FLOAT8_E5M2, 65536, 0x7b",
        "FLOAT8_E5M2, Infinity, 0x7b",
        "FLOAT8_E5M2, NaN, 0x7f",
        "FLOAT8_E5M2, 1, 0x3c",
        "FLOAT16, 65504, 0x7bff",
        "FLOAT16, 65519, 0x7bff",
        "FLOAT16, 65520, 0x7c00",
        "FLOAT16, Infinity, 0x7c00",
        "FLOAT16, 1e-45, 0x0000",
    })
    void knowsItsLimits(DataType type, float value, String encoding) {
        assertEquals(Integer.decode(encoding), layout(type).encode(value));
        assertEquals(Integer.decode(encoding), (int) Reference.encode(type, value));
    }

    private static MiniFloat layout(DataType type) {
        return switch (type) {
            case FLOAT16 -> MiniFloat.FLOAT16;
            case FLOAT8_E4M3 -> MiniFloat.E4M3;
            default -> MiniFloat.E5M2;
        };
    }
}
