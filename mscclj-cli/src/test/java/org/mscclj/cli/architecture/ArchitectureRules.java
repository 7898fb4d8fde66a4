package org.mscclj.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.Console;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.text.Format;
import java.text.MessageFormat;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Formatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules for all main classes.
 *
 * @param root the root package; a different one for the fixtures that break the rules
 * @param exported the packages that modules export to everyone
 */
record ArchitectureRules(String root, Set<String> exported) {

    /**
     * The modules that a module may use. Backends and transports may not use each other; "device" is the common part of
     * GPU backends.
     */
    private static final Map<String, Set<String>> USES = Map.ofEntries(
            Map.entry("api", Set.of()),
            Map.entry("posix", Set.of()),
            Map.entry("plan", Set.of("api")),
            Map.entry("language", Set.of("api", "plan")),
            Map.entry("analysis", Set.of("api", "plan")),
            Map.entry("spi", Set.of("api", "plan")),
            Map.entry("support", Set.of("api", "plan", "spi")),
            Map.entry("device", Set.of("api", "plan", "spi")),
            Map.entry("gpu", Set.of("api", "plan", "spi", "posix", "device")),
            Map.entry("backend", Set.of("api", "plan", "spi", "support", "posix", "device", "gpu")),
            Map.entry("transport", Set.of("api", "plan", "spi", "posix")),
            Map.entry("runtime", Set.of("api", "plan", "language", "analysis", "spi")),
            Map.entry("dlpack", Set.of("api", "posix")),
            Map.entry("objects", Set.of("api")),
            Map.entry("interposer", Set.of("api")),
            Map.entry("conformance", Set.of("api", "plan", "language", "spi", "posix")),
            Map.entry(
                    "cli", Set.of("api", "plan", "language", "analysis", "spi", "runtime", "objects", "conformance")));

    private static final Set<String> BROKEN_IN_JCUDA =
            Set.of("cuMemCreate", "cuMemPoolCreate", "cuMemExportToShareableHandle");

    /** Methods that use the default locale unless one is passed: their names, and "<init>" for constructors. */
    private static final Map<Class<?>, Set<String>> FORMATS = Map.ofEntries(
            Map.entry(String.class, Set.of("format", "formatted", "toUpperCase", "toLowerCase")),
            Map.entry(PrintStream.class, Set.of("format", "printf")),
            Map.entry(PrintWriter.class, Set.of("format", "printf")),
            Map.entry(Console.class, Set.of("format", "printf")),
            Map.entry(Formatter.class, Set.of("<init>")),
            Map.entry(Scanner.class, Set.of("<init>")),
            Map.entry(
                    Format.class,
                    Set.of(
                            "<init>",
                            "getInstance",
                            "getNumberInstance",
                            "getIntegerInstance",
                            "getPercentInstance",
                            "getCompactNumberInstance",
                            "getDateInstance",
                            "getTimeInstance",
                            "getDateTimeInstance")),
            Map.entry(MessageFormat.class, Set.of("format")),
            Map.entry(
                    DateTimeFormatter.class,
                    Set.of("ofPattern", "ofLocalizedDate", "ofLocalizedTime", "ofLocalizedDateTime")),
            Map.entry(Locale.class, Set.of("getDefault")));

    /**
     * The classes that park threads themselves, after the root package. Each of them, but the first, has threads that
     * sleep without a limit, or for long, and that another thread wakes: it states how no wake-up is lost.
     */
    private static final Set<String> PARKING = Set.of(
            ".spi.waiting.Backoff", // the idle strategy
            ".support.stream.EndCounter", // threads that wait for a number of ends
            ".backend.host.schedule.HostScheduler", // wakes the workers to stop them
            ".backend.host.schedule.Worker", // a command, or the end of the scheduler
            ".gpu.context.FaultWatch", // a thread that has found a failure of the GPU
            ".runtime.proxy.ProxyService", // a pushed trigger, a new agent, or the end of the service
            ".runtime.staging.ArrivalsThread", // a signal of a peer, a new connection, or the end of the transport
            ".runtime.work.WorkWatcher"); // a new future

