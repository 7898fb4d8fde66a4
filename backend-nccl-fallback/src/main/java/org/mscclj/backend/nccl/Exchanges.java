package org.mscclj.backend.nccl;

import java.util.List;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;

/** Collectives that consist of several calls of NCCL in one group. */
final class Exchanges {
    private final NcclGroup group;
    private final int rank;
    private final int size;

    Exchanges(NcclHandle handle, int rank, int size) {
        this.group = new NcclGroup(handle);
        this.rank = rank;
        this.size = size;
    }

    void allToAll(long from, long to, long bytes, long queue) {
        try (NcclGroup calls = group.start()) {
            for (int peer = 0; peer < size; peer++) {
                calls.send(from + peer * bytes, bytes, peer, queue);
                calls.receive(to + peer * bytes, bytes, peer, queue);
            }
            calls.end();
        }
    }

    void scatter(long from, long to, long bytes, int root, long queue) {
        // In place, the root's own part needs no copy.
        boolean inPlace = rank == root && to == from + root * bytes;
        try (NcclGroup calls = group.start()) {
            for (int peer = 0; rank == root && peer < size; peer++) {
                if (peer != root || !inPlace) {
                    calls.send(from + peer * bytes, bytes, peer, queue);
                }
            }
            if (!inPlace) {
                calls.receive(to, bytes, root, queue);
            }
            calls.end();
        }
    }

    void gather(long from, long to, long bytes, int root, long queue) {
        boolean inPlace = rank == root && from == to + root * bytes;
        try (NcclGroup calls = group.start()) {
            if (!inPlace) {
                calls.send(from, bytes, root, queue);
            }
            for (int peer = 0; rank == root && peer < size; peer++) {
                if (peer != root || !inPlace) {
                    calls.receive(to + peer * bytes, bytes, peer, queue);
                }
            }
            calls.end();
        }
    }

    void transfer(List<TransferCall.Message> messages, long queue) {
        try (NcclGroup calls = group.start()) {
            for (int i = 0; i < messages.size(); i++) {
                TransferCall.Message message = messages.get(i);
                DeviceBuffer buffer = message.buffer();
                if (buffer.byteSize() == 0) {
                    continue; // equal at both ends
                }
                if (message.sends()) {
                    calls.send(buffer.address(), buffer.byteSize(), message.peer(), queue);
                } else {
                    calls.receive(buffer.address(), buffer.byteSize(), message.peer(), queue);
                }
            }
            calls.end();
        }
    }

    /** Reduces each input to the rank of its place in the list. */
    void reduceScatter(List<DeviceBuffer> inputs, DeviceBuffer output, int unit, int type, int op, long queue) {
        try (NcclGroup calls = group.start()) {
            for (int root = 0; root < size; root++) {
                DeviceBuffer input = inputs.get(root);
                long to = root == rank ? output.address() : 0;
                if (input.byteSize() > 0) {
                    calls.reduce(input.address(), to, input.byteSize() / unit, type, op, root, queue);
                }
            }
            calls.end();
        }
    }
}
