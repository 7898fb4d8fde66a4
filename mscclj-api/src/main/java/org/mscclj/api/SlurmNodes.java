package org.mscclj.api;

/** Parser of Slurm's lists of hosts, for example {@code node[03-07,12],login}. */
final class SlurmNodes {
    private SlurmNodes() {}

    /** The first host of a list: that of task 0. */
    static String first(String list) {
        int open = list.indexOf('[');
        int comma = list.indexOf(',');
        if (open < 0 || (comma >= 0 && comma < open)) {
            return comma < 0 ? list : list.substring(0, comma);
        }
        int end = open + 1;
        while (end < list.length() && Character.isDigit(list.charAt(end))) {
            end++;
        }
        int close = list.indexOf(']', end);
        int next = list.indexOf(',', close);
        String suffix = close < 0 ? "" : list.substring(close + 1, next < 0 ? list.length() : next);
        return list.substring(0, open) + list.substring(open + 1, end) + suffix;
    }
}
