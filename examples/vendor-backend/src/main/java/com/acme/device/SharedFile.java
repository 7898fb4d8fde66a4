package com.acme.device;

import static java.nio.file.StandardOpenOption.*;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.UUID;
import org.mscclj.api.error.BackendException;

/**
 * A part of a file that is mapped into this process.
 *
 * @param path the file
 * @param arena owns the mapping
 * @param segment the mapped memory
 */
record SharedFile(Path path, Arena arena, MemorySegment segment) {
    /** Creates a file of zeros. */
    static SharedFile create(long bytes) {
        Path path = ProcessFolder.OWN.resolve(UUID.randomUUID().toString());
        try {
            long free = Files.getFileStore(ProcessFolder.OWN).getUsableSpace();
            if (bytes > free) {
                throw new IOException(free + " bytes are free");
            }
            return map(path, 0, bytes, CREATE_NEW, READ, WRITE);
        } catch (IOException e) {
            String problem = "acme cannot allocate " + bytes + " bytes in " + path + ": " + e.getMessage();
            throw new BackendException(problem + "; free buffers", e);
        }
    }

    /** Maps a part of a file of another process, which stays valid when the file is deleted. */
    static SharedFile open(Path path, long offset, long bytes) {
        try {
            return map(path, offset, bytes, READ, WRITE);
        } catch (IOException e) {
            throw new BackendException("acme cannot map " + path + ", since its owner may have ended; start again", e);
        }
    }

    private static SharedFile map(Path path, long offset, long bytes, OpenOption... options) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, options)) {
            MemorySegment segment = channel.map(MapMode.READ_WRITE, offset, Math.max(1, bytes), arena);
            return new SharedFile(path, arena, segment.asSlice(0, bytes));
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    void unmap() {
        arena.close();
    }

    void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new BackendException("acme cannot delete " + path + "; delete it", e);
        }
    }
}
