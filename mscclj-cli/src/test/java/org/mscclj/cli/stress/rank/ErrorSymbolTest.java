package org.mscclj.cli.stress.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;

class ErrorSymbolTest {
    @Test
    void theSymbolOfABackendsErrorIsFound() {
        String own = new BackendException("GPU 0 has failed", 700, "hipErrorIllegalAddress").getMessage();
        assertEquals(Optional.of("hipErrorIllegalAddress"), ErrorSymbol.in(own));
        assertEquals(
                Optional.of("XID_43"),
                ErrorSymbol.in("aborted: rank 1: its device has failed: GPU 1 (of 2) (XID_43, code 43); and then"));
        assertEquals(Optional.of("ENOENT"), ErrorSymbol.in("no file (ENOENT, code -2)"));
    }

    @Test
    void otherMessagesHaveNone() {
        assertEquals(Optional.empty(), ErrorSymbol.in("rank 1 is lost (its process has ended)"));
        assertEquals(Optional.empty(), ErrorSymbol.in(null));
    }
}
