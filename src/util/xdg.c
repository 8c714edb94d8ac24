#include "config.h"

#include "util/xdg.h"

#include <stdlib.h>

bool
xdg_path(enum xdg_folder folder, const char *name, struct strbuf *path)
{
	static const struct {
		const char *variable, *below_home;
	} folders[] = {
	    [XDG_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
	    [XDG_STATE] = {"XDG_STATE_HOME", ".local/state"},
	    [XDG_CACHE] = {"XDG_CACHE_HOME", ".cache"},
	};
	const char *base = getenv(folders[folder].variable), *home = getenv("HOME");

	if (base && base[0] == '/') {
		strbuf_printf(path, "%s/lanescope/%s", base, name);
	} else if (home && home[0] == '/') {
		strbuf_printf(path, "%s/%s/lanescope/%s", home, folders[folder].below_home, name);
	} else {
		return false;
	}
	return true;
}
