package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mscclj.api.Communicator;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.spi.device.BackendDevice;

/**
 * Measures all candidates on one rank. All ranks get the same times, those of the slowest rank, and so decide alike.
 *
 * @param settings what is measured
 * @param peers the libraries to compare with
 * @param report receives the results of rank 0
 */
record TunePart(TuneSettings settings, List<Peer> peers, TuneReport report) implements RankPart {
    TunePart {
        peers = List.copyOf(peers);
    }

    @Override
    public void run(RankSession session) {
        TuneSettings.requireOneNode(session.ranks(), session.communicator().ranksPerNode());
        TuningKey key = session.communicator().tuningKey();
        if (session.rank() == 0) {
            BackendDevice device = (BackendDevice) session.communicator().device();
            report.begin(key, CandidateSpace.untriedThreads(device.mostThreadsPerBlock()));
        }
        join(session, List.of());
    }

    /** Joins the next peer, until all have joined. */
    private void join(RankSession session, List<RankPeer> joined) {
        if (joined.size() == peers.size()) {
            TuningRank rank = new TuningRank(session, settings, joined, report);
            for (Collective collective : settings.collectives()) {
                settings.memories().forEach(memory -> section(rank, collective, memory));
            }
            return;
        }
        try (RankPeer next = peers.get(joined.size()).join(session)) {
            List<RankPeer> more = new ArrayList<>(joined);
            more.add(next);
            join(session, more);
        }
    }

    private static void section(TuningRank rank, Collective collective, TunedMemory memory) {
        List<CheckedCall> calls = rank.settings().calls(collective);
        CheckedCall largest = calls.getLast();
        BestPrograms best = new BestPrograms();
        List<SizeTrials> measured = new ArrayList<>();
        Map<String, Candidate> before = new LinkedHashMap<>();
        try (TunedBuffers buffers =
                new TunedBuffers(rank.session(), memory, Math.max(largest.inputBytes(), largest.outputBytes()))) {
            for (CheckedCall call : calls) {
                if (rank.isFirst()) {
                    rank.report().measuring(call, memory);
                }
                SizeTrials trials = trials(rank, call, memory, buffers, best, before);
                best.add(call.messageBytes(), trials.finals(), trials.untunedMicros());
                measured.add(trials);
                before.clear();
                before.putAll(CandidateSearch.explored(trials.tried()));
            }
            rank.session().beginClose();
        }
        if (rank.isFirst()) {
            rank.report().add(collective, memory, best, measured);
        }
    }

    /** Returns what the native algorithms of a collective take, in their order. */
    private static Map<String, AllowedArguments> natives(Communicator communicator, Collective collective) {
        Map<String, AllowedArguments> natives = new LinkedHashMap<>();
        communicator.algorithms().registered().stream()
                .filter(algorithm -> algorithm.collective() == collective)
                .forEach(algorithm -> natives.put(algorithm.name(), algorithm.allowedArguments()));
        return natives;
    }

    private static SizeTrials trials(
            TuningRank rank,
            CheckedCall call,
            TunedMemory memory,
            TunedBuffers buffers,
            BestPrograms best,
            Map<String, Candidate> before) {
        Communicator communicator = rank.session().communicator();
        BackendDevice device = (BackendDevice) communicator.device();
        ProgramPreference preference = device.programPreference();
        CandidateSpace space = new CandidateSpace(
                ProgramSpec.of(call.collective(), call.ranks()).inPlace(call.inPlace()),
                memory == TunedMemory.REGISTERED,
                call.messageBytes(),
                new ProgramRanking(communicator.isNvlsSupported() ? preference.withSwitch() : preference),
                device.mostThreadsPerBlock(),
                natives(communicator, call.collective()));
        SizeContest contest = new SizeContest(rank, call, memory, buffers);
        List<TimedCandidate> tried = CandidateSearch.run(space, before, contest);
        Set<Candidate> always = new HashSet<>();
        best.last().ifPresent(always::add);
        space.untuned().ifPresent(always::add);
        SizeTrials trials = contest.finals(tried, always);
        if (trials.finals().isEmpty()) {
            throw new UnsupportedException("no program serves " + call.collective() + " of " + call.messageBytes()
                    + " bytes in " + memory.label() + " memory with a right result");
        }
        return trials;
    }
}
