package org.mscclj.cli.launch;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The environment variables by which each rank learns its number and finds the other ranks.
 *
 * @param ranks number of ranks
 * @param ranksPerNode ranks that count as one node
 * @param address where rank 0 listens, at a port that it chooses itself: another user could take a port that the
 *     launcher had chosen before rank 0 listens there
 * @param job names the file to which rank 0 writes the port
 * @param secret the file with the secret by which ranks authenticate each other
 */
record RankEnvironment(int ranks, int ranksPerNode, String address, String job, Path secret) {
    private static final String JOB = "MSCCLJ_JOB";

    /** Creates the environment of a new group on this machine. */
    static RankEnvironment create(int ranks, int ranksPerNode, GroupSecret secret) {
        return new RankEnvironment(
                ranks,
                ranksPerNode,
                InetAddress.getLoopbackAddress().getHostAddress(),
                "launch-" + UUID.randomUUID(),
                secret.file());
    }

    /** Returns the variable, with its value, that only ranks of this group and their children have. */
    String jobVariable() {
        return JOB + "=" + job;
    }

    /** Returns the variables of a rank. */
    Map<String, String> of(int rank) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MSCCLJ_RANK", Integer.toString(rank));
        variables.put("MSCCLJ_WORLD_SIZE", Integer.toString(ranks));
        variables.put("MSCCLJ_LOCAL_RANK", Integer.toString(rank % ranksPerNode));
        variables.put("MSCCLJ_RANKS_PER_NODE", Integer.toString(ranksPerNode));
        variables.put("MSCCLJ_MASTER_ADDR", address);
        variables.put("MSCCLJ_MASTER_PORT", "0");
        variables.put(JOB, job);
        variables.put("MSCCLJ_SECRET_FILE", secret.toString());
        return variables;
    }
}
