package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** The rules about faults: each way of dealing with one wrongly breaks exactly the rule that it is wrong about. */
@Tag("deep")
class BrokenFaultsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.allOf(ReduceOp.Kind.class),
            3,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.POINT_TO_POINT, Feature.WINDOWS, Feature.ABORT));

    private static final Capabilities OF_PROCESSES = new Capabilities(
            CAPABILITIES.dataTypes(),
            CAPABILITIES.reduceOps(),
            3,
            Set.of(Feature.PLANS, Feature.RANKS_AS_PROCESSES, Feature.ABORT));

    private static List<RuleResult> runAsProcesses(IntFunction<Defect> defect) {
        return Trial.run(
                Mode.PROCESSES,
                ReferenceGroup.with(defect, TIMEOUT),
                OF_PROCESSES,
                TIMEOUT,
                Rules.ofFaults().stream()
                        .filter(rule -> rule.untestedIn(Mode.THREADS).isPresent())
                        .toList());
    }

    @Test
    void rightProcessesKeepEveryRule() {
        runAsProcesses(rank -> new Defect())
                .forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void namesAnotherRankThanTheKilledOne_shouldFailBy_spec0705() {
        Trial.assertFailsOnly("spec0705_lostRanksAreNamed", runAsProcesses(rank -> new Defect() {
            @Override
            int lost(int lost) {
                return (lost + 1) % 3;
            }
        }));
    }

    @Test
    void namesAnotherRankThanTheOneThatIsCutOff_shouldFailBy_spec0705() {
        Trial.assertFailsOnly("spec0705_cutOffRanksAreNamed", runAsProcesses(rank -> new Defect() {
            @Override
            int cutOff(int rank) {
                return (rank + 1) % 3;
            }
        }));
    }

    @Test
    void namesNobodyWhoIsStopped_shouldFailBy_spec0704() {
        Trial.assertFailsOnly("spec0704_stoppedRanksAreNamed", runAsProcesses(rank -> new Defect() {
            @Override
            List<Integer> silent(List<Integer> ranks) {
                return List.of();
            }
        }));
    }

    @Test
    void givesUpWhoIsStopped_shouldFailBy_spec0702() {
        Trial.assertFailsOnly("spec0702_stoppedRanksAreWaitedFor", runAsProcesses(rank -> new Defect() {
            @Override
            boolean losesWhoIsStopped() {
                return true;
            }
        }));
    }

    private static void assertFailsOnly(String rule, IntFunction<Defect> defect) {
        Trial.assertFailsOnly(
                rule,
                Trial.run(Mode.THREADS, ReferenceGroup.with(defect, TIMEOUT), CAPABILITIES, TIMEOUT, Rules.ofFaults()));
    }

    @Test
    void ignoresTheRootOfWhatHasNone_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_argumentsOfCollectives", rank -> new Defect() {
            @Override
            boolean refuses(CollectiveCall call) {
                return call.root() != 1 || call.collective().hasRoot();
            }
        });
    }

    @Test
    void splitsByListsThatNameARankTwice_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_sizesAndLists", rank -> new Defect() {
            @Override
            List<Integer> members(List<Integer> ranks) {
                return ranks.stream().distinct().toList();
            }
        });
    }

    @Test
    void takesNoPartForAnEmptyOne_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_argumentsOfPartReductions", rank -> new Defect() {
            @Override
            ReduceScatterCall replace(ReduceScatterCall call) {
                return call.inputs().size() == 2
                        ? new ReduceScatterCall(
                                List.of(call.output(), call.output(), call.output()),
                                call.output(),
                                call.type(),
                                call.op())
                        : call;
            }
        });
    }

    @Test
    void launchesWhatIsClosed_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_whatIsClosedIsRefused", rank -> new Defect() {
            @Override
            boolean launchesWhatIsClosed() {
                return true;
            }
        });
    }

    @Test
    void takesClosedStreams_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_streamsEventsAndTimes", rank -> new Defect() {
            @Override
            boolean takesClosedStreams() {
                return true;
            }
        });
    }

    @Test
    void dropsMessagesToNobody_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_argumentsOfMessages", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                return Defect.withMessages(
                        call,
                        call.messages().stream()
                                .filter(message -> message.peer() >= 0)
                                .toList());
            }
        });
    }

    @Test
    void takesItsOwnSignalForGiven_shouldFailBy_spec1305() {
        assertFailsOnly("spec1305_argumentsOfWindows", rank -> new Defect() {
            @Override
            WindowCall replace(WindowCall call, Window window) {
                return call.kind() == WindowCall.Kind.WAIT_SIGNAL && call.rank() == rank
                        ? WindowCall.put(window.memory(), rank, 0)
                        : call;
            }
        });
    }

    @Test
    void refusesWithoutSayingWhoDiffers_shouldFailBy_spec0712() {
        assertFailsOnly("spec0712_differentCallsAreRefused", rank -> new Defect() {
            @Override
            String refusal(String words) {
                return "ranks differ";
            }
        });
    }

    @Test
    void saysNotWhatOthersHaveCalled_shouldFailBy_spec0702() {
        assertFailsOnly("spec0702_differentCallsAreNamed", rank -> new Defect() {
            @Override
            String diagnosis(String words) {
                return "some ranks have not called";
            }
        });
    }

    @Test
    void refusesButTakesTheRanksForEachOther_shouldFailBy_spec0712() {
        assertFailsOnly("spec0712_differentCallsAreRefused", rank -> new Defect() {
            @Override
            String refusal(String words) {
                return CallWords.exchanged(words);
            }
        });
    }

    @Test
    void takesTheRanksForEachOther_shouldFailBy_spec0702() {
        assertFailsOnly("spec0702_differentCallsAreNamed", rank -> new Defect() {
            @Override
            String diagnosis(String words) {
                return CallWords.exchanged(words);
            }
        });
    }

    @Test
    void endsLaunchesOfDifferentCalls_shouldFailBy_spec0702() {
        assertFailsOnly("spec0702_differentCallsAreNamed", rank -> new Defect() {
            @Override
            boolean waitsForTheSame() {
                return false;
            }
        });
    }

    @Test
    void losesWhatADelayedRootSends_shouldFailBy_spec0702() {
        assertFailsOnly("spec0702_delayedRanksAreWaitedFor", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.call().collective() == Collective.BROADCAST && launch.waitedMillis() > 30) {
                    System.arraycopy(launch.before(), 0, launch.result(), 0, launch.result().length);
                }
            }
        });
    }

    @Test
    void blamesNobodyForALateLaunch_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_lateLaunchesEndTheCommunicator", rank -> new Defect() {
            @Override
            List<Integer> late(List<Integer> ranks) {
                return List.of();
            }
        });
    }

    @Test
    void waitsOnInAGatherThatIsAborted_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsEveryOperation", rank -> new Defect() {
            @Override
            boolean hearsAborts(CollectiveCall call) {
                return call.collective() != Collective.GATHER;
            }
        });
    }

    @Test
    void cutsPartsThatAreTooLarge_shouldFailBy_spec1201() {
        assertFailsOnly("spec1201_unequalPartsAreReported", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                return Defect.withMessages(
                        call,
                        call.messages().stream()
                                .map(message ->
                                        message.sends() && message.buffer().byteSize() == 500
                                                ? new TransferCall.Message(
                                                        true, message.buffer().slice(0, 300), message.peer())
                                                : message)
                                .toList());
            }
        });
    }
}
