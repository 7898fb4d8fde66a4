package org.mscclj.runtime.mesh;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.fuzz.Fuzz;

/** Decoding frames is total. */
class MeshFrameFuzzTest {
    static Stream<MeshFrame> frames() {
        LaunchReport report = new LaunchReport(3, 2, 7, "called", "completed", "messages", List.of(1, 2))
                .within("call", List.of(0, 2));
        return Stream.of(
                new MeshFrame.Contribution("g", 1, 2, Topic.named("call"), new byte[] {1, 2, 3}),
                new MeshFrame.Withdrawal("g", 1, 2),
                new MeshFrame.Message("g", 1, Topic.named("what"), new byte[] {1}),
                new MeshFrame.LaunchQuestion("g", 1, 2, 3),
                new MeshFrame.LaunchAnswer("g", 1, 2, report),
                new MeshFrame.Abort("g", 1, "reason"),
                new MeshFrame.Failure("g", 1, "reason"),
                new MeshFrame.Expiry("g", 1, "reason", List.of(0, 2)),
                new MeshFrame.Loss("g", 1, 2, 1, "how"),
                new MeshFrame.Departure("g", 1, 5),
                new MeshFrame.Standing(
                        "g", 1, new Stand(3, 2, Stand.Phase.READY, List.of(0), List.of(7L, 8L), List.of(6L, 7L)), 5, 6),
                new MeshFrame.Goodbye(),
                new MeshFrame.GoodbyeSeen());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void changedFramesAreDecodedOrRefused(MeshFrame frame) {
        Fuzz.run(frame.getClass().getSimpleName(), List.of(MeshFrame.encode(frame)), MeshFrame::decode);
    }
}
