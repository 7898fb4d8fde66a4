package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A call that must be refused before anything happens.
 *
 * @param what what is wrong with it, in words
 * @param call makes it; if it is accepted, ends what it has begun
 * @param refusal what it must throw
 * @param words what the message must say: what was given, and what is allowed
 */
public record BadCall(String what, Runnable call, Class<? extends RuntimeException> refusal, List<String> words) {
    /** A call with a bad argument. */
    static BadCall of(String what, Runnable call, Object... words) {
        List<String> texts = new ArrayList<>();
        for (Object word : words) {
            texts.add(word.toString());
        }
        return new BadCall(what, call, InvalidArgumentException.class, texts);
    }

    /** A call without an argument, which must be named. */
    static BadCall withNull(String argument, String method, Runnable call) {
        return new BadCall(method + " with null for " + argument, call, NullPointerException.class, List.of(argument));
    }

    /** Makes an operation ready, and forgets it. */
    static Runnable preparing(Supplier<PreparedOperation> prepare) {
        return () -> prepare.get().close();
    }

    /** Launches, and waits for the end. */
    static Runnable executing(Supplier<Work> execute) {
        return () -> execute.get().join();
    }

    /** Makes the call; says what is wrong with how it was refused, if anything is. */
    public Optional<String> problem() {
        try {
            call.run();
            return Optional.of(what + " was accepted; right is " + refusal.getSimpleName());
        } catch (RuntimeException e) {
            if (!refusal.isInstance(e)) {
                return Optional.of(what + " threw " + e + "; right is " + refusal.getSimpleName());
            }
            String message = String.valueOf(e.getMessage());
            List<String> missing =
                    words.stream().filter(word -> !message.contains(word)).toList();
            return missing.isEmpty()
                    ? Optional.empty()
                    : Optional.of(what + " was refused without saying " + missing + ": " + message);
        }
    }
}
