package org.mscclj.cli.stress.rank;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The symbol of a driver's error in a message, as {@link org.mscclj.api.error.BackendException} writes it there. */
public final class ErrorSymbol {
    private static final Pattern SYMBOL = Pattern.compile("\\((\\w+), code -?\\d+\\)");

    private ErrorSymbol() {}

    /**
     * Returns the first symbol in a message.
     *
     * @return for example {@code CUDA_ERROR_ILLEGAL_ADDRESS}; empty if there is none
     */
    public static Optional<String> in(@Nullable String message) {
        Matcher matcher = SYMBOL.matcher(String.valueOf(message));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
