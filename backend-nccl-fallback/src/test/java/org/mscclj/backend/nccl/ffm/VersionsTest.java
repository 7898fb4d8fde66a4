package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.UnsupportedException;

/** The functions and structures of each version in which NCCL has changed them. */
class VersionsTest {
    private static final NcclVersion CONFIG_SINCE = NcclFunction.COMM_INIT_RANK_CONFIG.since();

    @ParameterizedTest
    @ValueSource(ints = {21003, 21104, 21304, 21403, 21701, 21801, 21903, 22602, 22705, 22807, 22902, 23004, 23007})
    void aMissingFunctionNamesTheVersionToInstall(int code) {
        StandIn standIn = StandIn.version(new NcclVersion(code));
        NcclLibrary library = standIn.library();
        assertEquals(Optional.empty(), library.problem());
        assertEquals(code, library.version().code());
        for (NcclFunction function : NcclFunction.values()) {
            String expected = library.version().isAtLeast(function.since())
                    ? ""
                    : function.symbol() + " needs NCCL \u2265 " + function.since() + ", found " + library.version()
                            + "; install a later one";
            assertEquals(expected, library.refusal(function).orElse(""));
        }
        if (!library.has(NcclFunction.MEM_ALLOC)) {
            String text = assertThrows(
                            UnsupportedException.class,
                            () -> standIn.nccl().registration().memAlloc(1))
                    .getMessage();
            assertEquals(library.refusal(NcclFunction.MEM_ALLOC).orElseThrow(), text);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {21403, 21701, 21801, 21903, 22602, 22705, 22807, 22902, 23004, 23007})
    void theConfigurationIsThatOfTheHeader(int code) {
        NcclVersion version = new NcclVersion(code);
        StandIn standIn = StandIn.version(version);
        StructLayout layout = NcclConfig.layout(version);
        assertEquals(standIn.config(""), layout.byteSize());
        layout.memberLayouts().stream()
                .flatMap(member -> member.name().stream())
                .forEach(field ->
                        assertEquals(standIn.config(field), layout.byteOffset(PathElement.groupElement(field)), field));
        assertEquals(
                layout.byteSize() / Integer.BYTES,
                layout.memberLayouts().stream()
                        .mapToLong(MemoryLayout::byteSize)
                        .map(bytes -> bytes / Integer.BYTES)
                        .sum());
    }

    /** The stand-in compares every byte of the configuration with that of its own version. */
    @ParameterizedTest
    @ValueSource(ints = {21403, 21701, 21801, 21903, 22602, 22705, 22807, 22902, 23004, 23007})
    void aCommunicatorWithAConfigurationOpens(int code) {
        StandIn standIn = StandIn.version(new NcclVersion(code));
        NcclCommunicators communicators = standIn.nccl().communicators();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment created = arena.allocate(JAVA_LONG);
            assertEquals(
                    NcclResult.IN_PROGRESS,
                    communicators.initRankWithoutWaiting(1, communicators.uniqueId(), 0, created));
            long communicator = created.get(JAVA_LONG, 0);
            MemorySegment state = arena.allocate(JAVA_INT);
            do {
                assertEquals(NcclResult.SUCCESS, communicators.asyncError(communicator, state));
            } while (state.get(JAVA_INT, 0) == NcclResult.IN_PROGRESS);
            assertEquals(NcclResult.SUCCESS, state.get(JAVA_INT, 0));
            assertEquals(0, communicators.rank(communicator));
            assertEquals(1, communicators.size(communicator));
            assertEquals(NcclResult.SUCCESS, communicators.destroy(communicator));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {23104, 24000})
    void aLaterVersionGetsTheLastKnownConfiguration(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = NcclConfig.allocate(arena, new NcclVersion(code), true);
            assertEquals(96, config.byteSize());
            assertEquals(96, config.get(JAVA_LONG, 0));
            assertEquals(23099, config.get(JAVA_INT, 12));
        }
        assertEquals(NcclVersion.of(2, 14, 3), CONFIG_SINCE);
    }
}
