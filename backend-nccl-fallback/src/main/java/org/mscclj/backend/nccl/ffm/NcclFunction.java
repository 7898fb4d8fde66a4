package org.mscclj.backend.nccl.ffm;

/** The functions of NCCL that are bound, and since which version NCCL has each. RCCL counts versions as NCCL does. */
public enum NcclFunction {
    /** Version of the library. */
    GET_VERSION("ncclGetVersion", NcclVersion.OLDEST),
    /** Text of a result code. */
    GET_ERROR_STRING("ncclGetErrorString", NcclVersion.OLDEST),
    /** Creates an id. */
    GET_UNIQUE_ID("ncclGetUniqueId", NcclVersion.OLDEST),
    /** Opens a communicator. */
    COMM_INIT_RANK("ncclCommInitRank", NcclVersion.OLDEST),
    /** Frees a communicator. */
    COMM_DESTROY("ncclCommDestroy", NcclVersion.OLDEST),
    /** Ends the calls of a communicator and frees it. */
    COMM_ABORT("ncclCommAbort", NcclVersion.OLDEST),
    /** State of a communicator. */
    COMM_GET_ASYNC_ERROR("ncclCommGetAsyncError", NcclVersion.OLDEST),
    /** Rank of a communicator. */
    COMM_USER_RANK("ncclCommUserRank", NcclVersion.OLDEST),
    /** Number of ranks of a communicator. */
    COMM_COUNT("ncclCommCount", NcclVersion.OLDEST),
    /** Begins a group. */
    GROUP_START("ncclGroupStart", NcclVersion.OLDEST),
    /** Ends a group. */
    GROUP_END("ncclGroupEnd", NcclVersion.OLDEST),
    /** Allreduce. */
    ALL_REDUCE("ncclAllReduce", NcclVersion.OLDEST),
    /** Allgather. */
    ALL_GATHER("ncclAllGather", NcclVersion.OLDEST),
    /** Reduce-scatter. */
    REDUCE_SCATTER("ncclReduceScatter", NcclVersion.OLDEST),
    /** Broadcast. */
    BROADCAST("ncclBroadcast", NcclVersion.OLDEST),
    /** Reduce. */
    REDUCE("ncclReduce", NcclVersion.OLDEST),
    /** Send. */
    SEND("ncclSend", NcclVersion.OLDEST),
    /** Receive. */
    RECV("ncclRecv", NcclVersion.OLDEST),
    /** Creates a premultiplied sum. */
    RED_OP_CREATE_PRE_MUL_SUM("ncclRedOpCreatePreMulSum", NcclVersion.of(2, 11, 4)),
    /** Frees an operation. */
    RED_OP_DESTROY("ncclRedOpDestroy", NcclVersion.of(2, 11, 4)),
    /** Text of the last failure. */
    GET_LAST_ERROR("ncclGetLastError", NcclVersion.of(2, 13, 4)),
    /** Opens a communicator that has a configuration. */
    COMM_INIT_RANK_CONFIG("ncclCommInitRankConfig", NcclVersion.of(2, 14, 3)),
    /** Waits for the calls of a communicator. */
    COMM_FINALIZE("ncclCommFinalize", NcclVersion.of(2, 14, 3)),
    /** Opens communicators of some of the ranks. */
    COMM_SPLIT("ncclCommSplit", NcclVersion.of(2, 18, 1)),
    /** Allocates memory. */
    MEM_ALLOC("ncclMemAlloc", NcclVersion.of(2, 19, 1)),
    /** Frees memory. */
    MEM_FREE("ncclMemFree", NcclVersion.of(2, 19, 1)),
    /** Registers memory. */
    COMM_REGISTER("ncclCommRegister", NcclVersion.of(2, 19, 1)),
    /** Ends a registration. */
    COMM_DEREGISTER("ncclCommDeregister", NcclVersion.of(2, 19, 1)),
    /** Opens a communicator without lost ranks. */
    COMM_SHRINK("ncclCommShrink", NcclVersion.of(2, 27, 3)),
    /** Registers memory of all ranks together. */
    COMM_WINDOW_REGISTER("ncclCommWindowRegister", NcclVersion.of(2, 27, 3)),
    /** Ends a registration of all ranks. */
    COMM_WINDOW_DEREGISTER("ncclCommWindowDeregister", NcclVersion.of(2, 27, 3));

    private final String symbol;
    private final NcclVersion since;

    NcclFunction(String symbol, NcclVersion since) {
        this.symbol = symbol;
        this.since = since;
    }

    /** The name of the function, for example {@code ncclCommSplit}. */
    public String symbol() {
        return symbol;
    }

    /** The first version that has the function. */
    public NcclVersion since() {
        return since;
    }

    /** Whether every version that can be used has the function. */
    boolean isRequired() {
        return since.equals(NcclVersion.OLDEST);
    }
}
