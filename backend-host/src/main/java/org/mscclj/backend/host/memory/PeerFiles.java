package org.mscclj.backend.host.memory;

import java.util.HashMap;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.memory.MemoryMapping;

/**
 * The files of other processes that are mapped here, each once for any number of uses. Safe for use by several threads.
 */
final class PeerFiles {
    /** The identity of a file, which is unique also when process numbers are reused. */
    private record Key(long process, long allocation) {}

    private static final class Use {
        final SharedFile file;
        int users;

        Use(SharedFile file) {
            this.file = file;
        }
    }

    private final Map<Key, Use> uses = new HashMap<>();

    /** Maps memory of another process. */
    synchronized MappedMemory map(HostMemoryDescription described, SharedFile.Location location) {
        Key key = new Key(described.process(), described.allocation());
        Use use = uses.get(key);
        if (use == null) {
            use = new Use(SharedFile.open(location));
            uses.put(key, use);
        }
        use.users++;
        try {
            long address = use.file
                    .segment()
                    .asSlice(described.offset(), described.bytes())
                    .address();
            return new MemoryMapping(address, described.bytes(), () -> unmap(key));
        } catch (IndexOutOfBoundsException e) {
            unmap(key);
            throw new InvalidArgumentException(
                    "memory that a peer described is " + described.bytes() + " bytes from offset " + described.offset()
                            + "; allowed: a range inside its file of " + location.bytes() + " bytes",
                    e);
        }
    }

    private synchronized void unmap(Key key) {
        Use use = uses.get(key);
        if (use != null && --use.users == 0) {
            uses.remove(key);
            use.file.close();
        }
    }
}
