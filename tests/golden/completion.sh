# Completions are scripts that their shells accept, as far as these are installed, and know every command.
for shell in bash zsh fish; do
	lanescope completion $shell >$shell.completion
	if command -v $shell >/dev/null; then
		$shell -n $shell.completion || echo "$shell refuses its completions"
	fi
	for command in $(lanescope completion words | grep -v '^--'); do
		grep -q "$command" $shell.completion || echo "$shell does not know $command"
	done
	for option in $(lanescope completion words | sed -n 's/^--//p'); do
		grep -q -- "$option" $shell.completion || echo "$shell does not know --$option"
	done
done
bash -c '. ./bash.completion; COMP_WORDS=(lanescope query task-b); COMP_CWORD=2; _lanescope; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lanescope query --format js); COMP_CWORD=3; _lanescope; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lanescope im); COMP_CWORD=1; _lanescope; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lanescope import --st); COMP_CWORD=2; _lanescope; echo "${COMPREPLY[@]}"'
echo "== how the scripts of shells begin and end, which may not be there to read them"
for shell in bash zsh fish; do
	sed -n '1,12p' $shell.completion | cut -c1-160
	echo ...
	tail -n 12 $shell.completion | cut -c1-160
done
