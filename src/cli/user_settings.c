#include "config.h"
#include "cli/user_settings.h"

#include "util/xdg.h"

void
user_settings_read(struct settings *settings)
{
	struct strbuf path = {0};

	settings_init(settings);
	settings->leaves_keys = true;
	if (xdg_path(XDG_CONFIG, "config", &path)) {
		settings_read(settings, path.data);
	}
	strbuf_free(&path);
}
