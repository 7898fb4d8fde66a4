package org.mscclj.transport.ib.ffm;

import java.nio.ByteOrder;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.FunctionPointer;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.Qp;
import org.mscclj.transport.ib.ffm.Layouts.QpAttr;
import org.mscclj.transport.ib.ffm.Layouts.QpInitAttr;
import org.mscclj.transport.ib.ffm.Layouts.RecvWr;

/**
 * A reliable connected queue pair ({@code struct ibv_qp}). One thread at a time posts to it; posting allocates nothing
 * unless it fails.
 */
public final class QueuePair implements AutoCloseable {
    private static final int RELIABLE_CONNECTED = 2;
    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int REMOTE_READ = 4;
    private static final int REMOTE_ATOMIC = 8;

    private static final int INIT = 1;
    private static final int READY_TO_RECEIVE = 2;
    private static final int READY_TO_SEND = 3;
    private static final int ERROR = 6;

    private static final int MASK_STATE = 1;
    private static final int MASK_ACCESS_FLAGS = 1 << 3;
    private static final int MASK_PKEY_INDEX = 1 << 4;
    private static final int MASK_PORT = 1 << 5;
    private static final int MASK_AV = 1 << 7;
    private static final int MASK_PATH_MTU = 1 << 8;
    private static final int MASK_TIMEOUT = 1 << 9;
    private static final int MASK_RETRY_CNT = 1 << 10;
    private static final int MASK_RNR_RETRY = 1 << 11;
    private static final int MASK_RQ_PSN = 1 << 12;
    private static final int MASK_MAX_QP_RD_ATOMIC = 1 << 13;
    private static final int MASK_MIN_RNR_TIMER = 1 << 15;
    private static final int MASK_SQ_PSN = 1 << 16;
    private static final int MASK_MAX_DEST_RD_ATOMIC = 1 << 17;
    private static final int MASK_DEST_QPN = 1 << 20;

    /** A peer that finds no receive waits 0.64 ms before it tries again (code 12). */
    private static final int RNR_TIMER = 12;

    /** A peer that takes no signals has an adapter that answers: the watchdog decides how long to wait for it. */
    private static final int WITHOUT_END = 7;

    private static final int HOP_LIMIT = 64;
    private static final int ALIGNMENT = 16;

    private final VerbsLibrary library;
    private final FunctionPointer postSend;
    private final FunctionPointer postReceive;
    private final long handle;
    private final int number;
    private final int inlineBytes;

    /** Memory of an empty receive, and of the pointer that names a receive that was not posted. */
    private final HeapBlock receive = HeapBlock.zeroed(RecvWr.BYTES + Long.BYTES, Long.BYTES);

    /**
     * Creates a queue pair in its first state.
     *
     * @param sends the most work requests that may be posted and not completed
     * @param receives the most receives that may be posted
     * @param inlineBytes the wished size of inline writes; less may be had
     */
    public QueuePair(
            ProtectionDomain domain,
            CompletionQueue sendCompletions,
            CompletionQueue receiveCompletions,
            int sends,
            int receives,
            int inlineBytes) {
        Adapter adapter = domain.adapter();
        this.library = adapter.library();
        this.postSend = adapter.postSend();
        this.postReceive = adapter.postReceive();
        try (HeapBlock block = HeapBlock.zeroed(QpInitAttr.BYTES, ALIGNMENT)) {
            long at = block.address();
            NativeMemory.setLong(at + QpInitAttr.SEND_CQ, sendCompletions.handle());
            NativeMemory.setLong(at + QpInitAttr.RECV_CQ, receiveCompletions.handle());
            NativeMemory.setInt(at + QpInitAttr.MAX_SEND_WR, sends);
            NativeMemory.setInt(at + QpInitAttr.MAX_RECV_WR, receives);
            NativeMemory.setInt(at + QpInitAttr.MAX_SEND_SGE, 1);
            NativeMemory.setInt(at + QpInitAttr.MAX_RECV_SGE, 1);
            NativeMemory.setInt(at + QpInitAttr.MAX_INLINE_DATA, inlineBytes);
            NativeMemory.setInt(at + QpInitAttr.QP_TYPE, RELIABLE_CONNECTED);
            this.handle = create(domain, at);
            this.inlineBytes = NativeMemory.getInt(at + QpInitAttr.MAX_INLINE_DATA);
        } catch (RuntimeException | Error e) {
            receive.close();
            throw e;
        }
        this.number = NativeMemory.getInt(handle + Qp.QP_NUM);
    }

    private long create(ProtectionDomain domain, long attributes) {
        return library.pointer(VerbsFunction.CREATE_QP, domain.handle(), attributes);
    }

    /** Returns the number by which the peer connects to it, 24 bits. */
    public int number() {
        return number;
    }

    /** Returns the most bytes of an inline write. */
    public int inlineBytes() {
        return inlineBytes;
    }

    /** Returns the address by which {@linkplain AdapterEvent#element events} name it. */
    public long address() {
        return handle;
    }

    /** Binds the queue pair to a port; receives may be posted from now on. */
    public void bind(int port, int partitionIndex, boolean atomics) {
        modify("bind the queue pair to port " + port, attr -> {
            NativeMemory.setInt(attr + QpAttr.QP_STATE, INIT);
            NativeMemory.setByte(attr + QpAttr.PORT_NUM, (byte) port);
            NativeMemory.setShort(attr + QpAttr.PKEY_INDEX, (short) partitionIndex);
            NativeMemory.setInt(
                    attr + QpAttr.QP_ACCESS_FLAGS,
                    LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | (atomics ? REMOTE_ATOMIC : 0));
            return MASK_STATE | MASK_PORT | MASK_PKEY_INDEX | MASK_ACCESS_FLAGS;
        });
    }

