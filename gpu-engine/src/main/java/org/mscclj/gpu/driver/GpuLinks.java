package org.mscclj.gpu.driver;

/**
 * The links between the GPUs of a host, whether or not this process sees all of them.
 *
 * @param text describes them for users, as {@code xGMI with one hop between all 28 pairs of GPUs}
 * @param ringsFirst whether a ring of all GPUs moves an allreduce in less time than transfers between all pairs; equal
 *     for all processes of the host
 */
public record GpuLinks(String text, boolean ringsFirst) {}
