package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A call that must be refused before it has any effect.
 *
 * @param what what is wrong with the call
 * @param call makes the call; if it is accepted, ends what it has begun
 * @param refusal the exception that it must throw
 * @param words what the message must contain: what was given, and what is allowed. Of a {@link OneOf}, one text is
 *     enough
 */
public record BadCall(String what, Runnable call, Class<? extends RuntimeException> refusal, List<OneOf> words) {
    /**
     * Texts of which a message must contain one.
     *
     * @param texts the texts
     */
    public record OneOf(List<String> texts) {
        static OneOf of(Object... words) {
            return new OneOf(Stream.of(words).map(Object::toString).toList());
        }

        boolean isIn(String message) {
            return texts.stream().anyMatch(message::contains);
        }

        @Override
        public String toString() {
            return String.join(" or ", texts);
        }
    }

    /** Returns a call with a bad argument. Each word is a text, a duration, or a {@link OneOf} of several texts. */
    static BadCall of(String what, Runnable call, Object... words) {
        return new BadCall(
                what,
                call,
                InvalidArgumentException.class,
                Stream.of(words).map(BadCall::asWord).toList());
    }

    private static OneOf asWord(Object word) {
        return switch (word) {
            case OneOf several -> several;
            case Duration duration -> OneOf.of(DurationText.of(duration), duration);
            default -> OneOf.of(word);
        };
    }

    /** Returns a call without an argument, whose name the message must contain. */
    static BadCall withNull(String argument, String method, Runnable call) {
        return new BadCall(
                method + " with null for " + argument, call, NullPointerException.class, List.of(OneOf.of(argument)));
    }

    /** Returns a call that prepares an operation and closes it. */
    static Runnable preparing(Supplier<PreparedOperation> prepare) {
        return () -> prepare.get().close();
    }

    /** Returns a call that launches and waits for the end. */
    static Runnable executing(Supplier<Work> execute) {
        return () -> execute.get().join();
    }

    /** Makes the call. Returns what is wrong with its refusal; empty if it is correct. */
    public Optional<String> problem() {
        try {
            call.run();
            return Optional.of(what + " was accepted; right is " + refusal.getSimpleName());
        } catch (RuntimeException e) {
            if (!refusal.isInstance(e)) {
                return Optional.of(what + " threw " + e + "; right is " + refusal.getSimpleName());
            }
            String message = String.valueOf(e.getMessage());
            List<OneOf> missing =
                    words.stream().filter(word -> !word.isIn(message)).toList();
            return missing.isEmpty()
                    ? Optional.empty()
                    : Optional.of(what + " was refused without saying " + missing + ": " + message);
        }
    }
}
