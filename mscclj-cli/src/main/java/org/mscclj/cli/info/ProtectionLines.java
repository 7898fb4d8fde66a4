package org.mscclj.cli.info;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mscclj.spi.protection.WireProtection;

/** Describes which connections between ranks are encrypted and authenticated. */
final class ProtectionLines {
    private ProtectionLines() {}

    /** Returns a description for each kind of connection, by the environment's settings. */
    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> lines = new LinkedHashMap<>();
        boolean secret = isSet(environment, "MSCCLJ_SECRET") || isSet(environment, "MSCCLJ_SECRET_FILE");
        boolean insecure = "1".equals(environment.get("MSCCLJ_INSECURE")) && !secret;
        String sealed = sealed(WireProtection.of(environment), insecure);
        lines.put(
                "control",
                isSet(environment, "MSCCLJ_TLS_KEY_STORE") ? "TLS 1.3, by the keys of MSCCLJ_TLS_KEY_STORE" : sealed);
        lines.put(
                "data of tcp",
                "1".equals(environment.get("MSCCLJ_TCP_TLS"))
                        ? "TLS 1.3, by the keys of MSCCLJ_TCP_KEY_STORE"
                        : sealed);
        return lines;
    }

    private static String sealed(WireProtection protection, boolean insecure) {
        String name = WireProtection.VARIABLE;
        if (insecure) {
            return "not encrypted, as MSCCLJ_INSECURE allows a group without a secret";
        }
        return switch (protection) {
            case HOSTS -> "AES-256-GCM between hosts, not encrypted within one (" + name + ")";
            case ALL -> "AES-256-GCM (" + name + ")";
            case NONE -> "not encrypted (" + name + "=none)";
        };
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }
}
