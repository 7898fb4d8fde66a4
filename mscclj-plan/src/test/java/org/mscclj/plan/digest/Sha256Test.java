package org.mscclj.plan.digest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Sha256Test {
    /** The examples of FIPS 180-4. */
    @ParameterizedTest
    @CsvSource({
        "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq,"
                + " 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    })
    void knownDigests(String text, String digest) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        assertEquals(digest, Sha256.of(text));
        assertEquals(digest, Sha256.of(data));
        assertEquals(digest.substring(0, 16), Sha256.shortOf(text));
        assertArrayEquals(HexFormat.of().parseHex(digest), Sha256.bytes(text));
        assertArrayEquals(HexFormat.of().parseHex(digest), Sha256.bytes(data));
        assertEquals(Sha256.BYTES, Sha256.bytes(data).length);
    }

    @Test
    void textsAreUtf8() {
        assertEquals(Sha256.of(new byte[] {(byte) 0xC3, (byte) 0xA4}), Sha256.of("ä"));
    }

    @Test
    void partsAreDelimited() {
        assertEquals(Sha256.of("1:a2:bc"), Sha256.ofParts("a", "bc"));
        assertNotEquals(Sha256.ofParts("ab", "c"), Sha256.ofParts("a", "bc"));
        assertNotEquals(Sha256.ofParts("abc"), Sha256.ofParts("abc", ""));
    }
}
