package org.mscclj.runtime.process;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A rank in a process of its own, which adds up with the others until one is lost, and goes on without it until two are
 * left.
 */
public final class ShrinkUntilTwo {
    private ShrinkUntilTwo() {}

    public static void main(String[] arguments) {
        Communicator communicator = Communicator.open();
        int number = 1 << communicator.rank();
        while (true) {
            System.out.println("ready " + communicator.rank() + " of " + communicator.size());
            AtomicInteger sum = new AtomicInteger();
            int lost = addUntilLost(communicator, number, sum);
            System.out.println("sum " + sum);
            if (lost < 0) {
                break;
            }
            System.out.println("lost " + lost);
            if (!isRefusedWithTheLost(communicator, lost)) {
                System.out.println("shrunk to lost ranks");
                break;
            }
            Communicator left = communicator.shrink(List.of(lost));
            communicator.close();
            communicator = left;
        }
        communicator.close();
    }

    /** Adds up again and again until a rank is lost; once if two are left, and then nobody is. */
    private static int addUntilLost(Communicator communicator, int number, AtomicInteger sum) {
        try (DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            do {
                buffer.segment().set(ValueLayout.JAVA_INT, 0, number);
                communicator
                        .allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                        .join();
                sum.set(buffer.segment().get(ValueLayout.JAVA_INT, 0));
            } while (communicator.size() > 2);
            return -1;
        } catch (RankLostException e) {
            return e.rank();
        }
    }

    private static boolean isRefusedWithTheLost(Communicator communicator, int lost) {
        try {
            communicator.shrink(List.of()).close();
            return false;
        } catch (RankLostException e) {
            return e.rank() == lost;
        }
    }
}
