/* program SCENARIO ARGUMENT...: ends with 0 if all was as it should be. */
#include "program.h"
#include "scenarios.h"

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "";
    int first = count > 2 ? atoi(words[2]) : 0;
    if (strcmp(name, "collectives") == 0) {
        run_collectives(first);
    } else if (strcmp(name, "types") == 0) {
        run_types(first != 0);
    } else if (strcmp(name, "groups") == 0) {
        run_groups();
    } else if (strcmp(name, "splits") == 0) {
        run_splits();
    } else if (strcmp(name, "refusals") == 0) {
        run_refusals();
    } else if (strcmp(name, "configurations") == 0) {
        run_configurations();
    } else if (strcmp(name, "memory") == 0) {
        run_memory();
    } else if (strcmp(name, "abort") == 0) {
        run_abort();
    } else if (strcmp(name, "fork") == 0) {
        run_fork();
    } else if (strcmp(name, "threads") == 0) {
        run_threads();
    } else if (strcmp(name, "end") == 0) {
        run_end();
    } else if (strcmp(name, "counts") == 0 && count > 3) {
        run_counts(first, words[3]);
    } else if (strcmp(name, "crossed") == 0 && count > 3) {
        run_crossed(first, words[3]);
    } else if (strcmp(name, "rank") == 0 && count > 3) {
        run_rank(first, 2, words[3]);
    } else if (strcmp(name, "capture") == 0 && count > 5) {
        run_capture(first, words[3], atoi(words[4]), atoi(words[5]));
    } else if (strcmp(name, "loss") == 0 && count > 3) {
        run_loss(first, words[3]);
    } else {
        fprintf(stderr, "there is no scenario \"%s\" with %d arguments\n", name, count - 2);
        return 2;
    }
    printf("passed\n");
    return 0;
}
