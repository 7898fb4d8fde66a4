package org.mscclj.runtime.execution.operation;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.Transfer;

/**
 * What the recorder and the hooks learn of an operation.
 *
 * @param description returns the description; called when it is needed, by any thread
 * @param words object whose string names the operation
 * @param transfers the point-to-point transfers of which the operation consists; empty if it does not consist of them
 * @param ofAllRanks whether all ranks launch it
 */
public record RecordedAs(
        Supplier<OperationDescription> description,
        Object words,
        Optional<List<Transfer>> transfers,
        boolean ofAllRanks) {
    /** An operation of all ranks that its description names. */
    public static RecordedAs of(Supplier<OperationDescription> description) {
        Later later = new Later(description);
        return new RecordedAs(later, later, Optional.empty(), true);
    }

    /** A description that is made when it is first needed: most operations need none. */
    private static final class Later implements Supplier<OperationDescription> {
        private final Supplier<OperationDescription> making;
        private volatile @Nullable OperationDescription made;

        Later(Supplier<OperationDescription> making) {
            this.making = making;
        }

        @Override
        public OperationDescription get() {
            OperationDescription known = made;
            if (known == null) {
                known = making.get(); // two threads make equal ones
                made = known;
            }
            return known;
        }

        @Override
        public String toString() {
            return get().toString();
        }
    }
}
