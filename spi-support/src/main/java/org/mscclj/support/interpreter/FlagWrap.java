package org.mscclj.support.interpreter;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.support.memory.Memory;

/**
 * What a rank does when packet flags wrap, before the round of flag 1: it clears its packets, and passes a barrier of
 * ranks. Its own earlier rounds have ended, so that it waits for none of the packets that it clears; and no rank writes
 * new packets before its targets have cleared theirs.
 *
 * <p>The barrier spans the ranks whose counters are mapped, and those to which port channels lead. Double scratch needs
 * the barrier without packets too: the flags before and after the wrap are both odd, so that two rounds in succession
 * use one half.
 */
final class FlagWrap {
    private final ContextSpec spec;
    private final Memory memory;
    private long barriers;

    FlagWrap(ContextSpec spec, Memory memory) {
        this.spec = spec;
        this.memory = memory;
    }

    /** The actions before the round of flag 1 after a wrap. */
    Stream<Action> actions() {
        boolean packets = spec.plan().usesPackets();
        if (!packets && !spec.plan().doubleScratch()) {
            return Stream.of();
        }
        long barrier = ++barriers;
        long mapped = barrier * mappedPeers().count();
        long byPort = barrier * spec.arrivals().size();
        long counters = spec.counters().address();
        return Stream.of(
                        packets ? Stream.of(Action.of(this::clear)) : Stream.<Action>of(),
                        mappedPeers().mapToObj(rank -> Action.of(() -> memory.add(arrivalsOf(rank), 1))),
                        spec.arrivals().values().stream().flatMap(port -> Ports.request(port, Trigger.SIGNAL)),
                        Stream.of(Action.until(() -> memory.getAcquire(counters + ContextLayout.ARRIVALS) >= mapped
                                && memory.getAcquire(counters + ContextLayout.ARRIVALS_BY_PORT) >= byPort)))
                .flatMap(each -> each);
    }

    private IntStream mappedPeers() {
        return IntStream.range(0, spec.peers().size())
                .filter(rank ->
                        rank != spec.rank() && spec.peers().get(rank).counters().isPresent());
    }

    private long arrivalsOf(int rank) {
        return spec.peers().get(rank).counters().orElseThrow() + ContextLayout.ARRIVALS;
    }

    private void clear() {
        long end = spec.scratch().address() + spec.scratch().byteSize();
        for (long word = spec.scratch().address(); word < end; word += Long.BYTES) {
            memory.setRelease(word, 0);
        }
    }
}
