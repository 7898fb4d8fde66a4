package org.mscclj.backend.host.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.posix.PosixSupport;

class SharedFileTest {
    @TempDir
    Path directory;

    @BeforeEach
    void supportedHere() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    private SharedFile create(long bytes) {
        return SharedFile.create(bytes, SharedDirectory.of(directory));
    }

    @Test
    void mappingsOfOneFileShowTheSameZeroedMemory() {
        try (SharedFile file = create(10_000);
                SharedFile again = SharedFile.open(file.location())) {
            assertEquals(12_288, file.segment().byteSize(), "whole pages");
            assertEquals(-1, again.segment().mismatch(MemorySegment.ofArray(new byte[12_288])));
            file.segment().set(ValueLayout.JAVA_LONG, 8_192, 42);
            assertEquals(42, again.segment().get(ValueLayout.JAVA_LONG, 8_192));
        }
    }

    @Test
    void aMappingOutlivesItsOwner() {
        SharedFile file = create(1);
        try (SharedFile again = SharedFile.open(file.location())) {
            file.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
            file.close();
            assertEquals(7, again.segment().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void theFileHasNoName() throws IOException {
        try (SharedFile file = create(4_096);
                Stream<Path> entries = Files.list(directory)) {
            assertEquals(0, entries.count(), () -> "after " + file.location());
        }
    }

    @Test
    void tooLittleSpaceIsAnErrorThatSaysWhatToDo() {
        BackendException e = assertThrows(BackendException.class, () -> create(1L << 60));
        assertTrue(e.getMessage().contains(directory.toString()), e.getMessage());
        assertTrue(e.getMessage().contains(SharedDirectory.VARIABLE), e.getMessage());
    }

    @Test
    void aRefusalNamesTheSizeThatWasAskedFor() {
        long asked = (1L << 46) + 7;
        MemorySource source = MemorySource.shared(SharedDirectory.of(directory));
        for (int allocation = 0; allocation < 3; allocation++) { // each one has another lead
            BackendException e = assertThrows(BackendException.class, () -> HostAllocation.take(asked, source));
            assertTrue(e.getMessage().contains("no space for " + asked + " bytes"), e::getMessage);
        }
    }

    @Test
    void aMissingDirectoryIsAnErrorThatSaysWhatToDo() {
        SharedDirectory missing = SharedDirectory.of(directory.resolve("missing"));
        BackendException e = assertThrows(BackendException.class, () -> SharedFile.create(1, missing));
        assertEquals("ENOENT", e.symbol());
        assertEquals(2, e.code());
        assertTrue(e.getMessage().contains(SharedDirectory.VARIABLE), e.getMessage());
    }

    @Test
    void aFileThatWasFreedCannotBeMapped() {
        SharedFile file = create(1);
        file.close();
        assertThrows(MsccljException.class, () -> SharedFile.open(file.location()));
    }

    /** As with memory of one process; an access to what is not mapped would end this process. */
    @Test
    void accessAfterCloseThrows() {
        SharedFile file = create(1);
        MemorySegment memory = file.segment().asSlice(0, 8);
        file.close();
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    /** Accessing what lies behind the end of a file would end the process. */
    @Test
    void aFileThatIsSmallerThanDescribedIsRefused() {
        try (SharedFile file = create(1)) {
            SharedFile.Location location = file.location();
            SharedFile.Location larger = new SharedFile.Location(
                    location.process(), location.descriptor(), location.inode(), location.bytes() + 4_096);
            assertThrows(MsccljException.class, () -> SharedFile.open(larger));
        }
    }

    @Test
    void aRangeOutsideOfAPeersFileIsRefused() {
        PeerFiles files = new PeerFiles();
        try (SharedFile file = create(1)) {
            HostMemoryDescription outside = new HostMemoryDescription(1, 2, 3, 4_000, 200, Optional.empty());
            assertThrows(InvalidArgumentException.class, () -> files.map(outside, file.location()));
            HostMemoryDescription inside = new HostMemoryDescription(1, 2, 3, 4_000, 96, Optional.empty());
            files.map(inside, file.location()).close();
        }
    }

    @Test
    void anotherFileUnderTheSameNumberIsRefused() {
        SharedFile file = create(1);
        SharedFile.Location location = file.location();
        file.close();
        try (SharedFile other = create(1)) {
            SharedFile.Location confused = new SharedFile.Location(
                    location.process(), other.location().descriptor(), location.inode() + 1, location.bytes());
            assertThrows(MsccljException.class, () -> SharedFile.open(confused));
        }
    }
}
