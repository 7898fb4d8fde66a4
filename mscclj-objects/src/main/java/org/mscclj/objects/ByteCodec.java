package org.mscclj.objects;

/** Codec of byte arrays. */
final class ByteCodec implements ObjectCodec<byte[]> {
    static final ByteCodec INSTANCE = new ByteCodec();

    private ByteCodec() {}

    @Override
    public byte[] encode(byte[] object) {
        return object.clone();
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }
}
