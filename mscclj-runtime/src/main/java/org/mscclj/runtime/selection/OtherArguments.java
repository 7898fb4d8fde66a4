package org.mscclj.runtime.selection;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.type.DataType;

/** The arguments of calls that only native algorithms take, for plans, programs and fallbacks. */
final class OtherArguments {
    private OtherArguments() {}

    /**
     * Returns the reason why an algorithm that is not a native one cannot serve a call with its arguments; empty if it
     * can. Such algorithms form sums in the type that the SPEC states, and a call may state that type too.
     */
    static Optional<String> refusal(CallDescriptor shape) {
        NativeArguments arguments = shape.arguments();
        DataType type = shape.type();
        if (arguments.equals(NativeArguments.NONE)) {
            return Optional.empty();
        }
        DataType wider = type.isFloat() && type.byteSize() < Float.BYTES ? DataType.FLOAT32 : type;
        return new AllowedArguments(List.of(), List.of(), Set.of(), EnumSet.of(type, wider))
                .refusal(LaunchSize.CHOSEN, arguments);
    }
}
