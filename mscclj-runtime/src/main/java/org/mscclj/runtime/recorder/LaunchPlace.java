package org.mscclj.runtime.recorder;

/**
 * The place of a launch among the launches of its rank.
 *
 * @param messages whether only some ranks make it, as with point-to-point launches
 * @param number number among the launches of all ranks, or among this rank's point-to-point launches, from 1
 */
public record LaunchPlace(boolean messages, long number) {
    /** Returns, for example, "launch #42", or "messages #3". */
    @Override
    public String toString() {
        return (messages ? "messages #" : "launch #") + number;
    }
}
