// Standard input of two bytes that is a pipe, a file or a terminal: reading it does not fork,
// asking for its type does. Output is a file: its position is what was written to it.
// Paths: not a terminal and no position; a terminal; a file, whose bytes are read again.
// paths: 4
// exit-codes: 0 1 2 3
// inputs: stdin stdin-type stdout-type
// run: --sym-stdin 2 --stream-type stdin any --stream-type stdout any --stream-type stderr file
// replay: no
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int main(void)
{
    struct termios settings;
    struct winsize size;
    struct stat about;
    char bytes[4];
    int c = getchar();

    // One path so far: nobody asked.
    if (isatty(STDIN_FILENO)) {
        if (fstat(STDIN_FILENO, &about) || !S_ISCHR(about.st_mode))
            return 99;
        if (lseek(STDIN_FILENO, 0, SEEK_CUR) != -1 || errno != ESPIPE)
            return 98;
        if (tcgetattr(STDIN_FILENO, &settings) || !(settings.c_lflag & ICANON))
            return 97;
        settings.c_lflag &= ~ICANON;
        if (tcsetattr(STDIN_FILENO, TCSANOW, &settings) || tcgetattr(STDIN_FILENO, &settings)
            || settings.c_lflag & ICANON || ioctl(STDIN_FILENO, TIOCGWINSZ, &size)
            || size.ws_col != 80)
            return 96;
        return 0;
    }
    if (tcgetattr(STDIN_FILENO, &settings) != -1 || errno != ENOTTY)
        return 95;
    if (lseek(STDIN_FILENO, 0, SEEK_CUR) == -1) {
        if (errno != ESPIPE || fstat(STDIN_FILENO, &about) || !S_ISFIFO(about.st_mode))
            return 94;
        return 1;
    }
    if (fstat(STDIN_FILENO, &about) || !S_ISREG(about.st_mode) || about.st_size != 2)
        return 93;
    if (pread(STDIN_FILENO, bytes, 4, 0) != 2 || (unsigned char)bytes[0] != c)
        return 92;
    if (fseek(stdin, 0, SEEK_SET) || getchar() != c)
        return 91;
    if (fputs("text", stderr) < 0 || lseek(STDERR_FILENO, 0, SEEK_END) != 4
        || fstat(STDERR_FILENO, &about) || about.st_size != 4)
        return 90;
    return isatty(STDOUT_FILENO) ? 2 : 3;
}
