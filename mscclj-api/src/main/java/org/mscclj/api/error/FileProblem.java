package org.mscclj.api.error;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Describes problems of files and folders for messages, without the names of Java's exceptions. */
public final class FileProblem {
    private FileProblem() {}

    /** The description of an exception of file access, escaped. */
    public static String of(Exception exception) {
        return PlainText.escape(words(exception));
    }

    private static String words(Throwable exception) {
        return switch (exception) {
            case UncheckedIOException e when e.getCause() != null -> words(e.getCause());
            case NoSuchFileException e -> "there is no " + e.getFile();
            case AccessDeniedException e -> "this user has no permission for " + e.getFile();
            case NotDirectoryException e -> e.getFile() + " is no folder";
            case FileAlreadyExistsException e -> e.getFile() + " is there already";
            case DirectoryNotEmptyException e -> e.getFile() + " is not empty";
            case FileSystemException e when e.getReason() != null -> e.getReason() + ": " + e.getFile();
            default -> message(exception);
        };
    }

    private static String message(Throwable exception) {
        @Nullable String message = exception.getMessage();
        return message == null
                ? "an error without a message (" + exception.getClass().getSimpleName() + ")"
                : message;
    }
}
