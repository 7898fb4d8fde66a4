package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The offsets of fields in the device library's structures. */
public final class Structures {
    private static final Pattern FIELD = Pattern.compile(
            "^ +(?:const )?(uint64|uint32|uint16|double|BlockState|InboundSignals|PortRing|WindowRank)(\\*?) ([A-Za-z]+);",
            Pattern.MULTILINE);
    private static final Map<String, Long> SIZES =
            Map.of("uint16", 2L, "uint32", 4L, "InboundSignals", 32L, "PortRing", 48L);

    private Structures() {}

    /**
     * The offset of each field by the rules of C, for fields of 4 and 8 bytes and structures of these; and the size, as
     * {@code end}.
     */
    public static Map<String, Long> offsets(String file, String structure) {
        String text = DeviceLibrary.read(file);
        int start = text.indexOf("struct " + structure + " {");
        String body = text.substring(start, text.indexOf("};", start));
        Map<String, Long> offsets = new LinkedHashMap<>();
        long end = 0;
        Matcher field = FIELD.matcher(body);
        while (field.find()) {
            long size = field.group(2).isEmpty() ? SIZES.getOrDefault(field.group(1), 8L) : 8;
            long alignment = Math.min(size, 8);
            end = Math.ceilDiv(end, alignment) * alignment;
            offsets.put(field.group(3), end);
            end += size;
        }
        assertFalse(offsets.isEmpty(), "no fields of " + structure);
        offsets.put("end", Math.ceilDiv(end, 8) * 8);
        return offsets;
    }
}
