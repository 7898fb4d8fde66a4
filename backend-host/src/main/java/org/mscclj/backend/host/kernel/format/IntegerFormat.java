package org.mscclj.backend.host.kernel.format;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.posix.NativeMemory;

/** An integer element in memory, widened to a long by its sign or by zeros, narrowed by wrapping. */
public abstract sealed class IntegerFormat {
    public abstract long load(long address);

    public abstract void store(long address, long value);

    public static IntegerFormat of(DataType type) {
        boolean signed = type.family() == Family.SIGNED;
        return switch (type.byteSize()) {
            case Byte.BYTES -> signed ? new Int8() : new Uint8();
            case Short.BYTES -> signed ? new Int16() : new Uint16();
            case Integer.BYTES -> signed ? new Int32() : new Uint32();
            default -> new Int64();
        };
    }

    private static final class Int8 extends IntegerFormat {
        @Override
        public long load(long address) {
            return NativeMemory.getByte(address);
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setByte(address, (byte) value);
        }
    }

    private static final class Uint8 extends IntegerFormat {
        @Override
        public long load(long address) {
            return Byte.toUnsignedLong(NativeMemory.getByte(address));
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setByte(address, (byte) value);
        }
    }

    private static final class Int16 extends IntegerFormat {
        @Override
        public long load(long address) {
            return NativeMemory.getShort(address);
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setShort(address, (short) value);
        }
    }

    private static final class Uint16 extends IntegerFormat {
        @Override
        public long load(long address) {
            return Short.toUnsignedLong(NativeMemory.getShort(address));
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setShort(address, (short) value);
        }
    }

    private static final class Int32 extends IntegerFormat {
        @Override
        public long load(long address) {
            return NativeMemory.getInt(address);
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setInt(address, (int) value);
        }
    }

    private static final class Uint32 extends IntegerFormat {
        @Override
        public long load(long address) {
            return Integer.toUnsignedLong(NativeMemory.getInt(address));
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setInt(address, (int) value);
        }
    }

    /** Signed or unsigned: at full width only the operator distinguishes them. */
    private static final class Int64 extends IntegerFormat {
        @Override
        public long load(long address) {
            return NativeMemory.getLong(address);
        }

        @Override
        public void store(long address, long value) {
            NativeMemory.setLong(address, value);
        }
    }
}
