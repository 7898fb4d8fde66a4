package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.engine.AbortFlag;

class MessageTest {
    private static final int RANKS = 5;

    /** The content of a message. */
    private record Number(int value) {
        static Number decode(byte[] bytes) {
            return Wire.decode(bytes, in -> new Number(in.readInt()));
        }
    }

    @Test
    void aMessageIsDecodedOnce() {
        AtomicInteger decodings = new AtomicInteger();
        Message message = new Message(Wire.encode(out -> out.writeInt(7)));
        Number first = message.content(Number.class, bytes -> {
            decodings.incrementAndGet();
            return Number.decode(bytes);
        });
        assertEquals(7, first.value());
        assertSame(first, message.content(Number.class, _ -> new Number(-1)));
        assertEquals(1, decodings.get());
    }

    @Test
    void aFailureIsNotKept() {
        Message message = new Message(new byte[3]);
        BackendException failure =
                assertThrows(BackendException.class, () -> message.content(Number.class, Number::decode));
        assertEquals(
                "of rank 1: " + failure.getMessage(),
                assertThrows(
                                BackendException.class,
                                () -> Wire.decodeAll(
                                        List.of(new Message(new byte[4]), message), Number.class, Number::decode))
                        .getMessage());
    }

    /** Otherwise n ranks of a process decode n² messages for each call that they set up. */
    @Test
    void ranksOfAProcessShareWhatTheyDecode() throws Exception {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(RANKS), Duration.ofSeconds(30), new AbortFlag());
        List<Callable<List<Number>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ControlPlane own = plane.ofRank(rank);
            ranks.add(() -> {
                List<Message> all = Exchange.gather(
                        own, Topic.named("numbers"), () -> Wire.encode(out -> out.writeInt(own.rank())));
                own.barrier(Topic.named("all have gathered"));
                synchronized (plane) { // one after the other, so that none decodes beside another
                    return Wire.decodeAll(all, Number.class, Number::decode);
                }
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<List<Number>>> results = threads.invokeAll(ranks);
            List<Number> first = results.getFirst().get();
            for (Future<List<Number>> result : results) {
                for (int rank = 0; rank < RANKS; rank++) {
                    assertEquals(rank, result.get().get(rank).value());
                    assertSame(first.get(rank), result.get().get(rank));
                }
            }
        }
    }
}