    private static final Set<String> KINDS_WITH_MANY_MODULES = Set.of("backend", "transport");

    /** All rules, by name. */
    Map<String, ArchRule> all() {
        return Map.ofEntries(
                Map.entry("dependenciesPointOneWay", dependenciesPointOneWay()),
                Map.entry("nativeCallsOnlyInFfmPackages", nativeCallsOnlyInFfmPackages()),
                Map.entry("reinterpretOnlyInFfmPackages", reinterpretOnlyInFfmPackages()),
                Map.entry("jcudaOnlyInTheCudaBackend", jcudaOnlyInTheCudaBackend()),
                Map.entry("gpuEngineKnowsNoVendor", gpuEngineKnowsNoVendor()),
                Map.entry("noBrokenJcudaFunctions", noBrokenJcudaFunctions()),
                Map.entry("standardStreamsOnlyInTheCli", standardStreamsOnlyInTheCli()),
                Map.entry("nobodySleeps", nobodySleeps()),
                Map.entry("parkingInFewClasses", parkingInFewClasses()),
                Map.entry("noDefaultLocale", noDefaultLocale()),
                Map.entry("noThreadsOfTheApplication", noThreadsOfTheApplication()),
                Map.entry("noBareExceptions", noBareExceptions()),
                Map.entry("jacksonInNoExportedSignature", jacksonInNoExportedSignature()),
                Map.entry("noPackageCycles", noPackageCycles()));
    }

