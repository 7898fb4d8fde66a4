package org.mscclj.spi.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySearchTest {
    @TempDir
    private Path root;

    @Test
    void theLoaderComesFirstThenToolkitsThenPython() throws IOException {
        Path python = file("opt/torch/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libx.so.13");
        Path old = file("usr/local/cuda-12.6/lib64/libx.so.12");
        Path newer = file("usr/local/cuda-13.0/targets/x86_64-linux/lib/libx.so.13");
        assertEquals(
                List.of("libx.so.13", "libx.so.12", old.toString(), newer.toString(), python.toString()),
                search(Map.of()).candidates());
    }

    @Test
    void newerToolkitsComeFirstAndTheDefaultOneBeforeAll() throws IOException {
        Path old = file("usr/local/cuda-12.6/lib64/libx.so.12");
        Path newer = file("usr/local/cuda-13.0/lib64/libx.so.13");
        Path chosen = file("usr/local/cuda/lib64/libx.so.12");
        assertEquals(
                List.of("libx.so.13", "libx.so.12", chosen.toString(), newer.toString(), old.toString()),
                search(Map.of()).candidates());
    }

    @Test
    void theUsersFoldersAndVirtualEnvironmentsAreSearched() throws IOException {
        Path environment = file("venv/lib/python3.13/site-packages/nvidia/cu13/lib/libx.so.13");
        Path local = file("home/.local/lib/python3.12/site-packages/nvidia/cu13/lib/libx.so.13");
        Path debian = file("usr/lib/python3/dist-packages/nvidia/cu13/lib/libx.so.13");
        assertEquals(
                List.of("libx.so.13", "libx.so.12", environment.toString(), local.toString(), debian.toString()),
                search(Map.of("VIRTUAL_ENV", root.resolve("venv").toString())).candidates());
    }

    @Test
    void foldersMayBePatterns() throws IOException {
        Path file = file("opt/rocm-7.0/lib/libx.so.13");
        LibrarySearch search = new LibrarySearch(
                        List.of("libx.so.13"),
                        List.of(),
                        List.of(),
                        true,
                        new Surroundings(Map.of(), root, root.resolve("home")))
                .folders("/opt/rocm/lib", "/opt/rocm-*/lib");
        assertEquals(List.of("libx.so.13", file.toString()), search.candidates());
        assertTrue(search.notFound().contains("the loader's path; /opt/rocm/lib, /opt/rocm-*/lib"), search.notFound());
        assertEquals(List.of(file.toString()), search.withoutLoader().candidates());
        assertEquals(
                "libx.so.13 not found (looked at /opt/rocm/lib, /opt/rocm-*/lib)",
                search.withoutLoader().notFound());
    }

    @Test
    void aVariableDecidesWhetherItsFileExistsOrNot() throws IOException {
        file("usr/local/cuda/lib64/libx.so.13");
        Path missing = root.resolve("missing/libx.so.13");
        LibrarySearch search = search(Map.of("SECOND", "/elsewhere", "FIRST", missing.toString()));
        assertEquals(List.of(missing.toString()), search.candidates());
        assertTrue(
                search.notFound()
                        .startsWith("libx.so.13 or libx.so.12 cannot be loaded from where FIRST says, " + missing),
                search.notFound());
    }

    @Test
    void aVariableMayNameTheFolder() throws IOException {
        Path file = file("own/libx.so.12");
        assertEquals(
                List.of(file.toString()),
                search(Map.of("SECOND", file.getParent().toString())).candidates());
        Path empty = Files.createDirectories(root.resolve("empty"));
        assertEquals(
                List.of(empty.resolve("libx.so.13").toString()),
                search(Map.of("FIRST", empty.toString())).candidates());
    }

    @Test
    void aBlankVariableIsNotSet() {
        assertEquals(
                List.of("libx.so.13", "libx.so.12"),
                search(Map.of("FIRST", " ")).candidates());
    }

    @Test
    void theFirstThatOpensIsTaken() {
        assertEquals(
                Optional.of(10),
                search(Map.of())
                        .first(candidate ->
                                candidate.endsWith("12") ? Optional.of(candidate.length()) : Optional.empty()));
        assertEquals(Optional.empty(), search(Map.of()).first(_ -> Optional.empty()));
    }

    @Test
    void theMessageSaysWhereItLooked() {
        String message = search(Map.of()).notFound();
        assertEquals(
                "libx.so.13 or libx.so.12 not found (looked at the loader's path; the CUDA toolkits $CUDA_HOME,"
                        + " $CUDA_PATH,"
                        + " /usr/local/cuda, /usr/local/cuda-*, /opt/cuda; nvidia/cu13/lib of the Python packages below"
                        + " $VIRTUAL_ENV, $CONDA_PREFIX, ~/.local, /opt/*/.venv, /opt/*, /opt/.venv, /usr/local, /usr)",
                message);
    }

    private LibrarySearch search(Map<String, String> variables) {
        return new LibrarySearch(
                        List.of("libx.so.13", "libx.so.12"),
                        List.of(),
                        List.of(),
                        true,
                        new Surroundings(variables, root, root.resolve("home")))
                .variables("FIRST", "SECOND")
                .cudaToolkits()
                .pythonPackages("nvidia/cu13/lib");
    }

    private Path file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }
}
