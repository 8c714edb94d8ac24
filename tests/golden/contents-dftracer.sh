# All that comes of small DFTracer traces, every table of the run.
. data/golden/contents
for file in data/dftracer/*.pfw; do
	take dftracer "$file"
done
take dftracer data/golden/base-*
