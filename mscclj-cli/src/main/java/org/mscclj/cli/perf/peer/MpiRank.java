package org.mscclj.cli.perf.peer;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.cli.ranks.RankSession;

/**
 * One rank of the peer MPI: rank 0 runs MPI in processes of its own, while the other ranks wait.
 *
 * @param mpi the installed MPI
 * @param session the rank's session
 */
record MpiRank(MpiPeer mpi, RankSession session) implements RankPeer {
    @Override
    public Optional<PeerTimer> prepare(PeerCall call) {
        return MpiPeer.counts(call) ? Optional.of(new Timer(mpi, session, call)) : Optional.empty();
    }

    @Override
    public void close() {}

    private record Timer(MpiPeer mpi, RankSession session, PeerCall call) implements PeerTimer {
        /** The program of MPI warms up with its own first batch. */
        @Override
        public void warmUp(Duration time) {}

        @Override
        public double[] time(int samples) {
            session.beginWork("peer");
            if (session.rank() != 0) {
                return new double[0];
            }
            try {
                return mpi.time(call, samples);
            } catch (RuntimeException | Error e) {
                session.failed(e);
                throw e;
            }
        }

        @Override
        public void close() {}
    }
}
