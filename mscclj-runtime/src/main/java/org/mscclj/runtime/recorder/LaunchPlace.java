package org.mscclj.runtime.recorder;

/**
 * The place of a launch among those of its rank.
 *
 * @param messages whether only some ranks make it, as they do launches of messages
 * @param number among those that all ranks make, or among this rank's launches of messages, from 1
 */
public record LaunchPlace(boolean messages, long number) {
    /** For example "launch #42", or "messages #3". */
    @Override
    public String toString() {
        return (messages ? "messages #" : "launch #") + number;
    }
}
