package org.mscclj.device.kernels.plan;

/**
 * The table of a launch of a plan.
 *
 * @param words the words
 * @param mostUnits the greatest number of threads of a block that have work at once
 * @param form which kernel reads it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PlanTable(long[] words, long mostUnits, Form form) {
    /** The kernels of a plan. */
    public enum Form {
        /** Carries out steps one by one ({@link LaunchTable}). */
        GENERAL,
        /** Of fused blocks, with flags beside each packet ({@link FusedTable}). */
        FUSED,
        /** Of fused blocks, with packets in lines of 128 bytes ({@link FusedTable}). */
        LINES
    }

    static PlanTable of(FusedTable table) {
        return new PlanTable(table.words(), table.mostUnits(), table.inLines() ? Form.LINES : Form.FUSED);
    }

    static PlanTable of(LaunchTable table) {
        return new PlanTable(table.words(), table.mostUnits(), Form.GENERAL);
    }

    /** Returns a table with other words. */
    PlanTable withWords(long[] others) {
        return new PlanTable(others, mostUnits, form);
    }
}
