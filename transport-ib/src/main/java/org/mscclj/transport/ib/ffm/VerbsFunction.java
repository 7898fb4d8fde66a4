package org.mscclj.transport.ib.ffm;

/** The functions of libibverbs that are called by name. Those of the data path are in a table of each adapter. */
enum VerbsFunction {
    GET_DEVICE_LIST("ibv_get_device_list"),
    FREE_DEVICE_LIST("ibv_free_device_list"),
    GET_DEVICE_NAME("ibv_get_device_name"),
    OPEN_DEVICE("ibv_open_device"),
    CLOSE_DEVICE("ibv_close_device"),
    QUERY_DEVICE("ibv_query_device"),
    QUERY_PORT("ibv_query_port"),
    QUERY_GID("ibv_query_gid"),
    QUERY_PKEY("ibv_query_pkey"),
    ALLOC_PD("ibv_alloc_pd"),
    DEALLOC_PD("ibv_dealloc_pd"),
    REG_MR("ibv_reg_mr"),
    /** Since rdma-core 34. */
    REG_DMABUF_MR("ibv_reg_dmabuf_mr"),
    DEREG_MR("ibv_dereg_mr"),
    CREATE_COMP_CHANNEL("ibv_create_comp_channel"),
    DESTROY_COMP_CHANNEL("ibv_destroy_comp_channel"),
    CREATE_CQ("ibv_create_cq"),
    DESTROY_CQ("ibv_destroy_cq"),
    GET_CQ_EVENT("ibv_get_cq_event"),
    ACK_CQ_EVENTS("ibv_ack_cq_events"),
    CREATE_QP("ibv_create_qp"),
    MODIFY_QP("ibv_modify_qp"),
    DESTROY_QP("ibv_destroy_qp"),
    GET_ASYNC_EVENT("ibv_get_async_event"),
    ACK_ASYNC_EVENT("ibv_ack_async_event");

    private final String symbol;

    VerbsFunction(String symbol) {
        this.symbol = symbol;
    }

    /** The name of the function. */
    String symbol() {
        return symbol;
    }
}
