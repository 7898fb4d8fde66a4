package org.mscclj.device.kernels.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/** Gives access to the files of the device library, and inlines them into sources. */
public final class DeviceLibrary {
    private static final String FOLDER = "/org/mscclj/device/kernels/";
    private static final Pattern INCLUDE =
            Pattern.compile("^#include \"(mscclj/(?:arch/)?[a-z]+\\.cuh)\"$", Pattern.MULTILINE);

    private static final Pattern ONCE = Pattern.compile("^#pragma once\\n", Pattern.MULTILINE);
    private static final Pattern FILE = Pattern.compile("mscclj/(?:arch/)?[a-z]+\\.cuh");

    /** The file through which every other file with waits includes them. */
    static final String WAITING = "mscclj/spin.cuh";

    /** Every file that a kernel may include, by its include path. */
    public static final List<String> FILES = List.of(
            "mscclj/arch.cuh",
            "mscclj/arch/cuda.cuh",
            "mscclj/arch/hip.cuh",
            "mscclj/arch/hiplanguage.cuh",
            "mscclj/block.cuh",
            "mscclj/bookkeeping.cuh",
            "mscclj/clock.cuh",
            "mscclj/copy.cuh",
            "mscclj/element.cuh",
            "mscclj/elements.cuh",
            "mscclj/fifo.cuh",
            "mscclj/fused.cuh",
            "mscclj/fusedlines.cuh",
            "mscclj/fusedpackets.cuh",
            "mscclj/launch.cuh",
            "mscclj/memory.cuh",
            "mscclj/memorychannel.cuh",
            "mscclj/move.cuh",
            "mscclj/multicast.cuh",
            "mscclj/operator.cuh",
            "mscclj/packet.cuh",
            "mscclj/packetmove.cuh",
            "mscclj/plan.cuh",
            "mscclj/port.cuh",
            "mscclj/portchannel.cuh",
            "mscclj/reduce.cuh",
            "mscclj/run.cuh",
            "mscclj/scale.cuh",
            "mscclj/semaphore.cuh",
            "mscclj/signals.cuh",
            "mscclj/spin.cuh",
            "mscclj/syncer.cuh",
            "mscclj/trace.cuh",
            "mscclj/transfer.cuh",
            "mscclj/types.cuh",
            "mscclj/value.cuh",
            "mscclj/window.cuh");

    /** Parsed files by path: each preparation of a launch expands the source of its kernel. */
    private static final Map<String, List<Part>> CACHE = new ConcurrentHashMap<>();

    /**
     * A piece of a source.
     *
     * @param text text before the include
     * @param included the file that is included after it; empty for the last piece
     */
    private record Part(String text, Optional<String> included) {}

    private DeviceLibrary() {}

    /**
     * The text of a file.
     *
     * @param path one of {@link #FILES}
     * @throws InvalidArgumentException if there is no such file
     */
    public static String read(String path) {
        return find(path)
                .orElseThrow(() -> InvalidArgumentException.of("file of the device library", path, "one of " + FILES));
    }

    private static Optional<String> find(String path) {
        if (!FILE.matcher(path).matches()) {
            return Optional.empty();
        }
        try (InputStream in = DeviceLibrary.class.getResourceAsStream(FOLDER + path)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path + " of the device library", e);
        }
    }

    /**
     * Replaces the lines that include files of the library by these files, each once, for compilers without include
     * directories.
     */
    public static String expand(String source) {
        return expand(source, new LinkedHashSet<>());
    }

    /**
     * The text of a file with the files that it includes, each once, without those that are included already.
     *
     * @throws InvalidArgumentException if there is no such file
     */
    static String expandFile(String path, Set<String> included) {
        return expand(ONCE.matcher(read(path)).replaceFirst(""), included);
    }

    private static String expand(String source, Set<String> included) {
        StringBuilder text = new StringBuilder();
        expand(parts(source), included, text);
        return text.toString();
    }

    private static void expand(List<Part> parts, Set<String> included, StringBuilder text) {
        for (Part part : parts) {
            text.append(part.text());
            part.included()
                    .filter(included::add)
                    .ifPresent(path -> expand(CACHE.computeIfAbsent(path, DeviceLibrary::partsOfFile), included, text));
        }
    }

    private static List<Part> partsOfFile(String path) {
        return parts(ONCE.matcher(read(path)).replaceFirst(""));
    }

    private static List<Part> parts(String source) {
        List<Part> parts = new ArrayList<>();
        Matcher includes = INCLUDE.matcher(source);
        int start = 0;
        while (includes.find()) {
            parts.add(new Part(source.substring(start, includes.start()), Optional.of(includes.group(1))));
            start = includes.end();
        }
        parts.add(new Part(source.substring(start), Optional.empty()));
        return List.copyOf(parts);
    }
}
