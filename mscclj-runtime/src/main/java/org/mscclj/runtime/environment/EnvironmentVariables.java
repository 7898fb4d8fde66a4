package org.mscclj.runtime.environment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The environment variables that mscclj, or the launchers and libraries around it, read. */
public final class EnvironmentVariables {
    private static final String OURS = "MSCCLJ_";

    /** All variables, as in docs/environment.md; a test compares both with the variables that the sources read. */
    public static final List<String> KNOWN = List.of(
            "MSCCLJ_RANK",
            "MSCCLJ_WORLD_SIZE",
            "MSCCLJ_LOCAL_RANK",
            "MSCCLJ_RANKS_PER_NODE",
            "MSCCLJ_JOB",
            "TORCHCOMM_RANK",
            "TORCHCOMM_SIZE",
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "TORCHELASTIC_RUN_ID",
            "TORCHELASTIC_USE_AGENT_STORE",
            "MSCCLJ_MASTER_ADDR",
            "MSCCLJ_MASTER_PORT",
            "MASTER_ADDR",
            "MASTER_PORT",
            "MSCCLPP_MASTER_ADDR",
            "MSCCLPP_MASTER_PORT",
            "MSCCLJ_SECRET_FILE",
            "MSCCLJ_SECRET",
            "MSCCLJ_INSECURE",
            "MSCCLJ_PROTECTION",
            "MSCCLJ_CONTROL_PORTS",
            "MSCCLJ_KEEPALIVE_SECONDS",
            "MSCCLJ_INTERFACE",
            "MSCCLJ_ADDRESS_FAMILY",
            "MSCCLJ_NETWORK",
            "MSCCLJ_TLS_KEY_STORE",
            "MSCCLJ_TLS_TRUST_STORE",
            "MSCCLJ_TLS_PASSWORD_FILE",
            "MSCCLJ_TLS_PASSWORD",
            "XDG_RUNTIME_DIR",
            "MSCCLJ_TCP_INTERFACE",
            "MSCCLJ_TCP_PORTS",
            "MSCCLJ_TCP_CONNECTIONS",
            "MSCCLJ_TCP_TLS",
            "MSCCLJ_TCP_KEY_STORE",
            "MSCCLJ_TCP_TRUST_STORE",
            "MSCCLJ_TCP_STORE_SECRET",
            "MSCCLJ_HCA_DEVICES",
            "MSCCLPP_HCA_DEVICES",
            "MSCCLJ_IB_GID_INDEX",
            "MSCCLPP_IB_GID_INDEX",
            "MSCCLJ_IB_SERVICE_LEVEL",
            "MSCCLJ_IB_TRAFFIC_CLASS",
            "MSCCLJ_IB_PARTITION",
            "MSCCLJ_IB_RAILS",
            "MSCCLJ_IB_QUEUE_PAIRS",
            "MSCCLJ_IB_TIMEOUT",
            "MSCCLJ_IB_RETRIES",
            "MSCCLJ_IB_ATOMICS",
            "MSCCLJ_IB_GPU_MEMORY",
            "MSCCLJ_IBVERBS_LIB",
            "MSCCLPP_IBV_SO",
            "MSCCLJ_TIMEOUT_SECONDS",
            "TORCHCOMM_TIMEOUT_SECONDS",
            "TORCHCOMM_ABORT_ON_ERROR",
            "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS",
            "MSCCLJ_WATCHDOG_START_SECONDS",
            "MSCCLJ_CHECK",
            "MSCCLJ_NAN_CHECK",
            "MSCCLJ_STRICT_HINTS",
            "MSCCLJ_VERIFY_PLANS",
            "MSCCLJ_RECORDER_ENTRIES",
            "MSCCLJ_DEBUG_DUMP_DIR",
            "MSCCLJ_DEBUG_SOCKET",
            "MSCCLJ_TRACE",
            "MSCCLJ_CACHE_DIR",
            "MSCCLPP_CACHE_DIR",
            "MSCCLJ_KERNELS_DIR",
            "MSCCLJ_NVRTC",
            "MSCCLJ_HIP_LIB",
            "MSCCLJ_HIPRTC_LIB",
            "MSCCLJ_NCCL_LIB",
            "MSCCLPP_NCCL_LIB_PATH",
            "MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION",
            "MSCCLPP_FORCE_NCCL_FALLBACK_OPERATION",
            "MSCCLJ_NVLS",
            "MSCCLPP_FORCE_DISABLE_NVLS",
            "NCCL_HOSTID",
            "NCCL_NVLS_ENABLE",
            "NCCL_RUNTIME_CONNECT",
            "MSCCLJ_SHM_DIR",
            "MSCCLJ_SCRATCH_LIMIT",
            "MSCCLJ_TUNING",
            "MSCCLJ_FIRST_FLAG",
            "MSCCLJ_SHARED_QUEUES",
            "MSCCLJ_EARLY_LAUNCH",
            "MSCCLJ_LL128",
            "CUDA_DEVICE_MAX_CONNECTIONS",
            "CUDA_MODULE_LOADING",
            "GPU_MAX_HW_QUEUES",
            "MSCCLJ_JAVA_OPTS",
            "JAVA_HOME",
            "CLASSPATH",
            "MSCCLJ_DEBUG",
            "MSCCLJ_PLANS",
            "MSCCLJ_NCCL_VERSION",
            "MSCCLJ_JVM",
            "MSCCLJ_CLASS_PATH");

    private EnvironmentVariables() {}

    /** Returns the known variables that are set, with their values; the value of a secret is never shown. */
    public static Map<String, String> set(Map<String, String> environment) {
        Map<String, String> set = new LinkedHashMap<>();
        KNOWN.stream().filter(environment::containsKey).forEach(name -> set.put(name, shown(environment, name)));
        return set;
    }

    /** Returns the names of the known variables that are not set. */
    public static List<String> unset(Map<String, String> environment) {
        return KNOWN.stream().filter(name -> !environment.containsKey(name)).toList();
    }

    /**
     * Returns the names of the set variables that look like those of mscclj and are not known, which are probably
     * misspelt; sorted by name.
     */
    public static List<String> unknown(Map<String, String> environment) {
        return new TreeSet<>(environment.keySet())
                .stream()
                        .filter(name -> name.startsWith(OURS) && !KNOWN.contains(name))
                        .toList();
    }

    private static String shown(Map<String, String> environment, String name) {
        return name.contains("SECRET") || name.contains("PASSWORD") ? "set" : environment.getOrDefault(name, "");
    }
}
