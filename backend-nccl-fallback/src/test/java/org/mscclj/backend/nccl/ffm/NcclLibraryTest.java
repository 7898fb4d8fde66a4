package org.mscclj.backend.nccl.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.library.LibrarySearch;

class NcclLibraryTest {
    @Test
    void aMissingLibraryIsReportedWithThePackageToInstall() {
        String problem = load(LibrarySearch.named("libnosuchnccl.so.2").folders("/usr/lib64"))
                .problem()
                .orElseThrow();
        for (String part : List.of(
                "libnosuchnccl.so.2 not found",
                "/usr/lib64",
                "install NCCL 2.14.3 or later (Debian",
                "nvidia-nccl-cu13",
                "MSCCLJ_NCCL_LIB",
                "python")) {
            assertTrue(problem.contains(part), problem);
        }
    }

    /** For example because CUDA's runtime is missing. */
    @Test
    void aFileThatTheLoaderRefusesIsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("libbrokennccl.so.2"), "no library");
        String problem = load(LibrarySearch.named("libbrokennccl.so.2").folders(folder.toString()))
                .problem()
                .orElseThrow();
        assertTrue(problem.contains("the loader refuses " + file + " (ldd shows"), problem);
    }

    private static NcclLibrary load(LibrarySearch... searches) {
        return NcclLibrary.load(new NcclSearch(Product.NCCL, List.of(searches)));
    }

    @Test
    void aLibraryWithoutTheFunctionsIsReportedByItsFirstMissingOne() {
        String problem = load(LibrarySearch.named("libc.so.6")).problem().orElseThrow();
        assertTrue(problem.startsWith("libc.so.6 has no ncclGetVersion"), problem);
    }

    @Test
    void theVariableSelectsTheLibrary() {
        NcclLibrary library = StandIn.require().library();
        assertEquals(Optional.empty(), library.problem());
        assertEquals(System.getenv("MSCCLJ_NCCL_LIB"), library.path());
        assertEquals(NcclVersion.of(2, 27, 5), library.version());
        assertEquals(Product.NCCL, library.product());
        assertTrue(library.has(NcclFunction.MEM_ALLOC));
        assertTrue(library.has(NcclFunction.COMM_WINDOW_REGISTER));
        List<String> candidates =
                NcclSearch.requested(Product.NCCL, "").candidates().toList();
        assertEquals(List.of(library.path()), candidates, "the variable decides");
    }

    @Test
    void pythonsCopyIsSearchedOnRequestOnlyAndNeverByABareName() {
        NcclSearch python = NcclSearch.requested(Product.NCCL, " python ");
        assertTrue(python.candidates().noneMatch(NcclSearch::isBare));
        assertTrue(
                python.notFound()
                        .startsWith("libnccl.so.2 not found (looked at nvidia/nccl/lib of the Python packages"),
                python.notFound());
    }

    @Test
    void aLibraryOfAnotherVendorIsRecognised() {
        NcclLibrary library = StandIn.variant("rccl", StandIn.RCCL).library();
        assertEquals(Product.RCCL, library.product());
        assertEquals(Optional.empty(), library.problem());
    }

    @Test
    void aLibraryForTheOtherVendorIsNeverUsed() {
        String rccl = StandIn.file("rccl", StandIn.RCCL).toString();
        String problem = load(LibrarySearch.named(rccl)).problem().orElseThrow();
        assertTrue(problem.startsWith(rccl + " is RCCL, which works on GPUs of AMD only; install NCCL 2."), problem);
        String other =
                NcclLibrary.load(NcclSearch.ofProcess(Product.RCCL)).problem().orElseThrow();
        assertTrue(
                other.startsWith(StandIn.require().library().path()
                        + " is NCCL, which works on GPUs of NVIDIA only; install RCCL 2."),
                other);
    }

    @Test
    void pythonsCopyOfRcclIsThatOfPyTorch() {
        NcclSearch python = NcclSearch.requested(Product.RCCL, "python");
        assertTrue(python.candidates().noneMatch(NcclSearch::isBare));
        assertTrue(
                python.notFound()
                        .startsWith("librccl.so.1 or librccl.so not found (looked at torch/lib of the Python packages"),
                python.notFound());
    }

    /** The loader finds a library that the process has loaded by its name, whatever its path is. */
    @Test
    @SuppressWarnings("restricted") // loads a library
    void aLibraryThatStandsInForNcclIsNeverUsed() {
        String name = "libncclofatest.so.2";
        Path file = StandIn.file("stands-in", "-DSTANDS_IN", "-Wl,-soname," + name);
        SymbolLookup.libraryLookup(file, Arena.global());
        String problem = load(LibrarySearch.named(name)).problem().orElseThrow();
        assertTrue(problem.contains("in this process " + name + " names a library that stands in for NCCL"), problem);
        NcclLibrary behind = load(
                LibrarySearch.named(name),
                LibrarySearch.named(StandIn.require().library().path()));
        assertEquals(Optional.empty(), behind.problem(), "the search goes on");
        String named = load(LibrarySearch.named(file.toString())).problem().orElseThrow();
        assertTrue(named.startsWith(file + " stands in for NCCL, and is not NCCL itself; install NCCL 2."), named);
        String nccl = StandIn.require().library().path();
        assertEquals(
                nccl,
                load(LibrarySearch.named(file.toString()), LibrarySearch.named(nccl))
                        .path(),
                "the search goes on behind a path, too");
    }

    /** A file of that name that is something else does not hide NCCL, and is named if there is no other. */
    @Test
    void theSearchGoesOnBehindWhatLacksAFunctionOrIsOfAnotherVendor() {
        String rccl = StandIn.file("rccl", StandIn.RCCL).toString();
        String nccl = StandIn.require().library().path();
        NcclLibrary found =
                load(LibrarySearch.named("libc.so.6"), LibrarySearch.named(rccl), LibrarySearch.named(nccl));
        assertEquals(Optional.empty(), found.problem());
        assertEquals(nccl, found.path());
        String problem = load(LibrarySearch.named("libc.so.6"), LibrarySearch.named(rccl))
                .problem()
                .orElseThrow();
        assertTrue(
                problem.startsWith("libc.so.6 has no ncclGetVersion; " + rccl
                        + " is RCCL, which works on GPUs of AMD only; install NCCL 2."),
                problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NCCL_NVLS_ENABLE", "NCCL_RUNTIME_CONNECT"})
    void multicastAndLateConnectionsAreOffUnlessTheEnvironmentTurnsThemOn(String variable) {
        StandIn standIn = StandIn.require();
        assertEquals(Optional.empty(), standIn.library().problem());
        String given = System.getenv(variable);
        assertEquals(given == null ? "0" : given, standIn.environment(variable));
    }

    @Test
    void theUniqueIdIsPassedByValueAndWhole() {
        NcclCommunicators communicators = StandIn.require().nccl().communicators();
        byte[] id = communicators.uniqueId();
        assertEquals(NcclCommunicators.UNIQUE_ID_BYTES, id.length);
        communicators.destroy(communicators.initRank(1, id, 0));
        for (int i = 0; i < id.length; i++) {
            byte[] other = id.clone();
            other[i]++;
            BackendException refused =
                    assertThrows(BackendException.class, () -> communicators.initRank(1, other, 0), "byte " + i);
            assertEquals(
                    "ncclCommInitRank failed: invalid argument: the unique id is nobody's (ncclInvalidArgument, code 4)",
                    refused.getMessage());
            assertEquals("ncclInvalidArgument", refused.symbol());
            assertEquals(4, refused.code());
        }
    }

    @Test
    void versionsAreReadAsTheyArePrinted() {
        assertEquals("2.27.5", new NcclVersion(22705).toString());
        assertEquals("2.8.3", new NcclVersion(2803).toString());
        assertTrue(NcclVersion.of(2, 24, 3).isAtLeast(new NcclVersion(2803)));
        assertFalse(new NcclVersion(2803).isAtLeast(NcclVersion.OLDEST));
    }
}
