package org.mscclj.runtime.execution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.WeakHashMap;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanWriter;

/**
 * Tells plans apart by their content, so that ranks that loaded different files notice. Shared by the ranks of a process, which mostly
 * prepare the same plans: writing a plan of many ranks takes a while.
 */
public final class PlanDigests {
    private static final Map<Plan, String> DIGESTS = Collections.synchronizedMap(new WeakHashMap<>());

    private PlanDigests() {}

    /** The digest of a plan; equal for equal plans. */
    public static String of(Plan plan) {
        return DIGESTS.computeIfAbsent(plan, PlanDigests::compute); // one rank computes, the others wait
    }

    private static String compute(Plan plan) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(PlanWriter.write(plan).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new UnsupportedException("this Java runtime has no SHA-256; use a complete JDK");
        }
    }
}
