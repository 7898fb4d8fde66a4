package org.mscclj.runtime.process;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * One of two ranks, which closes windows while rank 0 uses the memory of rank 1 that they have mapped. Prints what
 * comes of it.
 */
public final class ClosesUsedWindows {
    private static final int BYTES = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Communicator communicator;
    private final DeviceBuffer memory;
    private final DeviceBuffer message;

    private ClosesUsedWindows(Communicator communicator) {
        this.communicator = communicator;
        this.memory = communicator.device().allocate(BYTES);
        this.message = communicator.device().allocate(BYTES);
    }

    /** Started by {@link UsedWindowTest}. */
    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open(
                CommunicatorOptions.fromEnvironment().backend("host").timeout(LIMIT))) {
            ClosesUsedWindows rank = new ClosesUsedWindows(communicator);
            rank.inFlight();
            rank.prepared();
            rank.ownOperations();
            rank.afterAnAbort();
            rank.afterTheCommunicator();
        }
    }

    private boolean isFirst() {
        return communicator.rank() == 0;
    }

    private static void close(String what, Window window) {
        try {
            window.close();
            System.out.println(what + ": closed");
        } catch (InvalidArgumentException e) {
            System.out.println(what + ": refused: " + e.getMessage());
        }
    }

    private void inFlight() {
        Window window = communicator.openWindow(memory);
        if (isFirst()) {
            Work work = communicator.receive(window.mapRemote(1), 1);
            close("in flight", window);
            communicator.barrier();
            work.join();
        } else {
            message.segment().fill((byte) 7);
            close("in flight", window);
            communicator.barrier();
            communicator.send(message, 0).join();
        }
        communicator.barrier();
        if (!isFirst()) {
            System.out.println("received " + memory.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1));
        }
        close("ended", window);
    }

    private void prepared() {
        Window window = communicator.openWindow(memory);
        if (isFirst()) {
            PreparedOperation receive =
                    communicator.prepare(TransferCall.batch().receive(window.mapRemote(1), 1));
            close("prepared", window);
            receive.close();
        } else {
            close("prepared", window);
        }
        close("not prepared", window);
    }

    private void ownOperations() {
        Window window = communicator.openWindow(memory);
        if (isFirst()) {
            PreparedOperation put = window.prepare(WindowCall.put(window.mapRemote(1), 0, 0));
            put.run(LIMIT);
        }
        close("its own", window);
    }

    private void afterAnAbort() {
        Communicator child = communicator.split(List.of(0, 1), "aborted").orElseThrow();
        Window window = child.openWindow(memory);
        DeviceBuffer.Hold hold = window.mapRemote(isFirst() ? 1 : 0).hold();
        DeviceBuffer view = window.mapRemote(isFirst() ? 1 : 0);
        Work work = isFirst() ? child.receive(view, 1) : child.receive(view, 0);
        communicator.barrier();
        child.abort("on purpose");
        close("aborted", window);
        try {
            work.join();
        } catch (AbortedException e) {
            System.out.println("told of the abort");
        }
        child.close();
        view.segment().fill((byte) 0); // still there
        hold.close();
        try {
            view.hold();
        } catch (InvalidArgumentException e) {
            System.out.println("gone: " + e.getMessage());
        }
        communicator.barrier();
    }

    private void afterTheCommunicator() {
        Communicator child = communicator.split(List.of(0, 1), "closed").orElseThrow();
        Window window = child.openWindow(memory);
        if (isFirst()) {
            PreparedOperation receive =
                    communicator.prepare(TransferCall.batch().receive(window.mapRemote(1), 1));
            child.close();
            communicator.barrier();
            receive.run(LIMIT);
            receive.close();
        } else {
            child.close();
            communicator.barrier();
            message.segment().fill((byte) 9);
            communicator.send(message, 0).join();
        }
        communicator.barrier();
        if (!isFirst()) {
            System.out.println("received " + memory.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1));
        }
    }
}
