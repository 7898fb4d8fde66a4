/*
 * The Java virtual machine of this process: created when the first communicator or unique id is wanted, and never
 * ended. Threads of the program are attached at their first call, and detached when they end.
 */
#include "interposer.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 64 };

static JavaVM *vm;
static jclass calls;
static jmethodID describe;
static result created = INTERNAL_ERROR;
static char reason[1024];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t attached;

static void detach(void *environment) {
    (void)environment;
    (*vm)->DetachCurrentThread(vm);
}

/* The folder above that of this library: that of the archive. */
static bool find_home(char *home, size_t size) {
    Dl_info info;
    char file[PATH_MAX];
    if (dladdr(&created, &info) == 0 || realpath(info.dli_fname, file) == NULL) {
        return false;
    }
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(file, '/');
        if (slash == NULL) {
            return false;
        }
        *slash = '\0';
    }
    return (size_t)snprintf(home, size, "%s", file) < size;
}

/* The value of a variable, or else a part of the archive. NULL if there is neither. */
static char *located(const char *variable, const char *part) {
    char home[PATH_MAX], text[PATH_MAX * 2];
    const char *value = getenv(variable);
    if (value != NULL && *value != '\0') {
        return strdup(value);
    }
    if (!find_home(home, sizeof home)) {
        return NULL;
    }
    snprintf(text, sizeof text, "%s/%s", home, part);
    return access(text, R_OK) == 0 ? strdup(text) : NULL;
}

static int add(JavaVMOption *options, int count, const char *text) {
    if (count < MOST_OPTIONS) {
        options[count++].optionString = (char *)text;
    }
    return count;
}

/* The option of the archive of classes that mscclj dist makes, if it is there. The VM goes without it where the Java or
 * the jars are others. */
static char *archive_of_classes(void) {
    char home[PATH_MAX], text[PATH_MAX * 2];
    if (!find_home(home, sizeof home)) {
        return NULL;
    }
    snprintf(text, sizeof text, "-XX:AOTCache=%s/nccl/classes.aot", home);
    return access(strchr(text, '/'), R_OK) == 0 ? strdup(text) : NULL;
}

static jint create(void *library, JNIEnv **env) {
    void *address = dlsym(library, "JNI_CreateJavaVM");
    jint (*make)(JavaVM **, void **, void *);
    memcpy(&make, &address, sizeof make);
    JavaVMOption options[MOST_OPTIONS] = {0};
    int count = 0;
    static const char *const defaults[] = {
        "-Xrs", /* the program's own handlers of SIGINT, SIGTERM and SIGHUP stay */
        "-XX:+UseSerialGC",
        "-Xmx64m",
        "-XX:TieredStopAtLevel=1",
        "-XX:CompileThresholdScaling=0.1", /* a program's first calls should not stay slow for long */
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED",
    };
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        count = add(options, count, defaults[i]);
    }
    char *path = located("MSCCLJ_CLASS_PATH", "lib"), *archive = archive_of_classes();
    if (path != NULL) {
        count = add(options, count, class_path(path));
    }
    if (archive != NULL) {
        count = add(options, count, archive);
    }
    const char *more = getenv("MSCCLJ_JAVA_OPTS");
    char *rest = strdup(more == NULL ? "" : more), *place;
    for (char *one = strtok_r(rest, " ", &place); one != NULL; one = strtok_r(NULL, " ", &place)) {
        count = add(options, count, one);
    }
    JavaVMInitArgs arguments = {JNI_VERSION_10, count, options, JNI_FALSE};
    /* HotSpot's own choice is SIGUSR2, which belongs to the program. */
    char number[8];
    snprintf(number, sizeof number, "%d", VM_SIGNAL);
    bool unset = getenv("_JAVA_SR_SIGNUM") == NULL;
    if (unset) {
        setenv("_JAVA_SR_SIGNUM", number, 1);
    }
    remember_handlers();
    jint refusal = make(&vm, (void **)env, &arguments);
    guard_forks();
    if (unset) {
        unsetenv("_JAVA_SR_SIGNUM");
    }
    return refusal;
}

