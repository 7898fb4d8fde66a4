package org.mscclj.analysis.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/**
 * Assigns each span to a lane: for every rank its blocks, in order, and then the proxies of its active port channels.
 */
final class Tracks {
    private record Execution(OperationAddress address, int iteration) {}

    private final Plan plan;
    private final Timeline timeline;
    private final AddressedOperations operations;
    private final Map<Execution, Integer> doneByProxies = new HashMap<>();

    private Tracks(Plan plan, Timeline timeline) {
        this.plan = plan;
        this.timeline = timeline;
        this.operations = new AddressedOperations(plan);
    }

    /** The lanes of a picture, top to bottom. */
    static List<Track> of(Plan plan, Timeline timeline) {
        return new Tracks(plan, timeline).build();
    }

    private List<Track> build() {
        List<List<List<Integer>>> blocks = new ArrayList<>();
        List<Map<Integer, List<Integer>>> proxies = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            List<List<Integer>> ofRank = new ArrayList<>();
            rank.threadBlocks().forEach(_ -> ofRank.add(new ArrayList<>()));
            blocks.add(ofRank);
            proxies.add(new TreeMap<>());
        }
        for (int i = 0; i < timeline.spans().size(); i++) {
            Span span = timeline.spans().get(i);
            OperationAddress address = span.address();
            List<Integer> lane = span.byProxy()
                    ? proxies.get(address.rank()).computeIfAbsent(channel(span), _ -> new ArrayList<>())
                    : blocks.get(address.rank()).get(address.block());
            lane.add(i);
        }
        Comparator<Integer> byTime = Comparator.comparingDouble(
                        (Integer i) -> timeline.spans().get(i).start())
                .thenComparing(Comparator.naturalOrder());
        List<Track> lanes = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            List<List<Integer>> ofRank = blocks.get(rank.rank());
            for (int block = 0; block < ofRank.size(); block++) {
                ofRank.get(block).sort(byTime);
                lanes.add(new Track(rank.rank(), false, "block " + block, ofRank.get(block)));
            }
            proxies.get(rank.rank()).forEach((channel, spans) -> {
                spans.sort(byTime);
                lanes.add(new Track(rank.rank(), true, proxy(rank, channel), spans));
            });
        }
        return lanes;
    }

    /** For an operation over several channels, the first span belongs to the first channel, and so on. */
    private int channel(Span span) {
        List<Integer> channels = operations.portChannels(span.address());
        int before = doneByProxies.merge(new Execution(span.address(), span.iteration()), 1, Integer::sum) - 1;
        return channels.isEmpty() ? -1 : channels.get(before % channels.size());
    }

    private static String proxy(RankPlan rank, int channel) {
        return channel < 0
                ? "proxy"
                : "proxy #" + channel + " (rank " + rank.portChannelPeers().get(channel) + ")";
    }
}
