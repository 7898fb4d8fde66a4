package org.mscclj.backend.rocm.code;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the parameters of kernels from a code object: an ELF file with a note {@code NT_AMDGPU_METADATA}, whose content
 * is a map in MessagePack. Source: LLVM's "User Guide for AMDGPU Backend", code objects of version 3 and newer.
 */
public final class CodeObject {
    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2, 1};
    private static final byte[] OWNER = "AMDGPU\0".getBytes(StandardCharsets.US_ASCII);

    /** {@code PT_NOTE}. */
    private static final int NOTE_SEGMENT = 4;

    /** {@code NT_AMDGPU_METADATA}. */
    private static final int METADATA = 32;

    /** Offsets in {@code Elf64_Ehdr} and {@code Elf64_Phdr}. */
    private static final int SEGMENTS = 32;

    private static final int SEGMENT_BYTES = 54;
    private static final int SEGMENT_COUNT = 56;
    private static final int OFFSET_IN_FILE = 8;
    private static final int BYTES_IN_FILE = 32;

    private CodeObject() {}

    /**
     * The parameters that a launch passes, of each kernel by its name. Empty if the code does not say it, or not in a
     * form that is known.
     */
    public static Map<String, List<Parameter>> parameters(byte[] code) {
        try {
            return metadata(code).map(CodeObject::kernels).orElse(Map.of());
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | IllegalArgumentException
                | ClassCastException _) {
            return Map.of();
        }
    }

    private static Optional<ByteBuffer> metadata(byte[] code) {
        if (code.length < MAGIC.length || !Arrays.equals(code, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return Optional.empty();
        }
        ByteBuffer file = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
        int segment = Math.toIntExact(file.getLong(SEGMENTS));
        for (int i = 0; i < file.getShort(SEGMENT_COUNT); i++, segment += file.getShort(SEGMENT_BYTES)) {
            if (file.getInt(segment) == NOTE_SEGMENT) {
                int start = Math.toIntExact(file.getLong(segment + OFFSET_IN_FILE));
                int bytes = Math.toIntExact(file.getLong(segment + BYTES_IN_FILE));
                Optional<ByteBuffer> found = note(file.slice(start, bytes).order(ByteOrder.LITTLE_ENDIAN));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<ByteBuffer> note(ByteBuffer notes) {
        while (notes.hasRemaining()) {
            int ownerBytes = notes.getInt();
            int contentBytes = notes.getInt();
            int type = notes.getInt();
            byte[] owner = new byte[ownerBytes];
            notes.get(owner).position(aligned(notes.position()));
            if (type == METADATA && Arrays.equals(owner, OWNER)) {
                return Optional.of(notes.slice(notes.position(), contentBytes));
            }
            notes.position(aligned(notes.position() + contentBytes));
        }
        return Optional.empty();
    }

    private static int aligned(int position) {
        return (position + 3) & ~3;
    }

    private static Map<String, List<Parameter>> kernels(ByteBuffer metadata) {
        Map<String, List<Parameter>> found = new HashMap<>();
        Map<?, ?> all = (Map<?, ?>) MessagePack.read(metadata);
        for (Object each : field(all, "amdhsa.kernels", List.class)) {
            Map<?, ?> kernel = (Map<?, ?>) each;
            found.put(field(kernel, ".name", String.class), arguments(kernel));
        }
        return Map.copyOf(found);
    }

    /** Without the arguments that HIP adds itself, which come last. */
    private static List<Parameter> arguments(Map<?, ?> kernel) {
        List<Parameter> parameters = new ArrayList<>();
        if (kernel.get(".args") instanceof List<?> arguments) {
            for (Object each : arguments) {
                Map<?, ?> argument = (Map<?, ?>) each;
                if (!field(argument, ".value_kind", String.class).startsWith("hidden_")) {
                    long offset = field(argument, ".offset", Long.class);
                    parameters.add(new Parameter(offset, field(argument, ".size", Long.class)));
                }
            }
        }
        return List.copyOf(parameters);
    }

    private static <T> T field(Map<?, ?> from, String name, Class<T> type) {
        Object value = from.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(name + " is " + value);
        }
        return type.cast(value);
    }
}
