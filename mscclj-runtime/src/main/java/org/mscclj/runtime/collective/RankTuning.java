package org.mscclj.runtime.collective;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.plan.tuning.TuningFile;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.selection.FollowedTuning;
import org.mscclj.runtime.settings.BuildVersion;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HardwareKind;

/**
 * Which measured choices are for the ranks of a communicator. The ranks tell each other once what devices they have.
 */
final class RankTuning {
    private static final System.Logger LOGGER = System.getLogger(RankTuning.class.getName());

    private final ControlPlane control;
    private final BackendDevice device;
    private final boolean plans;
    private @Nullable List<Member> agreed;

    /**
     * Creates the choices of a rank.
     *
     * @param plans whether the backend runs plans; where a library serves all collectives there is no choice
     */
    RankTuning(ControlPlane control, BackendDevice device, boolean plans) {
        this.control = control;
        this.device = device;
        this.plans = plans;
    }

    /** What a rank tells the others. */
    private record Member(HardwareKind hardware, String version) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeText(out, hardware.device());
                Wire.writeText(out, hardware.driver());
                Wire.writeText(out, hardware.instance());
                Wire.writeText(out, version);
            });
        }

        static Member decode(byte[] bytes) {
            return Wire.decode(
                    bytes, in -> new Member(new HardwareKind(in.readUTF(), in.readUTF(), in.readUTF()), in.readUTF()));
        }
    }

    /**
     * Returns the key of the ranks. The first call of this method, or of {@link #follow}, is collective.
     *
     * @param mapping what the ranks know of each other's memory
     * @throws UnsupportedException if there is none
     */
    TuningKey key(PeerMapping mapping) {
        List<Member> members = members();
        refusal(members).ifPresent(reason -> {
            throw new UnsupportedException("ranks without a key for measured choices: " + reason);
        });
        return key(members, mapping);
    }

    /** Returns the choices of a file for the ranks, equal on all of them. Logs which ones. */
    FollowedTuning follow(TuningFile file, PeerMapping mapping) {
        if (file.isEmpty()) {
            return FollowedTuning.NONE;
        }
        List<Member> members = members();
        FollowedTuning followed = refusal(members)
                .map(reason -> FollowedTuning.none(file, reason))
                .orElseGet(() -> FollowedTuning.of(file, key(members, mapping)));
        if (control.rank() == 0) {
            boolean expected =
                    file.entries().stream().anyMatch(entry -> entry.key().ranks() == control.size());
            boolean exact = followed.isExact() && !followed.table().isEmpty();
            LOGGER.log(
                    expected && !exact ? Level.INFO : Level.DEBUG,
                    "measured choices of algorithms: " + followed.origin());
        }
        return followed;
    }

    private Optional<String> refusal(List<Member> members) {
        if (!plans) {
            return Optional.of(PlanExecutor.NO_PLANS);
        }
        if (members.size() < 2) {
            return Optional.of("there is one rank only");
        }
        if (control.nodes().several()) {
            return Optional.of("choices are for the ranks of one node, and these are on several");
        }
        List<String> kinds = members.stream()
                .map(member -> member.hardware().device())
                .distinct()
                .toList();
        return kinds.size() > 1
                ? Optional.of("choices are for devices of one kind, and these are " + kinds)
                : Optional.empty();
    }

    private TuningKey key(List<Member> members, PeerMapping mapping) {
        Member first = members.getFirst();
        return new TuningKey(
                device.backend(),
                first.hardware().device(),
                members.size(),
                topology(members, mapping),
                first.hardware().driver(),
                first.version());
    }

    private static TuningTopology topology(List<Member> members, PeerMapping mapping) {
        if (mapping.obstacles().all().isPresent()) {
            return TuningTopology.UNMAPPED;
        }
        if (mapping.hasMulticast()) {
            return TuningTopology.SWITCHED;
        }
        List<String> instances = members.stream()
                .map(member -> member.hardware().instance())
                .filter(instance -> !instance.isEmpty())
                .toList();
        return instances.stream().distinct().count() < instances.size() ? TuningTopology.SHARED : TuningTopology.MAPPED;
    }

    private List<Member> members() {
        List<Member> known = agreed;
        if (known == null) {
            byte[] own = new Member(device.hardware(), BuildVersion.text()).encode();
            known = Exchange.gather(control, Topic.of(TopicKind.HARDWARE), () -> own).stream()
                    .map(message -> Member.decode(message.bytes()))
                    .toList();
            agreed = known;
        }
        return known;
    }
}
