package org.mscclj.spi.library;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Searches for a native library: at the path of an environment variable, else on the loader's path, else in named
 * folders and in those of CUDA toolkits and Python packages. Immutable; nothing is read before {@link #candidates}.
 *
 * <p>A variable that is set decides: the library that it names is used, or none, so that a process never loads another
 * library than the requested one.
 */
public final class LibrarySearch {
    private final List<String> names;
    private final List<String> variables;
    private final List<Installation> installations;
    private final boolean byLoader;
    private final Surroundings surroundings;

    /**
     * Creates a search.
     *
     * @param byLoader whether the loader searches too
     */
    LibrarySearch(
            List<String> names,
            List<String> variables,
            List<Installation> installations,
            boolean byLoader,
            Surroundings surroundings) {
        this.names = List.copyOf(names);
        this.variables = List.copyOf(variables);
        this.installations = List.copyOf(installations);
        this.byLoader = byLoader;
        this.surroundings = surroundings;
    }

    /**
     * A search for a library on the loader's path.
     *
     * @param names the names of its file, the preferred one first, for example {@code libnvrtc.so.13}
     */
    public static LibrarySearch named(String... names) {
        return new LibrarySearch(List.of(names), List.of(), List.of(), true, Surroundings.ofProcess());
    }

    /** Adds environment variables to the search, the most important one first. Each names the file, or its folder. */
    public LibrarySearch variables(String... more) {
        return new LibrarySearch(names, joined(variables, more), installations, byLoader, surroundings);
    }

    /** Adds the installed CUDA toolkits to the search. */
    public LibrarySearch cudaToolkits() {
        return in(Installation.cudaToolkits());
    }

    /**
     * Adds Python's packages to the search.
     *
     * @param folders folders of the library within {@code site-packages}, for example {@code nvidia/nccl/lib}
     */
    public LibrarySearch pythonPackages(String... folders) {
        return in(Installation.pythonPackages(folders));
    }

    /**
     * Adds folders to the search.
     *
     * @param patterns folders, with {@code *} for any characters of a segment, for example {@code /usr/lib/*-linux-gnu}
     */
    public LibrarySearch folders(String... patterns) {
        return in(Installation.folders(patterns));
    }

    /** Searches in folders only: by a bare name, the loader may find another library that the process has loaded. */
    public LibrarySearch withoutLoader() {
        return new LibrarySearch(names, variables, installations, false, surroundings);
    }

    private LibrarySearch in(Installation more) {
        return new LibrarySearch(
                names,
                variables,
                Stream.concat(installations.stream(), Stream.of(more)).toList(),
                byLoader,
                surroundings);
    }

    /**
     * The candidates to open, in this order: absolute paths of files that exist, and bare names, which the loader
     * searches itself. If a variable is set, the only candidate is the path that it names, whether that exists or not.
     */
    public List<String> candidates() {
        Optional<String> named = variables.stream()
                .flatMap(variable -> surroundings.variable(variable).stream())
                .findFirst();
        if (named.isPresent()) {
            return inNamedPlace(Path.of(named.get()));
        }
        Set<String> found = new LinkedHashSet<>(byLoader ? names : List.of());
        installations.stream()
                .flatMap(installation -> installation.places().stream())
                .flatMap(place -> place.folders(surroundings).stream())
                .flatMap(folder -> names.stream().map(folder::resolve))
                .filter(Files::isRegularFile)
                .forEach(file -> found.add(file.toString()));
        return List.copyOf(found);
    }

    /** For a folder, the names that exist in it; if none exists, the first name, so that opening it fails. */
    private List<String> inNamedPlace(Path place) {
        if (!Files.isDirectory(place)) {
            return List.of(place.toAbsolutePath().toString());
        }
        List<String> files = names.stream()
                .map(place::resolve)
                .filter(Files::isRegularFile)
                .map(file -> file.toAbsolutePath().toString())
                .toList();
        return files.isEmpty()
                ? List.of(place.resolve(names.getFirst()).toAbsolutePath().toString())
                : files;
    }

    /**
     * The first candidate that can be opened.
     *
     * @param opener opens a candidate; empty if it cannot be
     */
    public <T> Optional<T> first(Function<String, Optional<T>> opener) {
        return candidates().stream()
                .flatMap(candidate -> opener.apply(candidate).stream())
                .findFirst();
    }

    /**
     * Describes the search and its places, for the message that the library was not found; begins with the name and
     * ends without a full stop.
     */
    public String notFound() {
        String what = String.join(" or ", names);
        for (String variable : variables) {
            Optional<String> value = surroundings.variable(variable);
            if (value.isPresent()) {
                return what + " cannot be loaded from where " + variable + " says, " + value.get()
                        + "; name the library's file or folder there, or unset the variable";
            }
        }
        List<String> looked = new ArrayList<>();
        if (byLoader) {
            looked.add("the loader's path");
        }
        installations.forEach(installation -> looked.add(installation.text()));
        return what + " not found (looked at " + String.join("; ", looked) + ")";
    }

    private static List<String> joined(List<String> first, String... more) {
        return Stream.concat(first.stream(), Arrays.stream(more)).toList();
    }
}
