# The manual without man(1): a page, a command, a saved query, a format, a producer, a column, a key, an option, a word of the field,
# a section; and a word that is none of these.
help() {
	echo "== $*"
	lanescope help "$@"
	status=$?
	[ $status = 0 ] || echo "status $status"
}
help
help upgrade
help task-summary
help counters
help record clang
help makespan
help zoom-in
help no-pager
help word makespan
help section 'what is one run' | head -12
help lanescope-query.5 | head -12
help schema string
help interpolat
help makspan
help page query --no-pager | tail -n 3
help no such thing anywhere
echo '== with nothing else on the machine'
env -i "$(command -v lanescope)" help lanescope-schema | head -n 4
echo '== narrow'
COLUMNS=30 lanescope help upgrade | head -12
echo '== queries of the user'
mkdir more && printf '%s\n' '-- title: Of mine' '-- column x count How many' 'SELECT 1 AS x' >more/mine.sql
help mine --queries more
help mine
echo '== nowhere to write'
lanescope help upgrade >/dev/full
echo '== every command, option, format, query and column has an answer'
{
	lanescope completion words
	lanescope queries --format csv --no-header | cut -d, -f1
	lanescope import --help | sed -n '/^formats/,/^$/s/^  \([a-z]*\).*/\1/p'
	lanescope queries --format json | sed -n '/"columns"/,/\]/s/.*"name": "\([^"]*\)".*/\1/p' | sort -u
} | while read -r word; do
	lanescope help -- "$word" >answer || echo "nothing on $word"
	! grep -q 'has nothing of this name' answer || echo "$word is only mentioned"
done
