# Records that stand for many calls: shaded by their density, the calls' time as a share of the interval.
lanescope timeline data/dftracer/density.pfw --width 70 --colour category
lanescope timeline data/dftracer/density.pfw --width 70 --ascii --depth
lanescope timeline data/dftracer/density.pfw --width 70 --from 2s --to 4s --ascii
lanescope timeline data/dftracer/density.pfw --width 40 --to 1s --format csv | head -6
lanescope timeline data/dftracer/density.pfw --width 40 -o density.svg && grep -c 'fill-opacity.*density' density.svg
