package org.mscclj.backend.nccl;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.NcclCollectives;
import org.mscclj.backend.nccl.ffm.NcclCommunicators;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackRegistration;

/** A rank's communicator of NCCL. Enqueuing a collective allocates nothing. */
final class NcclCommunicator implements FallbackCommunicator {
    private final NcclHandle handle;
    private final NcclCollectives calls;
    private final Exchanges exchanges;
    private final Combiners combiners;
    private final ElementTypes types;
    private final int rank;
    private final int size;

    /** Creates the communicator of a rank. */
    NcclCommunicator(NcclHandle handle, int rank, int size) {
        this.handle = handle;
        this.calls = handle.nccl().collectives();
        this.exchanges = new Exchanges(handle, rank, size);
        this.combiners = new Combiners(handle);
        this.types = new ElementTypes(handle.nccl().library().version());
        this.rank = rank;
        this.size = size;
    }

    @Override
    public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
        return types.refusal(collective, type, op, inPlace, size);
    }

    @Override
    public void enqueue(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            int root,
            Stream stream) {
        long count = Slices.count(collective, input, output, type, root, rank, size);
        long from = input.address();
        long to = output.address();
        Optional<String> refusal = refusal(collective, type, op, from == to && count > 0);
        if (refusal.isPresent()) {
            throw new UnsupportedException(refusal.get());
        }
        long queue = stream.nativeHandle();
        handle.enter();
        try {
            if (collective.reduces()) {
                reduce(collective, from, to, count, type, op, root, queue);
            } else {
                // A collective without a reduction moves elements of any type as bytes.
                move(collective, from, to, count * type.byteSize(), root, queue);
            }
        } finally {
            handle.exit();
        }
    }

    private void reduce(
            Collective collective, long from, long to, long count, DataType type, ReduceOp op, int root, long queue) {
        int code = ElementTypes.code(type);
        int combiner = combiners.begin(type, op, size);
        try {
            switch (collective) {
                case ALLREDUCE ->
                    handle.check(
                            "ncclAllReduce", calls.allReduce(from, to, count, code, combiner, handle.address(), queue));
                case REDUCESCATTER ->
                    handle.check(
                            "ncclReduceScatter",
                            calls.reduceScatter(from, to, count, code, combiner, handle.address(), queue));
                case REDUCE ->
                    handle.check(
                            "ncclReduce", calls.reduce(from, to, count, code, combiner, root, handle.address(), queue));
                default -> throw new IllegalStateException(collective + " does not reduce");
            }
        } catch (RuntimeException | Error e) {
            combiners.abandon(combiner, op);
            throw e;
        }
        combiners.end(combiner, op);
    }

    private void move(Collective collective, long from, long to, long bytes, int root, long queue) {
        switch (collective) {
            case ALLGATHER ->
                handle.check(
                        "ncclAllGather", calls.allGather(from, to, bytes, ElementTypes.BYTE, handle.address(), queue));
            case BROADCAST ->
                handle.check(
                        "ncclBroadcast",
                        calls.broadcast(from, to, bytes, ElementTypes.BYTE, root, handle.address(), queue));
            case ALLTOALL -> exchanges.allToAll(from, to, bytes, queue);
            case SCATTER -> exchanges.scatter(from, to, bytes, root, queue);
            case GATHER -> exchanges.gather(from, to, bytes, root, queue);
            default -> throw new IllegalStateException(collective + " is rejected before");
        }
    }

    @Override
    public void transfer(TransferCall call, Stream stream) {
        List<TransferCall.Message> messages = call.messages();
        for (int i = 0; i < messages.size(); i++) {
            int peer = messages.get(i).peer();
            if (peer < 0 || peer >= size) {
                throw InvalidArgumentException.of("peer", peer, "0 to " + (size - 1));
            }
        }
        long queue = stream.nativeHandle();
        handle.enter();
        try {
            exchanges.transfer(messages, queue);
        } finally {
            handle.exit();
        }
    }

    @Override
    public void reduceScatter(ReduceScatterCall call, Stream stream) {
        Optional<String> refusal = types.refusal(Collective.REDUCESCATTER, call.type(), call.op(), false, size);
        if (refusal.isPresent()) {
            throw new UnsupportedException(refusal.get());
        }
        Slices.requireParts(call, rank, size);
        long queue = stream.nativeHandle();
        handle.enter();
        try {
            int combiner = combiners.begin(call.type(), call.op(), size);
            try {
                exchanges.reduceScatter(
                        call.inputs(),
                        call.output(),
                        call.type().byteSize(),
                        ElementTypes.code(call.type()),
                        combiner,
                        queue);
            } catch (RuntimeException | Error e) {
                combiners.abandon(combiner, call.op());
                throw e;
            }
            combiners.end(combiner, call.op());
        } finally {
            handle.exit();
        }
    }

    @Override
    public DeviceBuffer allocate(long bytes, boolean symmetric) {
        if (bytes <= 0) {
            throw InvalidArgumentException.of("bytes", bytes, "more than 0");
        }
        requireRegistration(symmetric);
        handle.nccl().library().require(NcclFunction.MEM_ALLOC);
        handle.enter();
        try {
            return NcclMemory.allocate(handle, bytes, symmetric);
        } finally {
            handle.exit();
        }
    }

    @Override
    public FallbackRegistration register(DeviceBuffer buffer, boolean symmetric) {
        requireRegistration(symmetric);
        handle.enter();
        try {
            return NcclRegisteredMemory.register(handle, buffer.address(), buffer.byteSize(), symmetric);
        } finally {
            handle.exit();
        }
    }

    private void requireRegistration(boolean symmetric) {
        handle.nccl().library().require(symmetric ? NcclFunction.COMM_WINDOW_REGISTER : NcclFunction.COMM_REGISTER);
    }

    @Override
    public Optional<FallbackCommunicator> split(int colour, int key) {
        if (colour < -1) {
            throw InvalidArgumentException.of("colour", colour, "0 or more, or -1 for no communicator");
        }
        return NcclOpening.split(handle, colour, key).map(NcclCommunicator::of);
    }

    @Override
    public FallbackCommunicator shrink(List<Integer> lost, boolean abort) {
        List<Integer> excluded = lost.stream().distinct().sorted().toList();
        for (int peer : excluded) {
            if (peer < 0 || peer >= size || peer == rank) {
                throw InvalidArgumentException.of("lost rank", peer, "0 to " + (size - 1) + ", without the caller");
            }
        }
        if (excluded.isEmpty()) {
            throw InvalidArgumentException.of("lost ranks", "none", "at least one");
        }
        return of(NcclOpening.shrink(
                handle, excluded.stream().mapToInt(Integer::intValue).toArray(), abort));
    }

    /** Creates the communicator of a handle that another one has created. */
    private static NcclCommunicator of(NcclHandle handle) {
        NcclCommunicators communicators = handle.nccl().communicators();
        handle.enter();
        try {
            return new NcclCommunicator(
                    handle, communicators.rank(handle.address()), communicators.size(handle.address()));
        } finally {
            handle.exit();
        }
    }

    @Override
    public Optional<MsccljException> failure() {
        return handle.failure();
    }

    @Override
    public void abort() {
        handle.abort();
    }

    @Override
    public void close() {
        handle.close();
    }
}
