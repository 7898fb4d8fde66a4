package org.mscclj.cli.options;

import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Converts errors in a command line to the exception that ends the command as bad usage. */
public final class Usage {
    private Usage() {}

    /** Creates the exception. The message says what to change. */
    public static ParameterException wrong(CommandSpec command, String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /**
     * Returns the result of a check.
     *
     * @throws ParameterException if the check throws for an invalid argument; with the same message
     */
    public static <T> T checked(CommandSpec command, Supplier<T> check) {
        try {
            return check.get();
        } catch (InvalidArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
