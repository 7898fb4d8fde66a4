package org.mscclj.backend.host.schedule;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.ReplayListener;

/**
 * One replay of a graph: a command that carries out the commands of each branch in order. Reused when it has ended.
 *
 * <p>The claim of its stream covers {@code control}, and orders all accesses but those of helpers; helpers read a
 * position, and commands that allow help at any time.
 */
final class Replay implements Command, LongSupplier {
    /** The place of a launch in a graph, and the listener of its replays. */
    record Place(CapturedHostLaunch launch, ReplayListener listener, int branch, int position) {}

    private final HostGraph graph;
    private final Command[][] commands;
    private final long[][] tickets;
    private final List<Place> launches;

    /** The number of ended commands of each branch. */
    private final AtomicIntegerArray positions;

    private long number;

    Replay(HostGraph graph, List<List<CapturedBranch.Node>> branches, List<Place> launches) {
        this.graph = graph;
        this.launches = launches;
        this.positions = new AtomicIntegerArray(branches.size());
        this.commands = new Command[branches.size()][];
        this.tickets = new long[branches.size()][];
        for (int branch = 0; branch < commands.length; branch++) {
            commands[branch] = branches.get(branch).stream().map(this::command).toArray(Command[]::new);
            tickets[branch] = new long[commands[branch].length];
        }
    }

    private Command command(CapturedBranch.Node node) {
        return switch (node) {
            case CapturedBranch.Node.Plain plain -> plain.command();
            case CapturedBranch.Node.Launch launch -> launch.launch().command();
            case CapturedBranch.Node.Join(int branch, int position) -> _ -> positions.get(branch) >= position;
        };
    }

    /** Sets the number of the next replay among the replays of the graph, from 1. */
    void number(long next) {
        number = next;
    }

    /** Takes the tickets of all launches, in the order of the capture; called when this replay is enqueued. */
    @Override
    public long getAsLong() {
        for (int i = 0; i < launches.size(); i++) {
            Place place = launches.get(i);
            tickets[place.branch()][place.position()] = place.launch().takeTicket();
        }
        for (int branch = 0; branch < commands.length; branch++) {
            positions.set(branch, 0);
        }
        return number;
    }

    /** The ticket of a launch, by its index among the launches of the graph. */
    long ticket(int launch) {
        Place place = launches.get(launch);
        return tickets[place.branch()][place.position()];
    }

    @Override
    public int assist(int worker) {
        int work = 0;
        for (int branch = 0; branch < commands.length; branch++) {
            int position = positions.get(branch);
            if (position < commands[branch].length) {
                work += commands[branch][position].assist(worker);
            }
        }
        return work;
    }

    @Override
    public boolean wantsControl() {
        for (int branch = 0; branch < commands.length; branch++) {
            int position = positions.get(branch);
            if (position == commands[branch].length || commands[branch][position].wantsControl()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<LaunchOrder> orders() {
        return launches.stream().map(place -> place.launch().order()).distinct().toList();
    }

    @Override
    public boolean control(long ticket) {
        if (!graph.isNext(ticket)) {
            return false;
        }
        boolean moved = true;
        boolean over = false;
        while (moved && !over) {
            moved = false;
            over = true;
            for (int branch = 0; branch < commands.length; branch++) {
                moved |= advance(branch);
                over &= positions.get(branch) == commands[branch].length;
            }
        }
        if (over) {
            graph.ended(this, ticket);
        }
        return over;
    }

    private boolean advance(int branch) {
        int before = positions.get(branch);
        int position = before;
        while (position < commands[branch].length && commands[branch][position].control(tickets[branch][position])) {
            positions.set(branch, ++position);
        }
        return position != before;
    }
}
