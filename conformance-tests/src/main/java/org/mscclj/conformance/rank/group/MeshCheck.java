package org.mscclj.conformance.rank.group;

import org.mscclj.api.Communicator;
import org.mscclj.api.mesh.CommunicatorMesh;
import org.mscclj.api.mesh.Dimension;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.result.ResultChecks;

/**
 * Checks the communicators of a mesh. Along each dimension, the ranks that differ only in this coordinate have a
 * communicator, in which their coordinate is their rank.
 */
final class MeshCheck implements RankCheck {
    private static final String ROW = "row";
    private static final String COLUMN = "column";

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        int columns = world % 2 == 0 ? world / 2 : world;
        try (CommunicatorMesh mesh = CommunicatorMesh.open(
                context.communicator(), new Dimension(ROW, world / columns), new Dimension(COLUMN, columns))) {
            along(context, mesh, ROW, context.rank() / columns, world / columns);
            along(context, mesh, COLUMN, context.rank() % columns, columns);
        }
    }

    private static void along(RankContext context, CommunicatorMesh mesh, String name, int rank, int size) {
        Communicator along = mesh.along(name);
        if (along.rank() != rank || along.size() != size || mesh.rank(name) != rank) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "along " + name + ", rank " + context.rank() + " is rank " + along.rank() + " of " + along.size()
                            + ", and has the coordinate " + mesh.rank(name) + "; right is " + rank + " of " + size);
        }
        ResultChecks.result().check(context.within(along, context.test().world(size)));
    }
}
