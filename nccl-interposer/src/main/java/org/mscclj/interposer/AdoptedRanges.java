package org.mscclj.interposer;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Buffers for memory of the program. Programs pass few ranges again and again, so the last ones are kept: to adopt a
 * range takes several calls of the driver. Memory that the program has freed and allocated anew may have an old buffer,
 * which is as good, since a buffer is only an address here.
 */
final class AdoptedRanges implements NcclTypes.ForeignMemory {
    private static final int KEPT = 1024;

    private final Device device;
    private final Map<Range, DeviceBuffer> kept = new LinkedHashMap<>(KEPT * 2, 0.75f, true);

    /** Buffers that operations in flight or graphs may still use. */
    private final ArrayDeque<DeviceBuffer> replaced = new ArrayDeque<>();

    private record Range(long address, long bytes) {}

    AdoptedRanges(Device device) {
        this.device = device;
    }

    @Override
    public DeviceBuffer buffer(long address, long bytes) {
        Range range = new Range(address, bytes);
        DeviceBuffer known = kept.get(range);
        if (known == null) {
            known = device.adoptMemory(address, bytes);
            kept.put(range, known);
            if (kept.size() > KEPT) {
                replaceEldest();
            }
        }
        return known;
    }

    private void replaceEldest() {
        Iterator<DeviceBuffer> eldest = kept.values().iterator();
        replaced.add(eldest.next());
        eldest.remove();
        int tries = 2;
        while (tries > 0 && !replaced.isEmpty()) {
            DeviceBuffer next = replaced.remove();
            if (!closes(next)) {
                replaced.add(next);
            }
            tries--;
        }
    }

    /** Closes a buffer; false if it is in use. */
    static boolean closes(DeviceBuffer buffer) {
        try {
            buffer.close();
            return true;
        } catch (InvalidArgumentException _) {
            return false;
        }
    }

    /** Closes what can be closed; graphs keep the rest. */
    void close() {
        kept.values().forEach(AdoptedRanges::closes);
        kept.clear();
        replaced.forEach(AdoptedRanges::closes);
        replaced.clear();
    }
}
