package org.mscclj.api;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A Slurm step, read from the variables of the step alone. The variables of the job (SLURM_NTASKS_PER_NODE,
 * SLURM_JOB_NODELIST and others) describe the allocation, and a batch script has a SLURM_PROCID although it is not a
 * rank.
 *
 * @param id job and step, as {@code 42.3}
 * @param tasks number of ranks
 * @param severalNodes whether they are on several nodes
 * @param firstNode the host of rank 0; empty if Slurm does not name it
 */
record SlurmStep(String id, int tasks, boolean severalNodes, Optional<String> firstNode) {
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;
    private static final int PORTS_OF_A_STEP = 16;

    /**
     * Slurm uses the numbers from here on for processes that are not steps: batch scripts, {@code salloc}'s shell, and
     * the processes that manage a job.
     */
    private static final long NO_STEPS = 0xffff_fff0L;

    /** The step that this process is a task of; empty if it is none. */
    static Optional<SlurmStep> of(Map<String, String> environment) {
        Optional<String> step =
                first(environment, "SLURM_STEP_ID", "SLURM_STEPID").filter(SlurmStep::isStep);
        if (step.isEmpty() || first(environment, "SLURM_PROCID").isEmpty()) {
            return Optional.empty();
        }
        String job = first(environment, "SLURM_JOB_ID", "SLURM_JOBID").orElse("0");
        String tasks = first(environment, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS")
                .orElseThrow(() ->
                        new InvalidArgumentException("SLURM_STEP_ID is set, but not SLURM_STEP_NUM_TASKS; set both"));
        return Optional.of(new SlurmStep(
                job + "." + step.get(),
                number("SLURM_STEP_NUM_TASKS", tasks),
                hasSeveralNodes(environment),
                first(environment, "SLURM_STEP_NODELIST").map(SlurmNodes::first)));
    }

    private static boolean isStep(String id) {
        try {
            long number = Long.parseLong(id);
            return number >= 0 && number < NO_STEPS;
        } catch (NumberFormatException e) {
            return false; // "batch", "interactive", "extern"
        }
    }

    private static boolean hasSeveralNodes(Map<String, String> environment) {
        Optional<String> nodes = first(environment, "SLURM_STEP_NUM_NODES");
        if (nodes.isPresent()) {
            return number("SLURM_STEP_NUM_NODES", nodes.get()) > 1;
        }
        return first(
                        environment,
                        "SLURM_STEP_TASKS_PER_NODE") // "4(x2)": 4 on each of 2 nodes; "2,1": on the first, and the
                // second
                .filter(tasks -> tasks.contains(",") || tasks.contains("(x"))
                .isPresent();
    }

    /**
     * Whether the step's own plugin has set the variables of PMI or PMIx, if they are set at all. If it has not, mpirun
     * has set them; the daemons of mpirun are a step, too.
     */
    boolean startedRanks(Map<String, String> environment) {
        Optional<String> names = first(environment, "PMIX_NAMESPACE");
        if (first(environment, "PMIX_RANK").isPresent()) {
            return names.filter(name -> name.equals("slurm.pmix." + id)).isPresent();
        }
        if (first(environment, "PMI_RANK").isPresent()) {
            return first(environment, "PMI_JOBID").filter(id::equals).isPresent()
                    && first(environment, "MPI_LOCALNRANKS").isEmpty();
        }
        return true;
    }

    /** The ports at which rank 0 may listen; steps that run at once most likely get different ports. */
    PortRange ports() {
        int first = FIRST_PORT + Math.floorMod(id.hashCode(), PORTS);
        return new PortRange(first, first + PORTS_OF_A_STEP - 1);
    }

    private static Optional<String> first(Map<String, String> environment, String... names) {
        return Stream.of(names)
                .flatMap(name -> Optional.ofNullable(environment.get(name)).stream())
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(name + " is \"" + value + "\"; allowed: a whole number", e);
        }
    }
}