/* A VM of this process that is there already, or a new one. */
static JNIEnv *obtain(void *library) {
    void *address = dlsym(library, "JNI_GetCreatedJavaVMs");
    jint (*present)(JavaVM **, jsize, jsize *);
    memcpy(&present, &address, sizeof present);
    JNIEnv *env = NULL;
    jsize count = 0;
    if (present(&vm, 1, &count) == JNI_OK && count > 0) {
        guard_forks();
        if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) != JNI_OK) {
            snprintf(
                reason, sizeof reason, "this thread cannot be attached to the Java virtual machine of this process");
            return NULL;
        }
        return env;
    }
    jint refusal = create(library, &env);
    if (refusal != JNI_OK) {
        snprintf(reason, sizeof reason,
            "the Java virtual machine cannot be created (code %d; it prints the reason); check MSCCLJ_JAVA_OPTS and"
            " MSCCLJ_CLASS_PATH",
            (int)refusal);
        return NULL;
    }
    return env;
}

static void boot(void) {
    open_real();
    char *path = located("MSCCLJ_JVM", "jdk/lib/server/libjvm.so");
    if (path == NULL) {
        snprintf(reason, sizeof reason,
            "there is no Java beside this library; start the program by mscclj nccl, or set MSCCLJ_JVM to the path "
            "of the libjvm.so of a JDK 25 and MSCCLJ_CLASS_PATH to the folder with the jars of mscclj");
        return;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(reason, sizeof reason,
            "the Java virtual machine cannot be loaded: %s; set MSCCLJ_JVM to the path of the"
            " libjvm.so of a JDK 25",
            dlerror());
        return;
    }
    JNIEnv *env = obtain(library);
    if (env == NULL) {
        return;
    }
    jclass found = (*env)->FindClass(env, "org/mscclj/interposer/NcclCalls");
    if (found != NULL) {
        calls = (*env)->NewGlobalRef(env, found);
        describe = (*env)->GetStaticMethodID(env, found, "describe", "(Ljava/lang/Throwable;)Ljava/lang/String;");
    }
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
        snprintf(reason, sizeof reason,
            "the Java virtual machine has no org.mscclj.interposer.NcclCalls of this version; set MSCCLJ_CLASS_PATH to "
            "the folder with the jars of mscclj");
        return;
    }
    pthread_key_create(&attached, detach);
    created = SUCCESS;
}

JNIEnv *java_env(void) {
    if (is_fork()) {
        failed(SYSTEM_ERROR, "this process was forked from one that has used NCCL, so it has no Java virtual machine; "
                             "let it call exec, as the "
                             "start method \"spawn\" of Python's multiprocessing does");
        return NULL;
    }
    pthread_once(&once, boot);
    if (created != SUCCESS) {
        failed(SYSTEM_ERROR, "%s", reason);
        return NULL;
    }
    JNIEnv *env;
    jint state = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10);
    if (state == JNI_EDETACHED) {
        state = (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL);
        if (state == JNI_OK) {
            pthread_setspecific(attached, env);
        }
    }
    if (state != JNI_OK) {
        failed(SYSTEM_ERROR,
            "this thread cannot be attached to the Java virtual machine; its stack must have 128 KiB or more");
        return NULL;
    }
    return env;
}

jclass java_calls(void) {
    return calls;
}

jmethodID java_method(JNIEnv *env, const char *name, const char *signature) {
    return (*env)->GetStaticMethodID(env, calls, name, signature);
}

result java_outcome(JNIEnv *env) {
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL) {
        return SUCCESS;
    }
    (*env)->ExceptionClear(env);
    jstring text = (*env)->CallStaticObjectMethod(env, calls, describe, thrown);
    const char *chars = NULL;
    if (!(*env)->ExceptionCheck(env) && text != NULL) {
        chars = (*env)->GetStringUTFChars(env, text, NULL);
    }
    result code = INTERNAL_ERROR;
    if (chars != NULL) {
        code = failed(chars[0] - '0', "%s", chars + 1); /* the code is the first character */
        (*env)->ReleaseStringUTFChars(env, text, chars);
    } else {
        (*env)->ExceptionClear(env);
        code = failed(INTERNAL_ERROR, "a call of Java failed, and so did the description of its exception");
    }
    (*env)->DeleteLocalRef(env, text);
    (*env)->DeleteLocalRef(env, thrown);
    return code;
}
