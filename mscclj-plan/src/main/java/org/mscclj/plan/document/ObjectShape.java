package org.mscclj.plan.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of one kind of JSON object.
 *
 * @param names all known keys; a key's number is its position
 * @param numbers the numbers of the keys
 * @param required how many of the keys, counted from the first, must be present
 * @param isClosed whether other keys are refused, and not ignored
 */
public record ObjectShape(List<String> names, Map<String, Integer> numbers, int required, boolean isClosed) {
    /** The shape of an object with these keys, and perhaps others, which are ignored. */
    public static ObjectShape of(List<String> required, List<String> optional) {
        return of(required, optional, false);
    }

    /** The shape of an object with these keys only. */
    public static ObjectShape closed(List<String> required, List<String> optional) {
        return of(required, optional, true);
    }

    private static ObjectShape of(List<String> required, List<String> optional, boolean isClosed) {
        List<String> names = new ArrayList<>(required);
        names.addAll(optional);
        Map<String, Integer> numbers = HashMap.newHashMap(names.size());
        for (String name : names) {
            numbers.put(name, numbers.size());
        }
        return new ObjectShape(List.copyOf(names), Map.copyOf(numbers), required.size(), isClosed);
    }
}
