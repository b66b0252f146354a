/* The types of the standard streams; src/streams.c. */
#ifndef BYWAY_STREAMS_H
#define BYWAY_STREAMS_H

#include <features.h>

struct inode;

/* Applies --stream-type; 0 if there is no such stream or type. */
hidden int __byway_stream_option(const char *stream, const char *type);
/* Makes the types symbolic that the path decides. */
hidden void __byway_make_stream_types(void);

/* The inodes of the standard streams have the first numbers. */
hidden int __byway_is_stream(const struct inode *inode);
/* The program sees the type of this inode: forks by it if it is a stream. */
hidden void __byway_stream_settle(struct inode *inode);
/* Whether the program is ending: what the C library asks for then changes nothing. */
extern hidden int __byway_streams_ended;
hidden long __byway_terminal_control(const struct inode *inode, int request, void *argument);

#endif
