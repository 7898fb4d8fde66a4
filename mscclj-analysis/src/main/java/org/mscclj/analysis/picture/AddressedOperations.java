package org.mscclj.analysis.picture;

import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.text.OperationText;

/** The operations of a plan by their addresses. */
record AddressedOperations(Plan plan) {
    Operation at(OperationAddress address) {
        return plan.operation(address);
    }

    String text(OperationAddress address) {
        return OperationText.of(plan, address);
    }

    /** The rank's ids of the port channels that an operation uses; empty if it uses none. */
    List<Integer> portChannels(OperationAddress address) {
        List<Integer> ids = switch (at(address)) {
            case Operation.Signal(var type, var channels, var _) when type == ChannelType.PORT -> channels;
            case Operation.Flush(var type, var channels) when type == ChannelType.PORT -> channels;
            case Operation.Data data
            when data.channelType().filter(ChannelType.PORT::equals).isPresent() -> data.channelIds();
            default -> List.of();
        };
        return ids.stream().map(id -> block(address).portChannels().get(id)).toList();
    }

    private ThreadBlock block(OperationAddress address) {
        return plan.ranks().get(address.rank()).threadBlocks().get(address.block());
    }
}
