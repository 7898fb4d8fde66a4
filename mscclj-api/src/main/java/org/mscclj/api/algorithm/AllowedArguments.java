package org.mscclj.api.algorithm;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * The launch sizes and arguments that a native algorithm takes. A call that asks for another value is refused. A tuner
 * tries all numbers of blocks with all numbers of threads. Equal on all ranks. Immutable.
 *
 * @param blocks the numbers of thread blocks of each rank that a call may ask for, 1 or more, in the order in which a
 *     tuner tries them; empty if the algorithm always chooses
 * @param threadsPerBlock likewise, the numbers of threads of a block
 * @param extras the names of the extra parameters that a call may have; the algorithm does without those that a call
 *     does not have, or refuses to launch
 * @param accumulationTypes the types in which it can form sums
 */
public record AllowedArguments(
        List<Integer> blocks, List<Integer> threadsPerBlock, Set<String> extras, Set<DataType> accumulationTypes) {
    /** The algorithm chooses blocks, threads and the accumulation type, and has no extra parameters. */
    public static final AllowedArguments NONE = new AllowedArguments(List.of(), List.of(), Set.of(), Set.of());

    /** Copies the collections, and checks that all numbers are positive. */
    public AllowedArguments {
        blocks = positive("blocks", blocks);
        threadsPerBlock = positive("threadsPerBlock", threadsPerBlock);
        extras = Collections.unmodifiableSet(new TreeSet<>(Objects.requireNonNull(extras, "extras")));
        accumulationTypes = Collections.unmodifiableSet(
                new TreeSet<>(Objects.requireNonNull(accumulationTypes, "accumulationTypes")));
    }

    /** Allows numbers of thread blocks, and of threads in each, and nothing else. */
    public static AllowedArguments sizes(List<Integer> blocks, List<Integer> threadsPerBlock) {
        return new AllowedArguments(blocks, threadsPerBlock, Set.of(), Set.of());
    }

    private static List<Integer> positive(String name, List<Integer> numbers) {
        List<Integer> copy = GivenList.copy(numbers, name);
        copy.stream().filter(number -> number < 1).findFirst().ifPresent(number -> {
            throw InvalidArgumentException.of(name, number, "1 or more; the algorithm's own choice is always allowed");
        });
        return copy;
    }

    /** Returns the reason why a size or an argument is not allowed; empty if all are. */
    public Optional<String> refusal(LaunchSize size, NativeArguments arguments) {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(arguments, "arguments");
        return refusal("thread blocks", size.blocks(), blocks)
                .or(() -> refusal("threads per block", size.threadsPerBlock(), threadsPerBlock))
                .or(() -> arguments
                        .accumulationType()
                        .filter(type -> !accumulationTypes.contains(type))
                        .map(type -> "sums are asked for in " + type
                                + (accumulationTypes.isEmpty()
                                        ? "; it chooses the type itself, leave it out"
                                        : "; allowed: " + accumulationTypes + ", or none for its own choice")))
                .or(() -> arguments.extras().keySet().stream()
                        .filter(name -> !extras.contains(name))
                        .findFirst()
                        .map(name -> "extra parameter " + name + " is given; "
                                + (extras.isEmpty() ? "it takes none" : "allowed: " + extras)));
    }

    private static Optional<String> refusal(String what, int number, List<Integer> allowed) {
        return number == 0 || allowed.contains(number)
                ? Optional.empty()
                : Optional.of(number + " " + what + " are asked for; "
                        + (allowed.isEmpty()
                                ? "it chooses their number itself, leave it 0"
                                : "allowed: " + allowed + ", or 0 for its own choice"));
    }
}
