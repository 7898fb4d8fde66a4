package org.mscclj.transport.ib.ffm;

/**
 * Sizes of libibverbs' structures, and offsets of their fields, in bytes. They are those of 64-bit Linux. A test
 * compares them with the header {@code infiniband/verbs.h}.
 */
final class Layouts {
    private Layouts() {}

    /** {@code struct ibv_context}: the functions of the data path, and the descriptor of asynchronous events. */
    static final class Context {
        static final int POLL_CQ = 96;
        static final int REQ_NOTIFY_CQ = 104;
        static final int POST_SEND = 208;
        static final int POST_RECV = 216;
        static final int ASYNC_FD = 268;

        private Context() {}
    }

    /** {@code struct ibv_device_attr}. */
    static final class DeviceAttr {
        static final int BYTES = 232;
        static final int MAX_QP_WR = 112;
        static final int MAX_CQE = 132;
        static final int MAX_QP_RD_ATOM = 144;
        static final int MAX_QP_INIT_RD_ATOM = 156;
        static final int ATOMIC_CAP = 164;
        static final int PHYS_PORT_CNT = 227;

        private DeviceAttr() {}
    }

    /** {@code struct ibv_port_attr}. */
    static final class PortAttr {
        static final int BYTES = 52;
        static final int STATE = 0;
        static final int ACTIVE_MTU = 8;
        static final int GID_TBL_LEN = 12;
        static final int MAX_MSG_SZ = 20;
        static final int PKEY_TBL_LEN = 32;
        static final int LID = 34;
        static final int LINK_LAYER = 46;

        private PortAttr() {}
    }

    /** {@code struct ibv_mr}. */
    static final class Mr {
        static final int LKEY = 36;
        static final int RKEY = 40;

        private Mr() {}
    }

    /** {@code struct ibv_comp_channel}. */
    static final class CompChannel {
        static final int FD = 8;

        private CompChannel() {}
    }

    /** {@code struct ibv_qp}. */
    static final class Qp {
        static final int QP_NUM = 52;

        private Qp() {}
    }

    /** {@code struct ibv_qp_init_attr}. */
    static final class QpInitAttr {
        static final int BYTES = 64;
        static final int SEND_CQ = 8;
        static final int RECV_CQ = 16;
        static final int MAX_SEND_WR = 32;
        static final int MAX_RECV_WR = 36;
        static final int MAX_SEND_SGE = 40;
        static final int MAX_RECV_SGE = 44;
        static final int MAX_INLINE_DATA = 48;
        static final int QP_TYPE = 52;

        private QpInitAttr() {}
    }

    /** {@code struct ibv_qp_attr}. */
    static final class QpAttr {
        static final int BYTES = 144;
        static final int QP_STATE = 0;
        static final int PATH_MTU = 8;
        static final int RQ_PSN = 20;
        static final int SQ_PSN = 24;
        static final int DEST_QP_NUM = 28;
        static final int QP_ACCESS_FLAGS = 32;
        static final int DGID = 56;
        static final int SGID_INDEX = 76;
        static final int HOP_LIMIT = 77;
        static final int TRAFFIC_CLASS = 78;
        static final int DLID = 80;
        static final int SL = 82;
        static final int IS_GLOBAL = 85;
        static final int PORT_NUM_OF_PATH = 86;
        static final int PKEY_INDEX = 120;
        static final int MAX_RD_ATOMIC = 126;
        static final int MAX_DEST_RD_ATOMIC = 127;
        static final int MIN_RNR_TIMER = 128;
        static final int PORT_NUM = 129;
        static final int TIMEOUT = 130;
        static final int RETRY_CNT = 131;
        static final int RNR_RETRY = 132;

        private QpAttr() {}
    }

    /** {@code struct ibv_sge}. */
    static final class Sge {
        static final int BYTES = 16;
        static final int ADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;

        private Sge() {}
    }

    /** {@code struct ibv_send_wr}. */
    static final class SendWr {
        static final int BYTES = 128;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;
        static final int OPCODE = 28;
        static final int SEND_FLAGS = 32;
        static final int IMM_DATA = 36;
        static final int REMOTE_ADDR = 40;
        static final int RKEY = 48;
        static final int COMPARE_ADD = 48;
        static final int ATOMIC_RKEY = 64;

        private SendWr() {}
    }

    /** {@code struct ibv_recv_wr}. */
    static final class RecvWr {
        static final int BYTES = 32;
        static final int WR_ID = 0;

        private RecvWr() {}
    }

    /** {@code struct ibv_wc}. */
    static final class Wc {
        static final int BYTES = 48;
        static final int WR_ID = 0;
        static final int STATUS = 8;
        static final int VENDOR_ERR = 16;
        static final int IMM_DATA = 24;

        private Wc() {}
    }

    /** {@code struct ibv_async_event}. */
    static final class AsyncEvent {
        static final int BYTES = 16;
        static final int ELEMENT = 0;
        static final int EVENT_TYPE = 8;

        private AsyncEvent() {}
    }
}
