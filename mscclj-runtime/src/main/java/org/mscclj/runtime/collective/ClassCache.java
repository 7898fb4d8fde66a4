package org.mscclj.runtime.collective;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.execution.context.KindContext;

/**
 * What was set up, by class of calls. The most recently used classes stay. Which classes these are depends only on the
 * calls, so that all ranks hit or miss alike. For that reason an entry also stays when its buffers are closed on this
 * rank, because other ranks may close theirs later.
 */
final class ClassCache {
    private final int max;
    private final Predicate<Set<KindContext>> areTooMany;
    private final Map<CallClass, SizedLaunches> classes = new HashMap<>();
    private long uses;

    /**
     * Creates an empty cache.
     *
     * @param max the greatest number of classes
     * @param areTooMany returns whether the contexts of all classes exceed a limit; the class that was put last stays
     *     in any case
     */
    ClassCache(int max, Predicate<Set<KindContext>> areTooMany) {
        this.max = max;
        this.areTooMany = areTooMany;
    }

    /** Returns what was set up for a class, which counts as a use; null if nothing was. */
    @Nullable
    SizedLaunches get(CallClass of) {
        SizedLaunches known = classes.get(of);
        if (known != null) {
            use(known);
        }
        return known;
    }

    /** Counts a use of a class of this cache. */
    void use(SizedLaunches of) {
        of.used(++uses);
    }

    /** Adds what was set up for an algorithm of a class, which counts as a use. */
    void put(CallClass of, long step, CachedLaunch launch) {
        SizedLaunches sizes = classes.computeIfAbsent(of, _ -> new SizedLaunches());
        use(sizes);
        sizes.put(step, launch);
        while (classes.size() > max || (classes.size() > 1 && areTooMany.test(contexts()))) {
            classes.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().lastUse()))
                    .ifPresent(eldest -> {
                        classes.remove(eldest.getKey());
                        eldest.getValue().retire();
                    });
        }
    }

    /** Removes the classes that use some contexts. */
    void forget(Set<? extends KindContext> ended) {
        classes.values().removeIf(sizes -> {
            boolean outdated = sizes.all().stream()
                    .anyMatch(launch ->
                            launch.kindContext().filter(ended::contains).isPresent());
            if (outdated) {
                sizes.retire();
            }
            return outdated;
        });
    }

    /** Returns the contexts in which the kept launches run. */
    Set<KindContext> contexts() {
        return classes.values().stream()
                .flatMap(sizes -> sizes.all().stream())
                .flatMap(launch -> launch.kindContext().stream())
                .collect(Collectors.toSet());
    }
}
