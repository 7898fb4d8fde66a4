package org.mscclj.runtime.communicator;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroup.RankTask;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;
import org.mscclj.runtime.process.RankProcess;
import org.mscclj.runtime.settings.GroupHints;

/** How the three ranks of a test are joined. */
enum JoinedRanks {
    /** As threads of a local group. */
    LOCAL {
        @Override
        void run(WatchedDevices devices, Duration timeout, RankTask task) {
            try (LocalGroup group = LocalRanks.open(
                    LocalGroupOptions.ranks(3).timeout(timeout), ExecutorOptions.DEFAULT, devices.provider())) {
                group.run(task);
            }
        }
    },
    /** Through sockets, as processes are. */
    MESH {
        @Override
        void run(WatchedDevices devices, Duration timeout, RankTask task) throws Exception {
            UniqueId id = UniqueId.create();
            RankThreads.run(3, rank -> {
                CommunicatorOptions options =
                        CommunicatorOptions.rank(rank, 3).uniqueId(id).timeout(timeout);
                try (Communicator all = RankProcess.open(
                        options,
                        ExecutorOptions.DEFAULT,
                        GroupHints.none(),
                        devices.provider(),
                        Bootstrap.connect(options))) {
                    task.run(all);
                }
            });
        }
    };

    abstract void run(WatchedDevices devices, Duration timeout, RankTask task) throws Exception;
}
