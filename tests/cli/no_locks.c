/* Preloaded: every lock on a file fails as on a file system that has none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

int flock(int file, int operation) {
  (void)file;
  if (operation & LOCK_UN) return 0;
  errno = ENOLCK;
  return -1;
}

static int locks(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

#define WITHOUT_LOCKS(name)                                            \
  int name(int file, int command, ...) {                               \
    static int (*next)(int, int, ...);                                 \
    va_list list;                                                      \
    va_start(list, command);                                           \
    void* argument = va_arg(list, void*);                              \
    va_end(list);                                                      \
    if (locks(command)) {                                              \
      errno = ENOLCK;                                                  \
      return -1;                                                       \
    }                                                                  \
    if (!next) next = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
    return next(file, command, argument);                              \
  }
WITHOUT_LOCKS(fcntl)
WITHOUT_LOCKS(fcntl64)
