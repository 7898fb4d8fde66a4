package org.mscclj.runtime.execution.context;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.execution.binding.CallAgreement;
import org.mscclj.runtime.fuzz.Fuzz;
import org.mscclj.spi.device.MemoryHandle;

/** Decoding what ranks contribute when they prepare plans is total. */
class ContributionFuzzTest {
    private static final MemoryHandle HANDLE = new MemoryHandle("host", new byte[] {1, 2, 3, 4});

    @Test
    void callsOfPlans() {
        Fuzz.run(
                "call",
                List.of(
                        new CallAgreement(
                                        new byte[] {1, 2},
                                        Optional.of(HANDLE),
                                        Optional.empty(),
                                        new Message(new byte[] {3}))
                                .encode(),
                        new CallAgreement(new byte[0], Optional.empty(), Optional.of(HANDLE), new Message(new byte[0]))
                                .encode()),
                CallAgreement::decode);
    }

    @Test
    void contexts() {
        Fuzz.run(
                "context",
                List.of(new ContextDescription(1 << 20, HANDLE, HANDLE).encode()),
                message -> ContextDescription.ofRanks(
                        "plan",
                        List.of(
                                new Message(message),
                                new Message(new ContextDescription(1 << 20, HANDLE, HANDLE).encode()))));
    }
}
