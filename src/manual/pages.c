/* The pages of man/ as they are in the program. */
#include "config.h"
#include "manual/manual.h"

#include "manual/builtin_pages.h"

bool
manual_page(size_t i, struct manual_page *page)
{
	if (i >= builtin_files_count) {
		return false;
	}
	page->name = slice_of(builtin_files[i].name);
	page->name.len -= 2; /* ".5" */
	page->section = page->name.ptr[page->name.len + 1];
	page->text = (struct slice){(const char *)builtin_files[i].text, builtin_files[i].length};
	return true;
}