    ArchRule dependenciesPointOneWay() {
        return rule(
                classes().should(new ArchCondition<>("use only the modules that theirs may use") {
                    @Override
                    public void check(JavaClass origin, ConditionEvents events) {
                        String module = moduleOf(origin);
                        if (module.isEmpty()) {
                            return;
                        }
                        Set<String> allowed = USES.get(kindOf(module));
                        if (allowed == null) {
                            String problem = origin.getName() + " is in module " + module
                                    + ", of which ArchitectureRules.USES does not say what it may use";
                            events.add(SimpleConditionEvent.violated(origin, problem));
                            return;
                        }
                        for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
                            String used = moduleOf(dependency.getTargetClass().getBaseComponentType());
                            if (!used.isEmpty() && !used.equals(module) && !allowed.contains(used)) {
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                            }
                        }
                    }
                }),
                "backends and transports can be exchanged, and the API stands on its own");
    }

    ArchRule nativeCallsOnlyInFfmPackages() {
        return rule(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("..ffm", root + ".posix")
                        .should()
                        .dependOnClassesThat(describe(
                                "are Linker, SymbolLookup or FunctionDescriptor",
                                type -> Stream.of(Linker.class, SymbolLookup.class, FunctionDescriptor.class)
                                        .anyMatch(c -> outermost(type.getName()).equals(c.getName())))),
                "what can crash the VM is kept in few places");
    }

    ArchRule reinterpretOnlyInFfmPackages() {
        return rule(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("..ffm", root + ".posix")
                        .should()
                        .accessTargetWhere(target("reinterpret", MemorySegment.class)),
                "what can crash the VM is kept in few places");
    }

    ArchRule jcudaOnlyInTheCudaBackend() {
        return rule(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(root + ".backend.cuda..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("jcuda", "jcuda.."),
                "nothing else may need CUDA");
    }

    ArchRule gpuEngineKnowsNoVendor() {
        return rule(
                noClasses()
                        .that()
                        .resideInAPackage(root + ".gpu..")
                        .should()
                        .dependOnClassesThat(describe(
                                "are a vendor's, or call native code",
                                type -> type.getPackageName().startsWith("jcuda")
                                        || type.getPackageName().startsWith(root + ".backend")
                                        || type.isEquivalentTo(Linker.class)
                                        || type.isEquivalentTo(SymbolLookup.class))),
                "a second vendor uses the engine as it is");
    }

    ArchRule noBrokenJcudaFunctions() {
        DescribedPredicate<JavaAccess<?>> broken = describe(
                "the target is one of JCuda's " + BROKEN_IN_JCUDA,
                access -> BROKEN_IN_JCUDA.contains(access.getTarget().getName())
                        && access.getTargetOwner().getPackageName().startsWith("jcuda."));
        return rule(
                noClasses()
                        .should()
                        .accessTargetWhere(broken)
                        .orShould()
                        .dependOnClassesThat(describe(
                                "are JCuda's binding of NVRTC",
                                type -> type.getPackageName().startsWith("jcuda.")
                                        && type.getSimpleName().startsWith("JNvrtc"))),
                "in JCuda 12.6.0 they corrupt the Java heap, cannot work, or need exactly NVRTC 12");
    }

    ArchRule standardStreamsOnlyInTheCli() {
        return rule(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(root + ".cli..")
                        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS),
                "a library leaves the application's output alone");
    }

    ArchRule nobodySleeps() {
        return rule(
                noClasses().should().accessTargetWhere(target("sleep", Thread.class, TimeUnit.class)),
                "a waiting thread must be woken by the event, by an abort or by a deadline");
    }

    ArchRule parkingInFewClasses() {
        Set<String> parking = PARKING.stream().map(root::concat).collect(Collectors.toUnmodifiableSet());
        return rule(
                noClasses()
                        .that(describe(
                                "are not among the classes that park threads themselves",
                                type -> !parking.contains(outermost(type.getName()))))
                        .should()
                        .dependOnClassesThat(describe(
                                "is LockSupport", type -> type.getName().equals(LockSupport.class.getName()))),
                "waits without a wake-up have one idle strategy, Backoff");
    }

    ArchRule noDefaultLocale() {
        DescribedPredicate<JavaAccess<?>> formats = describe(
                "the target formats or changes case, and is not given a Locale",
                access -> FORMATS.entrySet().stream()
                                .anyMatch(entry -> access.getTargetOwner().isAssignableTo(entry.getKey())
                                        && entry.getValue()
                                                .contains(access.getTarget().getName()))
                        && access.getTarget() instanceof CodeUnitAccessTarget target
                        && target.getRawParameterTypes().stream().noneMatch(type -> type.isEquivalentTo(Locale.class)));
        return rule(
                noClasses().should().accessTargetWhere(formats),
                "sources of kernels, files, protocols and tables must not change with the user's language");
    }

    ArchRule noThreadsOfTheApplication() {
        DescribedPredicate<JavaAccess<?>> shared = describe(
                "the target runs something on carriers of virtual threads, or in the common pool",
                access -> switch (access.getTargetOwner().getName()) {
                    case "java.lang.Thread" ->
                        Set.of("ofVirtual", "startVirtualThread")
                                .contains(access.getTarget().getName());
                    case "java.util.concurrent.Executors" ->
                        access.getTarget().getName().equals("newVirtualThreadPerTaskExecutor");
                    case "java.util.concurrent.ForkJoinPool" ->
                        access.getTarget().getName().equals("commonPool");
                    case "java.util.concurrent.CompletableFuture" ->
                        access.getTarget().getName().endsWith("Async")
                                && !access.getTarget().getFullName().contains(Executor.class.getName());
                    default -> false;
                });
        return rule(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(root + ".cli..")
                        .and()
                        .haveNameNotMatching(".*\\.conformance\\.task\\.BusyCarriers(\\$.*)?") // is an application
                        .should()
                        .accessTargetWhere(shared),
                "losses and aborts must be reported even if an application keeps these threads busy");
    }

    ArchRule noBareExceptions() {
        return rule(
                GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS,
                "a caller must be able to distinguish failures");
    }

    ArchRule jacksonInNoExportedSignature() {
        return rule(
                classes().should(new ArchCondition<>("not show Jackson in signatures of exported packages") {
                    @Override
                    public void check(JavaClass origin, ConditionEvents events) {
                        if (!exported.contains(origin.getPackageName()) || !isVisible(origin)) {
                            return;
                        }
                        signaturesOf(origin)
                                .forEach(signature -> signature.types().stream()
                                        .filter(type -> type.getPackageName().startsWith("tools.jackson")
                                                || type.getPackageName().startsWith("com.fasterxml.jackson"))
                                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                                origin, signature.owner() + " shows " + type.getName()))));
                    }
                }),
                "the JSON library must stay exchangeable");
    }

    ArchRule noPackageCycles() {
        // Between packages of one module; modules cannot form cycles.
        return rule(
                SlicesRuleDefinition.slices()
                        .matching(root + ".(**)")
                        .namingSlices("package $1")
                        .should()
                        .beFreeOfCycles(),
                "a package must be understandable without those that use it");
    }

    /** Allows a rule to match no class. */
    private static ArchRule rule(ArchRule rule, String reason) {
        return rule.because(reason).allowEmptyShould(true);
    }

    /** "api", "backend.host"; empty for other classes. */
    private String moduleOf(JavaClass type) {
        if (!type.getPackageName().startsWith(root + ".")) {
            return "";
        }
        String[] names = type.getPackageName().substring(root.length() + 1).split("\\.");
        return KINDS_WITH_MANY_MODULES.contains(names[0]) && names.length > 1 ? names[0] + "." + names[1] : names[0];
    }

    private static String kindOf(String module) {
        int dot = module.indexOf('.');
        return dot < 0 ? module : module.substring(0, dot);
    }

    private static String outermost(String className) {
        int dollar = className.indexOf('$');
        return dollar < 0 ? className : className.substring(0, dollar);
    }

    private static DescribedPredicate<JavaAccess<?>> target(String name, Class<?>... owners) {
        List<String> names = Arrays.stream(owners).map(Class::getName).toList();
        return describe(
                "the target is " + name + " of " + names,
                access -> access.getTarget().getName().equals(name)
                        && names.contains(access.getTargetOwner().getName()));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                || type.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private record Signature(String owner, Set<JavaClass> types) {}

    /**
     * Returns the visible types of a class: its supertypes, and the types of its visible members, with all type
     * arguments.
     */
    private static Stream<Signature> signaturesOf(JavaClass type) {
        Set<JavaClass> supertypes = new HashSet<>();
        type.getSuperclass().ifPresent(t -> supertypes.addAll(t.getAllInvolvedRawTypes()));
        type.getInterfaces().forEach(t -> supertypes.addAll(t.getAllInvolvedRawTypes()));
        type.getTypeParameters()
                .forEach(p -> p.getBounds().forEach(t -> supertypes.addAll(t.getAllInvolvedRawTypes())));
        return Stream.concat(
                Stream.of(new Signature(type.getName(), supertypes)),
                type.getMembers().stream()
                        .filter(ArchitectureRules::isVisible)
                        .map(member -> new Signature(member.getFullName(), typesOf(member))));
    }

    private static Set<JavaClass> typesOf(JavaMember member) {
        Set<JavaClass> types = new HashSet<>();
        if (member instanceof JavaField field) {
            types.addAll(field.getType().getAllInvolvedRawTypes());
        } else if (member instanceof JavaCodeUnit unit) {
            types.addAll(unit.getReturnType().getAllInvolvedRawTypes());
            for (JavaType parameter : unit.getParameterTypes()) {
                types.addAll(parameter.getAllInvolvedRawTypes());
            }
            unit.getTypeParameters().forEach(p -> p.getBounds().forEach(t -> types.addAll(t.getAllInvolvedRawTypes())));
            types.addAll(unit.getExceptionTypes());
        }
        return types;
    }
}
