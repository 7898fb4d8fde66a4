package org.mscclj.cli.debug;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what {@link Pickle} writes, by the definition of the format. */
final class Unpickled {
    private static final Object MARK = new Object();

    private final ByteBuffer bytes;
    private final Deque<Object> stack = new ArrayDeque<>();

    private Unpickled(byte[] pickle) {
        this.bytes = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    }

    static Object of(byte[] pickle) {
        return new Unpickled(pickle).read();
    }

    private Object read() {
        require(next() == 0x80 && next() == 2, "protocol 2");
        while (true) {
            int code = next();
            switch (code) {
                case '.' -> {
                    require(!bytes.hasRemaining() && stack.size() == 1, "one value");
                    return stack.pop();
                }
                case '(' -> stack.push(MARK);
                case '}' -> stack.push(new LinkedHashMap<>());
                case ']' -> stack.push(new ArrayList<>());
                case 'u' -> {
                    List<Object> held = marked();
                    @SuppressWarnings("unchecked")
                    Map<Object, Object> map = (Map<Object, Object>) stack.element();
                    for (int i = 0; i < held.size(); i += 2) {
                        map.put(held.get(i), held.get(i + 1));
                    }
                }
                case 'e' -> {
                    List<Object> held = marked();
                    @SuppressWarnings("unchecked")
                    List<Object> list = (List<Object>) stack.element();
                    list.addAll(held);
                }
                case 0x86 -> {
                    Object second = stack.pop();
                    stack.push(new Pickle.Pair(stack.pop(), second));
                }
                case 'X' -> stack.push(new String(take(bytes.getInt()), StandardCharsets.UTF_8));
                case 0x8a -> stack.push(integer(take(next())));
                case 0x88 -> stack.push(true);
                case 0x89 -> stack.push(false);
                case 'N' -> stack.push(Optional.empty());
                default -> throw new IllegalStateException("code " + code);
            }
        }
    }

    private List<Object> marked() {
        Deque<Object> held = new ArrayDeque<>();
        for (Object value = stack.pop(); value != MARK; value = stack.pop()) {
            held.push(value);
        }
        return new ArrayList<>(held);
    }

    private static long integer(byte[] littleEndian) {
        byte[] bigEndian = new byte[littleEndian.length];
        for (int i = 0; i < bigEndian.length; i++) {
            bigEndian[i] = littleEndian[bigEndian.length - 1 - i];
        }
        return new BigInteger(bigEndian).longValueExact();
    }

    private byte[] take(int size) {
        byte[] taken = new byte[size];
        bytes.get(taken);
        return taken;
    }

    private int next() {
        return Byte.toUnsignedInt(bytes.get());
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("this is not " + what);
        }
    }
}
