package org.mscclj.runtime.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;

class ResourcesTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable named(String name) {
        return () -> closed.add(name);
    }

    private AutoCloseable failing(String name, Throwable failure) {
        return () -> {
            closed.add(name);
            switch (failure) {
                case Error error -> throw error;
                case Exception exception -> throw exception;
                default -> throw new AssertionError(failure);
            }
        };
    }

    @Test
    void anErrorLeavesNothingOpen() {
        AssertionError error = new AssertionError("mine");
        List<AutoCloseable> all = List.of(named("first"), failing("second", error), named("third"));
        assertSame(error, assertThrows(AssertionError.class, () -> Resources.close(all)));
        assertEquals(List.of("third", "second", "first"), closed);
    }

    @Test
    void theFirstFailureIsThrownAndTheOthersAreInIt() {
        IllegalStateException last = new IllegalStateException("closed first");
        AssertionError error = new AssertionError("mine");
        List<AutoCloseable> all = List.of(failing("first", error), failing("second", last), failing("third", last));
        assertSame(last, assertThrows(IllegalStateException.class, () -> Resources.close(all)));
        assertEquals(List.of(error), List.of(last.getSuppressed()));
        IOException checked = new IOException("no disk");
        BackendException wrapped = assertThrows(
                BackendException.class, () -> Resources.close(List.of(failing("one", checked), named("other"))));
        assertSame(checked, wrapped.getCause());
    }

    @Test
    void errorsAreSuppressedInAFailure() {
        IllegalStateException failure = new IllegalStateException("set-up failed");
        AssertionError error = new AssertionError("mine");
        Resources.closeSuppressing(List.of(named("first"), failing("second", error)), failure);
        assertEquals(List.of(error), List.of(failure.getSuppressed()));
        Resources.closeSuppressing(List.of(failing("third", failure)), failure);
        assertEquals(List.of("second", "first", "third"), closed);
    }
}
