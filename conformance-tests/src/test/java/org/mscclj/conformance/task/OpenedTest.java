package org.mscclj.conformance.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedTest {
    @Test
    void allIsClosedLastFirstAlsoIfSomeFails() {
        List<String> closed = new ArrayList<>();
        Opened opened = new Opened();
        for (String name : List.of("first", "second", "third")) {
            opened.add(name, resource -> {
                closed.add(resource);
                if (!resource.equals("second")) {
                    throw new IllegalStateException(resource);
                }
            });
        }
        IllegalStateException e = assertThrows(IllegalStateException.class, opened::close);
        assertEquals(List.of("third", "second", "first"), closed);
        assertEquals("third", e.getMessage());
        assertEquals("first", e.getSuppressed()[0].getMessage());
        opened.close();
        assertEquals(3, closed.size());
    }
}
