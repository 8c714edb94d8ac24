/* Classes of paths, to which spans without a path add one, and of sizes, which are fixed. */
#include "config.h"
#include "explain/parts/io.h"

unsigned
io_classes_count(const struct path_classes *classes)
{
	return path_classes_count(classes) + 1;
}

const char *
io_class_name(const struct path_classes *classes, unsigned index)
{
	return index < path_classes_count(classes) ? path_classes_name(classes, index).ptr
	                                           : "(no path)";
}

unsigned
io_class_of(const struct path_classes *classes, const struct dataset *dataset, uint8_t *known,
            uint32_t path)
{
	if (path == TEXT_NONE) {
		return path_classes_count(classes);
	}
	if (!known[path]) {
		known[path] = (uint8_t)(path_classes_find(classes, dataset->texts[path]) + 1);
	}
	return known[path] - 1u;
}

static const struct {
	int64_t below;
	const char *name;
} sizes[] = {
    {INT64_C(4) << 10, "below 4 KiB"},     {INT64_C(64) << 10, "4 to 64 KiB"},
    {INT64_C(1) << 20, "64 KiB to 1 MiB"}, {INT64_C(16) << 20, "1 to 16 MiB"},
    {INT64_C(256) << 20, "16 to 256 MiB"}, {INT64_MAX, "256 MiB and more"},
};
#define SIZES (COUNT_OF(sizes))

unsigned
io_size_class(int64_t size_bytes, int64_t calls)
{
	unsigned i = 0;
	if (size_bytes == SIZE_NONE) {
		return SIZES;
	}
	if (calls > 1) {
		return SIZES + 1;
	}
	while (i + 1 < SIZES && size_bytes >= sizes[i].below) {
		i++;
	}
	return i;
}

const char *
io_size_name(unsigned index)
{
	return index < SIZES    ? sizes[index].name
	       : index == SIZES ? "no size"
	                        : "sums of many calls";
}
