package org.mscclj.conformance.reference;

import java.lang.reflect.Method;
import org.mscclj.conformance.group.WrappedRanks;

/**
 * What becomes of the calls of a rank: of its communicators, and of all that these give away. Made anew for each group.
 */
@FunctionalInterface
interface Interception {
    /** Every call as it is. */
    Interception NONE = (rank, inner, method, arguments) -> WrappedRanks.invoke(inner, method, arguments);

    /** Makes the call, perhaps with other arguments. */
    static Object proceed(Object inner, Method method, Object... arguments) throws Throwable {
        return WrappedRanks.invoke(inner, method, arguments);
    }

    /**
     * Answers a call.
     *
     * @param rank of the group
     * @param inner whose method is called
     */
    Object call(int rank, Object inner, Method method, Object[] arguments) throws Throwable;
}
