package org.example.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The objects of a file of YAML. A field that Kubernetes does not know, a field that is missing, and a value of another
 * type are errors, and so is a key that is there twice.
 */
final class Manifest {
    private static final Map<String, Kind<?>> KINDS = Map.of(
            "v1 Service", new Kind<>(V1Service.class, V1Service::validateJsonElement),
            "batch/v1 Job", new Kind<>(V1Job.class, V1Job::validateJsonElement),
            "networking.k8s.io/v1 NetworkPolicy",
                    new Kind<>(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement));

    private final List<Object> objects = new ArrayList<>();

    /** A kind of object, and the check of its fields. */
    private record Kind<T>(Class<T> type, Check check) {
        T parse(JsonElement json) {
            try {
                check.check(json);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return JSON.getGson().fromJson(json, type);
        }
    }

    /** Throws if a field is not known or is missing. */
    @FunctionalInterface
    private interface Check {
        void check(JsonElement json) throws IOException;
    }

    private Manifest(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
            JsonObject json = new Gson().toJsonTree(document).getAsJsonObject();
            String kind = json.get("apiVersion").getAsString() + " "
                    + json.get("kind").getAsString();
            objects.add(Optional.ofNullable(KINDS.get(kind))
                    .orElseThrow(() -> new IllegalArgumentException("unknown kind " + kind))
                    .parse(json));
        }
    }

    static Manifest of(String text) {
        return new Manifest(text);
    }

    static Manifest read(String name) {
        return of(text(name));
    }

    /** The text of a file of the example. */
    static String text(String name) {
        try {
            return Files.readString(Path.of(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Object> objects() {
        return objects;
    }

    V1Service service() {
        return only(V1Service.class);
    }

    V1Job job() {
        return only(V1Job.class);
    }

    V1NetworkPolicy policy() {
        return only(V1NetworkPolicy.class);
    }

    private <T> T only(Class<T> type) {
        return objects.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    V1PodSpec pod() {
        return Optional.ofNullable(job().getSpec().getTemplate().getSpec()).orElseThrow();
    }

    /** The container with the ranks. */
    V1Container ranks() {
        return pod().getContainers().getFirst();
    }

    /** The variables with a value in the manifest. */
    Map<String, String> variables() {
        return ranks().getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(V1EnvVar::getName, V1EnvVar::getValue));
    }

    /** The number of pods. */
    int pods() {
        return job().getSpec().getCompletions();
    }

    int number(String variable) {
        return Integer.parseInt(variables().get(variable));
    }
}
