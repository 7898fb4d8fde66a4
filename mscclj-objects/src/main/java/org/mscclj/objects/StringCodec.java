package org.mscclj.objects;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.mscclj.api.error.InvalidArgumentException;

/** Codec of strings as UTF-8. New coders report malformed input. */
final class StringCodec implements ObjectCodec<String> {
    static final StringCodec INSTANCE = new StringCodec();

    private StringCodec() {}

    @Override
    public byte[] encode(String object) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(object));
            byte[] encoded = new byte[bytes.remaining()];
            bytes.get(encoded);
            return encoded;
        } catch (CharacterCodingException e) {
            throw new InvalidArgumentException(
                    "a string of " + object.length() + " characters has half a surrogate pair, which UTF-8 cannot hold",
                    e);
        }
    }

    @Override
    public String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidArgumentException(
                    bytes.length + " bytes are no UTF-8; do all ranks use the same codec?", e);
        }
    }
}
