# All that comes of small DASF files, every table of the run.
. data/golden/contents
for file in data/dasf/*.msgpack; do
	take dasf "$file"
done
take dasf data/dasf/hosts-*
