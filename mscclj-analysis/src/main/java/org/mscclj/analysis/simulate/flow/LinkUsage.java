package org.mscclj.analysis.simulate.flow;

import java.util.Arrays;
import java.util.List;

/** The bytes that each byte of progress puts on each link. */
public final class LinkUsage {
    private static final int FEW = 4;

    private int[] links = new int[FEW];
    private double[] amounts = new double[FEW];
    private int size;

    /** Adds to the use of a link. */
    public LinkUsage add(int link, double amount) {
        for (int i = 0; i < size; i++) {
            if (links[i] == link) {
                amounts[i] += amount;
                return this;
            }
        }
        if (size == links.length) {
            links = Arrays.copyOf(links, 2 * size);
            amounts = Arrays.copyOf(amounts, 2 * size);
        }
        links[size] = link;
        amounts[size++] = amount;
        return this;
    }

    /** Adds to the use of several links. */
    public LinkUsage add(List<Integer> several, double amount) {
        for (int link : several) {
            add(link, amount);
        }
        return this;
    }

    int size() {
        return size;
    }

    int link(int i) {
        return links[i];
    }

    double amount(int i) {
        return amounts[i];
    }
}
