package org.mscclj.backend.rocm.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code HipRtcCompilerTest} reads code of a compiler. */
class CodeObjectTest {
    private static Object read(int... bytes) {
        ByteBuffer from = ByteBuffer.allocate(bytes.length);
        for (int each : bytes) {
            from.put((byte) each);
        }
        return MessagePack.read(from.flip());
    }

    @Test
    void otherContentHasNoParameters() {
        assertEquals(Map.of(), CodeObject.parameters(new byte[0]));
        assertEquals(Map.of(), CodeObject.parameters("no code at all".getBytes(StandardCharsets.US_ASCII)));
        byte[] header = new byte[64];
        byte[] magic = {0x7f, 'E', 'L', 'F', 2, 1};
        System.arraycopy(magic, 0, header, 0, magic.length);
        assertEquals(Map.of(), CodeObject.parameters(header), "without segments");
        header[56] = 1;
        header[32] = 127;
        assertEquals(Map.of(), CodeObject.parameters(header), "with a segment behind the end");
    }

    @Test
    void values() {
        assertEquals(5L, read(5));
        assertEquals(-1L, read(0xff));
        assertEquals(200L, read(0xcc, 200));
        assertEquals(0x1234L, read(0xcd, 0x12, 0x34));
        assertEquals(0xfffffffeL, read(0xce, 0xff, 0xff, 0xff, 0xfe));
        assertEquals(-2L, read(0xd0, 0xfe));
        assertEquals(true, read(0xc3));
        assertEquals(false, read(0xc2));
        assertEquals("ab", read(0xa2, 'a', 'b'));
        assertEquals("ab", read(0xd9, 2, 'a', 'b'));
        assertEquals(List.of(1L, "a"), read(0x92, 1, 0xa1, 'a'));
        assertEquals(List.of(1L), read(0xdc, 0, 1, 1));
        assertEquals(Map.of("a", 1L), read(0x81, 0xa1, 'a', 1));
        assertEquals(Map.of("a", List.of()), read(0xde, 0, 1, 0xa1, 'a', 0x90));
    }

    @Test
    void aValueOfAnotherKindIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> read(0xc1));
    }
}
