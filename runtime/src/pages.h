/* Memory mappings; src/pages.c, src/file_pages.c. */
#ifndef BYWAY_PAGES_H
#define BYWAY_PAGES_H

#include <features.h>
#include <stddef.h>

struct inode;

enum { PAGE = 4096 };

/* A mapping: one object, which may be smaller than the mapping if the file is. */
struct mapping {
	struct mapping *next;
	unsigned char *address;
	size_t size;		/* a multiple of the page size */
	size_t object_size;
	int is_writable, is_shared;
	/* An inode and the position in it; null for anonymous memory. */
	struct inode *inode;
	size_t offset;
	int may_write;		/* the descriptor allows it */
	/* Returned to the program more than once: its end cannot be determined. */
	int is_kept;
	/* For each page, whether it was unmapped; null if none was. */
	unsigned char *gone;
};

/* The first mapping in the list of all. */
hidden struct mapping *__byway_mappings(void);
hidden void __byway_mapping_protect(struct mapping *mapping, int is_writable);

/* --- src/file_pages.c ------------------------------------------------------------ */

/* Copies the bytes of the file into a mapping of it, and zeros behind them. */
hidden void __byway_file_to_mapping(struct mapping *mapping);
/* Copies what the program wrote to shared mappings of the file into it, before it is used. */
hidden void __byway_mappings_to_file(struct inode *inode);
/* Copies a changed file into its shared mappings. */
hidden void __byway_file_to_mappings(struct inode *inode);
/* The size of the part of a mapping that the file has pages for. */
hidden size_t __byway_mapped_part(const struct inode *inode, size_t offset, size_t size);

#endif
