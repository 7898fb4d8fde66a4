package org.mscclj.runtime.collective;

import java.util.Optional;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.signature.Role;

/**
 * What calls of all sizes on the same memory have in common. Equal on all ranks.
 *
 * @param op the operation without its factor
 * @param inPlace whether input and output share memory as in the collective's in-place form
 * @param algorithm the algorithm that the caller names; empty for any
 * @param arguments the arguments for native algorithms, without the values of extra parameters
 * @param role the purpose of the collective
 * @param input the number of the allocation of the input; 0 for memory that is not registered
 * @param output the number of the allocation of the output; 0 for memory that is not registered
 * @param registryChanges the number of changes of the communicator's plan registry before the call
 */
record CallClass(
        Collective collective,
        DataType type,
        ReduceOp op,
        int root,
        boolean inPlace,
        Optional<String> algorithm,
        NativeArguments arguments,
        Role role,
        long input,
        long output,
        long registryChanges) {}
