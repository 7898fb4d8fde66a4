package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.OperationTimeoutException;

class RegistrationTest {
    /** A text of so many ranks is longer than what one frame's texts may be. */
    @Test
    void manyMissingRanksAreTold() throws IOException {
        List<Integer> missing = IntStream.range(1, 20_000).boxed().toList();
        OperationTimeoutException late =
                new OperationTimeoutException("rendezvous: ranks " + missing + " did not come", missing);
        Registration told = Registration.decode(
                Registration.encode(Registration.Failed.of(late).orElseThrow()));
        Registration.Failed failed = assertInstanceOf(Registration.Failed.class, told);
        OperationTimeoutException e = assertInstanceOf(OperationTimeoutException.class, failed.exception());
        assertEquals(missing, e.missingRanks());
        assertTrue(String.valueOf(e.getMessage()).startsWith("rendezvous: ranks [1, 2, 3"), e::getMessage);
    }
}
