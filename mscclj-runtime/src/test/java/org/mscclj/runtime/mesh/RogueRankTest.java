package org.mscclj.runtime.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.socket.ControlSocket;

/** A rank that knows the secret and does not keep to the protocol is the one that is named. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RogueRankTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String GROUP = "g";
    private static final int ROGUE = 2;

    static List<byte[]> lies() {
        return List.of(
                MeshFrame.encode(new MeshFrame.Loss(GROUP, 1, 0, 1, "rank 1 says so")),
                MeshFrame.encode(new MeshFrame.Loss(GROUP, 1, 1, 1, "itself")),
                MeshFrame.encode(new MeshFrame.Loss(GROUP, ROGUE, 1, 1, "rank 1 has told me alone")),
                MeshFrame.encode(new MeshFrame.Loss(GROUP, ROGUE, 7, ROGUE, "there is none")),
                MeshFrame.encode(new MeshFrame.Loss(GROUP, ROGUE, 0, -1, "seen by nobody")),
                MeshFrame.encode(new MeshFrame.Departure(GROUP, 1, 0)),
                MeshFrame.encode(new MeshFrame.Contribution(GROUP, 1, 0, Topic.named("call"), new byte[1])),
                MeshFrame.encode(new MeshFrame.Contribution(GROUP, 99, 0, Topic.named("call"), new byte[1])),
                MeshFrame.encode(new MeshFrame.Expiry(GROUP, ROGUE, "late", List.of(5))),
                MeshFrame.encode(new MeshFrame.Standing(
                        GROUP, ROGUE, new Stand(1, 1, Stand.Phase.CALLED, List.of(7), List.of(), List.of()), 0, 0)),
                new byte[0],
                new byte[] {'?'},
                new byte[] {'C', 0, 1, 'g', 0, 0},
                Wire.encode(
                        out -> { // announces more than it has
                            out.writeByte('T');
                            out.writeUTF(GROUP);
                            out.writeInt(ROGUE);
                            out.writeUTF("");
                            out.writeInt(Integer.MAX_VALUE);
                        }));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void isTakenForLost(byte[] lie) throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(3, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 3).uniqueId(id).timeout(LIMIT));
            if (rank == ROGUE) {
                ControlSocket socket = sockets.get(0);
                socket.write(lie);
                socket.flush();
                sockets.get(1).read(); // rank 0 passes its loss on to rank 1, which tells this rank, or goes
                sockets.values().forEach(ControlSocket::close); // nobody waits for its goodbye
                return;
            }
            try (Mesh mesh = new Mesh("test", rank, LIMIT, sockets)) {
                MeshGroup group = mesh.open(GROUP, List.of(0, 1, 2));
                while (!group.abort().isSet()) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertEquals(OptionalInt.of(ROGUE), group.abort().lostRank());
                if (rank == 0) {
                    String reason = group.abort().reason().orElseThrow();
                    assertTrue(reason.startsWith("its control connection broke: "), reason);
                }
                group.depart(); // so that the loss is passed on before the goodbye, as by every communicator
            }
        });
    }

    @Test
    void aRankMaySayThatItTakesNoPartItself() throws Exception {
        String reason = "it has given up";
        UniqueId id = UniqueId.create();
        RankThreads.run(3, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 3).uniqueId(id).timeout(LIMIT));
            if (rank == ROGUE) {
                ControlSocket socket = sockets.get(0);
                socket.write(MeshFrame.encode(new MeshFrame.Loss(GROUP, ROGUE, ROGUE, ROGUE, reason)));
                socket.flush();
                sockets.get(1).read(); // rank 0 passes it on to rank 1, which tells this rank, or goes
                sockets.values().forEach(ControlSocket::close); // nobody waits for its goodbye
                return;
            }
            try (Mesh mesh = new Mesh("test", rank, LIMIT, sockets)) {
                MeshGroup group = mesh.open(GROUP, List.of(0, 1, 2));
                while (!group.abort().isSet()) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertEquals(OptionalInt.of(ROGUE), group.abort().lostRank());
                assertEquals(reason, group.abort().reason().orElseThrow());
                group.depart(); // so that it is passed on before the goodbye, as by every communicator
            }
        });
    }

    @Test
    void whatIsSaidBeforeACommunicatorIsOpenedIsCheckedLater() throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(2, rank -> {
            Map<Integer, ControlSocket> sockets = Bootstrap.connect(
                    CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(LIMIT));
            if (rank == 1) {
                ControlSocket socket = sockets.get(0);
                socket.write(MeshFrame.encode(new MeshFrame.Abort(GROUP, 1, "early")));
                socket.flush();
                socket.read();
                return;
            }
            try (Mesh mesh = new Mesh("test", rank, LIMIT, sockets)) {
                LockSupport.parkNanos(50_000_000);
                MeshGroup group = mesh.open(GROUP, List.of(0, 1));
                while (!group.abort().isSet()) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertEquals("early", group.abort().reason().orElseThrow());
            }
        });
    }
}
