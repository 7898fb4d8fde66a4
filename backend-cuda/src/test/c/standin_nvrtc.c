/*
 * A stand-in for NVRTC. The "code" that it gives is the options and the source behind the word CUBIN. A source with "#error" has an error. How often
 * it has compiled is counted.
 */
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *source;
    char *log;
    char *code;
    size_t bytes;
} Program;

static int compiled;

int standin_compiled(void) {
    return compiled;
}

int nvrtcVersion(int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return 0;
}

const char *nvrtcGetErrorString(int result) {
    return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INVALID_INPUT";
}

int nvrtcCreateProgram(Program **program, const char *source, const char *name, int headers, const char **contents,
                       const char **names) {
    (void) name;
    if (headers || contents || names) {
        return 3;
    }
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    (*program)->log = strdup("");
    return 0;
}

int nvrtcCompileProgram(Program *program, int count, const char **options) {
    __atomic_add_fetch(&compiled, 1, __ATOMIC_SEQ_CST);
    if (strstr(program->source, "#error")) {
        free(program->log);
        program->log = strdup("line 1: error: as the source says");
        return 6;
    }
    size_t bytes = 5 + strlen(program->source);
    for (int i = 0; i < count; i++) {
        bytes += strlen(options[i]) + 1;
    }
    program->code = calloc(1, bytes + 1);
    strcpy(program->code, "CUBIN");
    for (int i = 0; i < count; i++) {
        strcat(program->code, options[i]);
        strcat(program->code, " ");
    }
    strcat(program->code, program->source);
    program->bytes = bytes;
    return 0;
}

int nvrtcGetProgramLogSize(Program *program, size_t *bytes) {
    *bytes = strlen(program->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(Program *program, char *log) {
    strcpy(log, program->log);
    return 0;
}

int nvrtcGetCUBINSize(Program *program, size_t *bytes) {
    *bytes = program->bytes;
    return 0;
}

int nvrtcGetCUBIN(Program *program, char *code) {
    memcpy(code, program->code, program->bytes);
    return 0;
}

int nvrtcDestroyProgram(Program **program) {
    free((*program)->source);
    free((*program)->log);
    free((*program)->code);
    free(*program);
    *program = NULL;
    return 0;
}
