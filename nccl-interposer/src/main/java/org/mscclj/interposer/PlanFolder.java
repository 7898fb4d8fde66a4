package org.mscclj.interposer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.ExecutionPlan;

/** The plans that {@code MSCCLJ_PLANS} names: each communicator chooses from those for its number of ranks. */
final class PlanFolder {
    private static final String VARIABLE = "MSCCLJ_PLANS";

    private PlanFolder() {}

    /**
     * Registers the plans with a communicator, in the order of their files.
     *
     * @throws InvalidArgumentException if the folder cannot be read, or a file is no plan
     */
    static void register(Communicator communicator) {
        String folder = System.getenv(VARIABLE);
        if (folder == null || folder.isBlank()) {
            return;
        }
        for (Path file : files(Path.of(folder))) {
            ExecutionPlan plan = ExecutionPlan.load(file);
            if (plan.worldSize() == communicator.size()) {
                communicator.plans().register(plan);
            }
        }
    }

    private static List<Path> files(Path folder) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.json")) {
            all.forEach(files::add);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    VARIABLE + " is " + folder + ", which cannot be read: " + FileProblem.of(e)
                            + "; name a folder of plans, equal on all ranks",
                    e);
        }
        Collections.sort(files);
        return files;
    }
}
