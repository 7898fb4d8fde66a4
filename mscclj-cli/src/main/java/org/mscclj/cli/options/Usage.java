package org.mscclj.cli.options;

import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Turns what is wrong with a command line into the exception that ends the command as bad usage. */
public final class Usage {
    private Usage() {}

    /** To be thrown: the message says what to change. */
    public static ParameterException wrong(CommandSpec command, String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /**
     * What a check gives.
     *
     * @throws ParameterException if it finds an argument invalid; with the same message
     */
    public static <T> T checked(CommandSpec command, Supplier<T> check) {
        try {
            return check.get();
        } catch (InvalidArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
