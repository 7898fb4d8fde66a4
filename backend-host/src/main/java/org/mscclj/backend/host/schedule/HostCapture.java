package org.mscclj.backend.host.schedule;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * The capture of work that one thread enqueues on a stream, and on other streams whose work waits for it. Belongs to
 * that thread.
 *
 * <p>Captured work is numbered in the order in which it was enqueued, and waits only for work with a smaller number.
 */
final class HostCapture {
    private final Thread thread = Thread.currentThread();
    private final HostGraphLife life;
    private final Map<HostStream, CapturedBranch> branches = new LinkedHashMap<>();
    private final List<Replay.Place> launches = new ArrayList<>();
    private final Map<LaunchOrder, CaptureMark> latest = new LinkedHashMap<>();
    private boolean over;

    private HostCapture(BackendDevice device) {
        this.life = new HostGraphLife(device);
    }

    /** Captures the work that a task enqueues. */
    static Graph of(HostStream origin, BackendDevice device, Runnable work) {
        HostCapture capture = new HostCapture(device);
        capture.join(origin);
        try {
            work.run();
            return capture.finish(origin);
        } catch (RuntimeException | Error e) {
            capture.life.close();
            throw e;
        } finally {
            capture.end();
        }
    }

    private Graph finish(HostStream origin) {
        CapturedBranch main = branchOf(origin);
        long leftOut = branches.values().stream()
                .filter(branch -> branch.isLeftOutOf(main))
                .count();
        if (leftOut > 0) {
            throw new InvalidArgumentException(leftOut
                    + " streams that have joined the capture were not joined back: record an event on each of them,"
                    + " and let the captured stream await it before the work to capture ends");
        }
        return new HostGraph(
                branches.values().stream().map(CapturedBranch::nodes).toList(), launches, life);
    }

    private void end() {
        over = true;
        branches.keySet().forEach(HostStream::endCapture);
    }

    private CapturedBranch join(HostStream stream) {
        stream.beginCapture(this);
        CapturedBranch branch = new CapturedBranch(this, branches.size());
        branches.put(stream, branch);
        return branch;
    }

    /**
     * The branch of a stream that takes part in the capture.
     *
     * @throws InvalidArgumentException if another thread owns the capture
     */
    @SuppressWarnings("ReferenceEquality") // compares identities
    private CapturedBranch branchOf(HostStream stream) {
        CapturedBranch branch = Thread.currentThread() == thread ? branches.get(stream) : null;
        if (branch == null) {
            throw new InvalidArgumentException(
                    "this stream is being captured by another thread; use another stream, or wait for the end"
                            + " of the capture");
        }
        return branch;
    }

    /** Orders the next work of the stream after a point of this capture. */
    @SuppressWarnings("ReferenceEquality") // compares identities
    void await(HostStream stream, CaptureMark mark) {
        if (mark.capture() != this) {
            throw new InvalidArgumentException("the event was recorded in another capture; record it in this one");
        }
        branchOf(stream).await(mark);
    }

    /**
     * Adds a stream, which takes part in no capture, to this capture: work enqueued on it from now on is ordered after
     * the point.
     */
    @SuppressWarnings("ReferenceEquality") // compares identities
    void joinAfter(HostStream stream, CaptureMark mark) {
        if (over || Thread.currentThread() != thread) {
            throw new InvalidArgumentException(
                    over
                            ? "the event was recorded in a capture that has ended; record it again"
                            : "the event was recorded in a capture of another thread; only that thread may await it");
        }
        join(stream).await(mark);
    }

    /** The point after all captured work of the stream. */
    CaptureMark mark(HostStream stream) {
        return branchOf(stream).mark();
    }

    /** Captures a launch. */
    void add(HostStream stream, CapturedHostLaunch launch) {
        CapturedBranch branch = branchOf(stream);
        life.add(launch);
        int position = branch.add(new CapturedBranch.Node.Launch(launch));
        launches.add(new Replay.Place(launch, launch.replayListener(), branch.index(), position));
        latest.put(launch.order(), branch.mark());
    }

    /** Captures a copy between buffers of equal size. */
    void add(HostStream stream, DeviceBuffer source, DeviceBuffer destination) {
        CapturedBranch branch = branchOf(stream);
        life.add(source);
        life.add(destination);
        MemorySegment from = source.segment();
        MemorySegment to = destination.segment();
        branch.add(new CapturedBranch.Node.Plain(_ -> {
            to.copyFrom(from);
            return true;
        }));
    }

    /** Orders the next work of the stream after the captured launches of a communicator. */
    void awaitLaunches(HostStream stream, LaunchOrder order) {
        CaptureMark mark = latest.get(order);
        if (mark != null) {
            branchOf(stream).await(mark);
        }
    }
}
