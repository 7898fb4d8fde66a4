/* The text of the last failure: that of this thread, or else of the process. */
#include "interposer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048 };

static __thread char own[LONGEST];
static __thread char shown[LONGEST];
static char last[LONGEST];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

result failed(result code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char text[LONGEST]; /* as an argument may be the text that is kept */
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(own, text, sizeof own);
    pthread_mutex_lock(&guard);
    memcpy(last, text, sizeof last);
    pthread_mutex_unlock(&guard);
    const char *debug = getenv("MSCCLJ_DEBUG");
    if (debug != NULL && *debug != '\0') {
        fprintf(stderr, "mscclj: %s\n", text);
    }
    return code;
}

const char *kept_text(void) {
    return own;
}

API(const char *, ncclGetLastError, (communicator * comm)) {
    (void)comm;
    if (own[0] != '\0') {
        return own;
    }
    pthread_mutex_lock(&guard);
    memcpy(shown, last, sizeof shown);
    pthread_mutex_unlock(&guard);
    return shown;
}

API(const char *, ncclGetErrorString, (int code)) {
    static const char *const texts[] = {
        "no error",
        "unhandled cuda error (run with MSCCLJ_DEBUG=1 for details)",
        "unhandled system error (run with MSCCLJ_DEBUG=1 for details)",
        "internal error (run with MSCCLJ_DEBUG=1 for details)",
        "invalid argument (run with MSCCLJ_DEBUG=1 for details)",
        "invalid usage (run with MSCCLJ_DEBUG=1 for details)",
        "remote process exited or there was a network error",
        "operation in progress",
    };
    return code >= 0 && code < (int)(sizeof texts / sizeof *texts) ? texts[code] : "unknown result code";
}

/* By this symbol other libraries know that this one is not NCCL. */
__attribute__((visibility("default"))) int mscclj_stands_in_for_nccl = 1;

API(result, ncclGetVersion, (int *version)) {
    if (version == NULL) {
        return failed(INVALID_ARGUMENT, "ncclGetVersion: the pointer is NULL; pass the address of an int");
    }
    const char *text = getenv("MSCCLJ_NCCL_VERSION");
    int major, minor, patch;
    char rest;
    if (text == NULL || *text == '\0') {
        *version = REPORTED_VERSION;
    } else if (sscanf(text, "%d.%d.%d%c", &major, &minor, &patch, &rest) == 3 && major == 2 && minor >= 18 &&
               minor < 100 && patch >= 0 && patch < 100) {
        *version = major * 10000 + minor * 100 + patch;
    } else {
        return failed(INVALID_ARGUMENT,
            "MSCCLJ_NCCL_VERSION is \"%s\"; allowed: the version of NCCL to report, 2.18.0 or later, such as 2.28.9",
            text);
    }
    return SUCCESS;
}

API(void, ncclResetDebugInit, (void)) {
}
