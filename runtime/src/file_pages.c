/* Mappings of files: the bytes of a file and of its shared mappings are kept equal.
 *
 * A mapping is an object of its own, so that accesses beyond it and after its end are
 * faults. The program writes to it without a system call, so a file with shared mappings
 * takes over their bytes before a system call uses it, and they take over the file's
 * afterwards. A private mapping is a copy of the file as it was. */

#include <string.h>
#include "engine.h"
#include "fs.h"
#include "pages.h"

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

/* The number of bytes that a mapping and its file have in common. If the file's size is
 * symbolic, its whole buffer counts. */
static size_t common(const struct mapping *mapping)
{
	const struct inode *inode = mapping->inode;
	size_t end = __byway_is_symbolic(inode->size) ? inode->room : inode->size;

	return mapping->offset < end ? least(mapping->object_size, end - mapping->offset) : 0;
}

/* A page that begins behind the end of the file does not exist. While the file is open for
 * writing, it may still grow, and all pages do. */
size_t __byway_mapped_part(const struct inode *inode, size_t offset, size_t size)
{
	size_t pages = inode->size / PAGE + (inode->size % PAGE != 0);

	if (inode->writers) return size;
	pages = __byway_each(pages);
	return offset / PAGE < pages ? least(size, pages * PAGE - offset) : 0;
}

void __byway_file_to_mapping(struct mapping *mapping)
{
	const struct inode *inode = mapping->inode;
	int is_writable = mapping->is_writable;
	size_t count = common(mapping);

	__byway_mapping_protect(mapping, 1);
	if (count) memcpy(mapping->address, inode->data + mapping->offset, count);
	if (__byway_is_symbolic(inode->size)) {
		for (size_t i = 0; i < count; i++)
			mapping->address[i] &= -(mapping->offset + i < inode->size);
	}
	memset(mapping->address + count, 0, mapping->object_size - count);
	__byway_mapping_protect(mapping, is_writable);
}

void __byway_mappings_to_file(struct inode *inode)
{
	for (struct mapping *mapping = __byway_mappings(); mapping; mapping = mapping->next) {
		if (mapping->inode != inode || !mapping->is_shared || !mapping->may_write) continue;
		size_t count = common(mapping);
		if (count) memcpy(inode->data + mapping->offset, mapping->address, count);
	}
}

void __byway_file_to_mappings(struct inode *inode)
{
	for (struct mapping *mapping = __byway_mappings(); mapping; mapping = mapping->next)
		if (mapping->inode == inode && mapping->is_shared) __byway_file_to_mapping(mapping);
}
