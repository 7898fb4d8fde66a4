/* The class path of the VM, in which a folder of jars stands for its jars. */
#include "interposer.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_jar(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".jar") == 0;
}

/* By bytes, as archives of classes want the same order everywhere. */
static int by_bytes(const struct dirent **one, const struct dirent **other) {
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* Writes an entry of the path, or the jars of a folder. */
static void write_entry(FILE *out, const char *entry, const char **separator) {
    struct dirent **jars;
    int count = scandir(entry, &jars, is_jar, by_bytes);
    if (count <= 0) {
        fprintf(out, "%s%s", *separator, entry);
        *separator = ":";
    }
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s%s/%s", *separator, entry, jars[i]->d_name);
        *separator = ":";
        free(jars[i]);
    }
    if (count >= 0) {
        free(jars);
    }
}

char *class_path(const char *entries) {
    char *whole = NULL, *place;
    size_t size;
    FILE *out = open_memstream(&whole, &size);
    char *rest = strdup(entries);
    if (out == NULL || rest == NULL) {
        return NULL;
    }
    const char *separator = "";
    fprintf(out, "-Djava.class.path=");
    for (char *one = strtok_r(rest, ":", &place); one != NULL; one = strtok_r(NULL, ":", &place)) {
        write_entry(out, one, &separator);
    }
    free(rest);
    fclose(out);
    return whole;
}
