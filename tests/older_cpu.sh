#!/bin/sh
# Runs a command on this machine as PoCL would run it on one with an older CPU: kernels are built for
# that CPU's instructions, and the device has its name and its vectors.
# Usage: sh tests/older_cpu.sh CPU COMMAND...   (for example: sh tests/older_cpu.sh haswell make test)
#   haswell      AVX2, no AVX-512: most of AMD's before Zen 4, Intel's Core
#   sandybridge  AVX, neither AVX2 nor FMA
#   athlon64     SSE2 alone
# Exit code 77, and a line that says why, where this machine or its PoCL cannot.
set -u
cannot() {
    echo "$*"
    exit 77
}

cpu=$1
shift
case $cpu in
haswell) needs=avx2 OLDER_CPU='haswell -avx512' ;;
sandybridge) needs=avx OLDER_CPU='sandybridge -avx512 -avx2 -fma -f16c' ;;
athlon64) needs=sse2 OLDER_CPU='x86-64 -avx -fma -f16c -sse4 -ssse3' ;;
*) cannot "no such CPU: $cpu" ;;
esac
grep -q -w "$needs" /proc/cpuinfo || cannot "this CPU has no $needs"

BUILD=${BUILD:-build}
library=$PWD/$BUILD/tests/older_cpu.so
mkdir -p "$BUILD/tests"
# Under another name first: several of these may run at once.
${CC:-cc} -std=c11 -shared -fPIC -o "$library.$$" tests/support/older_cpu.c -ldl || cannot 'no compiler'
mv "$library.$$" "$library"
export OLDER_CPU
LD_PRELOAD=$library "${BERTH:-$PWD/$BUILD/berth}" devices 2>/dev/null | grep -q "pthread-$cpu-\|cpu-$cpu-" ||
    cannot "no PoCL here that takes another CPU's name"
LD_PRELOAD=$library exec "$@"