    /**
     * Connects to the peer's queue pair. Operations of the peer are carried out from now on.
     *
     * @param port the port to which it is bound
     * @param remote the number of the peer's queue pair
     * @param remotePacket the number of the peer's first packet, 24 bits
     * @param reads the most reads and atomics of the peer that are served at once
     */
    public void connect(int port, Path path, int remote, int remotePacket, int reads) {
        modify("connect the queue pair to " + remote, attr -> {
            NativeMemory.setInt(attr + QpAttr.QP_STATE, READY_TO_RECEIVE);
            NativeMemory.setInt(attr + QpAttr.PATH_MTU, path.mtu());
            NativeMemory.setInt(attr + QpAttr.DEST_QP_NUM, remote);
            NativeMemory.setInt(attr + QpAttr.RQ_PSN, remotePacket);
            NativeMemory.setByte(attr + QpAttr.MAX_DEST_RD_ATOMIC, (byte) reads);
            NativeMemory.setByte(attr + QpAttr.MIN_RNR_TIMER, (byte) RNR_TIMER);
            NativeMemory.setLong(attr + QpAttr.DGID, bigEndian(path.gid().subnet()));
            NativeMemory.setLong(
                    attr + QpAttr.DGID + Long.BYTES, bigEndian(path.gid().port()));
            NativeMemory.setByte(attr + QpAttr.SGID_INDEX, (byte) path.gidIndex());
            NativeMemory.setByte(attr + QpAttr.HOP_LIMIT, (byte) HOP_LIMIT);
            NativeMemory.setByte(attr + QpAttr.TRAFFIC_CLASS, (byte) path.trafficClass());
            NativeMemory.setByte(attr + QpAttr.IS_GLOBAL, (byte) (path.global() ? 1 : 0));
            NativeMemory.setShort(attr + QpAttr.DLID, (short) path.lid());
            NativeMemory.setByte(attr + QpAttr.SL, (byte) path.serviceLevel());
            NativeMemory.setByte(attr + QpAttr.PORT_NUM_OF_PATH, (byte) port);
            return MASK_STATE
                    | MASK_AV
                    | MASK_PATH_MTU
                    | MASK_DEST_QPN
                    | MASK_RQ_PSN
                    | MASK_MAX_DEST_RD_ATOMIC
                    | MASK_MIN_RNR_TIMER;
        });
    }

    /**
     * Lets this side send.
     *
     * @param packet the number of this side's first packet, 24 bits
     * @param timeout the code of the time after which a packet is sent again: 4.096 µs times 2 to this power
     * @param retries how often it is sent again, up to 7
     * @param reads the most reads and atomics that are started at once
     */
    public void start(int packet, int timeout, int retries, int reads) {
        modify("let the queue pair send", attr -> {
            NativeMemory.setInt(attr + QpAttr.QP_STATE, READY_TO_SEND);
            NativeMemory.setInt(attr + QpAttr.SQ_PSN, packet);
            NativeMemory.setByte(attr + QpAttr.TIMEOUT, (byte) timeout);
            NativeMemory.setByte(attr + QpAttr.RETRY_CNT, (byte) retries);
            NativeMemory.setByte(attr + QpAttr.RNR_RETRY, (byte) WITHOUT_END);
            NativeMemory.setByte(attr + QpAttr.MAX_RD_ATOMIC, (byte) reads);
            return MASK_STATE | MASK_SQ_PSN | MASK_TIMEOUT | MASK_RETRY_CNT | MASK_RNR_RETRY | MASK_MAX_QP_RD_ATOMIC;
        });
    }

    /** Ends all operations of both sides on this queue pair. */
    public void fail() {
        modify("end the queue pair", attr -> {
            NativeMemory.setInt(attr + QpAttr.QP_STATE, ERROR);
            return MASK_STATE;
        });
    }

    private static long bigEndian(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }

    private interface Attributes {
        /** Fills the structure at an address; returns which fields are set. */
        int fill(long address);
    }

    private void modify(String what, Attributes attributes) {
        try (HeapBlock block = HeapBlock.zeroed(QpAttr.BYTES, ALIGNMENT)) {
            int mask = attributes.fill(block.address());
            int error = library.tryCall(VerbsFunction.MODIFY_QP, handle, block.address(), mask);
            if (error != 0) {
                throw VerbsLibrary.failure("ibv_modify_qp, to " + what + ",", error);
            }
        }
    }

    /**
     * Posts the operations of a chain, which must not be empty, and empties the chain.
     *
     * @throws BackendException if the adapter refuses one; those before it are posted
     */
    public void post(SendRequests requests) {
        int error = postSend.call(handle, requests.address(), requests.bad());
        requests.clear();
        if (error != 0) {
            throw VerbsLibrary.failure("ibv_post_send", Math.abs(error));
        }
    }

    /** Posts a receive without memory, which a peer's write with immediate data takes. */
    public void postReceive() {
        int error = postReceive.call(handle, receive.address(), receive.address() + RecvWr.BYTES);
        if (error != 0) {
            throw VerbsLibrary.failure("ibv_post_recv", Math.abs(error));
        }
    }

    /** Ends the queue pair. The peer's operations fail from now on. */
    @Override
    public void close() {
        library.call(VerbsFunction.DESTROY_QP, handle);
        receive.close();
    }
}
