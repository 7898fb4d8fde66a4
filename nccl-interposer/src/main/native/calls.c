/* The operations of a communicator, as calls of Java. */
#include "calls.h"

#include <stdlib.h>

/* Words of a message: whether it is sent, its address, its bytes, its peer, its stream. */
enum { WORDS = 5 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static jmethodID collective, messages;

static void find_methods(void) {
    JNIEnv *env = java_env();
    if (env != NULL) {
        collective = java_method(env, "collective", "(IIJJJIIIJJ)V");
        messages = java_method(env, "messages", "(I[J)V");
    }
}

static result call_messages(JNIEnv *env, const operation *all, size_t count, size_t found) {
    jlongArray records = (*env)->NewLongArray(env, (jsize)(found * WORDS));
    if (records == NULL) {
        return java_outcome(env);
    }
    jsize place = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].kind == MESSAGE) {
            const jlong words[WORDS] = {all[i].sends, all[i].send, all[i].bytes, all[i].peer, all[i].stream};
            (*env)->SetLongArrayRegion(env, records, place, WORDS, words);
            place += WORDS;
        }
    }
    (*env)->CallStaticVoidMethod(env, java_calls(), messages, all->comm->id, records);
    (*env)->DeleteLocalRef(env, records);
    return java_outcome(env);
}

result call_operations(const operation *all, size_t count) {
    JNIEnv *env = java_env();
    if (env == NULL) {
        return SYSTEM_ERROR;
    }
    pthread_once(&once, find_methods);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += all[i].kind == MESSAGE;
    }
    result outcome = found == 0 ? SUCCESS : call_messages(env, all, count, found);
    for (size_t i = 0; i < count && outcome == SUCCESS; i++) {
        const operation *one = &all[i];
        if (one->kind == COLLECTIVE) {
            (*env)->CallStaticVoidMethod(env, java_calls(), collective, (jint)one->comm->id, (jint)one->collective,
                (jlong)one->send, (jlong)one->receive, (jlong)one->count, (jint)one->type, (jint)one->op,
                (jint)one->root, (jlong)one->factor, (jlong)one->stream);
            outcome = java_outcome(env);
        } else if (one->kind == REGISTRATION) {
            outcome = register_window(env, one);
        }
    }
    return outcome;
}
